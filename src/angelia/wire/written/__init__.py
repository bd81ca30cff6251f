"""What models write into their text: thoughts in tags, and calls."""
