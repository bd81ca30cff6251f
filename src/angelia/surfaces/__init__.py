"""Who asks: each surface knows runtime and wire, and never another surface."""
