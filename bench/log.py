"""What the event log costs: CPU per event, lag of its readers, latency of an append, memory.

`python -m bench.log [seconds]` prints one line per adapter and load.
"""

import asyncio
import sys
import tempfile
import time
from array import array
from collections.abc import Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import uvloop

from angelia.adapters.memory.log import MemoryLog
from angelia.adapters.sqlite.database import Database
from angelia.adapters.sqlite.log import SqliteLog
from angelia.adapters.system_clock import SystemClock
from angelia.core.events import Completed, RunEnded, RunStarted, StopRequested, TextDelta
from angelia.core.messages import user
from angelia.ports import EventLog, Mark, RunRecord

EVENTS_PER_RUN = 50
TICK = 0.001


@asynccontextmanager
async def memory():
    yield MemoryLog(SystemClock())


@asynccontextmanager
async def sqlite():
    with tempfile.TemporaryDirectory(dir=".") as folder:
        database = Database.open(Path(folder) / "log.db", clock=SystemClock())
        yield SqliteLog(database)
        await database.close()


def record(run_id: str) -> RunRecord:
    now = time.time()
    return RunRecord(run_id, "tenant", "model", "session", "runs", now, now)


async def begin(log: EventLog, run_id: str) -> None:
    await log.create(record(run_id), (RunStarted("model", (user("hello"),)),))


async def latency(log: EventLog, appends: int = 300) -> list[float]:
    """One run that awaits every append."""
    await begin(log, "alone")
    taken: list[float] = []
    for _ in range(appends):
        began = time.perf_counter()
        await log.append("alone", 1, (StopRequested(),))
        taken.append(time.perf_counter() - began)
    return sorted(taken)


class Load:
    """Many runs, each with a reader, fed by one pacer that costs next to nothing itself."""

    def __init__(self, log: EventLog | None, runs: int, seconds: float) -> None:
        self.log = log
        self.ids = [f"run_{number}" for number in range(runs)]
        self.seconds = seconds
        # Arrays, because the collector would walk through lists again and again.
        self.sent = {run_id: array("d", (0.0, 0.0)) for run_id in self.ids}
        self.lags = array("d")
        self.received = 0
        self.offered = 0

    async def run(self) -> float:
        """CPU seconds from the first delta to the last delivery."""
        log = self.log
        if log is None:
            began = time.process_time()
            await self.pace()
            return time.process_time() - began
        await asyncio.gather(*(begin(log, run_id) for run_id in self.ids))
        readers = [asyncio.create_task(self.read(log, run_id)) for run_id in self.ids]
        await asyncio.sleep(0.5)
        began = time.process_time()
        await self.pace()
        end = (RunEnded(Completed()),)
        await asyncio.gather(
            *(log.append(run_id, 1, end, Mark("completed")) for run_id in self.ids)
        )
        await asyncio.gather(*readers)
        return time.process_time() - began

    async def read(self, log: EventLog, run_id: str) -> None:
        sent = self.sent[run_id]
        async for batch in log.follow(run_id, 1):
            self.received += len(batch.entries)
            if batch.first < len(sent):
                self.lags.append(time.perf_counter() - sent[batch.first])

    async def pace(self) -> None:
        turns = self.turns()
        began = time.perf_counter()
        rate = len(self.ids) * EVENTS_PER_RUN
        while (elapsed := time.perf_counter() - began) < self.seconds:
            for _ in range(int(elapsed * rate) - self.offered):
                await self.offer(next(turns))
            await asyncio.sleep(TICK)

    def turns(self) -> Iterator[str]:
        while True:
            yield from self.ids

    async def offer(self, run_id: str) -> None:
        self.offered += 1
        self.sent[run_id].append(time.perf_counter())
        delta = TextDelta(" and so on")
        if self.log is not None:
            await self.log.offer(run_id, 1, (delta,))


def rss_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


async def measure(name: str, opened, runs: int, seconds: float) -> None:
    idle = Load(None, runs, seconds)
    own = await idle.run() / idle.offered
    before = rss_mb()
    async with opened() as log:
        load = Load(log, runs, seconds)
        spent = await load.run() / load.offered
    lags = sorted(load.lags)
    p50, p99 = lags[len(lags) // 2] * 1e3, lags[len(lags) * 99 // 100] * 1e3
    print(
        f"{name:7} {runs:5} runs x {EVENTS_PER_RUN}/s: "
        f"{(spent - own) * 1e6:5.1f} us CPU per event, lag p50 {p50:6.2f} ms p99 {p99:6.2f} ms, "
        f"{load.received} of {load.offered + runs} delivered, {rss_mb() - before:+.0f} MB"
    )


async def main(seconds: float) -> None:
    for name, opened in (("memory", memory), ("sqlite", sqlite)):
        async with opened() as log:
            taken = await latency(log)
        p50, p99 = taken[len(taken) // 2] * 1e3, taken[len(taken) * 99 // 100] * 1e3
        print(f"{name:7} one run, each append awaited: p50 {p50:.3f} ms p99 {p99:.3f} ms")
        for runs in (1, 20, 200, 1_000):
            await measure(name, opened, runs, seconds)


if __name__ == "__main__":
    uvloop.run(main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0))
