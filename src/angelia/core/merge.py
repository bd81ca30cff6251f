"""Deltas that arrive together, shown together."""

from collections.abc import Iterable
from itertools import groupby

from angelia.core.events import Delta, ReasoningDelta, TextDelta


def merged(deltas: Iterable[Delta]) -> list[Delta]:
    """Neighbouring pieces of text become one, and so do those of reasoning."""
    result: list[Delta] = []
    for kind, group in groupby(deltas, type):
        if kind is TextDelta or kind is ReasoningDelta:
            texts = [d.text for d in group if isinstance(d, TextDelta | ReasoningDelta)]
            result.append(kind("".join(texts)))
        else:
            result.extend(group)
    return result
