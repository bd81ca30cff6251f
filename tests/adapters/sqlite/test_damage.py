import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.sqlite.damage import WAL_HEADER, outer_fault, page_fault, wal_of
from angelia.adapters.sqlite.database import Database
from angelia.adapters.system_clock import SystemClock
from angelia.errors import LogDamaged, LogUnavailable
from tests.contracts.stores import SqliteStore, begin, events


def test_a_file_that_is_not_there_is_in_order(tmp_path: Path) -> None:
    assert outer_fault(tmp_path / "db") is None


def test_an_empty_file_is_damage_only_where_a_server_has_been(tmp_path: Path) -> None:
    path = tmp_path / "db"
    path.touch()
    assert outer_fault(path) is None
    (tmp_path / "key").write_text("secret")
    assert outer_fault(path) == "it is empty"


async def test_a_write_ahead_log_of_a_killed_server_is_in_order(
    store: SqliteStore, tmp_path: Path
) -> None:
    await begin(store)
    copy = tmp_path / "copy"
    for of in (lambda path: path, wal_of):
        of(copy).write_bytes(of(store.path).read_bytes())
    assert wal_of(copy).stat().st_size > WAL_HEADER
    assert outer_fault(copy) is None
    assert await events(SqliteStore(copy).log) != []


@pytest.mark.parametrize("at", range(0, WAL_HEADER, 4))
async def test_no_word_of_its_beginning_may_be_wrong(store: SqliteStore, at: int) -> None:
    await begin(store)
    wal = wal_of(store.path)
    beginning = bytearray(wal.read_bytes())
    beginning[at + 1] ^= 0x5A
    copy = store.path.with_name("copy")
    copy.write_bytes(store.path.read_bytes())
    wal_of(copy).write_bytes(beginning)
    assert outer_fault(copy) == "its write-ahead log is none"
    with pytest.raises(LogDamaged):
        Database.open(copy, clock=ManualClock())
    # Nobody has dropped it.
    assert wal_of(copy).read_bytes() == beginning


def test_a_write_ahead_log_without_frames_may_end_anywhere(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "db")) as connection:
        connection.execute("create table t (x)")
    wal_of(tmp_path / "db").write_bytes(b"\x37\x7f")
    assert outer_fault(tmp_path / "db") is None


async def test_damage_in_the_middle_is_refused_before_anything_is_written(
    store: SqliteStore,
) -> None:
    for number in range(200):
        await begin(store, f"run-{number}")
    await store.close()
    data = bytearray(store.path.read_bytes())
    middle = len(data) // 8192 * 4096
    data[middle : middle + 4096] = b"\x5a" * 4096
    copy = store.path.with_name("copy")
    copy.write_bytes(data)
    with pytest.raises(LogDamaged, match=r"copy is damaged \(.*\)\. Run `angelia recover`"):
        Database.open(copy, clock=ManualClock())
    assert copy.read_bytes() == data


def test_a_file_that_somebody_holds_is_not_damaged(tmp_path: Path) -> None:
    with (
        closing(sqlite3.connect(tmp_path / "db", isolation_level=None)) as stranger,
        closing(sqlite3.connect(tmp_path / "db", timeout=0)) as connection,
    ):
        stranger.execute("create table t (x)")
        stranger.execute("begin exclusive")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            page_fault(connection, "quick_check")


def test_a_check_that_cannot_even_begin_is_a_fault_as_well(tmp_path: Path) -> None:
    path = tmp_path / "db"
    path.write_bytes(b"no database" * 1000)
    with closing(sqlite3.connect(path)) as connection:
        assert page_fault(connection, "quick_check") == "file is not a database"


@pytest.mark.parametrize("side", ["db-wal", "db-spool0", "db-spool1"])
def test_side_files_whose_database_is_elsewhere_are_not_taken_for_nothing(
    tmp_path: Path, side: str
) -> None:
    (tmp_path / side).write_bytes(b"of the database")
    with pytest.raises(LogUnavailable, match=f"is missing, and {side} beside it .* Put it back"):
        Database.open(tmp_path / "db", clock=SystemClock())
    assert (tmp_path / side).read_bytes() == b"of the database"
    assert not (tmp_path / "db").exists()
