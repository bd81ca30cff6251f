"""The log of runs, their records, and what was served before."""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Protocol

from msgspec import Struct, field

from angelia.core.events import AnyEvent, Delta, Entry, Failed
from angelia.core.messages import Usage
from angelia.core.state import Status
from angelia.ports.sessions import Session

# The surfaces of runs that nobody works on: they hold what was said elsewhere.
SEEDS = ("fork", "import", "conversation")


class Batch:
    """Consecutive entries of one run, and what they look like on the wire once somebody asked."""

    __slots__ = ("_frames", "entries")

    def __init__(self, entries: tuple[Entry, ...]) -> None:
        self.entries = entries
        self._frames: dict[str, bytes] = {}

    @property
    def first(self) -> int:
        return self.entries[0].seq

    @property
    def last(self) -> int:
        return self.entries[-1].seq

    def after(self, seq: int) -> "Batch":
        """The part behind `seq`, which lies before the end of this batch."""
        return self if seq < self.first else Batch(self.entries[seq - self.first + 1 :])

    def frames(self, dialect: str, render: Callable[[tuple[Entry, ...]], bytes]) -> bytes:
        """Rendered once, shared by every reader. For dialects without state between entries."""
        cached = self._frames.get(dialect)
        if cached is None:
            cached = self._frames[dialect] = render(self.entries)
        return cached


class RunRecord(Struct, frozen=True):
    """A run as lists, filters and search know it. `tenant` is the id of the key that owns it.

    A run without a `session_id` belongs to no session. `parent` is the run whose transcript it
    goes on from; `question` is the beginning of what was asked. A run that is not `stored` is
    found by its own id alone and deleted once it was answered. What follows `last_seq`, up to the
    error, is known when the run has ended or waits. `delegated_by` is the run that has begun this
    one, by its call `delegated_call`.
    """

    id: str
    tenant: str
    model: str
    session_id: str
    surface: str
    created_at: float
    updated_at: float
    status: Status = "running"
    epoch: int = 1
    user: str | None = None
    session_key: str | None = None
    parent: str | None = None
    question: str = ""
    stored: bool = True
    last_seq: int = 0
    output: str = ""
    usage: Usage = field(default_factory=Usage)
    cost: float = 0.0
    error: Failed | None = None
    delegated_by: str | None = None
    delegated_call: str | None = None


class Claim(Struct, frozen=True):
    """An idempotency key: the same key with the same `fingerprint` means the same run.

    A claim that is `live_only` is over when its run has ended.
    """

    key: str
    fingerprint: str
    expires_at: float
    live_only: bool = False


class Held(Struct, frozen=True):
    """The run that a request leads to, from behind the seq `after`.

    `replayed` when a claim of an earlier request led to it.
    """

    run_id: str
    after: int = 0
    replayed: bool = False


class Summary(Struct, frozen=True):
    """What a run came to. `chains` are the fingerprints of the conversation as clients saw it."""

    output: str
    usage: Usage
    cost: float
    error: Failed | None = None
    chains: tuple[str, ...] = ()


class Took(Struct, frozen=True):
    """Seconds that a model call took, and until it showed something, if it ever did."""

    seconds: float
    first: float | None = None


class Bill(Struct, frozen=True):
    """What the model calls among some events used; `model` is the name the provider gave."""

    model: str
    usage: Usage
    cost: float
    took: Took | None = None


class Mark(Struct, frozen=True):
    """What changes in a run's record together with the events that changed it.

    `claim` is held from here on by whoever brought the events: it leads to what follows them.
    `parent` is what a run goes on from that learns it only now.
    `worked` is how many seconds were worked on a run that ends here by itself.
    """

    status: Status
    summary: Summary | None = None
    bill: Bill | None = None
    claim: Claim | None = None
    parent: str | None = None
    worked: float | None = None


class EventLog(Protocol):
    """Append-only, one sequence per run. Commit, then deliver.

    The place in the sequence is taken before the first suspension of `append` and `offer`, so that
    the order of calls is the order of the log.
    """

    async def create(
        self,
        run: RunRecord,
        events: Sequence[AnyEvent],
        claim: Claim | None = None,
        summary: Summary | None = None,
        session: Session | None = None,
    ) -> Held:
        """This run, durable, or the one that holds the claim already.

        Makes the run's session known, together with what `session` says of it. A run that has
        ended with its first events was no work, and is not counted. Raises Conflict when the
        claim is held with another fingerprint.
        """
        ...

    async def append(
        self, run_id: str, epoch: int, events: Sequence[AnyEvent], mark: Mark | None = None
    ) -> int:
        """The last seq. All of `events` and `mark` are durable together once this returns.

        Raises Fenced, and Conflict when the mark's claim is held already.
        """
        ...

    async def offer(self, run_id: str, epoch: int, deltas: Sequence[Delta]) -> None:
        """Accepted in order, durable soon; waits only while too much of the run is unwritten."""
        ...

    def follow(self, run_id: str, after: int = 0) -> AsyncIterator[Batch]:
        """Everything behind `after`, as it becomes durable, to the end of the run.

        Raises NotFound at the first step if there is no such run.
        """
        ...

    async def read(self, run_id: str, after: int = 0, *, facts_only: bool = False) -> Batch | None:
        """Everything durable behind `after` at once; None when there is nothing."""
        ...

    async def outlines(self, run_ids: Sequence[str]) -> Sequence[tuple[Entry, ...]]:
        """Everything durable of each of these runs but pieces, in one go; () for an unknown one."""
        ...


class RunFilter(Struct, frozen=True):
    """Which stored runs to list, newest first; `before` is the last id of the page before.

    Without `statuses` any will do. `words` are a part of the question, whatever its case. A run was
    created at `since` or later and before `until`. Runs that nobody worked on are among them if
    `seeds`, those that another run has begun if `delegated`.
    """

    tenant: str
    session_id: str | None = None
    statuses: tuple[Status, ...] = ()
    before: str | None = None
    limit: int = 20
    seeds: bool = True
    model: str | None = None
    surface: str | None = None
    words: str | None = None
    since: float | None = None
    until: float | None = None
    delegated: bool = True


class RunStore(Protocol):
    async def get(self, run_id: str) -> RunRecord | None: ...

    async def find(self, wanted: RunFilter) -> Sequence[RunRecord]: ...

    async def unfinished(self) -> Sequence[RunRecord]:
        """Runs that have no end yet, oldest first."""
        ...

    async def take(self, run_id: str) -> int:
        """The new epoch; whoever wrote under an older one is fenced from here on."""
        ...

    async def delete(self, run_id: str) -> None:
        """The run and all that belongs to it."""
        ...


class Expired(Protocol):
    async def over(self, before: float, *, stored: bool) -> Sequence[RunRecord]:
        """Some of the runs that ended before that time, oldest first; nothing if none is left."""
        ...


class History(Protocol):
    """What was served and claimed before."""

    async def claimed(self, tenant: str, claim: Claim) -> Held | None:
        """Raises Conflict when the claim is held with another fingerprint."""
        ...

    async def match(
        self, tenant: str, chains: Sequence[str], session_id: str | None = None
    ) -> tuple[str, str] | None:
        """The first of `chains` that was served, and the newest stored run that served it."""
        ...
