"""Whole databases with one thing wrong in each; tests/chaos has the random kinds."""

import sqlite3
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection

import pytest

from angelia.adapters.sqlite.damage import wal_of
from angelia.adapters.sqlite.rows import encode_lines
from angelia.adapters.sqlite.salvage.rebuilding import make_empty, newest_version
from angelia.adapters.sqlite.salvage.recovery import recover
from angelia.core.events import (
    AnyEvent,
    Failed,
    ModelReplied,
    RunEnded,
    StopRequested,
    ToolFinished,
    ToolStarted,
)
from angelia.core.messages import Assistant, Reply, ToolCall, ToolSpec
from angelia.core.run import fold
from angelia.errors import HomeInUse, StorageError
from angelia.ports import Salvage, Search, SessionFilter
from angelia.ports.storage import CutRun
from tests.contracts.stores import STARTED, SqliteStore, begin, end, events, say, text

NOW = 1_700_000_000.0
CALL = ToolCall("c1", "pay", "{}")
ASKED = STARTED.__class__("angelia", STARTED.messages, tools=(ToolSpec("pay"),))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "db"


async def lived_in(path: Path) -> None:
    """Three runs that have ended, and one that pays at this moment."""
    store = SqliteStore(path)
    for name in ("one", "two", "three"):
        await begin(store, name)
        await store.log.append(name, 1, [text("a"), text("b")])
        await say(store, name, f"{name} it is", f"chain of {name}")
    await begin(store, "paying")
    await store.log.append("paying", 1, paying())
    await store.close()


def paying() -> list[AnyEvent]:
    reply = ModelReplied(Reply(Assistant((CALL,)), "tool_calls"))
    return [reply, ToolStarted(CALL.id, CALL.name, "{}", "irreversible", "pay", "")]


