import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.sqlite.database import Database
from angelia.adapters.sqlite.replay import catch_up, following
from angelia.adapters.sqlite.rows import encode_lines
from angelia.adapters.sqlite.schema import connect_writer
from angelia.adapters.sqlite.spool import Spool, Spooled, paths_of, spooled
from angelia.core.events import StopRequested
from angelia.errors import LogDamaged
from tests.contracts.stores import STARTED, SqliteStore, begin, end, events, text


def row(first: int, count: int = 1, run_id: str = "run", epoch: int = 1) -> Spooled:
    body = encode_lines([text(str(seq)) for seq in range(first, first + count)])
    return Spooled(run_id, epoch, first, first + count - 1, 2.5, body)


def said(first: int, last: int) -> list[object]:
    return [text(str(seq)) for seq in range(first, last + 1)]


async def left_behind(path: Path, rows: Sequence[Spooled], *runs: str) -> None:
    """A database of runs that have begun, and what a process has spooled of them before it died."""
    store = SqliteStore(path)
    for run_id in runs or ("run",):
        await begin(store, run_id)
    await store.close()
    leave(path, rows)


def leave(path: Path, rows: Sequence[Spooled]) -> None:
    spool = Spool(path)
    for each in rows:
        spool.write([each])
    spool.close(empty=False)


async def test_what_was_spooled_is_in_the_log_once_it_is_open(tmp_path: Path) -> None:
    path = tmp_path / "db"
    await left_behind(path, [row(2, 2), row(2, 2, "other"), row(4)], "run", "other")
    store = SqliteStore(path)
    assert await events(store.log) == [STARTED, *said(2, 4)]
    assert await events(store.log, "other") == [STARTED, *said(2, 3)]
    batch = await store.log.read("run", 1)
    assert batch is not None
    assert {entry.at for entry in batch.entries} == {2.5}
    assert (record := await store.runs.get("run")) is not None
    assert record.last_seq == 4
    assert spooled(path) == []
    assert await store.log.append("run", 1, [StopRequested()]) == 5
    await store.close()


async def test_what_is_there_already_is_not_there_twice(tmp_path: Path) -> None:
    path = tmp_path / "db"
    rows = [row(2, 2), row(4), row(4)]
    await left_behind(path, rows)
    for _ in range(3):
        store = SqliteStore(path)
        assert await events(store.log) == [STARTED, *said(2, 4)]
        await store.close()
        leave(path, rows)


@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        ([row(3, 2)], 1),
        ([row(2), row(4)], 2),
        ([row(1, 3)], 1),
        ([row(2, epoch=2)], 1),
        ([row(2), Spooled("run", 1, 3, 3, 2.5, b'{"t":"text_del')], 2),
        ([row(2), Spooled("run", 1, 3, 4, 2.5, row(3).body)], 2),
        ([row(2), Spooled("run", 1, 3, 3, 2.5, b"\xff\n"), row(4)], 2),
    ],
    ids=["gap", "later gap", "overlap", "epoch", "torn", "miscounted", "no text"],
)
async def test_what_does_not_follow_is_left_out_and_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, rows: list[Spooled], kept: int
) -> None:
    path = tmp_path / "db"
    await left_behind(path, rows)
    store = SqliteStore(path)
    assert await events(store.log) == [STARTED, *said(2, kept)]
    assert [each.getMessage() for each in caplog.records] == [
        "1 runs lack what comes before their last deltas"
    ]
    await store.close()


async def test_of_runs_that_have_ended_or_are_gone_nothing_is_brought_in(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "db"
    store = SqliteStore(path)
    await begin(store)
    await end(store)
    await store.close()
    leave(path, [row(2), row(3), row(2, run_id="gone")])
    store = SqliteStore(path)
    assert len(await events(store.log)) == 2
    assert await store.runs.get("gone") is None
    assert caplog.records == []
    await store.close()


async def test_the_spool_of_a_newer_database_does_no_harm_beside_an_older_one(
    tmp_path: Path,
) -> None:
    path, old = tmp_path / "db", tmp_path / "old" / "db"
    store = SqliteStore(path)
    await begin(store)
    await store.close()
    old.parent.mkdir()
    shutil.copy(path, old)
    store = SqliteStore(path)
    await store.log.append("run", 1, [StopRequested()])
    await store.log.offer("run", 1, [text("a")])
    store.database.spooling.flush()
    for of in paths_of(path):
        shutil.copy(of, old.with_name(of.name))
    await store.close()
    older = SqliteStore(old)
    assert await events(older.log) == [STARTED]
    assert await older.log.append("run", 1, [StopRequested()]) == 2
    await older.close()


async def test_a_damaged_database_is_refused_before_its_spool_is_touched(tmp_path: Path) -> None:
    path = tmp_path / "db"
    await left_behind(path, [row(2)])
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (size - 4096))
    for _ in range(2):
        with pytest.raises(LogDamaged):
            Database.open(path, clock=ManualClock())
        assert spooled(path) == [row(2)]


async def test_an_emptied_database_is_damage_where_something_is_spooled(tmp_path: Path) -> None:
    path = tmp_path / "db"
    await left_behind(path, [row(2)])
    path.write_bytes(b"")
    with pytest.raises(LogDamaged, match="empty"):
        Database.open(path, clock=ManualClock())
    assert spooled(path) == [row(2)]


async def test_what_finds_no_room_stays_where_it_is(tmp_path: Path) -> None:
    path = tmp_path / "db"
    rows = [Spooled("run", 1, 2, 2, 2.5, encode_lines([text("x" * 100_000)]))]
    await left_behind(path, rows)
    with closing(connect_writer(path)) as connection:
        connection.execute("pragma max_page_count = 1").fetchall()
        with pytest.raises(sqlite3.OperationalError, match="full"):
            catch_up(connection, path)
        assert not connection.in_transaction
    assert spooled(path) == rows
    store = SqliteStore(path)
    assert await events(store.log) == [STARTED, text("x" * 100_000)]
    await store.close()


@given(
    lengths=st.lists(st.integers(1, 3), max_size=8),
    missing=st.sets(st.integers(0, 7)),
    again=st.lists(st.integers(0, 7), max_size=4),
    last=st.integers(0, 12),
)
def test_whatever_is_lost_or_repeated_what_follows_has_no_gap(
    lengths: list[int], missing: set[int], again: list[int], last: int
) -> None:
    rows: list[Spooled] = []
    first = 2
    for length in lengths:
        rows.append(row(first, length))
        first += length
    left = [each for number, each in enumerate(rows) if number not in missing]
    left += [rows[number] for number in again if number < len(rows)]
    seq = last
    for start, stop, _, _ in following(sorted(left, key=lambda each: each.first), 1, last):
        assert start == seq + 1
        seq = stop
    # The first row behind it is missing, or reaches over its end.
    assert not any(each.first == seq + 1 for each in left)
