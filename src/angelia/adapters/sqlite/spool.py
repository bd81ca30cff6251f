"""Deltas on disk before they are in the database: one write for all that came together.

A process that dies loses nothing of what is here, as with a transaction that is not synced: the
next one brings into the database what had not come there. Two files take turns, so that one can be
emptied while the other is written to. A record that is not whole ends its file.
"""

import os
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import DecodeError, Struct, msgpack

from angelia.adapters.sqlite.rows import StoredRow

# Behind so many bytes the other file takes its turn.
TURN_BYTES = 4 * 1024 * 1024
# What the names of the two files have behind that of the database.
SPOOLS = ("-spool0", "-spool1")

_HEAD = struct.Struct("<II")


class Spooled(Struct, frozen=True, array_like=True, gc=False):
    """A row of events that is not in the database yet."""

    run_id: str
    epoch: int
    first: int
    last: int
    at: float
    body: bytes

    @property
    def row(self) -> StoredRow:
        return self.first, self.last, self.at, self.body


_encode = msgpack.Encoder().encode
_decode = msgpack.Decoder(tuple[Spooled, ...]).decode


class Spool:
    """Opened by the first write; whoever opens the database has brought in what was there."""

    def __init__(self, database: Path) -> None:
        self._paths = paths_of(database)
        self._files: list[int] = []
        self._turn = 0
        self._sizes = [0, 0]

    @property
    def full(self) -> bool:
        return self._sizes[self._turn] >= TURN_BYTES

    def write(self, rows: Sequence[Spooled]) -> None:
        """Raises OSError; then it is as if nobody had tried."""
        while len(self._files) < len(self._paths):
            self._files.append(_opened(self._paths[len(self._files)]))
        body = _encode(rows)
        record = _HEAD.pack(len(body), zlib.crc32(body)) + body
        at = self._sizes[self._turn]
        # What is left of a write that was cut short is written over by the next one.
        if os.pwrite(self._files[self._turn], record, at) < len(record):
            raise OSError("the disk took only a part")
        self._sizes[self._turn] = at + len(record)

    def turn(self) -> int | None:
        """The number of the file that rests from now on; None as long as the other is in use."""
        if self._sizes[1 - self._turn]:
            return None
        self._turn = 1 - self._turn
        return 1 - self._turn

    def empty(self, number: int) -> None:
        """All of that file is in the database. Raises OSError; then it may be tried again."""
        os.ftruncate(self._files[number], 0)
        self._sizes[number] = 0

    def close(self, *, empty: bool) -> None:
        """`empty` if everything is in the database: then nothing is left of the files."""
        files, self._files = self._files, []
        for file in files:
            os.close(file)
        if empty and files:
            _remove(self._paths)


def paths_of(database: Path) -> tuple[Path, Path]:
    first, second = (database.with_name(database.name + end) for end in SPOOLS)
    return first, second


def spooled(database: Path) -> list[Spooled]:
    """All that lies beside the database, also what it has already; in the order of each run."""
    rows = [row for path in paths_of(database) if path.exists() for row in _read(path.read_bytes())]
    return sorted(rows, key=lambda row: (row.run_id, row.first))


def discard(database: Path) -> None:
    _remove(paths_of(database))


def _remove(paths: Iterable[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)


def _read(data: bytes) -> Iterator[Spooled]:
    start = 0
    while start + _HEAD.size <= len(data):
        size, check = _HEAD.unpack_from(data, start)
        body = data[start + _HEAD.size : start + _HEAD.size + size]
        if not size or len(body) < size or zlib.crc32(body) != check:
            return
        yield from _rows(body)
        start += _HEAD.size + size


def _rows(body: bytes) -> Iterable[Spooled]:
    try:
        return _decode(body)
    except DecodeError:
        # Written by a version that knows more.
        return ()


def _opened(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
