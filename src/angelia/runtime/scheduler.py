"""Starts the runs of jobs when their time comes, each of them once, and not all at once.

A time that has come is noted first, together with the next one; what is noted is started under a
claim of its own. So whatever dies in between, the next start finds what is still to be done, and
finds the run if there is one.
"""

import asyncio
import logging
import math
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

from msgspec.structs import replace

from angelia.core.events import RunWaited
from angelia.core.redact import redact
from angelia.errors import BadRequest, Forbidden, LogUnavailable, NotFound, RequestError
from angelia.ports import Clock, RunRecord
from angelia.ports.jobs import Firing, FiringFilter, Job
from angelia.runtime.errands import Starter
from angelia.runtime.jobs import Jobs
from angelia.runtime.library import ENDED
from angelia.runtime.runs import Runs

# A clock that is set, or a machine that slept, is noticed after this.
LONGEST_NAP = 30.0
STORE_PAUSE = 5.0
FIRST_PAUSE = 2.0
LONGEST_PAUSE = 300.0
GIVE_UP_AFTER = 24 * 3600.0
# How long a stop waits for starts under way: on a full disk they would wait for space.
LAST_STARTS = 5.0
# How long a firing waits for a run before it that nobody watches.
HOLD = 30.0
MOST_WAITING = 10
# More than can be taken up by what waits behind others.
PAGE = 200
EVERY_JOB = 100_000

BUSY = "the run before it was under way"
HELD = "waits for the run before it"
MISSED = "nobody was there to start it"
CROWDED = f"{MOST_WAITING} others wait already"

logger = logging.getLogger(__name__)


