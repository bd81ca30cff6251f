"""Looks after commands under way: who meets a bound is ended."""

import asyncio
import os
from pathlib import Path

from angelia.adapters.bubblewrap.cell import Cell
from angelia.adapters.bubblewrap.census import unlinked
from angelia.adapters.bubblewrap.limits import Limits

PAUSE = 0.2
# Where nothing but us counts, many can come to be in a short time.
UNCOUNTED_PAUSE = 0.05
# Clocks of file systems are coarse.
SLACK = 1.0


class Watch:
    """One task for all commands; there is none while nothing runs."""

    def __init__(self, workspace: Path, limits: Limits, *, counted: bool) -> None:
        self._workspace = workspace
        self._limits = limits
        self._pause = PAUSE if counted else UNCOUNTED_PAUSE
        self._cells: set[Cell] = set()
        self._task: asyncio.Task[None] | None = None

    def add(self, cell: Cell) -> None:
        self._cells.add(cell)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._go())

    def remove(self, cell: Cell) -> None:
        self._cells.discard(cell)
        if not self._cells and self._task is not None:
            self._task.cancel()
            self._task = None

    async def _go(self) -> None:
        while self._cells:
            # A file system may take its time to answer.
            await asyncio.to_thread(self._look, tuple(self._cells))
            await asyncio.sleep(self._pause)

    def _look(self, cells: tuple[Cell, ...]) -> None:
        used = _used(self._workspace)
        for cell in cells:
            cell.look()
            if cell.disk_used is None:
                cell.disk_used = used
            elif used - cell.disk_used > self._limits.disk:
                self._suspect(cell, used)

    def _suspect(self, cell: Cell, used: int) -> None:
        """The disk has others who write; what counts is what is new where commands can write."""
        since = cell.started - SLACK
        if _written(self._workspace, since) + unlinked(cell.first) > self._limits.disk:
            cell.end(self._limits.disk_words())
        else:
            cell.disk_used = used


def _used(folder: Path) -> int:
    try:
        status = os.statvfs(folder)
    except OSError:
        return 0
    return (status.f_blocks - status.f_bfree) * status.f_frsize


def _written(folder: Path, since: float) -> int:
    """Bytes on disk of files that have changed since then."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                status = os.lstat(Path(parent) / name)
            except OSError:
                continue
            if status.st_ctime >= since:
                total += status.st_blocks * 512
    return total
