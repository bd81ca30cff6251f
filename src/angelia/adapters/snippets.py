"""Where words stand in a text, and the piece of it that shows them."""

from collections.abc import Sequence

from msgspec import Struct

from angelia.adapters.words import WORD, fold, may_be_cut_off
from angelia.ports import Hit

SNIPPET_WORDS = 12
BEFORE_FIRST_HIT = 4
# So much of a text is looked at for its snippet, from its beginning.
READ_CHARACTERS = 100_000

Span = tuple[int, int]


class Found(Struct, frozen=True):
    """How often words were found in a text, and where the first of them stand."""

    count: int
    snippet: str


class Said(Struct, frozen=True):
    """A run in which words were found."""

    session_id: str
    run_id: str
    at: float
    question: str
    output: str


def hit(wanted: Sequence[str], said: Said) -> Hit:
    """The side where more was found."""
    asked, answered = find(wanted, said.question), find(wanted, said.output)
    if answered.count > asked.count:
        return Hit(said.session_id, said.run_id, said.at, "assistant", answered.snippet)
    return Hit(said.session_id, said.run_id, said.at, "user", asked.snippet)


def find(wanted: Sequence[str], text: str) -> Found:
    text = text[:READ_CHARACTERS]
    beginning = wanted[-1] if may_be_cut_off(wanted[-1]) else None
    whole = set(wanted)
    spans: list[Span] = []
    hits: list[int] = []
    for found in WORD.finditer(text):
        word = fold(found[0])
        if word in whole or (beginning is not None and word.startswith(beginning)):
            hits.append(len(spans))
        spans.append(found.span())
    last_start = max(len(spans) - SNIPPET_WORDS, 0)
    first = min(max(hits[0] - BEFORE_FIRST_HIT, 0), last_start) if hits else 0
    shown = range(first, min(first + SNIPPET_WORDS, len(spans)))
    return Found(len(hits), _snippet(text, spans, shown, set(hits)))


def _snippet(text: str, spans: list[Span], shown: range, hits: set[int]) -> str:
    whole = (shown.start == 0, shown.stop == len(spans))
    at = 0 if whole[0] else spans[shown.start][0]
    pieces = ["" if whole[0] else "…"]
    for n in shown:
        start, stop = spans[n]
        word = text[start:stop]
        pieces += [text[at:start], f"«{word}»" if n in hits else word]
        at = stop
    return "".join([*pieces, text[at:] if whole[1] else "…"])
