"""The JSON of jobs as Structs: what clients send, and what they get."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

CatchUp = Literal["skip", "once", "all"]
Overlap = Literal["skip", "queue", "parallel"]
JobStatus = Literal["active", "paused", "finished"]
FiringStatus = Literal["due", "started", "skipped", "failed"]

Name = Annotated[str, Meta(min_length=1, max_length=128)]
When = Annotated[str, Meta(min_length=1, max_length=200)]
Zone = Annotated[str, Meta(min_length=1, max_length=64)]
Words = Annotated[str, Meta(min_length=1, max_length=1_000_000)]
Id = Annotated[str, Meta(min_length=1, max_length=256)]
Sets = Annotated[tuple[Name, ...], Meta(max_length=256)]
Address = Annotated[str, Meta(min_length=1, max_length=2048)]
Times = Annotated[int, Meta(ge=1, le=1_000_000_000)]
# The last second of the year 9999.
Moment = Annotated[float, Meta(gt=0, le=253_402_300_799)]


# ── requests ────────────────────────────────────────────────────────────────────────────────


class LimitsIn(Struct):
    max_steps: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None
    max_tokens: Annotated[int, Meta(ge=1, le=2**53)] | None = None
    max_seconds: Annotated[float, Meta(gt=0, le=2**31 - 1)] | None = None
    max_cost: Annotated[float, Meta(gt=0, le=2**53)] | None = None


class CreateJobIn(Struct):
    """Without a `session_id` every firing opens a session of its own.

    `until` is in seconds since the epoch, or a day and time in the zone of the job.
    """

    schedule: When
    input: Words
    name: Name | None = None
    timezone: Zone | None = None
    instructions: str | None = None
    model: Name | None = None
    session_id: Id | None = None
    toolsets: Sets | None = None
    limits: LimitsIn | None = None
    user: str | None = None
    webhook: Address | None = None
    catch_up: CatchUp | None = None
    overlap: Overlap | None = None
    until: Moment | When | None = None
    max_firings: Times | None = None


class ChangeJobIn(Struct):
    """What is left out stays as it is; null is what holds for a job that says nothing of it."""

    schedule: When | UnsetType = UNSET
    input: Words | UnsetType = UNSET
    name: Name | UnsetType = UNSET
    timezone: Zone | UnsetType | None = UNSET
    instructions: str | UnsetType | None = UNSET
    model: Name | UnsetType | None = UNSET
    session_id: Id | UnsetType | None = UNSET
    toolsets: Sets | UnsetType | None = UNSET
    limits: LimitsIn | UnsetType | None = UNSET
    webhook: Address | UnsetType | None = UNSET
    catch_up: CatchUp | UnsetType | None = UNSET
    overlap: Overlap | UnsetType | None = UNSET
    until: Moment | When | UnsetType | None = UNSET
    max_firings: Times | UnsetType | None = UNSET


# ── answers ─────────────────────────────────────────────────────────────────────────────────


class LimitsOut(Struct):
    max_steps: int | None
    max_tokens: int | None
    max_seconds: float | None
    max_cost: float | None


class FiringOut(Struct, tag_field="object", tag="hermes.job.firing"):
    """`outcome` is the status of its run, null where there is none or it was deleted.

    `reason` is why it was skipped, failed, or is not started yet. One that was `asked` for was
    not planned.
    """

    id: str
    job_id: str
    planned_at: float
    asked: bool
    status: FiringStatus
    run_id: str | None
    outcome: str | None
    attempts: int
    reason: str | None


class JobOut(Struct, tag_field="object", tag="hermes.job"):
    """`next_times` are as the clocks of its zone show them.

    Of a webhook only the host is told. `firings_left` is null for a job without end.
    """

    id: str
    name: str
    status: JobStatus
    reason: str | None
    schedule: str
    timezone: str
    next_at: float | None
    next_times: tuple[str, ...]
    input: str
    instructions: str | None
    model: str | None
    session_id: str | None
    session_key: str | None
    toolsets: tuple[str, ...] | None
    limits: LimitsOut
    user: str | None
    webhook_host: str | None
    catch_up: CatchUp
    overlap: Overlap
    until: float | None
    firings_left: int | None
    created_at: float
    updated_at: float
    last_firing: FiringOut | None


class JobsOut(Struct, tag_field="object", tag="list"):
    data: list[JobOut]
    has_more: bool


class FiringsOut(Struct, tag_field="object", tag="list"):
    data: list[FiringOut]
    has_more: bool


class FiredOut(Struct):
    run_id: str
    status: Literal["started"]
    session_id: str


class JobDeletedOut(Struct, tag_field="object", tag="hermes.job"):
    id: str
    deleted: bool
