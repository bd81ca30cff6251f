"""What a response puts out, told event by event while it comes about."""
