"""Searching texts for words, with no index."""

from collections.abc import Sequence

from angelia.adapters.words import may_be_cut_off, words


def matches(wanted: Sequence[str], *texts: str) -> bool:
    """Whether every word stands in one of the texts; the last may be the beginning of one."""
    there = {word for text in texts for word in words(text)}
    *whole, last = wanted
    if not may_be_cut_off(last):
        return there.issuperset(wanted)
    return there.issuperset(whole) and any(word.startswith(last) for word in there)
