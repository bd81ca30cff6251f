"""A run watched from outside: live, or again with the timing it had."""

import asyncio
import os

import msgspec
from msgspec import Struct

from angelia.surfaces.cli.chat.blocks import Spoken
from angelia.surfaces.cli.chat.command import at_terminal
from angelia.surfaces.cli.chat.events import Ending
from angelia.surfaces.cli.chat.following import followed
from angelia.surfaces.cli.chat.harmless import harmless
from angelia.surfaces.cli.events import read as read_plain
from angelia.surfaces.cli.exits import Exit
from angelia.surfaces.cli.remote import Remote
from angelia.surfaces.cli.render import Renderer, exit_code
from angelia.surfaces.cli.screen import Screen
from angelia.surfaces.cli.server import Server
from angelia.wire.runs.shapes import RunCancelledOut, RunCompletedOut, RunFailedOut

# Nobody watches longer than that for nothing to happen.
LONGEST_GAP = 5.0


class _Timed(Struct, frozen=True):
    timestamp: float


class Pace:
    """Lets time pass between events as it passed then, `speed` times as fast."""

    def __init__(self, speed: float, *, exact: bool = False) -> None:
        self._speed = speed
        self._longest = float("inf") if exact else LONGEST_GAP
        self._last: float | None = None
        self._due = 0.0

    async def until(self, at: float) -> None:
        """What happens now keeps its own time: who has caught up does not wait."""
        now = asyncio.get_running_loop().time()
        if self._last is None:
            self._due = now
        else:
            self._due += min(max(0.0, at - self._last), self._longest) / self._speed
        self._last = at
        if self._due > now:
            await asyncio.sleep(self._due - now)


async def watch(remote: Remote, run_id: str, *, after: int = 0, paced: Pace | None = None) -> int:
    """Shows the run from behind the event `after` to its end; the exit code says how it ended.

    Whoever stops watching does not stop the run. Raises RequestError for a run that is not there.
    """
    run = await Server(remote).run(run_id)
    if not at_terminal():
        return await _in_lines(remote, run_id, after, paced)
    from angelia.surfaces.cli.chat.audience import Audience

    question = [Spoken(harmless(run.question))] if run.question and not after else []
    over = run.status in ("completed", "failed", "cancelled")
    return await Audience(remote, run_id, after, paced, over=over).go(question)


async def _in_lines(remote: Remote, run_id: str, after: int, paced: Pace | None) -> int:
    screen, renderer = Screen(os.environ), Renderer()
    ending: Ending | None = None
    async for data in followed(remote, run_id, after, lambda _: None):
        if paced is not None:
            await paced.until(msgspec.json.decode(data, type=_Timed).timestamp)
        event = read_plain(data)
        if event is not None:
            screen.show(renderer.show(event))
        if isinstance(event, RunCompletedOut | RunFailedOut | RunCancelledOut):
            ending = event
            break
    return Exit.COMPLETED if ending is None else exit_code(ending)
