"""The load client: concurrent streams against one server, each checked delta by delta."""

import argparse
import asyncio
import contextlib
import itertools
import random
import statistics
import sys
import time
from urllib.parse import urlsplit

import msgspec
import uvloop

from bench.checker import Checker
from bench.connection import Connection, connect
from bench.dialects import DIALECTS
from bench.probe import Probe


class Order(msgspec.Struct, frozen=True):
    """What to do: `streams` side by side, started within `ramp` seconds, each `runs` runs long.

    What piles up during the ramp may drain in the `pause` behind it. With a `period`, in seconds,
    a delta is late when it was sent later than its place in the stream says. With a `health`, that
    path is asked for all the while.
    """

    url: str
    streams: int
    runs: int
    deltas: int
    dialect: str = "chat"
    health: str = ""
    period: float = 0.0
    ramp: float = 0.0
    pause: float = 1.0
    timeout: float = 60.0
    key: str = "-"


class Result(msgspec.Struct, frozen=True):
    """What came of it; times are in milliseconds except `wall_s`."""

    runs: int
    wall_s: float
    cpu_ms: float
    first_p50: float
    lag_p50: float
    lag_p99: float
    late_p99: float
    health_p99: float
    faults: tuple[str, ...]


class Load:
    """All streams of one order and what they measured."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.first_ns: list[int] = []
        self.lags_ns: list[int] = []
        self.late_ns: list[int] = []
        self.faults: list[str] = []
        self.dialect = DIALECTS[order.dialect]
        self.finished = 0
        self._live = 0
        self._steady_ns = time.monotonic_ns() + int((order.ramp + order.pause) * 1e9)

    def counts(self, now_ns: int) -> bool:
        """Whether lag counts: with a ramp, from its end and a pause until the first stream ends."""
        if not self.order.ramp:
            return True
        return now_ns >= self._steady_ns and self._live == self.order.streams

    async def stream(self, number: int, delay: float) -> None:
        """One of the streams, from its start to the end of its last run."""
        await asyncio.sleep(delay)
        self._live += 1
        try:
            connection = await connect(self.order.url)
            with contextlib.closing(connection.transport):
                for turn in range(self.order.runs):
                    await self._run(connection, f"{number}.{turn}")
        except OSError as error:
            self.faults.append(f"stream {number}: {error!r}")
        finally:
            self._live -= 1

    async def _run(self, connection: Connection, name: str) -> None:
        checker = Checker(self.order.deltas, self.dialect)
        arriving = Arriving(self, checker)
        prefix = urlsplit(self.order.url).path
        request = self.dialect.request(prefix, _question(name), self.order.key)
        if self.dialect.events:
            request = self.dialect.follow(await connection.fetch(request), self.order.key)
        await connection.ask(request, arriving.take)
        self.finished += 1
        if verdict := checker.verdict():
            self.faults.append(f"run {name}: {verdict}")


def _question(name: str) -> str:
    return f"Say hello, run {name} of {time.monotonic_ns()}."


class Arriving:
    """The times of one run's deltas, counted from when it was asked for."""

    def __init__(self, load: Load, checker: Checker) -> None:
        self._load = load
        self._checker = checker
        self._asked_ns = time.monotonic_ns()
        self._period_ns = int(load.order.period * 1e9)
        self._origin_ns = 0

    def take(self, body: bytes, now: int) -> None:
        before = self._checker.seen
        sent = self._checker.feed(body)
        if not sent:
            return
        if not before:
            self._load.first_ns.append(now - self._asked_ns)
            self._origin_ns = sent[0]
        if self._load.counts(now):
            self._load.lags_ns += [now - sent_ns for sent_ns in sent]
            if self._period_ns:
                due = self._origin_ns + before * self._period_ns
                self._load.late_ns.append(sent[0] - due)


def percentile(values: list[int], share: float) -> float:
    """In milliseconds, from nanoseconds; 0 when there are none."""
    if not values:
        return 0.0
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] / 1e6


async def perform(order: Order) -> Result:
    """Bounded by the order's timeout; what is not finished by then is a fault."""
    load = Load(order)
    # Even spacing would put the ticks of many paced streams on the same instant.
    chance = random.Random(order.streams)
    delays = [order.ramp * chance.random() for _ in range(order.streams)]
    probe = Probe(order.url, order.health, load.counts)
    probing = asyncio.create_task(probe.go()) if order.health else None
    wall, cpu = time.monotonic(), time.process_time()
    try:
        async with asyncio.timeout(order.timeout):
            await asyncio.gather(*itertools.starmap(load.stream, enumerate(delays)))
    except TimeoutError:
        load.faults.append(f"not finished after {order.timeout:g} s")
    finally:
        if probing is not None:
            probing.cancel()
    if order.ramp and not load.lags_ns:
        load.faults.append("at no time were all streams under way")
    return Result(
        runs=load.finished,
        wall_s=time.monotonic() - wall,
        cpu_ms=(time.process_time() - cpu) * 1e3,
        first_p50=statistics.median(load.first_ns) / 1e6 if load.first_ns else 0.0,
        lag_p50=percentile(load.lags_ns, 0.5),
        lag_p99=percentile(load.lags_ns, 0.99),
        late_p99=percentile(load.late_ns, 0.99),
        health_p99=percentile(probe.waits_ns, 0.99),
        faults=tuple(load.faults),
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("order", help="an Order as JSON")
    order = msgspec.json.decode(parser.parse_args().order, type=Order)
    sys.stdout.buffer.write(msgspec.json.encode(uvloop.run(perform(order))))
