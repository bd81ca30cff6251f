"""`angelia models`: which models are configured, and which of them answer."""
