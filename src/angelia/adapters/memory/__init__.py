"""Every port, without the world."""
