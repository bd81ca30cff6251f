"""Our own API of keys and what they used."""
