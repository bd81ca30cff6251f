"""The process that walks through a workspace: an order on stdin, hits on stdout."""

import itertools
import os
import stat
import sys
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path

from msgspec import json

from angelia.adapters.file_matching import Matcher
from angelia.adapters.walking_search import Order
from angelia.adapters.workspace_paths import MAX_DEPTH
from angelia.adapters.workspace_walk import FOLDER, READ, WorkspaceFolder, closing
from angelia.core.gitignore import FILE as GITIGNORE
from angelia.core.gitignore import Rules, ancestors, ignored
from angelia.core.grep import MAX_HITS, SNIFFED
from angelia.ports.file_search import FileHit, FileQuery

# A larger file is searched in its beginning only.
MAX_READ = 64 * 1024 * 1024


class Walker:
    def __init__(self, root: Path, query: FileQuery) -> None:
        self._folder = WorkspaceFolder(root)
        self._query = query
        self._matcher = Matcher(query)

    def hits(self) -> Iterator[FileHit]:
        place = "" if self._query.path == "." else self._query.path
        with self._folder.exactly(self._query.path) as (folder, name):
            seen = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if stat.S_ISREG(seen.st_mode):
                yield from self._file(folder, name, place)
            if not stat.S_ISDIR(seen.st_mode):
                return
            fd = os.open(name, FOLDER, dir_fd=folder)
        with closing(fd):
            yield from self._inside(fd, f"{place}/" if place else "", self._above(place))

    def _above(self, place: str) -> tuple[Rules, ...]:
        rules: list[Rules] = []
        for folder in ancestors(place)[:-1]:
            with self._folder.exactly(folder or ".") as (fd, name):
                inner = os.open(name, FOLDER, dir_fd=fd)
            with closing(inner):
                rules += _rules(inner, folder)
        return tuple(rules)

    def _inside(
        self, fd: int, prefix: str, rules: Sequence[Rules]
    ) -> Generator[FileHit, None, None]:
        with os.scandir(fd) as found:
            entries = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in found]
        if not self._query.ignored and (GITIGNORE, False) in entries:
            rules = (*rules, *_rules(fd, prefix.removesuffix("/")))
        for name, is_folder in entries:
            if not self._is_seen(name, prefix + name, rules, folder=is_folder):
                continue
            if not is_folder:
                yield from self._file(fd, name, prefix + name)
                continue
            if prefix.count("/") >= MAX_DEPTH:
                continue
            try:
                inner = os.open(name, FOLDER, dir_fd=fd)
            except OSError:
                continue
            with closing(inner):
                yield from self._inside(inner, f"{prefix}{name}/", rules)

    def _is_seen(self, name: str, path: str, rules: Sequence[Rules], *, folder: bool) -> bool:
        if name == ".git" or (name.startswith(".") and not self._query.hidden):
            return False
        return self._query.ignored or not ignored(rules, path, folder=folder)

    def _file(self, folder: int, name: str, path: str) -> Iterator[FileHit]:
        if not self._matcher.named(path):
            return
        shown = path.encode(errors="surrogateescape").decode(errors="replace")
        if self._matcher.by_name:
            if _is_file(folder, name):
                yield FileHit(shown)
        elif (data := _read(folder, name)) is not None:
            yield from self._matcher.hits(shown, data)


def _is_file(folder: int, name: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        return False


def _rules(fd: int, folder: str) -> list[Rules]:
    data = _read(fd, GITIGNORE)
    return [] if data is None else [Rules(folder, data.decode(errors="replace"))]


def _read(folder: int, name: str) -> bytes | None:
    """None for what is no file, cannot be read or is binary."""
    try:
        fd = os.open(name, READ, dir_fd=folder)
    except OSError:
        return None
    with closing(fd):
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return None
        head = os.read(fd, SNIFFED)
        if b"\0" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
            return None
        pieces, left = [head], MAX_READ - len(head)
        while left > 0 and (piece := os.read(fd, min(left, 1024 * 1024))):
            pieces.append(piece)
            left -= len(piece)
        return b"".join(pieces)


def main() -> None:
    order = json.decode(sys.stdin.buffer.read(), type=Order)
    found = Walker(Path(order.root), order.query).hits()
    out = sys.stdout.buffer
    for hit in itertools.islice(found, MAX_HITS):
        out.write(json.encode(hit) + b"\n")
    out.write(b"all\n" if next(found, None) is None else b"more\n")
    out.flush()


if __name__ == "__main__":
    main()
