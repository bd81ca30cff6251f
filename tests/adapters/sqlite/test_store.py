import asyncio
import threading
from sqlite3 import Connection

import pytest

from angelia.adapters.sqlite import store as module
from angelia.adapters.sqlite.records import SELECT
from angelia.ports import RunFilter, RunRecord
from tests.contracts.stores import SqliteStore, begin, end, text


@pytest.mark.parametrize(
    "where",
    [
        "tenant = ? and stored = 1 and key < ? order by key desc limit ?",
        "tenant = ? and session_id = ? and stored = 1 and key < ? order by key desc limit ?",
        "tenant = ? and status = ? and stored = 1 and key < ? order by key desc limit ?",
        "tenant = ? and session_id = ? and status = ? and stored = 1 and key < ? "
        "order by key desc limit ?",
        "tenant = ? and session_id = ? and +status in (?, ?) and stored = 1 and key < ? "
        "order by key desc limit ?",
        "tenant = ? and model = ? and stored = 1 and key < ? order by key desc limit ?",
        "tenant = ? and surface = ? and stored = 1 and key < ? order by key desc limit ?",
        "stored = 0 and ended = 1 and updated_at < ? order by updated_at, key limit 100",
        "stored = 1 and ended = 1 and updated_at < ? order by updated_at, key limit 100",
        "ended = 0 order by key",
        "id = ?",
    ],
)
async def test_no_list_of_runs_is_sorted_or_walked(store: SqliteStore, where: str) -> None:
    plan = await store.database.read(
        lambda connection: connection.execute(
            f"explain query plan {SELECT}{where}", (1,) * where.count("?")
        ).fetchall()
    )
    steps = [row[3] for row in plan]
    assert "runs" in steps[0]
    assert all(" INDEX " in step for step in steps if not step.startswith("CORRELATED"))


async def test_text_that_is_not_unicode_hurts_its_caller_only(store: SqliteStore) -> None:
    await begin(store)
    with pytest.raises(UnicodeEncodeError):
        await store.runs.take("\ud800")
    with pytest.raises(UnicodeEncodeError):
        await store.runs.delete("\ud800")
    assert await store.runs.take("run") == 2


async def test_a_list_is_not_behind_what_readers_had_when_it_was_asked_for(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run ends while the list is read from before its end."""
    await begin(store)
    await store.log.offer("run", 1, [text("a")] * 50)
    await asyncio.sleep(0)
    run = await store.runs.get("run")
    assert run is not None
    looked, ended = threading.Event(), threading.Event()
    find = module._find  # pyright: ignore[reportPrivateUsage]

    def late(connection: Connection, wanted: RunFilter) -> tuple[RunRecord, ...]:
        found = find(connection, wanted)
        looked.set()
        ended.wait()
        return found

    monkeypatch.setattr(module, "_find", late)
    listing = asyncio.create_task(store.runs.find(RunFilter(run.tenant)))
    await asyncio.to_thread(looked.wait)
    await end(store)
    ended.set()
    assert [found.last_seq for found in await listing] == [run.last_seq]
