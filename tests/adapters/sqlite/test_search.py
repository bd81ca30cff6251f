import sqlite3
from collections.abc import Iterator
from contextlib import closing
from sqlite3 import Connection

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from angelia.adapters.sqlite import search
from angelia.adapters.sqlite.schema import MIGRATIONS, migrate
from angelia.adapters.sqlite.search import phrase
from angelia.ports import Search
from tests.contracts.stores import SqliteStore, begin, say


@pytest.fixture(scope="module")
def index() -> Iterator[Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrate(connection, sorted(MIGRATIONS.glob("*.sql")))
        yield connection


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("tea", '"tea"*'),
        ("  green   tea ", '"green" "tea"*'),
        ('say "hi" AND (go', '"say" "hi" "AND" "go"*'),
        ("cafe\u0301s", '"cafe\u0301s"*'),
        ("a_b-c", '"a" "b" "c"*'),
        ("?!", ""),
        ("", ""),
    ],
)
def test_words_become_phrases_and_the_last_a_beginning(text: str, query: str) -> None:
    assert phrase(text) == query


@given(text=st.text())
@example('"')
@example("a\x00b")
@example("NEAR(a, 2)")
def test_no_text_is_a_query_that_cannot_be_read(index: Connection, text: str) -> None:
    assert search.search(index, Search("tenant", text, "user")) == ()


async def test_marks_of_the_text_itself_are_not_taken_for_hits(store: SqliteStore) -> None:
    await begin(store, question="« » «tea» \x03 and more")
    await say(store, "run", "milk")
    (hit,) = await store.sessions.search(Search("tenant", "milk"))
    assert (hit.role, hit.snippet) == ("assistant", "«milk»")


async def test_only_the_best_runs_are_read_for_their_snippets(store: SqliteStore) -> None:
    for number in range(50):
        await begin(store, f"run{number}")
        await say(store, f"run{number}", "milk")
    # The text of a run is read through the view that the index has for its content.
    seen: list[str] = []

    def find(connection: Connection) -> int:
        connection.set_trace_callback(seen.append)
        found = search.search(connection, Search("tenant", "milk", limit=5))
        connection.set_trace_callback(None)
        return len(found)

    assert await store.database.read(find) == 5
    assert len([sql for sql in seen if "told_runs" in sql]) <= 10
