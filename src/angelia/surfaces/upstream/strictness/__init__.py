"""What the real servers refuse, and a lenient one would hide: one module per protocol."""
