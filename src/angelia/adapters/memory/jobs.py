"""Jobs and their firings, kept in dictionaries."""

from collections.abc import Sequence

from angelia.adapters.refusals import no_firings_before, no_jobs_before
from angelia.ports.jobs import Firing, FiringFilter, Job, JobFilter

# How many firings of a job are remembered.
KEPT = 500


class MemoryJobs:
    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._firings: dict[str, Firing] = {}

    async def put(self, job: Job, firings: Sequence[Firing] = ()) -> None:
        self._jobs[job.id] = job
        for firing in firings:
            self._firings.setdefault(firing.id, firing)
        for old in [one for one in self._of(job.id)[KEPT:] if one.status != "due"]:
            del self._firings[old.id]

    async def get(self, tenant: str, job_id: str) -> Job | None:
        job = self._jobs.get(job_id)
        return job if job is not None and job.tenant == tenant else None

    async def find(self, wanted: JobFilter) -> Sequence[Job]:
        found = [job for job in reversed(self._jobs.values()) if job.tenant == wanted.tenant]
        if wanted.before is not None:
            ids = [job.id for job in found]
            if wanted.before not in ids:
                raise no_jobs_before(wanted.before)
            found = found[ids.index(wanted.before) + 1 :]
        fitting = [
            job
            for job in found
            if wanted.user in (None, job.errand.user) and wanted.status in (None, job.status)
        ]
        return fitting[: wanted.limit]

    async def count(self, tenant: str) -> int:
        mine = (job for job in self._jobs.values() if job.tenant == tenant)
        return sum(job.status != "finished" for job in mine)

    async def delete(self, job_id: str) -> None:
        self._jobs.pop(job_id, None)
        for firing in self._of(job_id):
            del self._firings[firing.id]

    async def due(self, now: float, limit: int) -> Sequence[Job]:
        timed = [(job.next_at, job) for job in self._jobs.values() if job.next_at is not None]
        late = sorted((pair for pair in timed if pair[0] <= now), key=lambda pair: pair[0])
        return [job for _, job in late[:limit]]

    async def settle(self, firing: Firing) -> None:
        if firing.id in self._firings:
            self._firings[firing.id] = firing

    async def firing(self, job_id: str, mark: str) -> Firing | None:
        return self._firings.get(f"{job_id}.{mark}")

    async def firings(self, wanted: FiringFilter) -> Sequence[Firing]:
        found = self._of(wanted.job_id)
        if wanted.before is not None:
            ids = [firing.id for firing in found]
            if wanted.before not in ids:
                raise no_firings_before(wanted.before)
            found = found[ids.index(wanted.before) + 1 :]
        return [one for one in found if wanted.status in (None, one.status)][: wanted.limit]

    async def pending(self, now: float, limit: int) -> Sequence[Firing]:
        found = [one for one in self._waiting() if one.retry_at <= now]
        return sorted(found, key=lambda firing: firing.planned_at)[:limit]

    async def next_time(self, now: float) -> float | None:
        times = [job.next_at for job in self._jobs.values() if job.next_at is not None]
        retries = (one.retry_at for one in self._waiting() if one.retry_at > now)
        return min((*times, *retries), default=None)

    def _of(self, job_id: str) -> list[Firing]:
        """Newest first."""
        return [one for one in reversed(self._firings.values()) if one.job_id == job_id]

    def _waiting(self) -> list[Firing]:
        return [one for one in self._firings.values() if one.status == "due"]
