"""Our own API of notes that outlast conversations."""
