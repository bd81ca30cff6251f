"""What a process reads and writes: pipes, or a terminal of its own."""

import asyncio
import contextlib
import fcntl
import os
import pty
import struct
import subprocess
import termios
from collections.abc import Iterable

from angelia.errors import ToolError
from angelia.ports import Command, Screen, Stream


class Streams:
    """Both ends; `reads` belong to whoever reads them, `pen` to a writer."""

    def __init__(self, command: Command) -> None:
        self.reads: dict[int, Stream] = {}
        self.pen: Pen | None = None
        self._theirs: set[int] = set()
        if command.screen is not None:
            self._open_screen(command.screen)
        else:
            self._open_pipes(input=command.input)
        if not command.input:
            self._put_away_pen()

    def given(self) -> None:
        """To be called when the process has its ends."""
        _close(self._theirs)
        self._theirs = set()

    def close(self) -> None:
        """Instead of a process: nothing was started."""
        self.given()
        _close(self.reads)
        self._put_away_pen()

    def _open_screen(self, screen: Screen) -> None:
        ours, theirs = pty.openpty()
        size = struct.pack("HHHH", screen.rows, screen.columns, 0, 0)
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, size)
        self.stdin = self.stdout = self.stderr = theirs
        self._theirs = {theirs}
        self.reads = {ours: "stdout"}
        self.pen = Pen(os.dup(ours))

    def _open_pipes(self, *, input: bool) -> None:  # noqa: A002 -- as the command calls it
        out, self.stdout = os.pipe()
        err, self.stderr = os.pipe()
        self.reads = {out: "stdout", err: "stderr"}
        self._theirs = {self.stdout, self.stderr}
        self.stdin = subprocess.DEVNULL
        if input:
            self.stdin, ours = os.pipe()
            self.pen = Pen(ours)
            self._theirs.add(self.stdin)

    def _put_away_pen(self) -> None:
        if self.pen is not None:
            self.pen.close()
            self.pen = None


class Pen:
    """Writes to a process that may be slow to read."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._closed = False
        os.set_blocking(fd, False)

    async def write(self, data: bytes, exited: asyncio.Future[None]) -> None:
        """Raises ToolError once nobody reads."""
        left = memoryview(data)
        while left:
            if self._closed or exited.done():
                raise ToolError("The process reads nothing any more.")
            try:
                left = left[os.write(self._fd, left) :]
            except BlockingIOError:
                await self._room(exited)
            except OSError as error:
                raise ToolError("The process reads nothing any more.") from error

    async def _room(self, exited: asyncio.Future[None]) -> None:
        loop = asyncio.get_running_loop()
        room = asyncio.Event()
        loop.add_writer(self._fd, room.set)
        waiting = asyncio.ensure_future(room.wait())
        try:
            await asyncio.wait((waiting, exited), return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
            if not self._closed:
                loop.remove_writer(self._fd)

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        with contextlib.suppress(RuntimeError):
            asyncio.get_running_loop().remove_writer(self._fd)
        os.close(self._fd)


def _close(fds: Iterable[int]) -> None:
    for fd in fds:
        os.close(fd)
