"""Our own API of jobs and their firings."""
