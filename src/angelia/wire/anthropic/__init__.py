"""Anthropic Messages, our half as a client."""
