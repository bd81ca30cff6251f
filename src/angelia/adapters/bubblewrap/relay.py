"""Carries bytes between a session's port and the socket of the proxy that decides."""

import asyncio
import contextlib
import socket
from pathlib import Path

CHUNK = 64 * 1024
AT_ONCE = 64


class Relay:
    """Whoever connects reaches the proxy and nothing else."""

    def __init__(self, listening: socket.socket, proxy: Path) -> None:
        self._listening = listening
        self._proxy = proxy
        self._room = asyncio.Semaphore(AT_ONCE)
        self._server: asyncio.Server | None = None
        self._calls: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._call, sock=self._listening)

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        for call in tuple(self._calls):
            call.cancel()
        if self._calls:
            await asyncio.wait(tuple(self._calls))

    async def _call(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._calls.add(task)
            task.add_done_callback(self._calls.discard)
        try:
            async with self._room:
                await self._connected(reader, writer)
        except OSError:
            # The proxy is gone, or one of the two hung up.
            pass
        finally:
            await _hang_up(writer)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers, questions = await asyncio.open_unix_connection(self._proxy)
        try:
            asking = asyncio.create_task(_carry(reader, questions))
            try:
                await _carry(answers, writer)
            finally:
                asking.cancel()
                with contextlib.suppress(asyncio.CancelledError, OSError):
                    await asking
        finally:
            await _hang_up(questions)


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(CHUNK):
        writer.write(data)
        await writer.drain()
    if writer.can_write_eof():
        writer.write_eof()


async def _hang_up(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
