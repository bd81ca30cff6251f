"""Any text that a model may answer with, but for such as begins a thought."""

from hypothesis import strategies as st

from angelia.wire.written.tags import TAGS


def is_plain(text: str) -> bool:
    """Whoever reads an answer takes what stands behind such a tag for a thought."""
    return not any(tag in text for tag in TAGS)


def prose(**size: int) -> st.SearchStrategy[str]:
    return st.text(st.characters(codec="utf-8"), **size).filter(is_plain)
