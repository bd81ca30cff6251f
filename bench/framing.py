"""The little of HTTP/1.1, SSE and delta text that upstream, relay and load client share."""

import asyncio
from collections.abc import Callable

import httptools

CHAT_PATH = "/v1/chat/completions"
LAST_CHUNK = b"0\r\n\r\n"
STREAM_HEAD = (
    b"HTTP/1.1 200 OK\r\n"
    b"Content-Type: text/event-stream\r\n"
    b"Cache-Control: no-cache\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)
_HEALTHY = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


def event(data: bytes) -> bytes:
    """One server-sent event."""
    return b"data: %b\n\n" % data


def chunk(data: bytes) -> bytes:
    """One chunk of a chunked HTTP body."""
    return b"%x\r\n%b\r\n" % (len(data), data)


DONE = event(b"[DONE]")


def post(path: str, body: bytes, key: str = "-") -> bytes:
    """A whole POST request that keeps its connection open."""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def get(path: str, key: str = "-") -> bytes:
    """A whole GET request that keeps its connection open."""
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n\r\n".encode()


def token(index: int, sent_ns: int) -> str:
    """A delta's text: which one it is and when it was sent.

    The time has a fixed width, so that everything around it can be rendered in advance.
    """
    return f"{index}@{sent_ns:016d} "


def read_token(text: str) -> tuple[int, int]:
    """Index and send time; `ValueError` for any other text."""
    index, _, sent_ns = text.partition("@")
    return int(index), int(sent_ns)


class Answering(asyncio.Protocol):
    """The server's end of a connection: health checks and complete requests, one at a time."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport
        self._parser = httptools.HttpRequestParser(self)
        self._path = b""
        self._body = b""

    def answer(self, path: str, body: bytes) -> None:
        raise NotImplementedError

    def connection_made(self, transport: asyncio.Transport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError:
            self.transport.close()

    def on_url(self, url: bytes) -> None:
        self._path = url
        self._body = b""

    def on_body(self, body: bytes) -> None:
        self._body += body

    def on_message_complete(self) -> None:
        if self._path == b"/health":
            self.transport.write(_HEALTHY)
        else:
            self.answer(self._path.decode(), self._body)


async def listen(port: int, accept: Callable[[], Answering]) -> asyncio.Server:
    """Listens on loopback; port 0 takes a free one."""
    loop = asyncio.get_running_loop()
    return await loop.create_server(accept, "127.0.0.1", port, backlog=1024)