class Scheduler:
    def __init__(
        self, jobs: Jobs, starter: Starter, runs: Runs, clock: Clock, concurrent: int
    ) -> None:
        self._jobs = jobs
        self._store = jobs.store
        self._starter = starter
        self._runs = runs
        self._clock = clock
        self._concurrent = concurrent
        # Firings that take up room, and the jobs of those that are being started.
        self._working: set[str] = set()
        self._beginning: set[str] = set()
        self._starts: set[asyncio.Task[RunRecord | None]] = set()
        self._watches: set[asyncio.Task[None]] = set()
        self._looked_at = math.inf
        self._closing = False

    async def go(self) -> None:
        while True:
            self._jobs.changed.clear()
            try:
                seconds = await self.look()
            except LogUnavailable as error:
                logger.error("no job can be started: %s", redact(str(error)))
                seconds = STORE_PAUSE
            await self._rest(seconds)

    async def _go_on(self) -> None:
        """Whatever one job may bring about, the others are looked after."""
        while True:
            looking = asyncio.create_task(self.go())
            try:
                await asyncio.wait((looking,))
                logger.error("the scheduler starts anew", exc_info=looking.exception())
            finally:
                await _end(looking)
            await self._clock.sleep(STORE_PAUSE)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Looks after all jobs while inside."""
        looking = asyncio.create_task(self._go_on())
        try:
            yield
        finally:
            self._closing = True
            await _end(looking)
            # A start that is broken off would be given up as if nobody wanted it.
            if self._starts:
                await asyncio.wait(self._starts, timeout=LAST_STARTS)
            await _end(*self._starts, *self._watches)

    async def look(self) -> float:
        """Notes and starts what is due; the seconds until something else may be."""
        now = self._clock.now()
        if now < self._looked_at:
            await self._set_back(now)
        self._looked_at = now
        for job in await self._store.due(now, PAGE):
            await self._note(job.tenant, job.id, now)
        await self._launch(now)
        upcoming = await self._store.next_time(now)
        return LONGEST_NAP if upcoming is None else max(0.0, upcoming - self._clock.now())

    async def _rest(self, seconds: float) -> None:
        """Until then, or until something changes."""
        waits = (
            asyncio.create_task(self._clock.sleep(min(seconds, LONGEST_NAP))),
            asyncio.create_task(self._jobs.changed.wait()),
        )
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
            await asyncio.wait(waits)

    async def _set_back(self, now: float) -> None:
        """A clock that was wrong may have put off what is due before."""
        for job in await self._store.due(math.inf, EVERY_JOB):
            earlier = self._jobs.timetable.following(job, now)
            if earlier is not None and job.next_at is not None and now < earlier < job.next_at:
                async with self._jobs.holding(job.id):
                    if await self._store.get(job.tenant, job.id) == job:
                        await self._store.put(replace(job, next_at=earlier))

    # ── noting ──────────────────────────────────────────────────────────────────────────────

    async def _note(self, tenant: str, job_id: str, now: float) -> None:
        async with self._jobs.holding(job_id):
            job = await self._store.get(tenant, job_id)
            if job is None or job.next_at is None or job.next_at > now:
                return
            try:
                changed, firings = await self._noted(job, now)
            except BadRequest as error:
                # A zone that this version of the calendar has lost.
                changed, firings = _paused(job, error.message, now), ()
            await self._store.put(changed, firings)
        if changed.status == "finished":
            await self._jobs.forget_finished(tenant)

    async def _noted(self, job: Job, now: float) -> tuple[Job, Sequence[Firing]]:
        """The job as it goes on, and what it is due for."""
        plan = self._jobs.timetable.plan(job, now)
        refusal = await self._refusal(job)
        firings = [_firing(job, moment, now, refusal) for moment in plan.times]
        if plan.missed is not None:
            firings.append(_firing(job, plan.missed, now, MISSED))
        due = sum(firing.status == "due" for firing in firings)
        left = None if job.left is None else job.left - due
        upcoming = None if left == 0 else self._jobs.timetable.following(job, now)
        changed = replace(job, left=left, next_at=upcoming)
        return (changed if upcoming is not None else replace(changed, status="finished")), firings

    async def _refusal(self, job: Job) -> str:
        """Why nothing more of the job may be started for now, if so."""
        waiting = await self._store.firings(FiringFilter(job.id, "due", limit=MOST_WAITING))
        if job.overlap == "skip" and (waiting or await self._under_way(job)):
            return BUSY
        return CROWDED if len(waiting) >= MOST_WAITING else ""

    async def _under_way(self, job: Job) -> bool:
        """Whether any of its last runs has not ended."""
        started = await self._store.firings(FiringFilter(job.id, "started", limit=MOST_WAITING))
        for firing in started:
            try:
                run = await self._runs.get(job.tenant, firing.run_id or "")
            except NotFound:
                continue
            if run.status not in ENDED:
                return True
        return False

    # ── starting ────────────────────────────────────────────────────────────────────────────

    async def _launch(self, now: float) -> None:
        for firing in await self._store.pending(now, PAGE):
            if self._closing or len(self._working) >= self._concurrent:
                return
            # One after another for each job: the next has to know of the run before it.
            if firing.job_id not in self._beginning and firing.id not in self._working:
                self._keep(firing)

    def _keep(self, firing: Firing) -> None:
        self._working.add(firing.id)
        self._beginning.add(firing.job_id)
        task = asyncio.create_task(self._begin(firing))
        self._starts.add(task)
        task.add_done_callback(lambda done: self._begun(done, firing))

    def _begun(self, task: asyncio.Task[RunRecord | None], firing: Firing) -> None:
        self._starts.discard(task)
        self._beginning.discard(firing.job_id)
        self._jobs.changed.set()
        run = _result(task, firing)
        if run is None or self._closing:
            self._working.discard(firing.id)
        else:
            self._follow(firing, run)

    def _follow(self, firing: Firing, run: RunRecord) -> None:
        watch = asyncio.create_task(self._watch(firing, run))
        self._watches.add(watch)
        watch.add_done_callback(self._watches.discard)

    async def _begin(self, firing: Firing) -> RunRecord | None:
        job = await self._store.get(firing.tenant, firing.job_id)
        if job is None or await self._waits(job, firing):
            return None
        # Whatever a start fails of, and if it is a defect, it is tried again, but not at once.
        await self._store.settle(self._again(firing, firing.reason))
        try:
            return await self._starter.start(job, firing)
        except Forbidden as error:
            await self._store.settle(replace(firing, status="failed", reason=error.message))
            await self._pause(job, error.message)
        except RequestError as error:
            await self._store.settle(self._refused(firing, error))
        except LogUnavailable as error:
            logger.error("job %s is started later: %s", job.id, redact(str(error)))
        return None

    async def _waits(self, job: Job, firing: Firing) -> bool:
        """Whether the firing must not be started now, or not at all."""
        if firing.asked:
            return False
        if job.status == "paused":
            reason = job.reason or "the job was paused"
            await self._store.settle(replace(firing, status="skipped", reason=reason))
            return True
        if job.overlap != "parallel" and await self._under_way(job):
            retry_at = self._clock.now() + HOLD
            await self._store.settle(replace(firing, retry_at=retry_at, reason=HELD))
            return True
        return False

    def _refused(self, firing: Firing, error: RequestError) -> Firing:
        """What the rules of the key allow later is tried later; all else would fail again."""
        late = self._clock.now() - firing.noted_at > GIVE_UP_AFTER
        if error.retry_after is None or late:
            return replace(firing, status="failed", reason=error.message)
        return self._again(firing, error.message, error.retry_after)

    def _again(self, firing: Firing, reason: str, wish: float = 0.0) -> Firing:
        attempts = firing.attempts + 1
        grown = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(attempts - 1, 30))
        retry_at = self._clock.now() + max(grown, min(wish, LONGEST_PAUSE))
        return replace(firing, attempts=attempts, retry_at=retry_at, reason=reason)

    async def _pause(self, job: Job, reason: str) -> None:
        async with self._jobs.holding(job.id):
            known = await self._store.get(job.tenant, job.id)
            if known is not None and known.status == "active":
                await self._store.put(_paused(known, reason, self._clock.now()))

    # ── watching ────────────────────────────────────────────────────────────────────────────

    async def _watch(self, firing: Firing, run: RunRecord) -> None:
        """A run that waits for somebody takes up no room; its end lets others of its job begin."""
        # A run that was deleted has ended; a log that closes is the end of the server.
        with suppress(NotFound, LogUnavailable):
            async for batch in self._runs.follow(run.id):
                if any(isinstance(entry.event, RunWaited) for entry in batch.entries):
                    self._leave(firing)
            await self._let_go(firing.job_id)
        self._leave(firing)

    def _leave(self, firing: Firing) -> None:
        self._working.discard(firing.id)
        self._jobs.changed.set()

    async def _let_go(self, job_id: str) -> None:
        for held in await self._store.firings(FiringFilter(job_id, "due", limit=MOST_WAITING)):
            if held.reason == HELD:
                await self._store.settle(replace(held, retry_at=0.0))


def _result(task: asyncio.Task[RunRecord | None], firing: Firing) -> RunRecord | None:
    if task.cancelled():
        return None
    if (defect := task.exception()) is not None:
        logger.error("job %s could not be started", firing.job_id, exc_info=defect)
        return None
    return task.result()


async def _end(*tasks: asyncio.Task[Any]) -> None:
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks)


def _paused(job: Job, reason: str, now: float) -> Job:
    return replace(job, status="paused", reason=reason, next_at=None, updated_at=now)


def _firing(job: Job, moment: float, now: float, refusal: str) -> Firing:
    """The mark of a planned time is that time, to the millisecond."""
    firing = Firing(job.id, str(round(moment * 1000)), job.tenant, moment, now)
    return replace(firing, status="skipped", reason=refusal) if refusal else firing
