"""Ways through a folder on disk that nothing leads out of.

Below: the file system. Every step on the way is opened from the folder before it, and a link is
read and walked, never followed by the system, so that no race can lead out either.
"""

import contextlib
import os
import stat
from collections import deque
from collections.abc import Generator
from pathlib import Path

from angelia.adapters.workspace_paths import MAX_DEPTH, beneath, leads_out, shown, steps, too_deep
from angelia.errors import ToolError

MAX_LINKS = 40

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Without O_NONBLOCK a pipe that takes a file's place would be waited for.
READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class WorkspaceFolder:
    """A folder and the names it is known by."""

    def __init__(self, root: Path) -> None:
        root.mkdir(parents=True, exist_ok=True)
        self.root = root.resolve()
        self.names = (str(root.absolute()), str(self.root))

    @contextlib.contextmanager
    def reach(self, path: str, *, make: bool = False) -> Generator[tuple[int, str]]:
        """The opened folder that really holds what `path` names, and its name there."""
        below = steps(path, self.names)
        walk = Walk(path, self.root, self.names)
        try:
            yield walk.go(below, make=make)
        finally:
            walk.close()

    @contextlib.contextmanager
    def exactly(self, place: str, *, make: bool = False) -> Generator[tuple[int, str]]:
        """As `reach`, for a path that has no links on its way; one that is there is an OSError."""
        walk = Walk(place, self.root, self.names)
        try:
            yield walk.straight(steps(place, self.names), make=make)
        finally:
            walk.close()

    def place(self, path: str) -> str:
        """Where `path` really leads to; what is not there yet is where it would be made."""
        below = steps(path, self.names)
        walk = Walk(path, self.root, self.names)
        try:
            return walk.place(below)
        finally:
            walk.close()


class Walk:
    """A way down, one opened folder at a time."""

    def __init__(self, path: str, root: Path, names: tuple[str, ...]) -> None:
        self._path = path
        self._names = names
        self._folders = [os.open(root, FOLDER)]
        self._entered: list[str] = []
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

    def straight(self, parts: tuple[str, ...], *, make: bool) -> tuple[int, str]:
        for part in parts[:-1]:
            self._enter(part, make=make)
        return self._folders[-1], parts[-1] if parts else "."

    def place(self, parts: tuple[str, ...]) -> str:
        ahead = deque(parts)
        while ahead:
            part = ahead.popleft()
            if part == "..":
                self._up()
            elif (target := self._link(part)) is not None:
                ahead.extendleft(reversed(target))
            elif ahead:
                try:
                    self._enter(part, make=False)
                except FileNotFoundError:
                    if ".." in ahead:
                        raise
                    return "/".join((*self._entered, part, *ahead))
            else:
                return "/".join((*self._entered, part))
        return "/".join(self._entered) or "."

    def close(self) -> None:
        for fd in self._folders:
            os.close(fd)

    def _up(self) -> None:
        if len(self._folders) == 1:
            raise leads_out(self._path)
        os.close(self._folders.pop())
        self._entered.pop()

    def _enter(self, part: str, *, make: bool) -> None:
        if len(self._folders) > MAX_DEPTH:
            raise too_deep(self._path)
        if make:
            with contextlib.suppress(FileExistsError):
                os.mkdir(part, dir_fd=self._folders[-1])
        self._folders.append(os.open(part, FOLDER, dir_fd=self._folders[-1]))
        self._entered.append(part)

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
        self._entered.clear()
        return below


def demand_file(found: os.stat_result, path: str) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise ToolError(f"{shown(path)} is a folder, not a file.")
    if not stat.S_ISREG(found.st_mode):
        raise ToolError(f"{shown(path)} is not a regular file.")


@contextlib.contextmanager
def closing(fd: int) -> Generator[None]:
    try:
        yield
    finally:
        os.close(fd)


@contextlib.contextmanager
def in_words(path: str) -> Generator[None]:
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
