"""A whole reply as the deltas that a stream of it shows."""

import re
from typing import assert_never

from angelia.core.events import CallDelta, Delta, ReasoningDelta, TextDelta
from angelia.core.messages import AssistantPart, Reasoning, Refusal, Reply, Text, ToolCall

_WORD = re.compile(r"\s*\S+\s*$|\s*\S+|\s+$")
_ARGUMENTS_PIECE = 12


def words(text: str) -> list[str]:
    """Pieces of a word each, blanks in front; together they are the text."""
    return _WORD.findall(text)


def pieces(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def unfold(reply: Reply) -> list[Delta]:
    """Word by word; each call as an opening piece and its arguments in small pieces."""
    deltas: list[Delta] = []
    calls = 0
    for part in reply.message.parts:
        deltas += _deltas(part, calls)
        calls += isinstance(part, ToolCall)
    return deltas


def _deltas(part: AssistantPart, index: int) -> list[Delta]:
    match part:
        case Text(text=text) | Refusal(text=text):
            return [TextDelta(word) for word in words(text)]
        case Reasoning(text=text):
            return [ReasoningDelta(word) for word in words(text)]
        case ToolCall():
            opening = CallDelta(index, id=part.id, name=part.name)
            return [
                opening,
                *(CallDelta(index, piece) for piece in pieces(part.arguments, _ARGUMENTS_PIECE)),
            ]
        case _:
            assert_never(part)
