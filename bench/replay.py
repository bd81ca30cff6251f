"""How fast the events of a run that has ended are read from the log and delivered."""

import asyncio
import statistics
import time
from collections.abc import Iterator

import uvloop

from bench import servers
from bench.connection import Connection, connect
from bench.dialects import DIALECTS
from bench.goals import Verdict

DELTAS, QUICK_DELTAS = 10_000, 500
TIMES = 9
PER_SECOND = 200_000.0


def measure(server: servers.Server, times: int = TIMES) -> float:
    """Events per second, as one reader sees them: the median of several readings."""
    return uvloop.run(_measure(server, times))


async def _measure(server: servers.Server, times: int) -> float:
    async with asyncio.timeout(120):
        connection = await connect(server.address)
        dialect = DIALECTS["runs"]
        request = dialect.request("", "Say all of it.", servers.KEY)
        follow = dialect.follow(await connection.fetch(request), servers.KEY)
        await connection.fetch(follow)
        rates = [await _rate(connection, follow) for _ in range(times)]
        connection.transport.close()
    return statistics.median(rates)


async def _rate(connection: Connection, follow: bytes) -> float:
    begun = time.monotonic()
    body = await connection.fetch(follow)
    taken = time.monotonic() - begun
    if b'"event":"run.completed"' not in body:
        raise ValueError("a replay without its end")
    return body.count(b"\nid: ") / taken


def verdicts(per_s: float | None) -> Iterator[Verdict]:
    yield Verdict("replay", "at least", PER_SECOND, per_s, "events/s")
