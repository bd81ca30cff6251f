"""An AI-agent runtime and server: one append-only log per run, every client a view of it."""

__version__ = "0.1.0"
