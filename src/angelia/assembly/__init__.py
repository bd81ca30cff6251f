"""Plugs adapters into ports; the only package that imports both."""
