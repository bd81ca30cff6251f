"""Work without a pause: after the first half nothing grows any more."""

import asyncio
import os
import statistics
import time

import pytest

from tests.chaos.ledger import Ledger
from tests.chaos.vitals import MB, Vitals, vitals
from tests.support.following import started
from tests.support.http import Client
from tests.support.server import AngeliaServer

QUESTIONS = ("long 40", "say `echo one` and then `echo two`", "think, list and long 5")
# A third of them has a session with commands, of which a server keeps 64.
WARM_RUNS = 300
LONG_SECONDS = float(os.environ.get("ANGELIA_SOAK_SECONDS", "1200"))


class Soak:
    """Runs one behind another on many connections, each read to its end; at least `least`."""

    def __init__(self, server: AngeliaServer, seconds: float, least: int) -> None:
        self.server = server
        self.until = time.monotonic() + seconds
        self.least = least
        self.runs = 0
        self.events = 0
        self.lost = 0
        self.failed = 0

    async def work(self, number: int) -> None:
        async with Client(self.server.url, self.server.key) as client:
            while time.monotonic() < self.until or self.runs < self.least:
                await self._run(client, QUESTIONS[(number + self.runs) % len(QUESTIONS)])

    async def _run(self, client: Client, question: str) -> None:
        run_id = await started(client, {"input": question})
        seen = [frame async for frame in client.stream(f"/v1/runs/{run_id}/events") if frame.id]
        ids = [int(frame.id or 0) for frame in seen]
        self.runs += 1
        self.events += len(ids)
        self.lost += ids != list(range(1, len(ids) + 1))
        self.failed += seen[-1].json["event"] != "run.completed"
        # Old runs are kept for good; those of a soak would only fill the disk.
        assert (await client.delete(f"/v1/runs/{run_id}")).status in (200, 204)


async def watch(soak: Soak, every: float) -> list[Vitals]:
    samples: list[Vitals] = []
    while time.monotonic() < soak.until:
        samples.append(await vitals(soak.server))
        await asyncio.sleep(every)
    return samples


def level(samples: list[Vitals], field: str) -> float:
    return statistics.median(getattr(each, field) for each in samples)


@pytest.mark.timeout(LONG_SECONDS + 300)
async def test_memory_log_threads_descriptors_and_tasks_stay_flat(
    server: AngeliaServer, ledger: Ledger, *, long: bool
) -> None:
    width, seconds = (100, LONG_SECONDS) if long else (20, 12.0)
    # What every server loads and keeps once is not growth.
    await soaked(server, width, min(seconds / 5, 30), least=WARM_RUNS)
    soak, samples = await soaked(server, width, seconds)

    half = len(samples) // 2
    first, second = samples[:half], samples[half:]
    ledger.count("runs", soak.runs)
    ledger.count("events delivered", soak.events)
    ledger.count("events lost", soak.lost)
    for field in Vitals.__struct_fields__:
        was, now = level(first, field), level(second, field)
        unit = f"{was / MB:.1f} → {now / MB:.1f} MB" if field in ("rss", "wal") else ""
        ledger.say(f"{field}, first half → second", unit or f"{was:.0f} → {now:.0f}")

    assert (soak.lost, soak.failed) == (0, 0)
    assert level(second, "rss") <= level(first, "rss") * 1.15 + 8 * MB
    assert max(each.wal for each in samples) <= 160 * MB
    for field in ("threads", "descriptors", "tasks"):
        assert level(second, field) <= level(first, field) * 1.3 + 10, field
    assert "Traceback" not in server.stderr


async def soaked(
    server: AngeliaServer, width: int, seconds: float, least: int = 0
) -> tuple[Soak, list[Vitals]]:
    soak = Soak(server, seconds, least)
    watching = asyncio.create_task(watch(soak, max(0.2, seconds / 100)))
    await asyncio.gather(*(soak.work(number) for number in range(width)))
    return soak, await watching
