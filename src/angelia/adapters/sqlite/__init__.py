"""The log and the records in one SQLite file, written by one thread."""
