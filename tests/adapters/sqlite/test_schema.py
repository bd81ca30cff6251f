import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection

import pytest

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.sqlite.database import Database
from angelia.adapters.sqlite.rows import encode_lines
from angelia.adapters.sqlite.schema import MIGRATIONS, make_known, migrate
from angelia.core.events import RunStarted, StopRequested
from angelia.core.messages import Usage, user
from angelia.errors import LogUnavailable
from angelia.ports import (
    ApiKey,
    Claim,
    Held,
    KeyRules,
    RunFilter,
    Search,
    Session,
    SessionFilter,
)
from tests.contracts.stores import ENDED, STARTED, SqliteStore, begin, events, say

RULES = KeyRules(tool_events="carrier", on_disconnect="continue")


@pytest.fixture
def connection() -> Iterator[Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as opened:
        yield opened


def scripts(folder: Path, *texts: str) -> list[Path]:
    paths = [folder / f"{number:04}.sql" for number in range(1, len(texts) + 1)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return paths


def version(connection: Connection) -> int:
    return connection.execute("pragma user_version").fetchone()[0]


ONE = "create table one (x); insert into one values (1);"
TWO = "alter table one add column y; -- a comment at the end"


def test_migrations_are_applied_in_order_and_once(connection: Connection, tmp_path: Path) -> None:
    both = scripts(tmp_path, ONE, TWO)
    migrate(connection, both)
    migrate(connection, both)
    assert version(connection) == 2
    assert connection.execute("select x, y from one").fetchall() == [(1, None)]


def test_an_older_database_is_brought_up_to_date(connection: Connection, tmp_path: Path) -> None:
    one, two = scripts(tmp_path, ONE, TWO)
    migrate(connection, [one])
    connection.execute("insert into one values (7)")
    migrate(connection, [one, two])
    assert connection.execute("select x from one").fetchall() == [(1,), (7,)]
    assert version(connection) == 2


def test_a_migration_that_fails_leaves_no_half_of_it(
    connection: Connection, tmp_path: Path
) -> None:
    with pytest.raises(sqlite3.OperationalError):
        migrate(connection, scripts(tmp_path, ONE, "create table two (x); nonsense;"))
    assert version(connection) == 1
    assert connection.execute("select name from sqlite_master").fetchall() == [("one",)]
    assert not connection.in_transaction


def test_the_shipped_migrations_are_numbered_without_a_gap() -> None:
    numbers = [int(path.name[:4]) for path in sorted(MIGRATIONS.glob("*.sql"))]
    assert numbers == list(range(1, len(numbers) + 1))


FIRST_RELEASE = 2


async def test_a_database_of_the_first_release_keeps_all_that_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / "db"
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        migrate(old, sorted(MIGRATIONS.glob("*.sql"))[:FIRST_RELEASE])
        old.executescript((Path(__file__).parent / "first_release.sql").read_text())
    store = SqliteStore(path)
    listed = await store.runs.find(RunFilter("t"))
    assert [(run.id, run.status, run.last_seq) for run in listed] == [
        ("run_c", "running", 1),
        ("run_b", "completed", 2),
        ("run_a", "completed", 1),
    ]
    assert {(run.stored, run.output, run.usage, run.error) for run in listed} == {
        (True, "", Usage(), None)
    }
    assert [run.id for run in await store.runs.unfinished()] == ["run_c"]
    assert await events(store.log, "run_b") == [STARTED, ENDED]
    for key in ("key:key", "key:key:key"):
        held = await store.history.claimed("t", Claim(key, "body", 2_000_000.0))
        assert held == Held("run_b", replayed=True)
    sessions = await store.sessions.find(SessionFilter("t"))
    assert list(sessions) == [
        Session("one", "t", 10.0, 32.0, last_run="run_c", runs=2),
        Session("two", "t", 20.0, 21.0, last_run="run_b", runs=1),
    ]
    assert list(await store.keys.list()) == [
        ApiKey("key_z", "first", "digest z", ("chat", "admin"), 1.0),
        ApiKey("key_a", "second", "digest a", (), 2.0, rules=RULES, revoked_at=3.0),
    ]
    await store.close()


async def test_runs_of_the_first_release_go_on_end_and_go(tmp_path: Path) -> None:
    path = tmp_path / "db"
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        migrate(old, sorted(MIGRATIONS.glob("*.sql"))[:FIRST_RELEASE])
        old.executescript((Path(__file__).parent / "first_release.sql").read_text())
    store = SqliteStore(path)
    await say(store, "run_c", "an answer at last", "chain")
    assert [hit.run_id for hit in await store.sessions.search(Search("t", "answer"))] == ["run_c"]
    await store.runs.delete("run_c")
    assert await store.sessions.delete("t", "one") == ("run_a",)
    assert await store.sessions.delete("t", "two") == ("run_b",)
    with closing(sqlite3.connect(path)) as stranger:
        make_known(stranger)
        for table in ("runs", "events", "claims", "sessions", "chains"):
            assert stranger.execute(f"select count(*) from {table}").fetchone() == (0,)
        stranger.execute("insert into said (said, rank) values ('integrity-check', 1)")
    await store.close()


async def test_a_database_of_the_first_version_keeps_its_runs(tmp_path: Path) -> None:
    path = tmp_path / "db"
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        migrate(old, sorted(MIGRATIONS.glob("*.sql"))[:1])
        old.execute(
            "insert into runs (id, tenant, model, session_id, surface, status, epoch, last_seq, "
            "created_at, updated_at) values ('old', 't', 'm', 's', 'runs', 'running', 4, 0, 1, 1)"
        )
    store = SqliteStore(path)
    assert [(run.id, run.epoch) for run in await store.runs.unfinished()] == [("old", 4)]
    assert await begin(store) == "run"
    await store.close()


def test_a_database_from_the_future_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "db"
    with closing(sqlite3.connect(path)) as future:
        future.execute("pragma user_version = 999")
    with pytest.raises(LogUnavailable, match=r"db: it has format 999.*upgrade Angelia"):
        Database.open(path, clock=ManualClock())


async def test_children_from_before_know_the_run_that_has_begun_them(tmp_path: Path) -> None:
    path = tmp_path / "db"
    before = [file for file in sorted(MIGRATIONS.glob("*.sql")) if file.name < "0013"]
    child = RunStarted("m", (user("line\nline"),), delegated_by="run_above", depth=1)
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        migrate(old, before)
        for key, run_id, surface in ((1, "child", "delegate"), (2, "other", "runs")):
            old.execute(
                "insert into runs (key, id, tenant, model, session_id, surface, status, epoch, "
                "last_seq, created_at, updated_at) "
                "values (?, ?, 't', 'm', '', ?, 'running', 1, 2, 1, 1)",
                (key, run_id, surface),
            )
            old.execute(
                "insert into events (run, last_seq, first_seq, fact, at, body) "
                "values (?, 2, 1, 1, 1, ?)",
                (key, encode_lines([child, StopRequested()])),
            )
    store = SqliteStore(path)
    found = [await store.runs.get(run_id) for run_id in ("child", "other")]
    assert [run and run.delegated_by for run in found] == ["run_above", None]
    await store.close()
