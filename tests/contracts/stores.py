"""Every log there is behind one door, and short words for what the contract tests write."""

from pathlib import Path

from angelia.adapters.follow import Bounds
from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.memory.history import MemoryHistory
from angelia.adapters.memory.keys import MemoryKeys
from angelia.adapters.memory.log import MemoryExpired, MemoryLog, MemoryRuns
from angelia.adapters.memory.sessions import MemorySessions
from angelia.adapters.memory.usage import MemoryUsage
from angelia.adapters.sqlite.database import Database
from angelia.adapters.sqlite.history import SqliteHistory
from angelia.adapters.sqlite.keys import SqliteKeys
from angelia.adapters.sqlite.log import SqliteLog
from angelia.adapters.sqlite.sessions import SqliteSessions
from angelia.adapters.sqlite.store import SqliteExpired, SqliteRuns
from angelia.adapters.sqlite.usage import SqliteUsage
from angelia.core.events import AnyEvent, Completed, Entry, RunEnded, RunStarted, TextDelta
from angelia.core.messages import Usage, user
from angelia.core.state import Status
from angelia.ports import (
    EventLog,
    Expired,
    History,
    KeyStore,
    Mark,
    RunRecord,
    RunStore,
    SessionStore,
    Summary,
    UsageStore,
)

ROOMY = Bounds()
TINY = Bounds(batches=2, size=200, page=2)
KINDS = ("memory", "memory, tiny", "sqlite", "sqlite, tiny")

STARTED = RunStarted("angelia", (user("hello"),))
ENDED = RunEnded(Completed())


class MemoryStore:
    def __init__(self, bounds: Bounds) -> None:
        self.clock = ManualClock()
        memory = MemoryLog(self.clock, bounds)
        self.log: EventLog = memory
        self.runs: RunStore = MemoryRuns(memory)
        self.keys: KeyStore = MemoryKeys()
        self.history: History = MemoryHistory(memory)
        self.sessions: SessionStore = MemorySessions(memory)
        self.usage: UsageStore = MemoryUsage(memory)
        self.expired: Expired = MemoryExpired(memory)

    async def reopen(self) -> None:
        """Memory has nothing to come back to."""

    async def close(self) -> None:
        pass


class SqliteStore:
    def __init__(self, path: Path, bounds: Bounds = ROOMY) -> None:
        self.path = path
        self.clock = ManualClock()
        self._bounds = bounds
        self._open()

    def _open(self) -> None:
        self.database = Database.open(self.path, clock=self.clock, bounds=self._bounds)
        self.log: EventLog = SqliteLog(self.database)
        self.runs: RunStore = SqliteRuns(self.database)
        self.keys: KeyStore = SqliteKeys(self.database)
        self.history: History = SqliteHistory(self.database)
        self.sessions: SessionStore = SqliteSessions(self.database)
        self.usage: UsageStore = SqliteUsage(self.database)
        self.expired: Expired = SqliteExpired(self.database)

    async def reopen(self) -> None:
        await self.database.close()
        self._open()

    async def close(self) -> None:
        await self.database.close()


Store = MemoryStore | SqliteStore


def open_store(kind: str, folder: Path) -> Store:
    bounds = TINY if kind.endswith("tiny") else ROOMY
    return MemoryStore(bounds) if kind.startswith("memory") else SqliteStore(folder / "db", bounds)


def record(
    run_id: str,
    tenant: str = "tenant",
    session_id: str = "session",
    status: Status = "running",
    model: str = "angelia",
    **others: object,
) -> RunRecord:
    return RunRecord(
        id=run_id,
        tenant=tenant,
        model=model,
        session_id=session_id,
        surface="runs",
        created_at=1.0,
        updated_at=1.0,
        status=status,
        **others,  # pyright: ignore
    )


def text(words: str) -> TextDelta:
    return TextDelta(words)


async def begin(store: Store, run_id: str = "run", **fields: object) -> str:
    held = await store.log.create(record(run_id, **fields), [STARTED])  # pyright: ignore
    return held.run_id


async def end(store: Store, run_id: str = "run", epoch: int = 1) -> int:
    return await store.log.append(run_id, epoch, [ENDED], Mark("completed"))


def summary(output: str = "", *chains: str) -> Summary:
    return Summary(output, Usage(), 0.0, chains=chains)


async def say(store: Store, run_id: str, output: str, *chains: str) -> None:
    """Ends the run with this answer."""
    mark = Mark("completed", summary(output, *chains))
    await store.log.append(run_id, 1, [ENDED], mark)


async def collect(log: EventLog, run_id: str = "run", after: int = 0) -> list[Entry]:
    """All that a follower sees, to the end of the run."""
    return [entry async for batch in log.follow(run_id, after) for entry in batch.entries]


async def events(log: EventLog, run_id: str = "run", *, facts_only: bool = False) -> list[AnyEvent]:
    batch = await log.read(run_id, facts_only=facts_only)
    return [entry.event for entry in batch.entries] if batch else []
