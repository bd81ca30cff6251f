"""The load client: concurrent chat streams against one server, each checked delta by delta."""

import argparse
import asyncio
import contextlib
import itertools
import random
import statistics
import sys
import time
from urllib.parse import urlsplit

import httptools
import msgspec
import uvloop

from bench import framing
from bench.probe import Probe


class Order(msgspec.Struct, frozen=True):
    """What to do: `streams` side by side, started within `ramp` seconds, each `runs` runs long.

    What piles up during the ramp may drain in the `pause` behind it.
    """

    url: str
    streams: int
    runs: int
    deltas: int
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
    health_p99: float
    faults: tuple[str, ...]


class Delta(msgspec.Struct):
    content: str | None = None


class Choice(msgspec.Struct):
    delta: Delta


_NO_ERROR = (msgspec.Raw(b""), msgspec.Raw(b"null"))


class Frame(msgspec.Struct):
    choices: list[Choice] = []
    error: msgspec.Raw = _NO_ERROR[0]


_frame = msgspec.json.Decoder(Frame)


class Checker:
    """Reads the body of one run; `verdict` says what is wrong with it, or nothing.

    Deltas are found by their text, however a server cuts or joins them.
    """

    def __init__(self, deltas: int) -> None:
        self._deltas = deltas
        self._line = b""
        self._text = ""
        self._done = False
        self._fault = ""
        self.seen = 0

    def feed(self, data: bytes) -> list[int]:
        """Takes bytes of the body, returns the send times of the deltas that they complete."""
        *lines, self._line = (self._line + data).split(b"\n")
        sent: list[int] = []
        for line in lines:
            if line.startswith(b"data:"):
                self._take(line[5:], sent)
        return sent

    def verdict(self) -> str:
        if self._fault:
            return self._fault
        if self._text:
            return f"foreign text {self._text[:80]!r}"
        if self.seen != self._deltas:
            return f"{self.seen} of {self._deltas} deltas arrived"
        return "" if self._done else "the stream ended without [DONE]"

    def _take(self, data: bytes, sent: list[int]) -> None:
        if self._done:
            self._blame("data behind [DONE]")
        elif data.strip() == b"[DONE]":
            self._done = True
        else:
            self._take_frame(data, sent)

    def _take_frame(self, data: bytes, sent: list[int]) -> None:
        try:
            frame = _frame.decode(data)
        except msgspec.MsgspecError as error:
            self._blame(f"unreadable frame: {error}")
            return
        if frame.error not in _NO_ERROR:
            self._blame(f"error frame: {bytes(frame.error)[:300].decode()}")
        for choice in frame.choices:
            if choice.delta.content:
                self._take_text(choice.delta.content, sent)

    def _take_text(self, text: str, sent: list[int]) -> None:
        *tokens, self._text = (self._text + text).split(" ")
        for token in tokens:
            try:
                index, sent_ns = framing.read_token(token)
            except ValueError:
                self._blame(f"foreign text {token[:80]!r}")
                continue
            if index != self.seen:
                self._blame(f"delta {index} came where {self.seen} was due")
            self.seen += 1
            sent.append(sent_ns)

    def _blame(self, fault: str) -> None:
        self._fault = self._fault or fault


class Load:
    """All streams of one order and what they measured."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.first_ns: list[int] = []
        self.lags_ns: list[int] = []
        self.faults: list[str] = []
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
            connection = await connect(self)
            with contextlib.closing(connection.transport):
                for turn in range(self.order.runs):
                    await self._run(connection, f"{number}.{turn}")
        except OSError as error:
            self.faults.append(f"stream {number}: {error!r}")
        finally:
            self._live -= 1

    async def _run(self, connection: "Connection", name: str) -> None:
        checker = Checker(self.order.deltas)
        await connection.ask(self._request(name), checker)
        self.finished += 1
        if verdict := checker.verdict():
            self.faults.append(f"run {name}: {verdict}")

    def _request(self, name: str) -> bytes:
        message = {"role": "user", "content": f"Say hello, run {name} of {time.monotonic_ns()}."}
        body = {"model": "angelia", "stream": True, "messages": [message]}
        path = urlsplit(self.order.url).path
        return framing.post(path, msgspec.json.encode(body), self.order.key)


class Connection(asyncio.Protocol):
    """One keep-alive connection with one run at a time on it."""

    def __init__(self, load: Load) -> None:
        self.transport: asyncio.Transport
        self._load = load
        self._parser = httptools.HttpResponseParser(self)
        self._checker: Checker
        self._asked_ns = 0
        self._now_ns = 0
        self._ended: asyncio.Future[None] | None = None

    async def ask(self, request: bytes, checker: Checker) -> None:
        """Returns behind the last byte of the answer; `OSError` when there is none."""
        if self.transport.is_closing():
            raise ConnectionResetError("the server closed a connection between two runs")
        self._checker = checker
        self._ended = asyncio.get_running_loop().create_future()
        self._asked_ns = time.monotonic_ns()
        self.transport.write(request)
        await self._ended

    def connection_made(self, transport: asyncio.Transport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self._now_ns = time.monotonic_ns()
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError as error:
            self._fail(f"unreadable HTTP: {error}")

    def connection_lost(self, _error: Exception | None) -> None:
        self._fail("the server closed the connection inside an answer")

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        if status != 200:
            self._fail(f"HTTP status {status}")

    def on_body(self, body: bytes) -> None:
        checker, now = self._checker, self._now_ns
        fresh = checker.seen == 0
        sent = checker.feed(body)
        if fresh and sent:
            self._load.first_ns.append(now - self._asked_ns)
        if self._load.counts(now):
            self._load.lags_ns += [now - sent_ns for sent_ns in sent]

    def on_message_complete(self) -> None:
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(None)

    def _fail(self, why: str) -> None:
        if self._ended is not None and not self._ended.done():
            self._ended.set_exception(ConnectionAbortedError(why))


async def connect(load: Load) -> Connection:
    url = urlsplit(load.order.url)
    loop = asyncio.get_running_loop()
    _, connection = await loop.create_connection(lambda: Connection(load), url.hostname, url.port)
    return connection


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
    probe = Probe(order.url, load.counts)
    probing = asyncio.create_task(probe.go())
    wall, cpu = time.monotonic(), time.process_time()
    try:
        async with asyncio.timeout(order.timeout):
            await asyncio.gather(*itertools.starmap(load.stream, enumerate(delays)))
    except TimeoutError:
        load.faults.append(f"not finished after {order.timeout:g} s")
    finally:
        probing.cancel()
    return Result(
        runs=load.finished,
        wall_s=time.monotonic() - wall,
        cpu_ms=(time.process_time() - cpu) * 1e3,
        first_p50=statistics.median(load.first_ns) / 1e6 if load.first_ns else 0.0,
        lag_p50=percentile(load.lags_ns, 0.5),
        lag_p99=percentile(load.lags_ns, 0.99),
        health_p99=percentile(probe.waits_ns, 0.99),
        faults=tuple(load.faults),
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("order", help="an Order as JSON")
    order = msgspec.json.decode(parser.parse_args().order, type=Order)
    sys.stdout.buffer.write(msgspec.json.encode(uvloop.run(perform(order))))
