"""What a run is: values and pure functions, no clock, no randomness, no I/O, no await."""
