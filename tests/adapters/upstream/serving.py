"""A server that answers with whatever bytes a test wants."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from msgspec import Struct


class Request(Struct, frozen=True):
    """`connection` counts from 1."""

    head: bytes
    body: bytes
    connection: int


Answer = Callable[[Request], AsyncIterator[bytes]]

STREAM_HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
)


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


def plain(status: int, kind: str, body: bytes) -> bytes:
    """An answer that ends with its connection, as a template for what `%b` in it stands for."""
    head = f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nConnection: close\r\n\r\n"
    return head.encode() + body


@asynccontextmanager
async def saying(answer: Answer, *, once: bool = False) -> AsyncIterator[str]:
    """Answers every request with these bytes, and closes behind those that say so."""
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = len(tasks)
        while head := await reader.readuntil(b"\r\n\r\n"):
            length = re.search(rb"(?i)content-length: (\d+)", head)
            body = await reader.readexactly(int(length[1]) if length else 0)
            last = b""
            async for data in answer(Request(head, body, number)):
                writer.write(data)
                last = data
            if once or b"Connection: close" in last:
                return

    async def host(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        with contextlib.suppress(
            asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError
        ):
            await serve(reader, writer)
        writer.close()

    server = await asyncio.start_server(host, "127.0.0.1", 0)
    yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    server.close()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks)


async def passed_on(request: Request, port: int) -> bytes:
    """What the server at this port answers, as one answer that ends with its connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request.head.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
    writer.write(request.body)
    answer = await reader.read()
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    closing = b"" if b"connection: close" in head.lower() else b"\r\nConnection: close"
    return head.replace(b"connection: close", b"Connection: close") + closing + b"\r\n\r\n" + body
