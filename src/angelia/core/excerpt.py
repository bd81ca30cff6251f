"""Cutting a long text to its head and tail, and saying so."""

from msgspec import Struct


class Excerpt(Struct, frozen=True):
    text: str
    truncated: bool


def head(text: str, limit: int) -> str:
    """The beginning of a text that is too long, as an excerpt shows it."""
    return text[: limit * 2 // 3]


def excerpt(text: str, limit: int, rest: str) -> Excerpt:
    """At most about `limit` characters; `rest` tells where the whole can be had."""
    if len(text) <= limit:
        return Excerpt(text, truncated=False)
    begun, tail = head(text, limit), limit // 3
    dropped = len(text) - len(begun) - tail
    marker = f"\n[… {dropped:,} of {len(text):,} characters left out; {rest} …]\n"
    return Excerpt(begun + marker + text[-tail:], truncated=True)
