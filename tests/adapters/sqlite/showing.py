"""Offers deltas for ever and says what readers have of them; the test that starts it kills it.

The files of the spool are small, so that they take turns all the time. Now and then a fact comes.
"""

import asyncio
import sys
from pathlib import Path

from angelia.adapters.sqlite import spool
from angelia.adapters.sqlite.database import Database
from angelia.adapters.sqlite.log import SqliteLog
from angelia.adapters.system_clock import SystemClock
from angelia.core.events import StopRequested, TextDelta
from tests.contracts.stores import STARTED, record

RUNS = 8


async def write(log: SqliteLog, run_id: str) -> None:
    await log.create(record(run_id), [STARTED])
    number = 1
    while True:
        for _ in range(5 + 10 * int(run_id[-1])):
            number += 1
            await log.offer(run_id, 1, [TextDelta(f"{number}" * 20)])
            await asyncio.sleep(0)
        number += 1
        await log.append(run_id, 1, [StopRequested(str(number))])


async def show(log: SqliteLog, run_id: str) -> None:
    async for batch in log.follow(run_id, 1):
        print(run_id, batch.last, flush=True)


async def main(path: Path) -> None:
    spool.TURN_BYTES = 20_000
    log = SqliteLog(Database.open(path, clock=SystemClock()))
    runs = [f"run{number}" for number in range(RUNS)]
    writing = [asyncio.ensure_future(write(log, run_id)) for run_id in runs]
    while any([await log.read(run_id) is None for run_id in runs]):
        pass
    await asyncio.gather(*writing, *(show(log, run_id) for run_id in runs))


asyncio.run(main(Path(sys.argv[1])))
