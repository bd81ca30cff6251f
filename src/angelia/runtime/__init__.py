"""Making runs happen: asynchronous, and aware of ports only."""
