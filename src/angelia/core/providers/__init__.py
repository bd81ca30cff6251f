"""What is known of providers and decided about them: faults, patience, keys, health."""
