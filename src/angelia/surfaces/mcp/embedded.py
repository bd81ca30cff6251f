"""Runs that take place in this process, because no server is running."""

from collections.abc import AsyncGenerator
from typing import get_args

import msgspec
from msgspec import Raw

from angelia.core.messages import user
from angelia.core.state import Status
from angelia.errors import BadRequest
from angelia.ports import RunFilter, RunRecord
from angelia.runtime.approvals import Decision
from angelia.runtime.facing import facing
from angelia.runtime.keyring import FIRST
from angelia.runtime.orders import Order
from angelia.runtime.services import Services
from angelia.surfaces.mcp.place import Choice, Wish
from angelia.wire import sse
from angelia.wire.runs.server import render, run_json

_STATUSES: tuple[Status, ...] = get_args(Status)


class Embedded:
    """With the rights of the first key, whose home folder this is."""

    def __init__(self, services: Services) -> None:
        self._runs = services.runs
        self._approvals = services.approvals

    async def start(self, wish: Wish) -> str:
        order = Order(
            tenant=FIRST,
            messages=(user(wish.input),),
            surface="mcp",
            model=wish.model,
            instructions=wish.instructions or "",
            session_id=wish.session_id,
            follows=wish.session_id is not None,
        )
        return (await self._runs.start(order)).run.id

    async def run(self, run_id: str) -> bytes:
        return await self._shown(await self._runs.get(FIRST, run_id))

    async def runs(self, session_id: str | None, status: str | None, limit: int) -> bytes:
        if status is not None and status not in _STATUSES:
            raise BadRequest(f"status is {status!r}; it can be {', '.join(_STATUSES)}.")
        statuses = () if status is None else (status,)
        wanted = RunFilter(FIRST, session_id, statuses, limit=limit, seeds=False)
        found = await self._runs.find(wanted)
        return msgspec.json.encode({"data": [Raw(await self._shown(run)) for run in found]})

    async def events(self, run_id: str, after: int) -> AsyncGenerator[bytes]:
        await self._runs.get(FIRST, run_id)
        decoder = sse.Decoder()
        async for batch in self._runs.follow(run_id, after):
            for event in decoder.feed(batch.frames("runs", render)):
                yield event.data

    async def stop(self, run_id: str) -> None:
        await self._runs.get(FIRST, run_id)
        await self._runs.stop(run_id)

    async def approve(
        self, run_id: str, approval_id: str | None, choice: Choice, reason: str
    ) -> None:
        run = await self._runs.get(FIRST, run_id)
        await self._approvals.answer(run, Decision(choice, approval_id, reason=reason))

    async def _shown(self, run: RunRecord) -> bytes:
        return run_json(facing(run, await self._runs.state(run.id)))
