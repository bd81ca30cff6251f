"""The log and its records in memory: what is written is committed at once, and gone with us."""

from collections.abc import AsyncIterator, Sequence

from msgspec.structs import replace

from angelia.adapters.follow import Bounds, Feeds, Page
from angelia.adapters.memory.tables import Conversations, Kept, Lease, Ledger
from angelia.adapters.refusals import (
    claim_held,
    claimed_otherwise,
    fenced,
    no_page_before,
    no_run,
    run_exists,
)
from angelia.adapters.words import holds
from angelia.core.events import DELTA_TYPES, PIECE_TYPES, AnyEvent, Delta, Entry, RunEnded
from angelia.ports import (
    SEEDS,
    Batch,
    Claim,
    Clock,
    Held,
    Mark,
    RunFilter,
    RunRecord,
    Session,
    Summary,
)


class MemoryLog:
    def __init__(self, clock: Clock, bounds: Bounds | None = None) -> None:
        self._clock = clock
        self._bounds = bounds or Bounds()
        self._feeds = Feeds(self._page, self._bounds)
        self._claims: dict[tuple[str, str], Lease] = {}
        self.runs: dict[str, Kept] = {}
        self.sessions = Conversations()
        self.ledger = Ledger()

    async def create(
        self,
        run: RunRecord,
        events: Sequence[AnyEvent],
        claim: Claim | None = None,
        summary: Summary | None = None,
        session: Session | None = None,
    ) -> Held:
        if claim is not None and (lease := self.lease(run.tenant, claim.key)):
            return lease.answer(claim)
        if run.id in self.runs:
            raise run_exists(run.id)
        kept = self.runs[run.id] = Kept(run, self._clock.now())
        if claim is not None:
            self._claims[run.tenant, claim.key] = Lease(claim, Held(run.id))
        if kept.shown:
            self.sessions.joined(kept.record)
        if session is not None:
            self.sessions.put(session)
        self._write(kept, events)
        if summary is not None:
            kept.tell(summary)
        self._settle(kept)
        return Held(run.id)

    async def append(
        self, run_id: str, epoch: int, events: Sequence[AnyEvent], mark: Mark | None = None
    ) -> int:
        kept = self._writable(run_id, epoch)
        if mark is not None and mark.claim is not None:
            self._hold(kept, mark.claim)
        self._write(kept, events)
        if mark is not None:
            self._mark(kept, mark)
        self._settle(kept)
        if kept.ended:
            worked = mark.worked if mark is not None else None
            self.ledger.ended(kept.record, self._clock.now(), worked)
        return kept.record.last_seq

    async def offer(self, run_id: str, epoch: int, deltas: Sequence[Delta]) -> None:
        self._write(self._writable(run_id, epoch), deltas)

    def follow(self, run_id: str, after: int = 0) -> AsyncIterator[Batch]:
        return self._feeds.follow(run_id, after)

    async def read(self, run_id: str, after: int = 0, *, facts_only: bool = False) -> Batch | None:
        kept = self.runs.get(run_id)
        entries = tuple(
            entry
            for entry in (kept.entries[max(after, 0) :] if kept else ())
            if not (facts_only and isinstance(entry.event, DELTA_TYPES))
        )
        return Batch(entries) if entries else None

    async def outlines(self, run_ids: Sequence[str]) -> Sequence[tuple[Entry, ...]]:
        return tuple(
            tuple(e for e in kept.entries if not isinstance(e.event, PIECE_TYPES)) if kept else ()
            for kept in map(self.runs.get, run_ids)
        )

    def lease(self, tenant: str, key: str) -> Lease | None:
        """What holds a claim, unless it is over."""
        lease = self._claims.get((tenant, key))
        if lease is None or lease.claim.expires_at <= self._clock.now():
            return None
        over = lease.claim.live_only and self.runs[lease.held.run_id].ended
        return None if over else lease

    def of_session(self, tenant: str, session_id: str) -> list[Kept]:
        """Its runs, oldest first, whether or not others may find them."""
        mine = (tenant, session_id)
        runs = self.runs.values() if session_id else ()
        return [kept for kept in runs if (kept.record.tenant, kept.record.session_id) == mine]

    def drop(self, run_id: str) -> None:
        """The run, its entries and its claims; its session goes on without it."""
        kept = self.runs.pop(run_id, None)
        if kept is None:
            return
        self._claims = {k: held for k, held in self._claims.items() if held.held.run_id != run_id}
        self._feeds.forget(run_id)
        if kept.shown:
            run = kept.record
            rest = [other.record for other in self.of_session(run.tenant, run.session_id)]
            self.sessions.left(run, [other for other in rest if other.stored])

    def _writable(self, run_id: str, epoch: int) -> Kept:
        kept = self.runs.get(run_id)
        if kept is None or kept.ended or kept.record.epoch != epoch:
            raise fenced(run_id)
        return kept

    def _hold(self, kept: Kept, claim: Claim) -> None:
        """From behind the last entry."""
        run = kept.record
        if lease := self.lease(run.tenant, claim.key):
            same = lease.claim.fingerprint == claim.fingerprint
            raise claim_held() if same else claimed_otherwise()
        self._claims[run.tenant, claim.key] = Lease(claim, Held(run.id, run.last_seq))

    def _write(self, kept: Kept, events: Sequence[AnyEvent]) -> None:
        run, at = kept.record, self._clock.now()
        entries = tuple(Entry(run.id, run.last_seq + n, at, e) for n, e in enumerate(events, 1))
        kept.entries.extend(entries)
        kept.record = replace(run, last_seq=len(kept.entries), updated_at=at)
        if entries and (feed := self._feeds.get(run.id)):
            feed.deliver(Batch(entries), 0)

    def _mark(self, kept: Kept, mark: Mark) -> None:
        parent = kept.record.parent if mark.parent is None else mark.parent
        kept.record = replace(kept.record, status=mark.status, parent=parent)
        if mark.bill is not None:
            self.ledger.bill(kept.record.tenant, mark.bill, self._clock.now())
        if mark.summary is not None:
            kept.tell(mark.summary)

    def _settle(self, kept: Kept) -> None:
        """What follows from the last entry, if the run ends with it."""
        kept.ended = bool(kept.entries) and isinstance(kept.entries[-1].event, RunEnded)
        if kept.ended and kept.shown:
            self.sessions.ended(kept.record)

    async def _page(self, run_id: str, after: int) -> Page | None:
        kept = self.runs.get(run_id)
        if kept is None:
            return None
        start = max(after, 0)
        return Page(tuple(kept.entries[start : start + self._bounds.page]), kept.ended)


