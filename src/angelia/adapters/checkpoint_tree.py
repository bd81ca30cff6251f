"""A folder on disk as checkpoints see it: what is at a place, and all that there is.

Below: the file system, walked so that nothing leads out of the folder.
"""

import contextlib
import os
import secrets
import stat
import time
from collections.abc import Generator, Sequence
from pathlib import Path

from msgspec import Struct

from angelia.adapters.checkpoint_states import ABSENT, OTHER, Found, Scan, State, digest
from angelia.adapters.checkpoint_vault import CheckpointVault
from angelia.adapters.workspace_paths import MAX_DEPTH
from angelia.adapters.workspace_walk import CREATE, FOLDER, READ, WorkspaceFolder, closing
from angelia.core.gitignore import FILE as GITIGNORE
from angelia.core.gitignore import Rules, ignored

MAX_FILE = 64 * 1024 * 1024
MAX_TOTAL = 256 * 1024 * 1024
MAX_FILES = 20_000
# A file that changed so shortly before may change again within the same tick of its clock.
SETTLED_NS = 1_000_000_000
# Made again by the programs that made them, or kept by a history of its own.
LEFT_OUT = frozenset(
    {
        *(".git", ".hg", ".svn", ".jj", "node_modules", "__pycache__", ".venv", "venv"),
        *(".tox", ".nox", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".gradle"),
    }
)


class FolderTree:
    def __init__(self, root: Path) -> None:
        self._folder = WorkspaceFolder(root)

    def place(self, path: str) -> str:
        return self._folder.place(path)

    def look(self, place: str) -> Found:
        """What cannot be reached is not there."""
        try:
            with self._folder.exactly(place) as (folder, name):
                return _look(folder, name)
        except (FileNotFoundError, NotADirectoryError):
            return Found(ABSENT)
        except OSError:
            return Found(OTHER)

    def put(self, place: str, wanted: Found) -> None:
        with self._folder.exactly(place, make=wanted.state.kind != "absent") as (folder, name):
            now = _look(folder, name).state.kind
            if now == "folder" and wanted.state.kind != "folder":
                os.rmdir(name, dir_fd=folder)
            elif now != "absent" and wanted.state.kind in ("absent", "folder"):
                os.unlink(name, dir_fd=folder)
            _make(folder, name, wanted)

    def scan(self, vault: CheckpointVault) -> Scan:
        known = vault.stamps()
        walk = _Scanning(vault, known)
        try:
            fd = os.open(self._folder.root, FOLDER)
        except OSError as error:
            return Scan({}, complete=False, notes=(f"The workspace: {error.strerror}.",))
        with closing(fd):
            walk.folder(fd, "", ())
        vault.stamp(walk.fresh, [place for place in known if place not in walk.states])
        return Scan(walk.states, walk.complete, tuple(walk.notes))


def _look(folder: int, name: str) -> Found:
    try:
        seen = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return Found(ABSENT)
    if stat.S_ISLNK(seen.st_mode):
        target = os.fsencode(os.readlink(name, dir_fd=folder))
        return Found(State("link", digest(target)), target)
    if stat.S_ISDIR(seen.st_mode):
        return Found(State("folder"))
    if not stat.S_ISREG(seen.st_mode):
        return Found(OTHER)
    return _file(folder, name, seen)


def _file(folder: int, name: str, seen: os.stat_result) -> Found:
    mode = stat.S_IMODE(seen.st_mode)
    data = _read(folder, name) if seen.st_size <= MAX_FILE else None
    if data is None:
        return Found(State("file", f"{seen.st_size}:{seen.st_mtime_ns}", mode, kept=False))
    return Found(State("file", digest(data), mode), data)


def _read(folder: int, name: str) -> bytes | None:
    """None for what cannot be read, or is longer than it seemed."""
    try:
        fd = os.open(name, READ, dir_fd=folder)
    except OSError:
        return None
    with closing(fd):
        pieces: list[bytes] = []
        left = MAX_FILE + 1
        while left > 0 and (piece := os.read(fd, min(left, 1024 * 1024))):
            pieces.append(piece)
            left -= len(piece)
        return b"".join(pieces) if left > 0 else None


def _make(folder: int, name: str, wanted: Found) -> None:
    match wanted.state.kind:
        case "folder":
            with contextlib.suppress(FileExistsError):
                os.mkdir(name, dir_fd=folder)
        case "link":
            with _replacing(folder, name) as part:
                os.symlink(os.fsdecode(wanted.data), part, dir_fd=folder)
        case "file":
            with _replacing(folder, name) as part:
                _write(folder, part, wanted)
        case "absent" | "other":
            pass


