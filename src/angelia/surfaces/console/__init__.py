"""The console: a page for people, served as files."""
