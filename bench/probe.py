"""A question that costs a server next to nothing, asked again and again beside its streams."""

import asyncio
import time
from collections.abc import Callable
from urllib.parse import urlsplit

PAUSE = 0.02


class Probe:
    """Measures how long a health check takes while `counts` says that it matters."""

    def __init__(self, url: str, path: str, counts: Callable[[int], bool]) -> None:
        parts = urlsplit(url)
        self._request = f"GET {path} HTTP/1.1\r\nHost: bench\r\n\r\n".encode()
        self._host, self._port = parts.hostname, parts.port
        self._counts = counts
        self.waits_ns: list[int] = []

    async def go(self) -> None:
        """Until it is cancelled; a server that hangs up is asked on a new connection."""
        while True:
            reader, writer = await asyncio.open_connection(self._host, self._port)
            try:
                while await self._ask(reader, writer):
                    await asyncio.sleep(PAUSE)
            finally:
                writer.close()

    async def _ask(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        begun = time.monotonic_ns()
        writer.write(self._request)
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(_length(head))
        now = time.monotonic_ns()
        if self._counts(now):
            self.waits_ns.append(now - begun)
        return b"connection: close" not in head.lower()


def _length(head: bytes) -> int:
    for line in head.lower().split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name == b"content-length":
            return int(value)
    raise ValueError("a health check's answer without a length")
