"""Appends to runs for ever and says so; the test that starts it kills it."""

import asyncio
import sys
from pathlib import Path

from angelia.adapters.sqlite.database import Database
from angelia.adapters.sqlite.log import SqliteLog
from angelia.adapters.system_clock import SystemClock
from angelia.core.events import StopRequested, TextDelta
from tests.contracts.stores import STARTED, record


async def write(log: SqliteLog, run_id: str) -> None:
    await log.create(record(run_id), [STARTED])
    while True:
        await log.offer(run_id, 1, [TextDelta("a"), TextDelta("b")])
        await log.offer(run_id, 1, [TextDelta("c")])
        seq = await log.append(run_id, 1, [StopRequested()])
        print(run_id, seq, flush=True)


async def main(path: Path) -> None:
    log = SqliteLog(Database.open(path, clock=SystemClock()))
    await asyncio.gather(*(write(log, f"run{number}") for number in range(3)))


asyncio.run(main(Path(sys.argv[1])))
