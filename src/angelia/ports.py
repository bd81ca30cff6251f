"""What a run needs from the world, as protocols that adapters fulfil without importing them.

Above: runtime and tools, which know nothing else of the world. Below: adapters, one per
technology, and one in memory for each port.
"""

from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Any, Literal, Protocol

from msgspec import Struct

from angelia.core.events import AnyEvent, Delta, Entry, Outcome
from angelia.core.messages import Prompt, Reply, ToolSpec
from angelia.core.state import Status

# ── time ────────────────────────────────────────────────────────────────────────────────────


class Clock(Protocol):
    def now(self) -> float:
        """Seconds since the epoch."""
        ...

    def monotonic(self) -> float: ...

    async def sleep(self, seconds: float) -> None: ...


# ── models ──────────────────────────────────────────────────────────────────────────────────

Emit = Callable[[Sequence[Delta]], Coroutine[Any, Any, None]]


class ModelClient(Protocol):
    async def ask(self, prompt: Prompt, emit: Emit) -> Reply:
        """Deltas through `emit` as they arrive, then the whole reply.

        Raises UpstreamError. Whatever it opened is closed when it returns, raises or is cancelled.
        """
        ...


# ── tools ───────────────────────────────────────────────────────────────────────────────────

Stream = Literal["stdout", "stderr"]


class ToolOutput(Struct, frozen=True):
    """What a call came to. `text` is the whole of it; cutting it to size is not the tool's job."""

    text: str
    outcome: Outcome = "ok"


class ToolContext(Protocol):
    """What a tool may know of the run that calls it."""

    @property
    def run_id(self) -> str: ...

    @property
    def call_id(self) -> str: ...

    async def show(self, text: str, stream: Stream = "stdout") -> None:
        """Live output for whoever watches; the model reads only what the tool returns."""
        ...


class Tool(Protocol):
    """Raises ToolError for what the model can correct."""

    @property
    def spec(self) -> ToolSpec: ...

    @property
    def emoji(self) -> str: ...

    def label(self, arguments: str) -> str:
        """One line for people. Never raises, whatever the arguments are."""
        ...

    def lane(self, arguments: str) -> str | None:
        """What the call touches; calls that touch the same thing keep their order."""
        ...

    async def call(self, arguments: str, context: ToolContext) -> ToolOutput: ...


Sink = Callable[[bytes, Stream], Coroutine[Any, Any, None]]


class Sandbox(Protocol):
    """Where commands run."""

    @property
    def level(self) -> str:
        """How far commands are kept apart from this machine, in a word."""
        ...

    async def run(self, command: str, output: Sink) -> int:
        """The exit code. Cancelled, it returns only when all that the command started is dead."""
        ...


class Listed(Struct, frozen=True):
    """One line of a folder listing; `path` is relative to the workspace."""

    path: str
    kind: Literal["file", "folder", "link", "other"]
    size: int


class Workspace(Protocol):
    """The files that tools may see. Paths are relative to it; one that leads out is a ToolError."""

    async def read(self, path: str) -> bytes: ...

    async def write(self, path: str, data: bytes) -> None:
        """Whole or not at all; makes the folders on the way."""
        ...

    async def list(self, path: str, depth: int = 1) -> Sequence[Listed]: ...


class OutputStore(Protocol):
    """Whole outputs of tool calls that are too long for the log."""

    async def put(self, run_id: str, call_id: str, data: bytes) -> None: ...

    async def get(self, run_id: str, call_id: str, start: int, length: int) -> bytes | None:
        """None if there is no such output."""
        ...

    async def delete(self, run_id: str) -> None: ...


# ── the log ─────────────────────────────────────────────────────────────────────────────────


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
    """A run as lists and filters know it. `tenant` is the id of the key that owns it."""

    id: str
    tenant: str
    model: str
    session_id: str
    surface: str
    created_at: float
    updated_at: float
    status: Status = "running"
    epoch: int = 1
    last_seq: int = 0


class Claim(Struct, frozen=True):
    """An idempotency key: the same key with the same `fingerprint` means the same run."""

    key: str
    fingerprint: str
    expires_at: float


class EventLog(Protocol):
    """Append-only, one sequence per run. Commit, then deliver.

    The place in the sequence is taken before the first suspension of `append` and `offer`, so that
    the order of calls is the order of the log.
    """

    async def create(
        self, run: RunRecord, events: Sequence[AnyEvent], claim: Claim | None = None
    ) -> str:
        """The id of the run: this one, durable, or the one that holds the claim already.

        Raises Conflict when the claim is held with another fingerprint.
        """
        ...

    async def append(
        self, run_id: str, epoch: int, events: Sequence[AnyEvent], status: Status | None = None
    ) -> int:
        """The last seq. All of `events` are durable together once this returns. Raises Fenced."""
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


class RunFilter(Struct, frozen=True):
    """Which runs to list, newest first; `before` is the id of the last run of the page before."""

    tenant: str
    session_id: str | None = None
    status: Status | None = None
    before: str | None = None
    limit: int = 20


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


# ── keys ────────────────────────────────────────────────────────────────────────────────────

Scope = Literal["chat", "runs", "admin", "read"]


class ApiKey(Struct, frozen=True):
    """A key as it is kept: never the key itself, only its digest."""

    id: str
    name: str
    digest: str
    scopes: tuple[Scope, ...]
    created_at: float
    tool_events: str | None = None
    on_disconnect: Literal["cancel", "continue"] | None = None
    revoked_at: float | None = None


class KeyStore(Protocol):
    async def add(self, key: ApiKey) -> None:
        """Takes the place of a key of the same id. Raises Conflict if another has its digest."""
        ...

    async def find(self, digest: str) -> ApiKey | None: ...

    async def list(self) -> Sequence[ApiKey]: ...

    async def revoke(self, key_id: str, at: float) -> bool: ...
