import sqlite3
from sqlite3 import Connection

import pytest
from msgspec import Raw

from angelia.adapters.sqlite.search import mark
from angelia.adapters.sqlite.sessions import _SELECT  # pyright: ignore
from angelia.core.messages import Usage
from angelia.ports import Bill, Claim, Mark, Session
from tests.contracts.stores import ENDED, STARTED, SqliteStore, begin, record, say, summary, text

PAGE = " and updated_at <= ? and (updated_at < ? or id > ?)"
ORDER = " order by updated_at desc, id limit ?"


@pytest.mark.parametrize("page", ["", PAGE])
@pytest.mark.parametrize(
    ("where", "index"),
    [
        ("tenant = ?", "sessions_by_change"),
        ("tenant = ? and user = ?", "sessions_of_user"),
        ("tenant = ? and session_key = ?", "sessions_by_key"),
    ],
)
async def test_no_list_of_sessions_is_sorted_or_walked(
    store: SqliteStore, where: str, index: str, page: str
) -> None:
    sql = f"explain query plan {_SELECT}{where}{page}{ORDER}"
    plan = await store.database.read(
        lambda connection: connection.execute(sql, (1,) * sql.count("?")).fetchall()
    )
    (step,) = [row[3] for row in plan]
    assert step.startswith(f"SEARCH sessions USING INDEX {index} (tenant=?")


def counts(connection: Connection) -> dict[str, int]:
    """Rows of every table there is. How the search index lays out its pages is its own affair."""
    names = connection.execute(
        "select name from sqlite_master where type = 'table' and name not like 'sqlite%'"
    ).fetchall()
    mine = [name for (name,) in names if name not in ("said_data", "said_idx", "said_config")]
    return {name: connection.execute(f"select count(*) from {name}").fetchone()[0] for name in mine}


async def test_a_deleted_session_leaves_no_row_in_any_table(
    store: SqliteStore, stranger: Connection
) -> None:
    assert set(counts(stranger).values()) == {0}
    for number in range(3):
        run = record(f"run{number}", question="some question", stored=number != 1)
        await store.log.create(run, [STARTED], Claim(f"key{number}", "body", 2_000_000.0))
        await store.log.offer(run.id, 1, [text("a")])
        mark = Mark("completed", summary("words", "a", "b"), Bill("m", Usage(1), 1.0))
        await store.log.append(run.id, 1, [text("b"), ENDED], mark)
    await store.sessions.put(Session("session", "tenant", 1.0, 2.0, "title"))
    full = counts(stranger)
    filled = {table for table, rows in full.items() if rows}
    assert filled >= {"runs", "events", "claims", "sessions", "chains", "said", "usage"}
    await store.sessions.delete("tenant", "session")
    left = counts(stranger)
    # What was used stays known, and names no run.
    assert {table: rows for table, rows in left.items() if rows} == {"usage": full["usage"]}


async def test_no_word_of_a_deleted_session_is_left_in_the_index(
    store: SqliteStore, stranger: Connection
) -> None:
    await begin(store, question="secret question")
    await say(store, "run", "secret answer")
    await begin(store, "other", session_id="other")
    await say(store, "other", "plain answer")
    stranger.execute("create virtual table temp.words using fts5vocab (main, said, row)")
    await store.sessions.delete("tenant", "session")
    words = stranger.execute("select term from words").fetchall()
    assert words == [(mark("tenant") + "answer",), (mark("tenant") + "plain",)]
    stranger.execute("insert into said (said, rank) values ('integrity-check', 1)")


async def test_the_index_agrees_with_the_runs_whatever_happened(
    store: SqliteStore, stranger: Connection
) -> None:
    for number in range(6):
        await begin(store, f"run{number}", question=f"question {number}", stored=number != 3)
        waiting = Mark("waiting_for_client", summary(f"first {number}\x00\n"))
        await store.log.append(f"run{number}", 1, [text("a")], waiting)
        if number % 2:
            await say(store, f"run{number}", f"second {number}")
    await store.runs.delete("run1")
    await store.runs.delete("run2")
    await store.runs.delete("run3")
    stranger.execute("insert into said (said, rank) values ('integrity-check', 1)")
    told = stranger.execute("select count(*) from told_runs").fetchone()
    assert told == stranger.execute("select count(*) from said_docsize").fetchone() == (3,)
    stranger.execute("update runs set output = 'behind its back' where id = 'run0'")
    with pytest.raises(sqlite3.DatabaseError):
        stranger.execute("insert into said (said, rank) values ('integrity-check', 1)")


async def test_text_that_is_not_unicode_hurts_its_caller_only(store: SqliteStore) -> None:
    with pytest.raises(UnicodeEncodeError):
        await store.sessions.put(Session("\ud800", "tenant", 1.0, 1.0))
    with pytest.raises(UnicodeEncodeError):
        await store.sessions.delete("tenant", "\ud800")
    await store.sessions.put(
        Session("session", "tenant", 1.0, 1.0, metadata=Raw(b'{"a":"\xc3\xa9"}'))
    )
    session = await store.sessions.get("tenant", "session")
    assert session is not None
    assert bytes(session.metadata) == b'{"a":"\xc3\xa9"}'
