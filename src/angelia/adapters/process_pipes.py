"""The output of one process and its exit, read without a thread and without a task."""

import asyncio
import os
import subprocess
import sys
from collections import deque
from collections.abc import Mapping

from angelia.ports import Stream

CHUNK = 64 * 1024
QUEUED = 1024 * 1024
# How long output of what the process left behind is waited for once it is gone.
GRACE = 0.2

Piece = tuple[bytes, Stream]


class ProcessPipes:
    """Pieces of output in the order they arrive.

    A slow reader leaves at most `QUEUED` bytes in memory, then the process has to wait. The
    process is not reaped here, so that its number stays its own until `reap`. The descriptors
    are closed at their end; `over` says that no more output will come.
    """

    def __init__(self, process: subprocess.Popen[bytes], reads: Mapping[int, Stream]) -> None:
        self._loop = asyncio.get_running_loop()
        self._process = process
        self._open: dict[int, Stream] = {}
        self._pieces: deque[Piece] = deque()
        self.queued = 0
        self._paused = False
        self._news = asyncio.Event()
        self._grace: asyncio.TimerHandle | None = None
        self.left_behind = False
        self.over = asyncio.Event()
        for fd, stream in reads.items():
            self._listen(fd, stream)
        self.exited = _exit_of(process, self._loop)
        self.exited.add_done_callback(self._on_exit)

    async def next(self) -> Piece | None:
        """None once the pipes are closed at the other end, or the process left them behind."""
        while not self._pieces:
            if not self._open:
                return None
            self._news.clear()
            await self._news.wait()
        data, stream = self._pieces.popleft()
        self.queued -= len(data)
        if self._paused and self.queued < QUEUED // 2:
            self._resume()
        return data, stream

    def leave(self) -> None:
        """Takes what is there and waits for no more, whoever else may hold the other end."""
        if self._grace is not None:
            self._grace.cancel()
        for fd in tuple(self._open):
            taken = 0
            # A pipe holds no more than QUEUED, so what it held at the exit is read.
            while taken < QUEUED and (size := self._take(fd)):
                taken += size
            self.left_behind |= fd in self._open
            self._forget(fd)
        self._news.set()

    def abandon(self) -> bytes:
        """All that was printed so far, instead of any `next`; nothing more is listened for."""
        self.exited.remove_done_callback(self._on_exit)
        self.leave()
        return b"".join(data for data, _ in self._pieces)

    def reap(self) -> int:
        """The exit code; to be called once it has exited. Death by a signal counts from 128."""
        code = self._process.wait()
        return 128 - code if code < 0 else code

    # ── what the loop tells ─────────────────────────────────────────────────────────────────

    def _listen(self, fd: int, stream: Stream) -> None:
        os.set_blocking(fd, False)
        self._open[fd] = stream
        self._loop.add_reader(fd, self._on_readable, fd)

    def _on_readable(self, fd: int) -> None:
        if self._take(fd) and self.queued >= QUEUED:
            self._pause()
        self._news.set()

    def _on_exit(self, _: object) -> None:
        if self._open:
            self._grace = self._loop.call_later(GRACE, self.leave)

    # ── reading ─────────────────────────────────────────────────────────────────────────────

    def _take(self, fd: int) -> int:
        """How many bytes were there to be queued; a pipe at its end is forgotten."""
        try:
            data = os.read(fd, CHUNK)
        except BlockingIOError:
            return 0
        except OSError:
            # A terminal that nobody holds any more.
            data = b""
        if not data:
            self._forget(fd)
            return 0
        self._pieces.append((data, self._open[fd]))
        self.queued += len(data)
        return len(data)

    def _pause(self) -> None:
        self._paused = True
        for fd in self._open:
            self._loop.remove_reader(fd)

    def _resume(self) -> None:
        self._paused = False
        for fd in self._open:
            self._loop.add_reader(fd, self._on_readable, fd)

    def _forget(self, fd: int) -> None:
        if self._open.pop(fd, None) is None:
            return
        self._loop.remove_reader(fd)
        os.close(fd)
        if not self._open:
            self.over.set()


def _exit_of(
    process: subprocess.Popen[bytes], loop: asyncio.AbstractEventLoop
) -> asyncio.Future[None]:
    if sys.platform == "linux":
        return exit_by_descriptor(process.pid, loop)
    return exit_by_thread(process, loop)


if sys.platform == "linux":

    def exit_by_descriptor(pid: int, loop: asyncio.AbstractEventLoop) -> asyncio.Future[None]:
        exited: asyncio.Future[None] = loop.create_future()
        fd = os.pidfd_open(pid)

        def on_exit() -> None:
            loop.remove_reader(fd)
            os.close(fd)
            exited.set_result(None)

        loop.add_reader(fd, on_exit)
        return exited


def exit_by_thread(
    process: subprocess.Popen[bytes], loop: asyncio.AbstractEventLoop
) -> asyncio.Future[None]:
    def wait() -> None:
        process.wait()

    return loop.run_in_executor(None, wait)
