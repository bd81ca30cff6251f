"""Jobs, on the command line."""
