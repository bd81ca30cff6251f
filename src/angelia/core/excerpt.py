"""Cutting a long text to its head and tail, and saying so."""

from msgspec import Struct


class Excerpt(Struct, frozen=True):
    text: str
    truncated: bool


def excerpt(text: str, limit: int, rest: str) -> Excerpt:
    """At most about `limit` characters; `rest` tells where the whole can be had."""
    if len(text) <= limit:
        return Excerpt(text, truncated=False)
    head, tail = limit * 2 // 3, limit // 3
    dropped = len(text) - head - tail
    marker = f"\n[… {dropped:,} of {len(text):,} characters left out; {rest} …]\n"
    return Excerpt(text[:head] + marker + text[-tail:], truncated=True)
