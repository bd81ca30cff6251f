"""What a server holds at one moment, seen from outside: /proc, its own gauges, its files."""

import asyncio
import os
import re
import time
from pathlib import Path

import msgspec

from tests.support.http import Client
from tests.support.server import AngeliaServer

MB = 1024 * 1024
# Far more than it takes a server to let go of what its clients have left.
SETTLING = 30.0


class Vitals(msgspec.Struct, frozen=True):
    rss: int
    threads: int
    descriptors: int
    tasks: int
    wal: int


def rss(pid: int) -> int:
    """The memory of the process alone, in bytes."""
    return _status(pid, "VmRSS") * 1024


def peak_rss(pid: int) -> int:
    """The most memory it ever held, in bytes, or since it was forgotten."""
    return _status(pid, "VmHWM") * 1024


def forget_peak(pid: int) -> None:
    Path(f"/proc/{pid}/clear_refs").write_text("5")


def cpu(pid: int) -> float:
    """Seconds that the process alone has worked so far, in steps of a hundredth."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def wal_size(server: AngeliaServer) -> int:
    return sum(path.stat().st_size for path in server.home.glob("*-wal"))


async def gauge(client: Client, name: str) -> int:
    answer = await client.get("/metrics")
    assert answer.status == 200, answer.body
    found = re.search(rf"^{name} (\S+)$", answer.body.decode(), re.MULTILINE)
    assert found is not None, f"{name} is not among the metrics"
    return int(float(found[1]))


async def vitals(server: AngeliaServer) -> Vitals:
    async with Client(server.url, server.key) as client:
        tasks = await gauge(client, "angelia_tasks")
    pid = server.pid
    descriptors = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    return Vitals(rss(pid), _status(pid, "Threads"), descriptors, tasks, wal_size(server))


async def settled(server: AngeliaServer, before: Vitals, slack: int = 3) -> Vitals:
    """Once as few descriptors and tasks are held as before, or what is held after a long wait."""
    deadline = time.monotonic() + SETTLING
    while True:
        now = await vitals(server)
        fits = now.descriptors <= before.descriptors + slack and now.tasks <= before.tasks + slack
        if fits or time.monotonic() > deadline:
            return now
        await asyncio.sleep(0.1)


def _status(pid: int, field: str) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(rf"^{field}:\s+(\d+)", status, re.MULTILINE)
    assert found is not None
    return int(found[1])
