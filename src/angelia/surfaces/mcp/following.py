"""What is told of a run while somebody follows it: what happened, how far it is, how it ended."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing

import msgspec
from msgspec import Raw, Struct

from angelia.surfaces.mcp.place import Place

# Pieces of what a later event holds whole.
_PIECES = frozenset({"message.delta", "reasoning.delta", "tool.arguments", "tool.output"})
_ENDS = frozenset({"run.completed", "run.failed", "run.cancelled"})
# The run goes on at the word of somebody else.
_PAUSES = frozenset({"approval.requested", "run.waiting"})
_MOST_EVENTS = 200

Tell = Callable[[int, str], Awaitable[None]]


class Told(Struct, frozen=True):
    """`last` is where to go on; `run` is the run as it is now."""

    run: Raw
    events: list[Raw]
    last: int


class _Seen(Struct, frozen=True):
    event: str
    seq: int
    tool: str = ""
    preview: str = ""


class _Run(Struct, frozen=True):
    status: str
    pending_approvals: list[Raw]


async def follow(place: Place, run_id: str, after: int, seconds: float, tell: Tell) -> Told:
    """Ends with the run, where it waits for somebody, or after so many seconds."""
    following = _Following(place, run_id, after, tell)
    try:
        async with asyncio.timeout(seconds):
            await following.go()
    except TimeoutError:
        pass
    return Told(Raw(await place.run(run_id)), following.events, following.last)


class _Following:
    def __init__(self, place: Place, run_id: str, after: int, tell: Tell) -> None:
        self._place = place
        self._run_id = run_id
        self._tell = tell
        self.last = after
        self.events: list[Raw] = []

    async def go(self) -> None:
        async with aclosing(self._place.events(self._run_id, self.last)) as events:
            async for data in events:
                seen = msgspec.json.decode(data, type=_Seen)
                self.last = max(self.last, seen.seq)
                if seen.event not in _PIECES:
                    self.events.append(Raw(data))
                    await self._tell(seen.seq, _words(seen))
                    if await self._is_enough(seen.event):
                        return

    async def _is_enough(self, event: str) -> bool:
        if event in _PAUSES:
            # It may have been answered since.
            run = msgspec.json.decode(await self._place.run(self._run_id), type=_Run)
            return bool(run.pending_approvals) or run.status.startswith("waiting")
        return event in _ENDS or len(self.events) >= _MOST_EVENTS


def _words(seen: _Seen) -> str:
    return " ".join(word for word in (seen.event, seen.tool, seen.preview) if word)[:200]
