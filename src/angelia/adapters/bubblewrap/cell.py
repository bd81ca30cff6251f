"""All that one command has started: the processes of its own process namespace."""

import asyncio
import contextlib
import os
import signal
import subprocess
import time

from angelia.adapters.bubblewrap.census import beyond
from angelia.adapters.bubblewrap.cgroups import Cgroup
from angelia.adapters.bubblewrap.limits import Limits

PAUSE = 0.002
ATTEMPTS = 100


class Cell:
    """Ended as a whole by the end of its first process."""

    def __init__(
        self,
        outer: subprocess.Popen[bytes],
        first: int,
        cgroup: Cgroup | None,
        limits: Limits,
    ) -> None:
        self._outer = outer
        self.first = first
        self._fd = os.pidfd_open(first)
        self._cgroup = cgroup
        self._limits = limits
        self._met: str | None = None
        self.started = time.time()
        self.disk_used: int | None = None

    def end(self, met: str | None = None) -> None:
        """All of them are killed; `met` is the bound they are killed for."""
        self._met = self._met or met
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._fd, signal.SIGKILL)

    def look(self) -> None:
        """Ends it if it has met a bound. Reads files; may take a while where nothing counts."""
        if self._cgroup is not None:
            met = self._cgroup.broken()
        else:
            met = beyond(self.first, self._limits)
        if met is not None:
            self.end(met)

    async def fell(self, *, orderly: bool) -> None:
        self.end()
        await _readable(self._fd)
        if self._outer.poll() is None and not orderly:
            # It may not have come as far as to wait for the first process.
            self._outer.kill()
        os.close(self._fd)
        if self._cgroup is not None:
            self._met = self._met or self._cgroup.broken()
            for _ in range(ATTEMPTS):
                if self._cgroup.remove():
                    return
                await asyncio.sleep(PAUSE)

    def verdict(self, code: int) -> str | None:
        return (self._met or self._limits.file_words(code)) if code else None


async def _readable(fd: int) -> None:
    """The first process is dead when all others of its namespace are."""
    loop = asyncio.get_running_loop()
    gone = asyncio.Event()
    loop.add_reader(fd, gone.set)
    try:
        await gone.wait()
    finally:
        loop.remove_reader(fd)
