"""A client's end of a connection: one request at a time, its answer handed on as it comes."""

import asyncio
import time
from collections.abc import Callable
from urllib.parse import urlsplit

import httptools

Sink = Callable[[bytes, int], None]
"""Takes bytes of a body and the time when they came."""


class Connection(asyncio.Protocol):
    """One keep-alive connection with one request at a time on it."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport
        self._parser = httptools.HttpResponseParser(self)
        self._sink: Sink
        self._now_ns = 0
        self._ended: asyncio.Future[None] | None = None

    async def ask(self, request: bytes, sink: Sink) -> None:
        """Returns behind the last byte of the answer; `OSError` when there is none."""
        if self.transport.is_closing():
            raise ConnectionResetError("the server closed a connection between two runs")
        self._sink = sink
        self._ended = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        await self._ended

    async def fetch(self, request: bytes) -> bytes:
        parts: list[bytes] = []
        await self.ask(request, lambda body, _now: parts.append(body))
        return b"".join(parts)

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
        if status not in (200, 202):
            self._fail(f"HTTP status {status}")

    def on_body(self, body: bytes) -> None:
        self._sink(body, self._now_ns)

    def on_message_complete(self) -> None:
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(None)

    def _fail(self, why: str) -> None:
        if self._ended is not None and not self._ended.done():
            self._ended.set_exception(ConnectionAbortedError(why))


async def connect(address: str) -> Connection:
    url = urlsplit(address)
    loop = asyncio.get_running_loop()
    _, connection = await loop.create_connection(Connection, url.hostname, url.port)
    return connection
