"""Search engines as they are asked over HTTP, and what they answer."""