@contextlib.contextmanager
def _replacing(folder: int, name: str) -> Generator[str]:
    """The name to make something under, which then takes the place at once."""
    part = f".angelia-{secrets.token_hex(8)}"
    try:
        yield part
        os.replace(part, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(part, dir_fd=folder)
        raise


def _write(folder: int, part: str, wanted: Found) -> None:
    with closing(fd := os.open(part, CREATE, 0o666, dir_fd=folder)):
        if wanted.state.mode:
            os.fchmod(fd, wanted.state.mode)
        rest = memoryview(wanted.data)
        while rest:
            rest = rest[os.write(fd, rest) :]
        os.fsync(fd)


# ── all that there is ───────────────────────────────────────────────────────────────────────


class _Entry(Struct, frozen=True):
    name: str
    seen: os.stat_result


class _Scanning:
    """One walk through everything, which reads only what has changed since the last one."""

    def __init__(self, vault: CheckpointVault, known: dict[str, tuple[str, State]]) -> None:
        self._vault = vault
        self._known = known
        self._total = 0
        self._now = time.time_ns()
        self.states: dict[str, State] = {}
        self.fresh: dict[str, tuple[str, State]] = {}
        self.complete = True
        self.notes: dict[str, None] = {}

    def folder(self, fd: int, prefix: str, rules: Sequence[Rules]) -> None:
        entries = _entries(fd)
        if any(entry.name == GITIGNORE for entry in entries):
            text = (_read(fd, GITIGNORE) or b"").decode(errors="replace")
            rules = (*rules, Rules(prefix.removesuffix("/"), text))
        for entry in entries:
            if len(self.states) >= MAX_FILES:
                self._stop()
                return
            self._entry(fd, entry, prefix, rules)

    def _entry(self, fd: int, entry: _Entry, prefix: str, rules: Sequence[Rules]) -> None:
        place = prefix + entry.name
        mode = entry.seen.st_mode
        if stat.S_ISDIR(mode):
            if entry.name not in LEFT_OUT and not ignored(rules, place, folder=True):
                self.states[place] = State("folder")
                self._inside(fd, entry.name, place, rules)
        elif stat.S_ISREG(mode):
            self.states[place] = self._file(fd, entry, place)
        elif stat.S_ISLNK(mode):
            found = _look(fd, entry.name)
            self._vault.keep(found.data)
            self.states[place] = found.state

    def _inside(self, fd: int, name: str, place: str, rules: Sequence[Rules]) -> None:
        if place.count("/") + 1 >= MAX_DEPTH:
            self._lacks(f"Folders more than {MAX_DEPTH} levels deep are not kept.")
            return
        try:
            inner = os.open(name, FOLDER, dir_fd=fd)
        except OSError as error:
            self._lacks(f"{place} cannot be looked into ({error.strerror}) and is not kept.")
            return
        with closing(inner):
            self.folder(inner, f"{place}/", rules)

    def _file(self, fd: int, entry: _Entry, place: str) -> State:
        seen, stamp = entry.seen, _stamp(entry.seen)
        known = self._known.get(place)
        self._total += seen.st_size
        if known is not None and known[0] == stamp:
            return known[1]
        if self._total > MAX_TOTAL or seen.st_size > MAX_FILE:
            self._too_much(place, seen.st_size)
            size, when = seen.st_size, seen.st_mtime_ns
            return State("file", f"{size}:{when}", stat.S_IMODE(seen.st_mode), kept=False)
        found = _file(fd, entry.name, seen)
        if found.state.kept:
            self._vault.keep(found.data)
            settled = self._now - max(seen.st_ctime_ns, seen.st_mtime_ns) > SETTLED_NS
            self.fresh[place] = (stamp if settled else "", found.state)
        return found.state

    def _too_much(self, place: str, size: int) -> None:
        if size > MAX_FILE:
            self.notes[f"{place} has {size:,} bytes: what commands do to it is not kept."] = None
        else:
            self.notes[
                f"The workspace has more than {MAX_TOTAL:,} bytes: what commands do to files "
                "beyond that is not kept."
            ] = None

    def _stop(self) -> None:
        self._lacks(
            f"The workspace has more than {MAX_FILES:,} files: what commands do to others than "
            "the first of them is not kept."
        )

    def _lacks(self, note: str) -> None:
        self.complete = False
        self.notes[note] = None


def _entries(fd: int) -> list[_Entry]:
    """Files before folders, so that deep ones are those that go beyond a bound."""
    with os.scandir(fd) as found:
        names = sorted(entry.name for entry in found)
    entries: list[_Entry] = []
    for name in names:
        # Names that are not UTF-8 cannot be written down.
        if not name.isascii() and any("\udc80" <= char <= "\udcff" for char in name):
            continue
        with contextlib.suppress(FileNotFoundError):
            entries.append(_Entry(name, os.stat(name, dir_fd=fd, follow_symlinks=False)))
    return sorted(entries, key=lambda entry: stat.S_ISDIR(entry.seen.st_mode))


def _stamp(seen: os.stat_result) -> str:
    return f"{seen.st_mtime_ns}:{seen.st_ctime_ns}:{seen.st_size}:{seen.st_ino}:{seen.st_mode}"
