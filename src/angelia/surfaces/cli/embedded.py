"""Runs that take place in this process."""

from collections.abc import AsyncIterator

from angelia.core.messages import user
from angelia.core.policy import Limits
from angelia.runtime.approvals import Decision
from angelia.runtime.keyring import FIRST
from angelia.runtime.orders import Order
from angelia.runtime.services import Services
from angelia.surfaces.cli.ask import Ask, Consent
from angelia.wire import sse
from angelia.wire.runs import server as wire


class Embedded:
    shared = False

    def __init__(self, services: Services) -> None:
        self._runs = services.runs
        self._approvals = services.approvals

    async def start(self, ask: Ask) -> str:
        started = await self._runs.start(
            Order(
                tenant=FIRST,
                messages=(user(ask.prompt),),
                surface="cli",
                model=ask.model,
                limits=Limits(max_steps=ask.max_steps, max_seconds=ask.timeout),
                session_id=ask.session,
                follows=ask.session is not None,
            )
        )
        return started.run.id

    async def events(self, run_id: str) -> AsyncIterator[bytes]:
        decoder = sse.Decoder()
        async for batch in self._runs.follow(run_id):
            for event in decoder.feed(batch.frames("runs", wire.render)):
                yield event.data

    async def stop(self, run_id: str) -> None:
        await self._runs.stop(run_id)

    async def consent(self, run_id: str, approval_id: str, choice: Consent, reason: str) -> None:
        run = await self._runs.get(FIRST, run_id)
        await self._approvals.answer(run, Decision(choice, approval_id, reason=reason))
