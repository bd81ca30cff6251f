"""HTTP/1.1 on raw sockets, so that an answer can be trickled, cut or left hanging.

Above: the server, which gets one `Exchange` for each request. Below: asyncio transports.
"""

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import cast

import httptools
from msgspec import Struct

_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Request(Struct, frozen=True):
    """`headers` have lower-case names. `connection` numbers the TCP connections from 1."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    connection: int


class Exchange:
    """One request and the means to answer it, well or badly."""

    def __init__(self, request: Request, connection: "Connection") -> None:
        self.request = request
        self._connection = connection

    def head(self, status: int, headers: Mapping[str, str]) -> None:
        """The answer's body follows in pieces of any size."""
        phrase = HTTPStatus(status).phrase if status in set(HTTPStatus) else "Unknown"
        fields = {"Transfer-Encoding": "chunked", **headers}
        lines = [
            f"HTTP/1.1 {status} {phrase}",
            *(f"{name}: {value}" for name, value in fields.items()),
        ]
        self._connection.write(("\r\n".join(lines) + "\r\n\r\n").encode())

    async def send(self, *pieces: bytes) -> None:
        """Waits while the client does not read."""
        framed = b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces if piece)
        if framed:
            self._connection.write(framed)
        await self._connection.writable.wait()

    def end(self) -> None:
        self._connection.write(b"0\r\n\r\n")

    def cut(self) -> None:
        """What was sent arrives; then the connection closes in the middle of the answer."""
        self._connection.close()

    def reset(self) -> None:
        """The client is told that the connection is no more."""
        self._connection.reset()

    def garble(self) -> None:
        self._connection.write(b"\x16\x03\x01 what is this?\r\n\r\n")
        self._connection.close()


Serve = Callable[[Exchange], Awaitable[None]]


class Connection(asyncio.Protocol):
    """Requests of one client, answered one after another. A client that leaves ends the answer."""

    def __init__(self, serve: Serve, number: int, tasks: set[asyncio.Task[None]]) -> None:
        self.writable = asyncio.Event()
        self.writable.set()
        self._serve = serve
        self._number = number
        self._tasks = tasks
        self._waiting: list[Request] = []
        self._task: asyncio.Task[None] | None = None
        self._transport: asyncio.Transport | None = None
        self._parser = httptools.HttpRequestParser(self)
        self.on_message_begin()

    # ── transport ───────────────────────────────────────────────────────────────────────

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._waiting.clear()
        self.writable.set()
        if self._task is not None:
            self._task.cancel()

    def data_received(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError:
            self.write(_BAD_REQUEST)
            self.close()

    def pause_writing(self) -> None:
        self.writable.clear()

    def resume_writing(self) -> None:
        self.writable.set()

    def write(self, data: bytes) -> None:
        if self._transport is not None:
            self._transport.write(data)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def reset(self) -> None:
        if self._transport is not None:
            connection: socket.socket = self._transport.get_extra_info("socket")
            # To linger for no time at all is what makes a close a reset.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._transport.abort()

    # ── parser ──────────────────────────────────────────────────────────────────────────

    def on_message_begin(self) -> None:
        self._url = b""
        self._headers: dict[str, str] = {}
        self._body: list[bytes] = []

    def on_url(self, url: bytes) -> None:
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_body(self, body: bytes) -> None:
        self._body.append(body)

    def on_message_complete(self) -> None:
        path = httptools.parse_url(self._url).path.decode("latin-1")
        method = self._parser.get_method().decode("latin-1")
        body = b"".join(self._body)
        self._waiting.append(Request(method, path, self._headers, body, self._number))
        if self._task is None:
            self._answer_next()

    def _answer_next(self) -> None:
        exchange = Exchange(self._waiting.pop(0), self)
        self._task = asyncio.get_running_loop().create_task(self._answer(exchange))
        self._tasks.add(self._task)
        self._task.add_done_callback(self._tasks.discard)

    async def _answer(self, exchange: Exchange) -> None:
        served = False
        try:
            await self._serve(exchange)
            served = True
        finally:
            self._task = None
            if not served or exchange.request.headers.get("connection", "").lower() == "close":
                self.close()
        if self._waiting:
            self._answer_next()
