"""Work that is due at times: jobs, and each of their firings."""

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import UNSET, Raw, Struct, UnsetType, field

from angelia.core.policy import Limits
from angelia.ports.log import RunRecord

JobStatus = Literal["active", "paused", "finished"]
CatchUp = Literal["skip", "once", "all"]
Overlap = Literal["skip", "queue", "parallel"]
FiringStatus = Literal["due", "started", "skipped", "failed"]


class Errand(Struct, frozen=True, omit_defaults=True):
    """What each firing asks. Without a `session_id` every one opens a session of its own.

    `session_key` is the scope of memory that its client names.
    """

    input: str
    instructions: str = ""
    model: str | None = None
    session_id: str | None = None
    toolsets: tuple[str, ...] | None = None
    limits: Limits = field(default_factory=Limits)
    user: str | None = None
    webhook: Raw | UnsetType = UNSET
    session_key: str | None = None


class Job(Struct, frozen=True, omit_defaults=True):
    """An errand and when it is due. `tenant` is the id of the key that owns it.

    `anchor` is the moment that intervals count from. A job that is not `active` has no `next_at`;
    `reason` says why, where somebody may wonder. `catch_up` is what becomes of times at which
    nobody could start it, `overlap` what becomes of a time at which its last run is under way. It
    ends after `until`, or when no firing is `left`. `depth` is how many jobs have made each other.
    """

    id: str
    tenant: str
    name: str
    schedule: str
    timezone: str
    errand: Errand
    created_at: float
    updated_at: float
    anchor: float
    status: JobStatus = "active"
    reason: str = ""
    next_at: float | None = None
    catch_up: CatchUp = "once"
    overlap: Overlap = "skip"
    until: float | None = None
    left: int | None = None
    depth: int = 0


class Firing(Struct, frozen=True, omit_defaults=True):
    """One time of a job; there is never another one of the same `mark`.

    Nobody tries to start one that is `due` before `retry_at`. `asked` is whether a person wanted
    it at once. `reason` is why it was skipped or failed, or what the last attempt came to.
    """

    job_id: str
    mark: str
    tenant: str
    planned_at: float
    noted_at: float
    status: FiringStatus = "due"
    asked: bool = False
    run_id: str | None = None
    attempts: int = 0
    retry_at: float = 0.0
    reason: str = ""

    @property
    def id(self) -> str:
        return f"{self.job_id}.{self.mark}"


class JobFilter(Struct, frozen=True):
    """Newest first; `before` is the id of the last job of the page before."""

    tenant: str
    user: str | None = None
    status: JobStatus | None = None
    before: str | None = None
    limit: int = 20


class FiringFilter(Struct, frozen=True):
    """Newest first; `before` is the id of the last firing of the page before."""

    job_id: str
    status: FiringStatus | None = None
    before: str | None = None
    limit: int = 20


class JobStore(Protocol):
    async def put(self, job: Job, firings: Sequence[Firing] = ()) -> None:
        """Takes the place of the job of that id, and notes what it is due for, both or neither.

        A firing that is known already stays as it is. The oldest that are over are forgotten.
        """
        ...

    async def get(self, tenant: str, job_id: str) -> Job | None: ...

    async def find(self, wanted: JobFilter) -> Sequence[Job]: ...

    async def count(self, tenant: str) -> int:
        """Those that are not finished."""
        ...

    async def delete(self, job_id: str) -> None:
        """With its firings; their runs stay."""
        ...

    async def due(self, now: float, limit: int) -> Sequence[Job]:
        """Active jobs whose time has come, the earliest first."""
        ...

    async def settle(self, firing: Firing) -> None:
        """Takes the place of a firing that is known; nothing happens if it is gone."""
        ...

    async def firing(self, job_id: str, mark: str) -> Firing | None: ...

    async def firings(self, wanted: FiringFilter) -> Sequence[Firing]: ...

    async def pending(self, now: float, limit: int) -> Sequence[Firing]:
        """Firings to be started, the earliest first."""
        ...

    async def next_time(self, now: float) -> float | None:
        """When the next of all jobs is due, or a firing whose time is later than `now`."""
        ...


class Draft(Struct, frozen=True, kw_only=True):
    """A job to be made. What is None is as the configuration has it, or without end.

    `until` is a moment, or a day and time in the zone of the job. One with an `id` is made once.
    """

    tenant: str
    schedule: str
    errand: Errand
    name: str = ""
    timezone: str | None = None
    catch_up: CatchUp = "once"
    overlap: Overlap = "skip"
    until: float | str | None = None
    left: int | None = None
    id: str | None = None
    depth: int = 0


class Planned(Struct, frozen=True):
    """A job, and its next times as the clocks of its zone show them."""

    job: Job
    times: tuple[str, ...] = ()


class JobDesk(Protocol):
    """What may be done with the jobs of a key; NotFound for those of another."""

    async def create(self, draft: Draft) -> Planned: ...

    async def depth_below(self, run_id: str) -> int:
        """The depth of a job that this run makes. Raises Conflict if that is too deep."""
        ...

    async def toolsets_below(self, run_id: str) -> tuple[str, ...] | None:
        """What a job that this run makes may use: no more than the run itself. None is all."""
        ...

    async def get(self, tenant: str, job_id: str) -> Planned: ...

    async def find(self, wanted: JobFilter) -> Sequence[Planned]: ...

    async def pause(self, tenant: str, job_id: str) -> Planned: ...

    async def resume(self, tenant: str, job_id: str) -> Planned: ...

    async def remove(self, tenant: str, job_id: str) -> None: ...

    async def run_now(self, tenant: str, job_id: str, mark: str) -> tuple[RunRecord, bool]:
        """The run, and whether an earlier word with the same mark has started it."""
        ...
