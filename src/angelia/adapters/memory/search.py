"""Searching texts for words, with no index."""

import unicodedata
from collections.abc import Sequence

from msgspec import Struct

from angelia.adapters.words import WORD

SNIPPET_WORDS = 12
BEFORE_FIRST_HIT = 4


class Found(Struct, frozen=True):
    """How often words were found in a text, and where the first of them stand."""

    count: int
    snippet: str


def fold(word: str) -> str:
    """Without accents and capitals."""
    plain = unicodedata.normalize("NFD", word)
    return "".join(c for c in plain if not unicodedata.combining(c)).lower()


def words(text: str) -> list[str]:
    return [fold(word) for word in WORD.findall(text)]


def matches(wanted: Sequence[str], *texts: str) -> bool:
    """Whether every word stands in one of the texts; the last may be the beginning of one."""
    there = {word for text in texts for word in words(text)}
    *whole, last = wanted
    return there.issuperset(whole) and any(word.startswith(last) for word in there)


def find(wanted: Sequence[str], text: str) -> Found:
    spans = [match.span() for match in WORD.finditer(text)]
    folded = words(text)
    hits = [n for n, word in enumerate(folded) if word in wanted or word.startswith(wanted[-1])]
    last_start = max(len(spans) - SNIPPET_WORDS, 0)
    first = min(max(hits[0] - BEFORE_FIRST_HIT, 0), last_start) if hits else 0
    shown = range(first, min(first + SNIPPET_WORDS, len(spans)))
    return Found(len(hits), _snippet(text, spans, shown, set(hits)))


def _snippet(text: str, spans: list[tuple[int, int]], shown: range, hits: set[int]) -> str:
    whole = (shown.start == 0, shown.stop == len(spans))
    at = 0 if whole[0] else spans[shown.start][0]
    pieces = ["" if whole[0] else "…"]
    for n in shown:
        start, stop = spans[n]
        word = text[start:stop]
        pieces += [text[at:start], f"«{word}»" if n in hits else word]
        at = stop
    return "".join([*pieces, text[at:] if whole[1] else "…"])
