"""A model that says what a script says, for tests and for trying things out."""

import asyncio
from collections.abc import Sequence
from typing import assert_never

from msgspec import Struct

from angelia.core.events import Delta
from angelia.core.messages import (
    Assistant,
    AssistantPart,
    Prompt,
    Reasoning,
    Reply,
    Text,
    ToolCall,
    Usage,
)
from angelia.core.unfold import unfold
from angelia.errors import UpstreamError, UpstreamRefused
from angelia.ports import Emit


class Breaks(Struct, frozen=True):
    """Shows these deltas, then fails."""

    error: UpstreamError
    after: tuple[Delta, ...] = ()


class Hangs(Struct, frozen=True):
    """Shows these deltas, then says nothing until it is cancelled."""

    after: tuple[Delta, ...] = ()


Turn = Reply | Breaks | Hangs


def says(text: str, *, reasoning: str = "", usage: Usage | None = None) -> Reply:
    thoughts = (Reasoning(reasoning),) if reasoning else ()
    return Reply(Assistant((*thoughts, Text(text))), "stop", usage)


def calls(*wanted: ToolCall, text: str = "", usage: Usage | None = None) -> Reply:
    parts: tuple[AssistantPart, ...] = (Text(text), *wanted) if text else wanted
    return Reply(Assistant(parts), "tool_calls", usage)


class ScriptedModel:
    """One turn for each question, in order. `asked` holds every prompt, `cancelled` counts."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._turns = list(turns)
        self.asked: list[Prompt] = []
        self.cancelled = 0

    async def ask(self, prompt: Prompt, emit: Emit) -> Reply:
        self.asked.append(prompt)
        if not self._turns:
            raise UpstreamRefused("The script has no more turns.", status=400)
        try:
            return await self._play(self._turns.pop(0), emit)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise

    async def _play(self, turn: Turn, emit: Emit) -> Reply:
        match turn:
            case Reply():
                await _show(unfold(turn), emit)
                return turn
            case Breaks(error=error, after=after):
                await _show(after, emit)
                raise error
            case Hangs(after=after):
                await _show(after, emit)
                return await asyncio.get_running_loop().create_future()
            case _:
                assert_never(turn)


async def _show(deltas: Sequence[Delta], emit: Emit) -> None:
    for delta in deltas:
        await emit((delta,))
        # A stream lets others run between its pieces.
        await asyncio.sleep(0)