class MemoryRuns:
    """The records of a MemoryLog."""

    def __init__(self, log: MemoryLog) -> None:
        self._log = log

    async def get(self, run_id: str) -> RunRecord | None:
        kept = self._log.runs.get(run_id)
        return kept.record if kept else None

    async def find(self, wanted: RunFilter) -> Sequence[RunRecord]:
        mine = [kept.record for kept in reversed(self._log.runs.values())]
        mine = [run for run in mine if run.stored and run.tenant == wanted.tenant]
        if wanted.before is not None:
            ids = [run.id for run in mine]
            if wanted.before not in ids:
                raise no_page_before(wanted.before)
            mine = mine[ids.index(wanted.before) + 1 :]
        return tuple(run for run in mine if _matches(run, wanted))[: wanted.limit]

    async def unfinished(self) -> Sequence[RunRecord]:
        return tuple(kept.record for kept in self._log.runs.values() if not kept.ended)

    async def take(self, run_id: str) -> int:
        kept = self._log.runs.get(run_id)
        if kept is None:
            raise no_run(run_id)
        kept.record = replace(kept.record, epoch=kept.record.epoch + 1)
        return kept.record.epoch

    async def delete(self, run_id: str) -> None:
        self._log.drop(run_id)


class MemoryExpired:
    def __init__(self, log: MemoryLog) -> None:
        self._log = log

    async def over(self, before: float, *, stored: bool) -> Sequence[RunRecord]:
        return tuple(
            kept.record
            for kept in self._log.runs.values()
            if kept.ended and kept.record.stored is stored and kept.record.updated_at < before
        )


def _matches(run: RunRecord, wanted: RunFilter) -> bool:
    return (
        (wanted.session_id is None or run.session_id == wanted.session_id)
        and (not wanted.statuses or run.status in wanted.statuses)
        and (wanted.seeds or run.surface not in SEEDS)
        and (wanted.model is None or run.model == wanted.model)
        and (wanted.surface is None or run.surface == wanted.surface)
        and (wanted.words is None or holds(run.question, wanted.words))
        and (wanted.since is None or run.created_at >= wanted.since)
        and (wanted.until is None or run.created_at < wanted.until)
        and (wanted.delegated or run.delegated_by is None)
    )
