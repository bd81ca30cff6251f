"""Fast readers in a process of their own: it takes an order and answers with what they saw."""

import asyncio
import sys
import time
from urllib.parse import urlsplit

import httptools
import msgspec
import uvloop

from bench import framing


class Order(msgspec.Struct, frozen=True):
    """Each of the runs is followed by one reader for every time it is named.

    The lag of the pieces from `first` to `last` is measured: before them all readers join at once,
    behind them all runs end at once.
    """

    url: str
    key: str
    runs: tuple[str, ...]
    first: int
    last: int
    timeout: float = 120.0


class Result(msgspec.Struct, frozen=True):
    """`lost` counts places where a number was missing or came twice; lags are milliseconds."""

    events: int
    lost: int
    completed: int
    lags: int
    p50: float
    p99: float
    cpu: float


class Event(msgspec.Struct):
    event: str
    seq: int
    delta: str = ""


_event = msgspec.json.Decoder(Event)


def request(run_id: str, key: str, after: int = 0) -> bytes:
    return (
        f"GET /v1/runs/{run_id}/events HTTP/1.1\r\nHost: here\r\nConnection: close\r\n"
        f"Authorization: Bearer {key}\r\nLast-Event-ID: {after}\r\n\r\n"
    ).encode()


class Reader(asyncio.Protocol):
    """One reader of one run, from its first event to its last."""

    def __init__(self, order: Order, run_id: str, lags: list[int]) -> None:
        self._asking = request(run_id, order.key)
        self._counted = range(order.first, order.last)
        self._parser = httptools.HttpResponseParser(self)
        self._now = 0
        self._lags = lags
        self._rest = b""
        self.seq = self.lost = 0
        self.last = ""
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        transport.write(self._asking)

    def data_received(self, data: bytes) -> None:
        self._now = time.monotonic_ns()
        self._parser.feed_data(data)

    def on_body(self, body: bytes) -> None:
        *lines, self._rest = (self._rest + body).split(b"\n")
        for line in lines:
            if line.startswith(b"data: "):
                self._take(_event.decode(line[6:]))

    def _take(self, event: Event) -> None:
        self.lost += event.seq != self.seq + 1
        self.seq, self.last = event.seq, event.event
        if event.event == "message.delta":
            words = (word for word in event.delta.split(" ") if "@" in word)
            for number, sent in map(framing.read_token, words):
                if number in self._counted:
                    self._lags.append(self._now - sent)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.closed.done():
            self.closed.set_result(None)


async def perform(order: Order) -> Result:
    place, loop = urlsplit(order.url), asyncio.get_running_loop()
    lags: list[int] = []
    readers = [Reader(order, run_id, lags) for run_id in order.runs]
    for reader in readers:
        await loop.create_connection(lambda reader=reader: reader, place.hostname, place.port)
    async with asyncio.timeout(order.timeout):
        await asyncio.gather(*(reader.closed for reader in readers))
    lags.sort()
    return Result(
        events=sum(reader.seq for reader in readers),
        lost=sum(reader.lost for reader in readers),
        completed=sum(reader.last == "run.completed" for reader in readers),
        lags=len(lags),
        p50=lags[len(lags) // 2] / 1e6,
        p99=lags[len(lags) * 99 // 100] / 1e6,
        cpu=time.process_time(),
    )


if __name__ == "__main__":
    print("ready", flush=True)
    order = msgspec.json.decode(sys.stdin.readline(), type=Order)
    sys.stdout.buffer.write(msgspec.json.encode(uvloop.run(perform(order))))
