"""A spool beside a database that is damaged: what follows from what could be read is kept."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from angelia.adapters.sqlite.damage import wal_of
from angelia.adapters.sqlite.rows import encode_lines
from angelia.adapters.sqlite.salvage.recovery import recover
from angelia.adapters.sqlite.spool import Spool, Spooled, paths_of, spooled
from angelia.core.events import RunEnded, StopRequested
from tests.contracts.stores import STARTED, SqliteStore, begin, end, events, text

NOW = 1_700_000_000.0


def row(first: int, run_id: str, words: str = "spooled") -> Spooled:
    return Spooled(run_id, 1, first, first, 2.5, encode_lines([text(words)]))


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    """Two runs under way and one that has ended; of all there is something in the spool."""
    path = tmp_path / "db"
    store = SqliteStore(path)
    for run_id in ("one", "two", "over"):
        await begin(store, run_id)
        await store.log.append(run_id, 1, [StopRequested()])
    await end(store, "over")
    await store.close()
    spool = Spool(path)
    spool.write([row(3, "one"), row(3, "two"), row(3, "over"), row(4, "one"), row(3, "unknown")])
    spool.write([row(6, "two", "behind a gap")])
    spool.close(empty=False)
    return path


def damage(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.create_function("marked", 2, lambda *_: None)
        connection.execute(statement)


async def test_deltas_go_on_behind_what_could_be_read(path: Path) -> None:
    damage(path, "delete from events where run = 3 and last_seq = 2")
    salvage = recover(path, path.parent, NOW)
    assert salvage.damage is not None
    assert spooled(path) == []
    store = SqliteStore(path)
    for run_id in ("one", "two"):
        said = [text("spooled")] * (2 if run_id == "one" else 1)
        assert await events(store.log, run_id) == [STARTED, StopRequested(), *said]
    assert len(await events(store.log, "over")) == 2
    await store.close()


async def test_a_run_that_is_cut_ends_behind_its_deltas(path: Path) -> None:
    wal_of(path).write_bytes(b"none" * 100)
    salvage = recover(path, path.parent, NOW)
    assert {(cut.run_id, cut.seq) for cut in salvage.cut} == {("one", 4), ("two", 3)}
    store = SqliteStore(path)
    *said, ending = await events(store.log, "one")
    assert said == [STARTED, StopRequested(), text("spooled"), text("spooled")]
    assert isinstance(ending, RunEnded)
    await store.close()


async def test_nothing_follows_a_log_that_is_cut_before_its_end(path: Path) -> None:
    damage(path, "update events set body = x'ff' where run = 1 and last_seq = 2")
    recover(path, path.parent, NOW)
    store = SqliteStore(path)
    started, ending = await events(store.log, "one")
    assert started == STARTED
    assert isinstance(ending, RunEnded)
    await store.close()


async def test_the_spool_is_kept_with_the_file_it_belongs_to(path: Path) -> None:
    damage(path, "delete from events where run = 3 and last_seq = 2")
    before = spooled(path)
    recover(path, path.parent, NOW, dry_run=True)
    assert spooled(path) == before
    salvage = recover(path, path.parent, NOW)
    assert salvage.kept_as is not None
    assert spooled(Path(salvage.kept_as)) == before
    assert not any(beside.exists() for beside in paths_of(path))


async def test_beside_a_sound_database_it_waits_for_the_next_start(path: Path) -> None:
    before = spooled(path)
    assert recover(path, path.parent, NOW).damage is None
    assert spooled(path) == before


async def test_a_spool_that_cannot_be_read_keeps_nobody_from_recovering(path: Path) -> None:
    damage(path, "delete from events where run = 3 and last_seq = 2")
    for beside in paths_of(path):
        beside.write_bytes(b"\x07\0\0\0garbage" * 10)
    assert recover(path, path.parent, NOW).damage is not None
    store = SqliteStore(path)
    assert await events(store.log, "one") == [STARTED, StopRequested()]
    await store.close()
