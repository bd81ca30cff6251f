"""Two connections as one: what comes in at one end goes out at the other."""

import asyncio

PIECE = 64 * 1024

End = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def splice(here: End, there: End, idle: float) -> None:
    """Returns when both ends are done, or nothing has passed either way for `idle` seconds."""
    watch = _Watch(idle)
    try:
        async with asyncio.TaskGroup() as both:
            both.create_task(_pump(here[0], there[1], watch))
            both.create_task(_pump(there[0], here[1], watch))
    except* (OSError, TimeoutError):
        # Broken off at one end is over at both.
        pass


class _Watch:
    """One clock for both ways: a download is not idle because nothing is uploaded."""

    def __init__(self, idle: float) -> None:
        self._idle = idle
        self._last = self._now()

    def seen(self) -> None:
        self._last = self._now()

    @property
    def left(self) -> float:
        return self._last + self._idle - self._now()

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, watch: _Watch) -> None:
    while piece := await _read(reader, watch):
        watch.seen()
        writer.write(piece)
        async with asyncio.timeout(watch.left):
            await writer.drain()
        watch.seen()
    if writer.can_write_eof():
        writer.write_eof()


async def _read(reader: asyncio.StreamReader, watch: _Watch) -> bytes:
    """Raises TimeoutError once neither way has moved for too long."""
    while watch.left > 0:
        try:
            async with asyncio.timeout(watch.left):
                return await reader.read(PIECE)
        except TimeoutError:
            continue
    raise TimeoutError
