"""A workspace that is a folder on disk; no path, link or race leads out of it."""

import asyncio
import contextlib
import itertools
import os
import secrets
import stat
from collections.abc import AsyncGenerator, Callable, Generator
from pathlib import Path
from typing import TypeVar

from angelia.adapters.workspace_paths import shown, steps
from angelia.adapters.workspace_walk import (
    CREATE,
    FOLDER,
    READ,
    WorkspaceFolder,
    closing,
    demand_file,
    in_words,
)
from angelia.errors import ToolError
from angelia.ports import Listed

READ_LIMIT = 10 * 1024 * 1024
# Below this size a thread costs more than the transfer.
DIRECT_LIMIT = 1024 * 1024
# Whoever lists more than that wants to search.
MAX_LISTED = 20_000

T = TypeVar("T")


class LocalWorkspace:
    def __init__(self, root: Path) -> None:
        self._folder = WorkspaceFolder(root)

    async def read(self, path: str) -> bytes:
        with in_words(path):
            fd, size = self._open(path)
            try:
                if size > READ_LIMIT:
                    raise _too_large(path, size)
                return await _apart(size, lambda: _read_up_to(fd, READ_LIMIT, path))
            finally:
                os.close(fd)

    async def write(self, path: str, data: bytes) -> None:
        with in_words(path):
            await _apart(len(data), lambda: self._write(path, data))

    async def pieces(self, path: str) -> AsyncGenerator[bytes]:
        with in_words(path):
            fd, size = self._open(path)
            try:
                while piece := await _apart(size, lambda: os.read(fd, DIRECT_LIMIT)):
                    yield piece
            finally:
                os.close(fd)

    async def remove(self, path: str) -> None:
        with in_words(path), self._folder.reach(path) as (folder, name):
            demand_file(os.stat(name, dir_fd=folder, follow_symlinks=False), path)
            os.unlink(name, dir_fd=folder)

    async def place(self, path: str) -> str:
        with in_words(path):
            return self._folder.place(path)

    async def list(self, path: str, depth: int = 1) -> tuple[Listed, ...]:
        """Folders stand before what is in them. With depth 0, the entry itself."""
        with in_words(path):
            return await asyncio.to_thread(self._list, path, depth)

    def _open(self, path: str) -> tuple[int, int]:
        with self._folder.reach(path) as (folder, name):
            # Opening a device can have an effect, so it is looked at before.
            demand_file(os.stat(name, dir_fd=folder, follow_symlinks=False), path)
            fd = os.open(name, READ, dir_fd=folder)
        try:
            found = os.fstat(fd)
            demand_file(found, path)
        except ToolError:
            os.close(fd)
            raise
        return fd, found.st_size

    def _write(self, path: str, data: bytes) -> None:
        with self._folder.reach(path, make=True) as (folder, name):
            mode = _mode_of(folder, name, path)
            part = f".angelia-{secrets.token_hex(8)}"
            try:
                _write_new(folder, part, data, mode)
                os.replace(part, name, src_dir_fd=folder, dst_dir_fd=folder)
            except OSError:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(part, dir_fd=folder)
                raise

    def _list(self, path: str, depth: int) -> tuple[Listed, ...]:
        place = "/".join(steps(path, self._folder.names))
        with self._folder.reach(path) as (folder, name):
            found = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if depth < 1:
                return (_listed(place or ".", found),)
            if not stat.S_ISDIR(found.st_mode):
                raise ToolError(f"{shown(path)} is not a folder.")
            fd = os.open(name, FOLDER, dir_fd=folder)
        with closing(fd):
            entries = _entries(fd, f"{place}/" if place else "", depth)
            return tuple(itertools.islice(entries, MAX_LISTED))


# ── files ───────────────────────────────────────────────────────────────────────────────────


async def _apart(size: int, work: Callable[[], T]) -> T:
    return work() if size < DIRECT_LIMIT else await asyncio.to_thread(work)


def _read_up_to(fd: int, limit: int, path: str) -> bytes:
    pieces: list[bytes] = []
    left = limit + 1
    while left > 0 and (piece := os.read(fd, min(left, DIRECT_LIMIT))):
        pieces.append(piece)
        left -= len(piece)
    if left == 0:
        raise _too_large(path, limit + 1)
    return b"".join(pieces)


def _write_new(folder: int, name: str, data: bytes, mode: int | None) -> None:
    fd = os.open(name, CREATE, 0o666, dir_fd=folder)
    with closing(fd):
        if mode is not None:
            os.fchmod(fd, mode)
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(fd, rest) :]


def _mode_of(folder: int, name: str, path: str) -> int | None:
    """The permissions of a file that is about to be replaced; None if there is none."""
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    demand_file(found, path)
    return stat.S_IMODE(found.st_mode)


def _too_large(path: str, size: int) -> ToolError:
    return ToolError(
        f"{shown(path)} has {size:,} bytes; the limit is {READ_LIMIT:,}. Read it in windows of "
        "lines, or a part of it with a command."
    )


# ── folders ─────────────────────────────────────────────────────────────────────────────────


def _entries(folder: int, prefix: str, depth: int) -> Generator[Listed]:
    with os.scandir(folder) as found:
        names = sorted(entry.name for entry in found)
    for name in names:
        try:
            entry = _listed(prefix + name, os.stat(name, dir_fd=folder, follow_symlinks=False))
        except FileNotFoundError:
            continue
        yield entry
        if entry.kind == "folder" and depth > 1:
            yield from _inside(folder, name, prefix, depth - 1)


def _inside(folder: int, name: str, prefix: str, depth: int) -> Generator[Listed]:
    """Nothing, if it may not be looked into or is gone."""
    try:
        fd = os.open(name, FOLDER, dir_fd=folder)
    except OSError:
        return
    with closing(fd):
        yield from _entries(fd, f"{prefix}{name}/", depth)


def _listed(path: str, found: os.stat_result) -> Listed:
    # Names that are not UTF-8 cannot be said in JSON.
    path = path.encode(errors="surrogateescape").decode(errors="replace")
    if stat.S_ISREG(found.st_mode):
        return Listed(path, "file", found.st_size)
    if stat.S_ISDIR(found.st_mode):
        return Listed(path, "folder", 0)
    return Listed(path, "link" if stat.S_ISLNK(found.st_mode) else "other", 0)
