"""A whole runtime in memory with a desk of jobs and a scheduler that a test may let die."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.memory.jobs import MemoryJobs
from angelia.adapters.memory.keys import MemoryKeys
from angelia.adapters.memory.log import MemoryLog
from angelia.adapters.memory.models import Turn, says
from angelia.adapters.memory.usage import MemoryUsage
from angelia.adapters.zone_calendar import ZoneCalendar
from angelia.config import Allowance
from angelia.ports import ApiKey, KeyRules, RunFilter, RunRecord
from angelia.ports.jobs import Draft, Errand, Firing, FiringFilter, Job
from angelia.runtime.admission import Admission
from angelia.runtime.errands import Starter
from angelia.runtime.jobs import Jobs
from angelia.runtime.keyring import Keyring
from angelia.runtime.scheduler import Scheduler
from angelia.runtime.timetable import Timetable
from tests.runtime.world import Does, Gate, World

NOW = 1_796_115_600.0  # 2026-12-01T09:00Z
TENANT = "key_1"
KEY = ApiKey(TENANT, "ann", "digest", ("chat", "runs"), NOW)
# As many turns of the loop as anything takes that needs no clock.
MANY = 20_000


class Office(World):
    def __init__(
        self,
        *tools: Gate | Does,
        turns: Sequence[Turn] | None = None,
        store: MemoryJobs | None = None,
        log: MemoryLog | None = None,
        clock: ManualClock | None = None,
        concurrent: int = 10,
        max_jobs: int = 100,
        keys: MemoryKeys | None = None,
        **wanted: Any,
    ) -> None:
        clock = clock or ManualClock(NOW)
        log = log or MemoryLog(clock)
        answers = [says("done")] * 1000 if turns is None else turns
        super().__init__(answers, *tools, log=log, clock=clock, **wanted)
        self.jobs_store = store or MemoryJobs()
        self.keys = keys or MemoryKeys()
        self.keyring = Keyring(self.keys, self.clock)
        usage, allowance = MemoryUsage(self.log), Allowance()
        admission = Admission(usage, self.clock, allowance, self.runs.under_way_of)
        self.starter = Starter(self.jobs_store, self.runs, self.keyring, admission, self.clock)
        timetable = Timetable(ZoneCalendar(), "UTC", 1)
        self.jobs = Jobs(self.jobs_store, timetable, self.log, self.clock, max_jobs)
        self.jobs.employ(self.starter)
        self.scheduler = Scheduler(self.jobs, self.starter, self.runs, self.clock, concurrent)

    async def opened(self, rules: KeyRules | None = None) -> "Office":
        await self.keys.add(replace(KEY, rules=rules or KeyRules()))
        return self

    def reborn(self, **wanted: Any) -> "Office":
        """A new process on what the old one has left."""
        kept = {"log": self.log, "clock": self.clock, "keys": self.keys}
        return Office(**{"store": self.jobs_store, **kept, **wanted})

    async def make(self, schedule: str = "every 1h", text: str = "hello", **fields: Any) -> Job:
        errand = fields.pop("errand", Errand(text))
        draft = Draft(tenant=TENANT, schedule=schedule, errand=errand, **fields)
        return (await self.jobs.create(draft)).job

    async def job(self, job: Job) -> Job:
        return (await self.jobs.get(TENANT, job.id)).job

    async def firings(self, job: Job) -> list[Firing]:
        """Oldest first."""
        wanted = FiringFilter(job.id, limit=1000)
        return list(reversed(await self.jobs_store.firings(wanted)))

    async def statuses(self, job: Job) -> list[str]:
        return [firing.status for firing in await self.firings(job)]

    async def job_runs(self) -> list[RunRecord]:
        found = await self.store.find(RunFilter(TENANT, limit=1000))
        return [run for run in reversed(found) if run.surface == "job"]

    async def all_ended(self, count: int) -> list[RunRecord]:
        """The runs of jobs, once there are so many and all have ended."""

        async def over() -> bool:
            runs = await self.job_runs()
            return len(runs) >= count and all(run.status == "completed" for run in runs)

        await until(over)
        return await self.job_runs()

    async def pass_time(self, seconds: float) -> None:
        """Lets the scheduler rest first, so that it is woken by the clock."""
        await quiet()
        self.clock.advance(seconds)
        await quiet()


async def until(reached: Callable[[], Any]) -> None:
    for _ in range(MANY):
        if await reached():
            return
        await asyncio.sleep(0)
    raise AssertionError("it never came to that")


async def quiet(turns: int = 300) -> None:
    """All that needs no clock has happened."""
    for _ in range(turns):
        await asyncio.sleep(0)
