import asyncio
import re
from itertools import groupby
from sqlite3 import Connection

import pytest

from angelia.core.events import StopRequested
from angelia.core.messages import Usage
from angelia.errors import Conflict, LogUnavailable
from angelia.ports import Bill, Claim, Mark, UsageFilter
from tests.contracts.stores import ENDED, STARTED, SqliteStore, begin, record, summary, text

# The search index has statements of its own.
FOREIGN = re.compile(r"(-- )?pragma|.*'main'\.'said", re.IGNORECASE | re.DOTALL)
FULL = Mark("completed", summary("words", "a", "b"), Bill("model", Usage(1), 1.0))


def traced(store: SqliteStore) -> list[str]:
    """The statements of the writer from here on."""
    seen: list[str] = []
    store.database._writing.set_trace_callback(seen.append)  # pyright: ignore
    return seen


def verbs(seen: list[str]) -> list[str]:
    """What the recorder asked for: a trigger shows as its statement once more."""
    asked = [sql for sql, _again in groupby(seen) if not FOREIGN.match(sql)]
    return [" ".join(sql.split()[:3]) for sql, _again in groupby(asked)]


async def test_the_end_of_a_run_is_few_statements(store: SqliteStore) -> None:
    await begin(store)
    seen = traced(store)
    await store.log.append("run", 1, [text("a"), ENDED], FULL)
    assert verbs(seen) == [
        "begin immediate",
        "insert into events",
        "update runs set",
        "insert or ignore",
        "insert into usage",
        "commit",
    ]


async def test_many_ends_in_one_group_are_as_few(store: SqliteStore, stranger: Connection) -> None:
    for number in range(20):
        await begin(store, f"run{number}")
    seen = traced(store)
    stranger.execute("begin immediate")
    ending = [
        asyncio.ensure_future(store.log.append(f"run{n}", 1, [ENDED], FULL)) for n in range(20)
    ]
    await asyncio.sleep(0)
    stranger.execute("rollback")
    await asyncio.gather(*ending)
    # The first may have been alone when the lock stopped the writer.
    assert 1 <= len([sql for sql in verbs(seen) if sql == "update runs set"]) <= 2
    (model, agent) = sorted(await store.usage.find(UsageFilter(0, 1000)), key=lambda row: row.runs)
    assert (model.calls, agent.runs) == (20, 20)


async def test_a_status_that_stays_writes_no_index(store: SqliteStore) -> None:
    await begin(store)
    seen = traced(store)
    await store.log.append("run", 1, [StopRequested()], Mark("running"))
    assert not any("status =" in sql for sql in seen)
    await store.log.append("run", 1, [StopRequested()], Mark("stopping"))
    assert any("status =" in sql for sql in seen)


async def test_marks_of_one_group_are_one_and_the_last_counts(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store)
    stranger.execute("begin immediate")
    appending = [
        asyncio.ensure_future(store.log.append("run", 1, [StopRequested()], mark))
        for mark in (
            Mark("running"),
            Mark("waiting_for_client", summary("first", "a")),
            Mark("running"),
            Mark("stopping"),
        )
    ]
    await asyncio.sleep(0)
    stranger.execute("rollback")
    await asyncio.gather(*appending)
    run = await store.runs.get("run")
    assert run is not None
    assert (run.status, run.output, run.last_seq) == ("stopping", "first", 5)
    assert await store.history.match("tenant", ["a"]) == ("a", "run")


async def test_a_claim_is_free_within_the_group_that_ends_its_run(
    store: SqliteStore, stranger: Connection
) -> None:
    live = Claim("key", "body", 2_000_000.0, live_only=True)
    await store.log.create(record("first"), [STARTED], live)
    stranger.execute("begin immediate")
    ending = asyncio.ensure_future(store.log.append("first", 1, [ENDED], FULL))
    creating = asyncio.ensure_future(store.log.create(record("second"), [STARTED], live))
    await asyncio.sleep(0)
    stranger.execute("rollback")
    await ending
    assert (await creating).run_id == "second"


async def test_a_busy_session_spoils_nothing_of_its_group(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store)
    stranger.execute("begin immediate")
    appending = asyncio.ensure_future(store.log.append("run", 1, [StopRequested()]))
    deleting = asyncio.ensure_future(store.sessions.delete("tenant", "session"))
    after = asyncio.ensure_future(store.log.append("run", 1, [StopRequested()]))
    await asyncio.sleep(0)
    stranger.execute("rollback")
    with pytest.raises(Conflict):
        await deleting
    assert [await appending, await after] == [2, 3]


async def test_a_session_can_go_in_the_group_that_ends_its_last_run(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store)
    stranger.execute("begin immediate")
    ending = asyncio.ensure_future(store.log.append("run", 1, [ENDED], FULL))
    deleting = asyncio.ensure_future(store.sessions.delete("tenant", "session"))
    await asyncio.sleep(0)
    stranger.execute("rollback")
    await ending
    assert await deleting == ("run",)
    assert stranger.execute("select count(*) from events").fetchone() == (0,)


async def test_nothing_of_a_mark_survives_a_commit_that_fails(
    store: SqliteStore, stranger: Connection
) -> None:
    claim = Claim("key", "body", 2_000_000.0)
    await begin(store)
    stranger.execute("update runs set epoch = 7")
    whole = Mark("completed", summary("words", "chain"), Bill("m", Usage(1), 1.0), claim)
    with pytest.raises(LogUnavailable):
        await store.log.append("run", 1, [ENDED], whole)
    run = await store.runs.get("run")
    assert run is not None
    assert (run.status, run.output, run.last_seq) == ("running", "", 1)
    assert await store.history.match("tenant", ["chain"]) is None
    assert await store.history.claimed("tenant", claim) is None
    assert list(await store.usage.find(UsageFilter(0, 1000))) == []
    # What failed with the group is not written with the next.
    stranger.execute("update runs set epoch = 1")
    await store.log.append("run", 1, [StopRequested()], Mark("running"))
    assert list(await store.usage.find(UsageFilter(0, 1000))) == []
    assert await store.history.match("tenant", ["chain"]) is None
