"""Whether a database file can be trusted, as far as that can be seen before it is used."""

import sqlite3
import struct
from pathlib import Path
from sqlite3 import Connection

from angelia.adapters.sqlite.faults import damaged, passes
from angelia.adapters.sqlite.spool import paths_of
from angelia.config.running import KEY_FILE
from angelia.errors import LogUnavailable

MAGIC = b"SQLite format 3\0"
WAL_HEADER = 32
WAL_MAGIC = (0x377F0682, 0x377F0683)
WAL_FORMAT = 3_007_000
# Larger files take too long to be read through at every start; their damage is told when it is met.
CHECKED_BYTES = 128 * 1024 * 1024


def refuse_missing(path: Path) -> None:
    """Raises LogUnavailable for side files whose database is not there: it may be elsewhere."""
    left = [side.name for side in (wal_of(path), *paths_of(path)) if _size(side)]
    if left and not path.exists():
        raise LogUnavailable(
            f"The database {path} is missing, and {' and '.join(left)} beside it belong to it. Put "
            "it back, or remove them to begin anew."
        )


def refuse_damaged(path: Path) -> None:
    """Raises LogDamaged. Before SQLite sees the file: it drops a side file that it cannot read."""
    if (why := outer_fault(path)) is not None:
        raise damaged(path, why)


def refuse_damaged_pages(path: Path, connection: Connection) -> None:
    if path.stat().st_size <= CHECKED_BYTES and (why := page_fault(connection, "quick_check")):
        raise damaged(path, why)


def outer_fault(path: Path) -> str | None:
    """What is wrong with the beginnings of the file and of its write-ahead log."""
    if not path.exists():
        return None
    if path.stat().st_size == 0:
        # A start that was cut short leaves an empty file as well, but no key beside it.
        beside = (wal_of(path), *paths_of(path))
        known = path.with_name(KEY_FILE).exists() or any(map(_size, beside))
        return "it is empty" if known else None
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            return "file is not a database"
    return wal_fault(wal_of(path))


def wal_fault(wal: Path) -> str | None:
    """A log without frames may have been cut short at any byte; it held nothing."""
    if _size(wal) <= WAL_HEADER:
        return None
    with wal.open("rb") as file:
        header = file.read(WAL_HEADER)
    magic, version = struct.unpack(">II", header[:8])
    words = struct.unpack(">6I" if magic & 1 else "<6I", header[:24])
    sound = magic in WAL_MAGIC and version == WAL_FORMAT
    if sound and _checksum(words) == struct.unpack(">2I", header[24:]):
        return None
    return "its write-ahead log is none"


def page_fault(connection: Connection, check: str) -> str | None:
    """Raises what keeps the file from being read for a while, and is no damage."""
    try:
        (found,) = connection.execute(f"pragma {check}(1)").fetchone()
    except sqlite3.DatabaseError as error:
        if passes(error):
            raise
        return str(error)
    return None if found == "ok" else " ".join(found.split())


def wal_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _checksum(words: tuple[int, ...]) -> tuple[int, int]:
    one = two = 0
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
