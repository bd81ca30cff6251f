import threading
from sqlite3 import Connection

import pytest

from angelia.adapters.sqlite import history
from angelia.adapters.sqlite.claims import _FIND  # pyright: ignore
from angelia.adapters.sqlite.history import FEW
from angelia.ports import Claim
from tests.contracts.stores import STARTED, SqliteStore, begin, record, say


async def plan(store: SqliteStore, sql: str, values: tuple[str, ...]) -> list[str]:
    rows = await store.database.read(
        lambda connection: connection.execute(f"explain query plan {sql}", values).fetchall()
    )
    return [row[3] for row in rows]


async def test_each_fingerprint_is_one_look_into_the_index(store: SqliteStore) -> None:
    steps = await plan(store, history._MATCH, ("[]", "tenant"))  # pyright: ignore
    assert "SEARCH chains USING PRIMARY KEY (tenant=? AND chain=?)" in steps
    assert [step for step in steps if step.startswith("SCAN")] == [
        "SCAN wanted VIRTUAL TABLE INDEX 1:"
    ]


async def test_in_a_session_its_runs_are_looked_at_and_no_others(store: SqliteStore) -> None:
    sql = history._SERVED_IN_SESSION  # pyright: ignore
    steps = await plan(store, sql, ("tenant", "session", "[]"))
    assert steps[:2] == [
        "SEARCH runs USING INDEX runs_of_session (tenant=? AND session_id=?)",
        "SEARCH chains USING COVERING INDEX chains_of_run (run=?)",
    ]
    assert not any("TEMP B-TREE" in step for step in steps)


async def test_a_claim_is_one_look_into_the_index(store: SqliteStore) -> None:
    steps = await plan(store, _FIND, ("tenant", "key"))
    assert all(step.startswith(("SEARCH", "CORRELATED")) for step in steps)


@pytest.mark.parametrize(("before", "beside"), [(FEW - 1, False), (FEW, True)])
async def test_many_fingerprints_are_looked_up_beside_the_loop(
    store: SqliteStore, before: int, beside: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begin(store)
    await say(store, "run", "text", "a")
    threads: list[threading.Thread] = []
    newest = history._newest  # pyright: ignore

    def watched(connection: Connection, tenant: str, wanted: str) -> tuple[str, str] | None:
        threads.append(threading.current_thread())
        return newest(connection, tenant, wanted)

    monkeypatch.setattr(history, "_newest", watched)
    chains = [*map(str, range(before)), "a"]
    assert await store.history.match("tenant", chains) == ("a", "run")
    assert [thread is not threading.main_thread() for thread in threads] == [beside]


async def test_looking_holds_no_snapshot(store: SqliteStore, stranger: Connection) -> None:
    await store.log.create(record("run"), [STARTED], Claim("key", "body", 2_000_000.0))
    await say(store, "run", "text", "a", "b")
    assert await store.history.match("tenant", ["a", "b"]) == ("a", "run")
    assert await store.history.claimed("tenant", Claim("key", "body", 2_000_000.0))
    await store.sessions.get("tenant", "session")
    await store.usage.cost("tenant", 0)
    await begin(store, "another")
    busy, *_ = stranger.execute("pragma wal_checkpoint(truncate)").fetchone()
    assert busy == 0
