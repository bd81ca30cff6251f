"""Jobs: made, changed, paused, resumed, removed, and run at once."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager

from msgspec import UNSET, json
from msgspec.structs import replace

from angelia.core.events import RunStarted
from angelia.errors import Conflict, NotFound, RequestError
from angelia.ports import Clock, EventLog, RunRecord
from angelia.ports.jobs import Draft, Firing, FiringFilter, Job, JobFilter, JobStore, Planned
from angelia.runtime.errands import SURFACE, Origin, Starter
from angelia.runtime.ids import fresh
from angelia.runtime.one_by_one import OneByOne
from angelia.runtime.timetable import Timetable

# How many next times are shown.
PREVIEW = 5
# So many jobs may make each other before one of them may not.
DEEPEST = 5
# Whoever wants a run at once starts it; if the process dies on the way, the scheduler does.
TAKEN_OVER_AFTER = 30.0
MOST_FINISHED = 200
NAME_LENGTH = 80


class Jobs:
    """The desk. `changed` is set whenever the scheduler has to look again."""

    def __init__(
        self, store: JobStore, timetable: Timetable, log: EventLog, clock: Clock, max_jobs: int
    ) -> None:
        self.store = store
        self.timetable = timetable
        self.changed = asyncio.Event()
        self._log = log
        self._clock = clock
        self._max_jobs = max_jobs
        self._coming = OneByOne()

    def employ(self, starter: Starter) -> None:
        """Tools are made before the runs that call them; whoever starts runs comes later."""
        self._starter = starter

    def holding(self, job_id: str) -> AbstractAsyncContextManager[None]:
        """Holds up other changes of the job."""
        return self._coming.at(job_id)

    # ── making ──────────────────────────────────────────────────────────────────────────────

    async def create(self, draft: Draft) -> Planned:
        now = self._clock.now()
        job_id = draft.id or fresh("job", now)
        async with self._coming.at(("tenant", draft.tenant)):
            if draft.id and (known := await self.store.get(draft.tenant, draft.id)) is not None:
                return self.planned(known)
            await self._refuse_many(draft.tenant)
            job = self._made(draft, job_id, now)
            await self.store.put(job)
        self.changed.set()
        return self.planned(job)

    async def depth_below(self, run_id: str) -> int:
        while (first := await self._first_fact(run_id)) is not None:
            if first.surface == SURFACE and first.metadata is not UNSET:
                return _below(json.decode(first.metadata, type=Origin))
            if first.delegated_by is None:
                break
            run_id = first.delegated_by
        return 0

    async def toolsets_below(self, run_id: str) -> tuple[str, ...] | None:
        first = await self._first_fact(run_id)
        return None if first is None else self._starter.toolsets_like(first)

    async def change(self, tenant: str, job_id: str, change: Callable[[Job], Job]) -> Planned:
        """`change` sees the job as it is when its turn comes.

        The intervals of another schedule count from here on, and a job that was finished is
        active again.
        """
        async with self.holding(job_id):
            job = await self._owned(tenant, job_id)
            now = self._clock.now()
            changed = replace(change(job), updated_at=now)
            if _timing(changed) != _timing(job):
                changed = self._timed_anew(job, changed, now)
            await self.store.put(changed)
        self.changed.set()
        return self.planned(changed)

    def end(self, until: float | str | None, zone: str) -> float | None:
        """A moment, given as such or as a day and time in that zone. Raises BadRequest."""
        return self.timetable.moment(until, zone, "until") if isinstance(until, str) else until

    # ── words ───────────────────────────────────────────────────────────────────────────────

    async def pause(self, tenant: str, job_id: str, reason: str = "") -> Planned:
        """Pausing it again changes nothing but the reason."""
        async with self.holding(job_id):
            job = await self._owned(tenant, job_id)
            if job.status == "finished":
                raise Conflict(f"The job {job_id!r} is finished.", code="job_finished")
            now = self._clock.now()
            job = replace(job, status="paused", reason=reason, next_at=None, updated_at=now)
            await self.store.put(job)
        return self.planned(job)

    async def resume(self, tenant: str, job_id: str) -> Planned:
        """What would have been due in between is not made up for."""
        async with self.holding(job_id):
            job = await self._owned(tenant, job_id)
            if job.status == "active":
                return self.planned(job)
            now = self._clock.now()
            job = replace(job, status="active", reason="", updated_at=now)
            if self.timetable.following(job, now) is None or job.left == 0:
                raise Conflict(
                    f"The job {job_id!r} has no time left to come; give it another schedule.",
                    code="job_finished",
                )
            job = self._timed(job, now)
            await self.store.put(job)
        self.changed.set()
        return self.planned(job)

    async def forget_finished(self, tenant: str) -> None:
        """The oldest of those that are over, so that they do not pile up."""
        wanted = JobFilter(tenant, status="finished", limit=MOST_FINISHED + 20)
        for job in (await self.store.find(wanted))[MOST_FINISHED:]:
            await self.store.delete(job.id)

    async def remove(self, tenant: str, job_id: str) -> None:
        async with self.holding(job_id):
            await self._owned(tenant, job_id)
            await self.store.delete(job_id)

    async def run_now(self, tenant: str, job_id: str, mark: str) -> tuple[RunRecord, bool]:
        """Whatever its status and whether or not its last run is under way."""
        async with self.holding(job_id):
            job = await self._owned(tenant, job_id)
            known = await self.store.firing(job_id, mark)
            now = self._clock.now()
            later = now + TAKEN_OVER_AFTER
            firing = known or Firing(job_id, mark, tenant, now, now, asked=True, retry_at=later)
            if known is None:
                await self.store.put(job, (firing,))
            elif known.status == "failed":
                firing = replace(known, status="due")
        try:
            return await self._starter.start(job, firing), known is not None
        except RequestError as error:
            # The caller is told, and may ask again.
            await self.store.settle(replace(firing, status="failed", reason=error.message))
            raise

    # ── views ───────────────────────────────────────────────────────────────────────────────

    async def get(self, tenant: str, job_id: str) -> Planned:
        return self.planned(await self._owned(tenant, job_id))

    async def find(self, wanted: JobFilter) -> Sequence[Planned]:
        return [self.planned(job) for job in await self.store.find(wanted)]

    async def firings(self, wanted: FiringFilter) -> Sequence[Firing]:
        return await self.store.firings(wanted)

    def planned(self, job: Job) -> Planned:
        return Planned(job, self.timetable.shown(job, PREVIEW))

    # ── inside ──────────────────────────────────────────────────────────────────────────────

    async def _owned(self, tenant: str, job_id: str) -> Job:
        job = await self.store.get(tenant, job_id)
        if job is None:
            raise NotFound(f"There is no job {job_id!r}.", param="job_id", code="job_not_found")
        return job

    async def _refuse_many(self, tenant: str) -> None:
        if await self.store.count(tenant) >= self._max_jobs:
            raise Conflict(
                f"A key may have {self._max_jobs} jobs; remove one first.", code="too_many_jobs"
            )

    def _timed(self, job: Job, now: float) -> Job:
        return replace(job, next_at=self.timetable.following(job, now))

    def _timed_anew(self, before: Job, job: Job, now: float) -> Job:
        if job.schedule != before.schedule:
            job = replace(job, anchor=now)
        self.timetable.check(job, now)
        if job.status == "paused":
            return job
        return self._timed(replace(job, status="active", reason=""), now)

    def _made(self, draft: Draft, job_id: str, now: float) -> Job:
        """Raises BadRequest for a time that never comes, or a zone that there is none of."""
        zone = self.timetable.zone(draft.timezone)
        job = Job(
            id=job_id,
            tenant=draft.tenant,
            name=draft.name or _first_line(draft.errand.input),
            schedule=draft.schedule,
            timezone=zone,
            errand=draft.errand,
            created_at=now,
            updated_at=now,
            anchor=now,
            catch_up=draft.catch_up,
            overlap=draft.overlap,
            until=self.end(draft.until, zone),
            left=draft.left,
            depth=draft.depth,
        )
        self.timetable.check(job, now)
        return self._timed(job, now)

    async def _first_fact(self, run_id: str) -> RunStarted | None:
        facts = await self._log.read(run_id, facts_only=True)
        first = facts.entries[0].event if facts is not None else None
        return first if isinstance(first, RunStarted) else None


def _below(origin: Origin) -> int:
    if origin.depth >= DEEPEST:
        raise Conflict(f"Jobs have made each other {DEEPEST} deep; this one may make no more.")
    return origin.depth + 1


def _timing(job: Job) -> tuple[object, ...]:
    return (job.schedule, job.timezone, job.until, job.left)


def _first_line(text: str) -> str:
    line = " ".join(text.strip().split("\n", 1)[0].split())
    return line if len(line) <= NAME_LENGTH else line[: NAME_LENGTH - 1].rstrip() + "…"
