"""A workspace that is a folder on disk.

Below: the file system. No path, link or race leads out of the folder: every step on the way is
opened from the folder before it, and a link is read and walked, never followed by the system.
"""

import asyncio
import contextlib
import os
import secrets
import stat
from collections import deque
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TypeVar

from angelia.adapters.workspace_paths import (
    MAX_DEPTH,
    beneath,
    leads_out,
    shown,
    steps,
    too_deep,
)
from angelia.errors import ToolError
from angelia.ports import Listed

READ_LIMIT = 10 * 1024 * 1024
# Below this size a thread costs more than the transfer.
DIRECT_LIMIT = 1024 * 1024
MAX_LINKS = 40

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Without O_NONBLOCK a pipe that takes a file's place would be waited for.
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC

T = TypeVar("T")


class LocalWorkspace:
    def __init__(self, root: Path) -> None:
        root.mkdir(parents=True, exist_ok=True)
        self._root = root.resolve()
        self._names = (str(root.absolute()), str(self._root))

    async def read(self, path: str) -> bytes:
        with _in_words(path):
            fd, size = self._open(path)
            try:
                return await _apart(size, lambda: _read_up_to(fd, READ_LIMIT, path))
            finally:
                os.close(fd)

    async def write(self, path: str, data: bytes) -> None:
        with _in_words(path):
            await _apart(len(data), lambda: self._write(path, data))

    async def list(self, path: str, depth: int = 1) -> tuple[Listed, ...]:
        """Folders stand before what is in them. With depth 0, the entry itself."""
        with _in_words(path):
            return await asyncio.to_thread(self._list, path, depth)

    def _open(self, path: str) -> tuple[int, int]:
        with self._reach(path) as (folder, name):
            # Opening a device can have an effect, so it is looked at before.
            _demand_file(os.stat(name, dir_fd=folder, follow_symlinks=False), path)
            fd = os.open(name, _READ, dir_fd=folder)
        try:
            found = os.fstat(fd)
            _demand_file(found, path)
            if found.st_size > READ_LIMIT:
                raise _too_large(path, found.st_size)
        except ToolError:
            os.close(fd)
            raise
        return fd, found.st_size

    def _write(self, path: str, data: bytes) -> None:
        with self._reach(path, make=True) as (folder, name):
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
        place = "/".join(steps(path, self._names))
        with self._reach(path) as (folder, name):
            found = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if depth < 1:
                return (_listed(place or ".", found),)
            if not stat.S_ISDIR(found.st_mode):
                raise ToolError(f"{shown(path)} is not a folder.")
            fd = os.open(name, _FOLDER, dir_fd=folder)
        with _closing(fd):
            return tuple(_entries(fd, f"{place}/" if place else "", depth))

    @contextlib.contextmanager
    def _reach(self, path: str, *, make: bool = False) -> Generator[tuple[int, str]]:
        """The opened folder that really holds what `path` names, and its name there."""
        below = steps(path, self._names)
        walk = _Walk(path, self._root, self._names)
        try:
            yield walk.go(below, make=make)
        finally:
            walk.close()


class _Walk:
    """A way down, one opened folder at a time."""

    def __init__(self, path: str, root: Path, names: tuple[str, ...]) -> None:
        self._path = path
        self._names = names
        self._folders = [os.open(root, _FOLDER)]
        self._links = 0

    def go(self, parts: tuple[str, ...], *, make: bool) -> tuple[int, str]:
        ahead = deque(parts)
        while ahead:
            part = ahead.popleft()
            if part == "..":
                self._up()
            elif (target := self._link(part)) is not None:
                ahead.extendleft(reversed(target))
            elif ahead:
                self._enter(part, make=make)
            else:
                return self._folders[-1], part
        return self._folders[-1], "."

    def close(self) -> None:
        for fd in self._folders:
            os.close(fd)

    def _up(self) -> None:
        if len(self._folders) == 1:
            raise leads_out(self._path)
        os.close(self._folders.pop())

    def _enter(self, part: str, *, make: bool) -> None:
        if len(self._folders) > MAX_DEPTH:
            raise too_deep(self._path)
        if make:
            with contextlib.suppress(FileExistsError):
                os.mkdir(part, dir_fd=self._folders[-1])
        self._folders.append(os.open(part, _FOLDER, dir_fd=self._folders[-1]))

    def _link(self, part: str) -> tuple[str, ...] | None:
        """The steps that a link stands for; None if it is not one."""
        try:
            target = os.readlink(part, dir_fd=self._folders[-1])
        except OSError:
            return None
        self._links += 1
        if self._links > MAX_LINKS:
            raise ToolError(f"The path {shown(self._path)} runs in a circle of links.")
        parts = tuple(part for part in target.split("/") if part not in ("", "."))
        return self._from_root(parts) if target.startswith("/") else parts

    def _from_root(self, parts: tuple[str, ...]) -> tuple[str, ...]:
        below = beneath(parts, self._names)
        if below is None:
            raise leads_out(self._path)
        while len(self._folders) > 1:
            os.close(self._folders.pop())
        return below


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
    fd = os.open(name, _CREATE, 0o666, dir_fd=folder)
    with _closing(fd):
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
    _demand_file(found, path)
    return stat.S_IMODE(found.st_mode)


def _demand_file(found: os.stat_result, path: str) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise ToolError(f"{shown(path)} is a folder, not a file.")
    if not stat.S_ISREG(found.st_mode):
        raise ToolError(f"{shown(path)} is not a regular file.")


def _too_large(path: str, size: int) -> ToolError:
    return ToolError(
        f"{shown(path)} has {size:,} bytes; the limit is {READ_LIMIT:,}. Read a part of it with "
        "a command."
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
        fd = os.open(name, _FOLDER, dir_fd=folder)
    except OSError:
        return
    with _closing(fd):
        yield from _entries(fd, f"{prefix}{name}/", depth)


def _listed(path: str, found: os.stat_result) -> Listed:
    # Names that are not UTF-8 cannot be said in JSON.
    path = path.encode(errors="surrogateescape").decode(errors="replace")
    if stat.S_ISREG(found.st_mode):
        return Listed(path, "file", found.st_size)
    if stat.S_ISDIR(found.st_mode):
        return Listed(path, "folder", 0)
    return Listed(path, "link" if stat.S_ISLNK(found.st_mode) else "other", 0)


# ── faults ──────────────────────────────────────────────────────────────────────────────────


@contextlib.contextmanager
def _closing(fd: int) -> Generator[None]:
    try:
        yield
    finally:
        os.close(fd)


@contextlib.contextmanager
def _in_words(path: str) -> Generator[None]:
    """What the system says, as something that a model can correct."""
    try:
        yield
    except FileNotFoundError as error:
        raise ToolError(f"There is no {shown(path)} in the workspace.") from error
    except NotADirectoryError as error:
        raise ToolError(f"A part of the path {shown(path)} is a file, not a folder.") from error
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a valid file name"
        raise ToolError(f"{shown(path)}: {reason}.") from error
