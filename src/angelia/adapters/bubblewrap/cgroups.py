"""Control groups, in either version: bounds on memory and processes that the kernel holds."""

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path

from angelia.adapters.bubblewrap.limits import Limits

_MEMORY, _PIDS = "memory", "pids"


class Cgroups:
    """Every command gets a group, which bears the mark of the home folder."""

    def __init__(self, memory: Path, pids: Path, owner: str) -> None:
        """`memory` and `pids` are the same folder in version 2."""
        self._memory = memory
        self._pids = pids
        self._name = f"angelia-{owner}-"
        self._count = 0

    def sweep(self) -> None:
        """Removes all groups with whoever is in them: nobody else has groups of this name."""
        for folder in {self._memory, self._pids}:
            for group in folder.glob(f"{self._name}*"):
                for pid in _members(group):
                    with contextlib.suppress(OSError):
                        os.kill(pid, signal.SIGKILL)
                _remove(group)

    def make(self, limits: Limits) -> "Cgroup":
        """Raises OSError where that is not allowed."""
        self._count += 1
        name = f"{self._name}{os.getpid()}-{self._count}"
        group = Cgroup(self._memory / name, self._pids / name, limits)
        try:
            group.set_up()
        except OSError:
            group.remove()
            raise
        return group


class Cgroup:
    """Whoever is in it, and all they start, together keep to the limits."""

    def __init__(self, memory: Path, pids: Path, limits: Limits) -> None:
        self._memory = memory
        self._pids = pids
        self._limits = limits

    def set_up(self) -> None:
        for folder in {self._memory, self._pids}:
            folder.mkdir()
        (self._pids / "pids.max").write_text(str(self._limits.processes))
        if self._memory == self._pids:
            _write(self._memory, "memory.max", self._limits.memory)
            _write_if_there(self._memory, "memory.swap.max", 0)
        else:
            _write(self._memory, "memory.limit_in_bytes", self._limits.memory)
            _write_if_there(self._memory, "memory.memsw.limit_in_bytes", self._limits.memory)

    def take(self, pid: int) -> None:
        """Raises OSError where that is not allowed."""
        for folder in {self._memory, self._pids}:
            _write(folder, "cgroup.procs", pid)

    def broken(self) -> str | None:
        """Which bound was met, in words."""
        events = "memory.events" if self._memory == self._pids else "memory.oom_control"
        if _counted(self._memory / events, "oom_kill"):
            return self._limits.memory_words()
        if _counted(self._pids / "pids.events", "max"):
            return self._limits.process_words()
        return None

    def remove(self) -> bool:
        """False while somebody is still in it."""
        gone = [_remove(folder) for folder in {self._memory, self._pids}]
        return all(gone)


def find(
    owner: str, own: Path = Path("/proc/self/cgroup"), mounts: Path = Path("/proc/self/mounts")
) -> Cgroups | None:
    """Where groups may be made, if anywhere; tried out before it is promised."""
    for memory, pids in _places(own, mounts):
        groups = Cgroups(memory, pids, owner)
        try:
            groups.sweep()
            groups.make(Limits()).remove()
        except OSError:
            continue
        return groups
    return None


def _places(own: Path, mounts: Path) -> Iterator[tuple[Path, Path]]:
    mounted, unified = _mounted(mounts)
    mine = _mine(own)
    if _MEMORY in mounted and _PIDS in mounted:
        memory, pids = (_below(mounted[c], mine.get(c, "/")) for c in (_MEMORY, _PIDS))
        yield memory, pids
    if unified is not None:
        folder = _below(unified, mine.get("", "/"))
        while folder.is_relative_to(unified):
            if {_MEMORY, _PIDS} <= set(_words(folder / "cgroup.subtree_control")):
                yield folder, folder
            folder = folder.parent


def _mounted(mounts: Path) -> tuple[dict[str, Path], Path | None]:
    """The controllers of version 1 by name, and where version 2 is."""
    controllers: dict[str, Path] = {}
    unified: Path | None = None
    for line in _lines(mounts):
        _, where, kind, options, *_ = line.split()
        if kind == "cgroup":
            controllers |= {option: Path(where) for option in options.split(",")}
        elif kind == "cgroup2":
            unified = Path(where)
    return controllers, unified


def _mine(own: Path) -> dict[str, str]:
    """The groups of this process by controller; version 2 has none."""
    found: dict[str, str] = {}
    for line in _lines(own):
        _, controllers, path = line.split(":", 2)
        found |= dict.fromkeys(controllers.split(","), path)
    return found


def _below(root: Path, path: str) -> Path:
    """In a container the path may be one of the host, which is not there."""
    folder = root / path.lstrip("/")
    return folder if folder.is_dir() else root


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text().splitlines()
    except OSError:
        return []


def _words(file: Path) -> list[str]:
    return " ".join(_lines(file)).split()


def _counted(file: Path, word: str) -> int:
    words = _words(file)
    return int(words[words.index(word) + 1]) if word in words else 0


def _members(group: Path) -> list[int]:
    return [int(word) for word in _words(group / "cgroup.procs")]


def _write(folder: Path, name: str, value: int) -> None:
    (folder / name).write_text(str(value))


def _write_if_there(folder: Path, name: str, value: int) -> None:
    if (folder / name).exists():
        _write(folder, name, value)


def _remove(folder: Path) -> bool:
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True
