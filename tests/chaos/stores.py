"""A home folder with many ended runs in it, written by the real log without a server."""

import asyncio
import sqlite3
import time
from collections.abc import Awaitable
from pathlib import Path

from angelia.adapters.sqlite.database import READERS, Database
from angelia.adapters.sqlite.log import SqliteLog
from angelia.adapters.system_clock import SystemClock
from angelia.core.events import Completed, ModelReplied, RunEnded, RunStarted, TextDelta
from angelia.core.messages import Assistant, Reply, Text, Usage, user
from angelia.ports import Bill, Mark, RunRecord, Summary, Took

AT_ONCE = 500
SESSIONS_OF = 4
ANSWER = "All is well, and it was said at some length. " * 120
USED = Usage(input=40, output=200)


def home_database(home: Path) -> Path:
    return home / "angelia.db"


def tenant_of(home: Path) -> str:
    """The first key of a home that a server has opened before."""
    with sqlite3.connect(home_database(home)) as connection:
        (tenant,) = connection.execute("select id from api_keys").fetchone()
    return tenant


async def fill(home: Path, runs: int) -> None:
    """So many runs of the first key, in sessions of a few turns each."""
    database = Database.open(home_database(home), clock=SystemClock())
    log, tenant = SqliteLog(database), tenant_of(home)
    try:
        for first in range(0, runs, AT_ONCE):
            numbers = range(first, min(first + AT_ONCE, runs))
            await asyncio.gather(*(_run(log, tenant, number) for number in numbers))
    finally:
        await database.close()


async def _run(log: SqliteLog, tenant: str, number: int) -> None:
    run_id, session_id = f"run_{number}", f"sess_{number // SESSIONS_OF}"
    question = f"how is number{number} today"
    now = time.time()
    record = RunRecord(
        run_id,
        tenant,
        "angelia" if number else "rare",
        session_id,
        "runs" if number else "chat",
        now,
        now,
        question=question,
        user=f"user{number // SESSIONS_OF}",
    )
    await log.create(record, (RunStarted("angelia", (user(question),), session_id=session_id),))
    await log.offer(run_id, 1, [TextDelta("All is well ") for _ in range(10)])
    reply = Reply(Assistant((Text(ANSWER),)), "stop", "demo", USED)
    bill = Bill("demo", USED, 0.0, Took(0.5, 0.1))
    await log.append(run_id, 1, (ModelReplied(reply),), Mark("running", bill=bill))
    ended = RunEnded(Completed(), ANSWER, USED)
    await log.append(run_id, 1, (ended,), Mark("completed", Summary(ANSWER, USED, 0.0), worked=0.5))


class Steps:
    """How many instructions SQLite takes for what is read from one database."""

    EVERY = 10

    def __init__(self, database: Database) -> None:
        self._database = database
        self._taken = 0

    async def watch(self) -> None:
        """Readers take turns, so as many looks as there are readers find each of them."""
        self._database.look(self._listen)
        for _ in range(READERS):
            await self._database.read(self._listen)

    def _listen(self, connection: sqlite3.Connection) -> None:
        connection.set_progress_handler(self._count, self.EVERY)

    def _count(self) -> int:
        self._taken += self.EVERY
        return 0

    async def of(self, asking: Awaitable[object]) -> int:
        self._taken = 0
        await asking
        return self._taken
