"""Appends to runs for ever and says so; the test that starts it kills it.

Every append is the only one with its seq, and its summary and its bill say which one it is.
"""

import asyncio
import sys
from pathlib import Path

from angelia.adapters.sqlite.database import Database
from angelia.adapters.sqlite.log import SqliteLog
from angelia.adapters.system_clock import SystemClock
from angelia.core.events import StopRequested, TextDelta
from angelia.core.messages import Usage
from angelia.ports import Bill, Mark
from tests.contracts.stores import STARTED, record, summary


async def write(log: SqliteLog, run_id: str) -> None:
    await log.create(record(run_id), [STARTED])
    seq = 1
    while True:
        await log.offer(run_id, 1, [TextDelta("a"), TextDelta("b")])
        await log.offer(run_id, 1, [TextDelta("c")])
        seq += 4
        told = Mark("running", summary(f"{run_id} up to {seq}"), Bill("model", Usage(1), 1.0))
        assert await log.append(run_id, 1, [StopRequested()], told) == seq
        print(run_id, seq, flush=True)


async def main(path: Path) -> None:
    log = SqliteLog(Database.open(path, clock=SystemClock()))
    await asyncio.gather(*(write(log, f"run{number}") for number in range(3)))


asyncio.run(main(Path(sys.argv[1])))
