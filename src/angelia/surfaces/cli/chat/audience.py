"""Whoever watches a run at a terminal, without a part in it."""

import asyncio
import os
from collections.abc import Sequence

from msgspec import structs

from angelia.errors import AngeliaError
from angelia.surfaces.cli.chat.blocks import Block, Live, Remark
from angelia.surfaces.cli.chat.events import Ending, read
from angelia.surfaces.cli.chat.following import followed
from angelia.surfaces.cli.chat.paint import Painter
from angelia.surfaces.cli.chat.stage import Owner, Stage, colourful
from angelia.surfaces.cli.chat.view import View
from angelia.surfaces.cli.chat.watching import Pace
from angelia.surfaces.cli.exits import Exit
from angelia.surfaces.cli.remote import Remote
from angelia.surfaces.cli.render import exit_code
from angelia.wire.runs.shapes import (
    ApprovalRequestedOut,
    RunCancelledOut,
    RunCompletedOut,
    RunFailedOut,
)


class Audience(Owner):
    """`over` is whether the run had ended before: then nobody is asked any more."""

    def __init__(
        self, remote: Remote, run_id: str, after: int, pace: Pace | None, *, over: bool
    ) -> None:
        self._remote = remote
        self._run_id = run_id
        self._after = after
        self._pace = pace
        self._over = over
        self._view = View()
        self._lost = False
        self._shift = 0.0
        self._error: AngeliaError | None = None
        painter = Painter(colour=colourful(os.environ))
        self._stage = Stage(self, painter, prompt=False)

    def live(self) -> Live:
        live = structs.replace(self._view.live(), asked=None)
        if self._lost:
            return structs.replace(live, note="reconnecting")
        quiet = not (live.prose or live.thought or live.tools or live.note)
        return structs.replace(live, note="watching") if quiet else live

    def busy(self) -> bool:
        return True

    def interrupted(self) -> None:
        self._stage.leave(Exit.INTERRUPTED)

    def unfolded(self) -> None:
        self._stage.unfold(None)

    async def go(self, first: Sequence[Block]) -> int:
        self._stage.show(first)
        watching = asyncio.create_task(self._watch())
        try:
            code = await self._stage.run()
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
        if self._error is not None:
            raise self._error
        return code

    async def _watch(self) -> None:
        try:
            ending = await self._followed()
        except AngeliaError as error:
            self._error = error
            self._stage.leave(Exit.FAILED)
        else:
            self._stage.leave(Exit.COMPLETED if ending is None else exit_code(ending))

    async def _followed(self) -> Ending | None:
        async for data in followed(self._remote, self._run_id, self._after, self._lost_or_found):
            event = read(data)
            if event is None:
                continue
            if self._pace is not None:
                await self._pace.until(event.timestamp)
            self._stage.show(self._view.feed(event))
            self._stage.refresh()
            if isinstance(event, ApprovalRequestedOut) and not self._over:
                how = f"  angelia approve {self._run_id} --code {event.code}"
                self._stage.show([Remark(how)])
            if isinstance(event, RunCompletedOut | RunFailedOut | RunCancelledOut):
                return event
        return None

    def _lost_or_found(self, lost: bool) -> None:
        self._lost = lost
