"""Bytes from the web, made readable; what takes long or may go wrong is done in a child process."""
