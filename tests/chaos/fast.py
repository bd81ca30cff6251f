"""Fast readers in a process of their own: it takes an order and answers with what they saw."""

import asyncio
import sys
import time
from urllib.parse import urlsplit

import msgspec
import uvloop

from bench import framing


class Order(msgspec.Struct, frozen=True):
    """Each of the runs is followed by one reader for every time it is named."""

    url: str
    key: str
    runs: tuple[str, ...]
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
    """HTTP/1.0: the answer is what comes until the end, in no pieces."""
    return (
        f"GET /v1/runs/{run_id}/events HTTP/1.0\r\nHost: here\r\n"
        f"Authorization: Bearer {key}\r\nLast-Event-ID: {after}\r\n\r\n"
    ).encode()


class Reader(asyncio.Protocol):
    """One reader; only what was sent while it listened counts for the lag."""

    def __init__(self, order: Order, run_id: str, lags: list[int]) -> None:
        self._asking = request(run_id, order.key)
        self._lags = lags
        self._rest = b""
        self._opened = 0
        self.seq = self.lost = 0
        self.last = ""
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        self._opened = time.monotonic_ns()
        transport.write(self._asking)

    def data_received(self, data: bytes) -> None:
        now = time.monotonic_ns()
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if line.startswith(b"data: "):
                self._take(_event.decode(line[6:]), now)

    def _take(self, event: Event, now: int) -> None:
        self.lost += event.seq != self.seq + 1
        self.seq, self.last = event.seq, event.event
        if event.event == "message.delta":
            sent = [framing.read_token(word)[1] for word in event.delta.split(" ") if "@" in word]
            self._lags += [now - each for each in sent if each > self._opened]

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
