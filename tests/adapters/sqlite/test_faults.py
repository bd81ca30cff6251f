import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from angelia.adapters.sqlite.faults import explained, meaning
from angelia.errors import DiskFull, LogDamaged, LogPaused, LogUnavailable

PATH = Path("/home/somebody/.angelia/angelia.db")


def fault(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("words of SQLite")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("code", "kind", "way_out"),
    [
        (sqlite3.SQLITE_FULL, DiskFull, "free some space"),
        (sqlite3.SQLITE_IOERR_WRITE, LogPaused, "it is tried again"),
        (sqlite3.SQLITE_IOERR_FSYNC, LogPaused, "it is tried again"),
        (sqlite3.SQLITE_BUSY, LogPaused, "it is tried again"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, LogPaused, "it is tried again"),
        (sqlite3.SQLITE_READONLY, LogPaused, "make it writable, or choose another ANGELIA_HOME"),
        (sqlite3.SQLITE_CANTOPEN, LogPaused, "make it writable"),
        (sqlite3.SQLITE_CORRUPT, LogDamaged, "`angelia recover`"),
        (sqlite3.SQLITE_CORRUPT_INDEX, LogDamaged, "`angelia recover`"),
        (sqlite3.SQLITE_NOTADB, LogDamaged, "`angelia recover`"),
        (sqlite3.SQLITE_IOERR_SHORT_READ, LogDamaged, "`angelia recover`"),
        (sqlite3.SQLITE_CONSTRAINT, LogUnavailable, "words of SQLite"),
        (sqlite3.SQLITE_TOOBIG, LogUnavailable, "words of SQLite"),
    ],
)
def test_every_fault_has_a_meaning_and_a_way_out(
    code: int, kind: type[LogUnavailable], way_out: str
) -> None:
    told = meaning(fault(code), PATH, "write to the database")
    assert type(told) is kind
    assert way_out in str(told)
    assert str(PATH.parent) in str(told)


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ENOSPC, DiskFull),
        (errno.EDQUOT, DiskFull),
        (errno.EROFS, LogPaused),
        (errno.EACCES, LogPaused),
        (errno.ENOTDIR, LogUnavailable),
    ],
)
def test_faults_of_the_file_system_mean_the_same(number: int, kind: type[LogUnavailable]) -> None:
    told = meaning(OSError(number, os.strerror(number)), PATH, "open the database")
    assert type(told) is kind


def test_a_statement_that_is_none_is_nobodys_disk() -> None:
    with (
        closing(sqlite3.connect(":memory:")) as connection,
        pytest.raises(LogUnavailable, match="Could not read") as refusal,
        explained(PATH, "read"),
    ):
        connection.execute("select ?", ())
    assert type(refusal.value) is LogUnavailable
