"""The raw relay: the upstream's replies piped into one, with no tool and no parsing."""

import argparse
import asyncio
from collections.abc import Callable
from urllib.parse import urlsplit

import uvloop

from bench import framing

_SECOND = (
    b'{"model":"bench","stream":true,"messages":['
    b'{"role":"user","content":"go"},'
    b'{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function",'
    b'"function":{"name":"terminal","arguments":"{\\"command\\":\\"echo hello\\"}"}}]},'
    b'{"role":"tool","tool_call_id":"call_1","content":"hello\\n"}]}'
)
_REPLY_END = framing.chunk(framing.DONE) + framing.LAST_CHUNK


class Upstream(asyncio.Protocol):
    """One pooled connection; hands on the bytes of a reply's body with their chunk framing."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport
        self._deliver: Callable[[bytes], None]
        self._finish: Callable[[bool], None] | None = None
        self._head: bytes | None = b""
        self._tail = b""

    def ask(
        self, request: bytes, deliver: Callable[[bytes], None], finish: Callable[[bool], None]
    ) -> None:
        self._deliver, self._finish = deliver, finish
        self._head = self._tail = b""
        self.transport.write(request)

    def connection_made(self, transport: asyncio.Transport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        if self._head is not None:
            self._head += data
            _, found, data = self._head.partition(b"\r\n\r\n")
            if not found:
                return
            self._head = None
        self._tail = (self._tail + data)[-len(_REPLY_END) :]
        self._deliver(data)
        if self._tail == _REPLY_END:
            self._end(whole=True)

    def connection_lost(self, _error: Exception | None) -> None:
        self._end(whole=False)

    def _end(self, *, whole: bool) -> None:
        finish, self._finish = self._finish, None
        if finish is not None:
            finish(whole)


class Pool:
    """Idle connections to the upstream."""

    def __init__(self, base_url: str) -> None:
        url = urlsplit(base_url)
        self._address = (url.hostname, url.port)
        self.path = f"{url.path}/chat/completions"
        # A model that calls no tool gives its text with the first reply.
        self.asks_again = "/tool/" in url.path
        self._idle: list[Upstream] = []

    async def take(self) -> Upstream:
        while self._idle:
            upstream = self._idle.pop()
            if not upstream.transport.is_closing():
                return upstream
        loop = asyncio.get_running_loop()
        _, upstream = await loop.create_connection(Upstream, *self._address)
        return upstream

    def give_back(self, upstream: Upstream) -> None:
        self._idle.append(upstream)


class Relay(framing.Answering):
    """One client's connection."""

    def __init__(self, pool: Pool) -> None:
        super().__init__()
        self._pool = pool
        self._first = b""
        self._upstream: Upstream
        self._tasks: set[asyncio.Task[None]] = set()

    def answer(self, path: str, body: bytes) -> None:
        task = asyncio.create_task(self._begin(body))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _begin(self, body: bytes) -> None:
        try:
            self._upstream = await self._pool.take()
        except OSError:
            self.transport.close()
            return
        self._first = b""
        request = framing.post(self._pool.path, body)
        if self._pool.asks_again:
            self._upstream.ask(request, self._collect, self._after_first)
        else:
            self.transport.write(framing.STREAM_HEAD)
            self._upstream.ask(request, self.transport.write, self._after_last)

    def _collect(self, data: bytes) -> None:
        self._first += data

    def _after_first(self, whole: bool) -> None:
        if not whole:
            self.transport.close()
            return
        self.transport.write(framing.STREAM_HEAD + self._first.removesuffix(_REPLY_END))
        request = framing.post(self._pool.path, _SECOND)
        self._upstream.ask(request, self.transport.write, self._after_last)

    def _after_last(self, whole: bool) -> None:
        if whole:
            self._pool.give_back(self._upstream)
        else:
            self.transport.close()


async def _serve(port: int, base_url: str) -> None:
    pool = Pool(base_url)
    server = await framing.listen(port, lambda: Relay(pool))
    await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--base-url", required=True)
    args = parser.parse_args()
    uvloop.run(_serve(args.port, args.base_url))
