"""Signing in from a browser."""
