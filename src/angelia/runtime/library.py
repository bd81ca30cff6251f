"""What can be read of runs, whether somebody works on them or not."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar

from msgspec.structs import replace

from angelia.core.chain import cut_off
from angelia.core.events import Entry, TurnBegun
from angelia.core.legs import had_turn
from angelia.core.messages import Assistant, Message, Text
from angelia.core.run import fold
from angelia.core.state import RunState, Status
from angelia.core.transcript import digests, transcript
from angelia.core.window import WHOLE, Digest, inherited
from angelia.errors import Conflict, NotFound
from angelia.ports import Batch, EventLog, OutputStore, RunFilter, RunRecord, RunStore
from angelia.runtime.orders import Order

T = TypeVar("T")
# What these showed last may be no whole reply.
CUT_SHORT: tuple[Status, ...] = ("failed", "cancelled")
ENDED: tuple[Status, ...] = ("completed", *CUT_SHORT)


class Library:
    def __init__(self, log: EventLog, store: RunStore, outputs: OutputStore) -> None:
        self._log = log
        self._store = store
        self._outputs = outputs

    async def get(self, tenant: str, run_id: str) -> RunRecord:
        """What belongs to another tenant does not exist."""
        record = await self._store.get(run_id)
        if record is None or record.tenant != tenant:
            raise _no_run(run_id)
        return record

    async def get_in(self, tenant: str, session_id: str, run_id: str, param: str) -> RunRecord:
        """A run that its session shows. Raises NotFound, which names `param`."""
        record = await self._store.get(run_id)
        known = record is not None and (record.tenant, record.session_id) == (tenant, session_id)
        if record is None or not known or not record.stored:
            raise NotFound(
                f"There is no run {run_id!r} in the session {session_id!r}.",
                param=param,
                code="run_not_found",
            )
        return record

    async def record(self, run_id: str) -> RunRecord:
        """Whoever it belongs to."""
        record = await self._store.get(run_id)
        if record is None:
            raise _no_run(run_id)
        return record

    async def find(self, wanted: RunFilter) -> Sequence[RunRecord]:
        return await self._store.find(wanted)

    async def state(self, run_id: str) -> RunState:
        return fold(entry.event for entry in await self.facts(run_id))

    async def facts(self, run_id: str) -> tuple[Entry, ...]:
        """What the run is made of, without the deltas."""
        facts = await self._log.read(run_id, facts_only=True)
        if facts is None:
            raise _no_run(run_id)
        return facts.entries

    async def said(
        self, tenant: str, session_id: str, before: str | None = None
    ) -> tuple[tuple[Message, ...], str | None]:
        """All that was said in a session up to now or `before` a run, and the run that knows it."""
        wanted = RunFilter(tenant, session_id=session_id, before=before, limit=5)
        while page := await self._store.find(wanted):
            for run in page:
                known = await self.said_by(run)
                if known is not None:
                    return known, run.id
            wanted = replace(wanted, before=page[-1].id)
        return (), None

    async def said_by(self, run: RunRecord) -> tuple[Message, ...] | None:
        """All that was said up to now in a run; None if it has never had its turn."""
        facts = await self.facts(run.id)
        known = transcript(facts) if had_turn(facts) else None
        return None if known is None else known + await self._cut_off(run)

    async def turn_of(self, run: RunRecord) -> TurnBegun:
        """What a run that had to wait is told when its turn has come."""
        said, parent = await self.said(run.tenant, run.session_id, before=run.id)
        return TurnBegun(said, parent, await self._digest(parent, said))

    async def digested(self, order: Order) -> Order:
        """What was said before is shown as it was shown before, so that prompts begin the same."""
        if order.parent is None or not order.history:
            return order
        return replace(order, digest=await self._digest(order.parent, order.history))

    async def _digest(self, run_id: str | None, history: Sequence[Message]) -> Digest:
        """How the run has shown what was said, as far as `history` is the same."""
        known = await self._log.read(run_id, facts_only=True) if run_id is not None else None
        found = digests(known.entries) if known is not None else ()
        # A branch may lie before what was summarised last and behind what was before.
        return next((one for each in found if (one := inherited(*each, history))), WHOLE)

    async def _cut_off(self, run: RunRecord) -> tuple[Message, ...]:
        text = await self.cut_off(run)
        return (Assistant((Text(text),)),) if text.strip() else ()

    async def cut_off(self, run: RunRecord) -> str:
        """What a run has shown of a reply that its end cut off."""
        if run.status not in CUT_SHORT:
            return ""
        return cut_off(entry.event for entry in await self.read(run.id))

    async def outlines(self, run_ids: Sequence[str]) -> Sequence[tuple[Entry, ...]]:
        """What happened in each of these runs, without the pieces that became something whole."""
        return await self._log.outlines(run_ids)

    def follow(self, run_id: str, after: int = 0) -> AsyncIterator[Batch]:
        return self._log.follow(run_id, after)

    async def entries(self, run_id: str) -> AsyncGenerator[Entry]:
        """Every entry as it becomes durable, up to the end of the run."""
        async with released(self.follow(run_id)) as batches:
            async for batch in batches:
                for entry in batch.entries:
                    yield entry

    async def read(self, run_id: str, after: int = 0) -> tuple[Entry, ...]:
        """Everything that is in the log behind `after`, deltas included."""
        batch = await self._log.read(run_id, after)
        return batch.entries if batch is not None else ()

    async def delete(self, record: RunRecord) -> None:
        if record.status not in ENDED:
            raise Conflict(
                f"Run {record.id!r} is {record.status}; stop it before deleting it.",
                code="run_not_finished",
            )
        await self._store.delete(record.id)
        await self._outputs.delete(record.id)


def _no_run(run_id: str) -> NotFound:
    return NotFound(f"There is no run {run_id!r}.", param="run_id", code="run_not_found")


@asynccontextmanager
async def released(batches: AsyncIterator[T]) -> AsyncGenerator[AsyncIterator[T]]:
    """What follows a run is let go with its reader, not when memory is looked through."""
    try:
        yield batches
    finally:
        if isinstance(batches, AsyncGenerator):
            await batches.aclose()
