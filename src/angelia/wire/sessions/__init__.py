"""Sessions as JSON: what clients send of them, what they are shown, and how they leave us."""
