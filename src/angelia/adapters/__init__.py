"""The world: one module per port and technology."""
