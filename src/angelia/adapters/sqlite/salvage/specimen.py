"""A copy of a damaged database, mended so far that SQLite reads it."""

import shutil
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from sqlite3 import Connection

from angelia.adapters.sqlite.damage import MAGIC, wal_fault, wal_of
from angelia.adapters.sqlite.spool import spooled

PAGE = 4096
HEADER = 100
# Where the header holds what depends on the file, and not on the format.
SIZE_AT = 28
FREE_PAGES_AT = slice(32, 40)
VERSIONS_AT = slice(18, 20)


class Specimen:
    """`doubtful` when the last transactions are lost: their side file cannot be read."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.path = folder / path.name
        shutil.copyfile(path, self.path)
        self.spool = spooled(path)
        self.doubtful = wal_fault(wal_of(path)) is not None
        if wal_of(path).exists() and not self.doubtful:
            shutil.copyfile(wal_of(path), wal_of(self.path))

    @contextmanager
    def opened(self) -> Generator[Connection]:
        connection = sqlite3.connect(self.path, isolation_level=None)
        with closing(connection):
            # Text that is none must not keep the rest of its row away.
            connection.text_factory = _tolerant
            yield connection

    def mend(self, sound: Path) -> None:
        """The beginning of the file, if it is lost, as it is in a new one of the same format."""
        if self.path.stat().st_size < PAGE:
            return
        with self.path.open("rb") as file:
            begins_well = file.read(len(MAGIC)) == MAGIC
        if not begins_well:
            self._put(_header(sound, self.path.stat().st_size))
        if not self._has_schema():
            # Tables lie where they were first made: files that were made in one go have them alike.
            header = _header(sound, self.path.stat().st_size)
            self._put(header + sound.read_bytes()[HEADER:PAGE])

    def _has_schema(self) -> bool:
        with self.opened() as connection, suppress(sqlite3.Error):
            return bool(connection.execute("select name from sqlite_schema").fetchall())
        return False

    def _put(self, beginning: bytes) -> None:
        with self.path.open("r+b") as file:
            file.write(beginning)


def _tolerant(text: bytes) -> str:
    return text.decode(errors="replace")


def _header(sound: Path, size: int) -> bytes:
    with sound.open("rb") as file:
        header = bytearray(file.read(HEADER))
    header[SIZE_AT : SIZE_AT + 4] = (size // PAGE).to_bytes(4, "big")
    header[FREE_PAGES_AT] = bytes(8)
    # With a write-ahead log, if there is one.
    header[VERSIONS_AT] = b"\2\2"
    return bytes(header)
