"""The log and its records in memory: what is written is committed at once, and gone with us."""

from collections.abc import AsyncIterator, Sequence

from msgspec.structs import replace

from angelia.adapters.follow import Bounds, Feeds, Page
from angelia.adapters.refusals import (
    claimed_otherwise,
    fenced,
    no_page_before,
    no_run,
    run_exists,
)
from angelia.core.events import DELTA_TYPES, AnyEvent, Delta, Entry, RunEnded
from angelia.core.state import Status
from angelia.ports import Batch, Claim, Clock, RunFilter, RunRecord


class Kept:
    """One run: its record and all its entries."""

    __slots__ = ("ended", "entries", "record")

    def __init__(self, record: RunRecord) -> None:
        self.record = record
        self.entries: list[Entry] = []
        self.ended = False


class MemoryLog:
    def __init__(self, clock: Clock, bounds: Bounds | None = None) -> None:
        self._clock = clock
        self._bounds = bounds or Bounds()
        self._feeds = Feeds(self._page, self._bounds)
        self._claims: dict[tuple[str, str], tuple[Claim, str]] = {}
        self.runs: dict[str, Kept] = {}

    async def create(
        self, run: RunRecord, events: Sequence[AnyEvent], claim: Claim | None = None
    ) -> str:
        if claim is not None and (holder := self._holder(run.tenant, claim)):
            return holder
        if run.id in self.runs:
            raise run_exists(run.id)
        kept = self.runs[run.id] = Kept(replace(run, last_seq=0))
        if claim is not None:
            self._claims[run.tenant, claim.key] = (claim, run.id)
        self._write(kept, events, None)
        return run.id

    async def append(
        self, run_id: str, epoch: int, events: Sequence[AnyEvent], status: Status | None = None
    ) -> int:
        kept = self._writable(run_id, epoch)
        self._write(kept, events, status)
        return kept.record.last_seq

    async def offer(self, run_id: str, epoch: int, deltas: Sequence[Delta]) -> None:
        self._write(self._writable(run_id, epoch), deltas, None)

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

    def drop(self, run_id: str) -> None:
        """The run, its entries and its claims."""
        if self.runs.pop(run_id, None):
            self._claims = {k: held for k, held in self._claims.items() if held[1] != run_id}
            self._feeds.forget(run_id)

    def _holder(self, tenant: str, claim: Claim) -> str | None:
        held, run_id = self._claims.get((tenant, claim.key), (None, ""))
        if held is None or held.expires_at <= self._clock.now():
            return None
        if held.fingerprint != claim.fingerprint:
            raise claimed_otherwise()
        return run_id

    def _writable(self, run_id: str, epoch: int) -> Kept:
        kept = self.runs.get(run_id)
        if kept is None or kept.ended or kept.record.epoch != epoch:
            raise fenced(run_id)
        return kept

    def _write(self, kept: Kept, events: Sequence[AnyEvent], status: Status | None) -> None:
        run, at = kept.record, self._clock.now()
        entries = tuple(Entry(run.id, run.last_seq + n, at, e) for n, e in enumerate(events, 1))
        kept.entries.extend(entries)
        kept.ended = any(isinstance(event, RunEnded) for event in events)
        kept.record = replace(
            run, last_seq=len(kept.entries), updated_at=at, status=status or run.status
        )
        if entries and (feed := self._feeds.get(run.id)):
            feed.deliver(Batch(entries), 0)

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
        mine = [run for run in mine if run.tenant == wanted.tenant]
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


def _matches(run: RunRecord, wanted: RunFilter) -> bool:
    return (wanted.session_id is None or run.session_id == wanted.session_id) and (
        wanted.status is None or run.status == wanted.status
    )