def tamper(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("pragma writable_schema = on")
        # The triggers of ours call functions that nobody else has.
        for (name,) in connection.execute("select name from sqlite_schema where type = 'trigger'"):
            connection.execute(f"drop trigger {name}")
        for statement in statements:
            connection.execute(statement)


def salvaged(path: Path, *, dry_run: bool = False) -> Salvage:
    return recover(path, path.parent / "checkpoints", NOW, dry_run=dry_run)


def lose(run: str, seq: int) -> str:
    mine = f"run = (select key from runs where id = '{run}')"
    return f"delete from events where {mine} and last_seq = {seq}"


async def test_a_log_is_kept_up_to_its_first_gap_and_ends_there(path: Path) -> None:
    await lived_in(path)
    tamper(path, lose("two", 4))
    found = salvaged(path)
    assert (found.whole, found.cut, found.lost) == (3, (CutRun("two", 3),), ())
    store = SqliteStore(path)
    log = await events(store.log, "two")
    assert log[:3] == [STARTED, text("a"), text("b")]
    assert isinstance(log[3], RunEnded)
    assert isinstance(log[3].ending, Failed)
    assert log[3].ending.code == "log_damaged"
    run = await store.runs.get("two")
    assert run is not None
    assert (run.status, run.last_seq, run.error) == ("failed", 4, log[3].ending)
    assert [run.id for run in await store.runs.unfinished()] == ["paying"]
    await store.close()


async def test_entries_that_cannot_be_read_are_a_gap(path: Path) -> None:
    await lived_in(path)
    tamper(
        path, 'update events set body = \'{"t":"no such thing"}\' where last_seq = 3 and run = 1'
    )
    assert salvaged(path).cut == (CutRun("one", 1),)


async def test_a_call_that_had_begun_in_a_run_that_is_cut_is_in_doubt(path: Path) -> None:
    await lived_in(path)
    with closing(sqlite3.connect(path)) as connection:
        (last,) = connection.execute("select max(last_seq) from events where run = 4").fetchone()
    tamper(path, f"update runs set last_seq = {last + 1} where id = 'paying'")
    assert salvaged(path).cut == (CutRun("paying", last),)
    store = SqliteStore(path)
    log = await events(store.log, "paying")
    (finished,) = [event for event in log if isinstance(event, ToolFinished)]
    assert (finished.call_id, finished.outcome) == ("c1", "in_doubt")
    assert fold(log).status == "failed"
    await store.close()


async def test_a_run_without_its_first_entry_is_lost(path: Path) -> None:
    await lived_in(path)
    tamper(path, lose("two", 1))
    found = salvaged(path)
    assert (found.whole, found.cut, found.lost) == (3, (), ("two",))
    assert "events" in found.rows
    store = SqliteStore(path)
    assert await store.runs.get("two") is None
    # Its key is free for another run, which must not get its conversation.
    assert await orphans(path) == 0
    await begin(store, "new")
    assert await end(store, "new") == 2
    await store.close()


async def orphans(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(
            "select count(*) from chains where run not in (select key from runs)"
        ).fetchone()[0]


async def test_without_the_last_transactions_nothing_goes_on(path: Path) -> None:
    await lived_in(path)
    wal_of(path).write_bytes(b"\x5a" * 9000)
    found = salvaged(path)
    assert found.damage == "its write-ahead log is none"
    assert (found.whole, [run.run_id for run in found.cut]) == (3, ["paying"])
    store = SqliteStore(path)
    assert await store.runs.unfinished() == ()
    await store.close()


async def test_what_follows_from_the_rows_is_made_again(path: Path) -> None:
    await lived_in(path)
    tamper(path, "delete from sessions", lose("two", 1))
    salvaged(path)
    store = SqliteStore(path)
    (session,) = await store.sessions.find(SessionFilter("tenant"))
    assert (session.runs, session.last_run) == (3, "paying")
    (hit,) = await store.sessions.search(Search("tenant", "three it is"))
    assert hit.run_id == "three"
    assert await store.sessions.search(Search("tenant", "two it is")) == ()
    await store.close()


async def test_a_look_changes_nothing_and_says_the_same(path: Path) -> None:
    await lived_in(path)
    tamper(path, lose("two", 4))
    before = path.read_bytes()
    looked = salvaged(path, dry_run=True)
    assert (looked.kept_as, path.read_bytes()) == (None, before)
    found = salvaged(path)
    assert found.kept_as is not None
    assert Path(found.kept_as).read_bytes() == before
    assert Path(found.kept_as).name == "db.damaged-20231114T221320Z"
    assert (found.cut, found.rows) == (looked.cut, looked.rows)
    again = salvaged(path)
    assert (again.damage, again.kept_as, again.whole) == (None, None, 4)
    assert path.stat().st_mode & 0o777 == 0o600
    assert not list(path.parent.glob("recovering-*"))


async def test_two_damages_within_a_second_are_both_kept(path: Path) -> None:
    await lived_in(path)
    kept: set[str | None] = set()
    for run in ("one", "two"):
        tamper(path, lose(run, 1))
        kept.add(salvaged(path).kept_as)
    assert len(kept) == 2


async def test_nobody_recovers_what_somebody_uses(path: Path) -> None:
    store = SqliteStore(path)
    with pytest.raises(HomeInUse, match="stop it before"):
        salvaged(path)
    await store.close()


def test_nothing_is_made_where_there_is_nothing(path: Path) -> None:
    with pytest.raises(StorageError, match="There is no database"):
        salvaged(path)
    assert not path.exists()


async def test_damaged_checkpoints_begin_anew(path: Path) -> None:
    await lived_in(path)
    vault = path.parent / "checkpoints" / "checkpoints.db"
    vault.parent.mkdir()
    vault.write_bytes(b"no database" * 1000)
    assert salvaged(path, dry_run=True).checkpoints is not None
    assert vault.exists()
    found = salvaged(path)
    assert found.damage is None
    assert found.checkpoints is not None
    assert not vault.exists()
    assert Path(found.checkpoints).read_bytes() == b"no database" * 1000


async def test_a_record_that_is_lost_is_made_anew_from_what_the_indexes_know(path: Path) -> None:
    await lived_in(path)
    spoil_rows_of_runs(path)
    found = salvaged(path)
    assert (found.whole, found.lost) == (3, ())
    # Nobody knows whether it had more entries than it has.
    assert [run.run_id for run in found.cut] == ["paying"]
    store = SqliteStore(path)
    run = await store.runs.get("two")
    assert run is not None
    assert (run.tenant, run.status, run.question) == ("tenant", "completed", "hello")
    assert (await events(store.log, "two"))[-1].__class__ is RunEnded
    await store.close()


def spoil_rows_of_runs(path: Path) -> None:
    """The root of the table is its only page."""
    with closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute(
            "select rootpage from sqlite_schema where name = 'runs'"
        ).fetchone()
        (size,) = connection.execute("pragma page_size").fetchone()
    with path.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\x5a" * size)


@pytest.mark.parametrize("version", range(1, newest_version() + 1))
async def test_a_file_of_an_older_format_is_brought_back_in_that_format(
    path: Path, version: int
) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        older(connection, version)
    found = salvaged(path)
    assert found.cut == (CutRun("old", 1),)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("pragma user_version").fetchone() == (version,)
    # What opens it brings it up to date.
    store = SqliteStore(path)
    assert fold(await events(store.log, "old")).status == "failed"
    await store.close()


async def test_a_file_of_a_newer_format_is_left_alone(path: Path) -> None:
    await lived_in(path)
    unknown = """'{"t":"of_the_future"}'"""
    tamper(path, "pragma user_version = 99", f"update events set body = {unknown} where id = 1")
    before = path.read_bytes()
    with pytest.raises(StorageError, match=r"format 99.*upgrade Angelia"):
        salvaged(path)
    assert path.read_bytes() == before


def older(connection: Connection, version: int) -> None:
    make_empty(connection, version)
    connection.execute(
        "insert into runs (id, tenant, model, session_id, surface, status, epoch, last_seq, "
        "created_at, updated_at) values ('old', 't', 'm', 's', 'runs', 'running', 1, 5, 1, 1)"
    )
    connection.execute(
        "insert into events (run, last_seq, first_seq, fact, at, body) values (1, 1, 1, 1, 1, ?)",
        (encode_lines([STARTED]),),
    )
    connection.execute(
        "insert into events (run, last_seq, first_seq, fact, at, body) values (1, 5, 5, 1, 1, ?)",
        (encode_lines([StopRequested()]),),
    )
