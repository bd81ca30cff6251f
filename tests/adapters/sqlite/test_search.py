import sqlite3
from collections.abc import Iterator
from contextlib import closing
from sqlite3 import Connection

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from angelia.adapters import snippets
from angelia.adapters.snippets import Said
from angelia.adapters.sqlite import search
from angelia.adapters.sqlite.schema import MIGRATIONS, migrate
from angelia.adapters.sqlite.search import mark, marked, phrase
from angelia.errors import BadRequest
from angelia.ports import Hit, Search
from tests.contracts.stores import SqliteStore, begin, say


@pytest.fixture(scope="module")
def index() -> Iterator[Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrate(connection, sorted(MIGRATIONS.glob("*.sql")))
        yield connection


TENANT = mark("tenant")


@pytest.mark.parametrize(
    ("words", "query"),
    [
        (["tea"], f'"{TENANT}tea"*'),
        (["green", "tea"], f'"{TENANT}green" "{TENANT}tea"*'),
        (["green", "te"], f'"{TENANT}green" "{TENANT}te"'),
    ],
)
def test_words_become_phrases_and_the_last_a_beginning(words: list[str], query: str) -> None:
    assert phrase("tenant", words) == query


@given(one=st.text(), other=st.text())
def test_no_mark_is_the_beginning_of_another(one: str, other: str) -> None:
    assert (mark(one) == mark(other)) == (one == other)
    assert (len(mark(one)), mark(one).isalnum(), mark(one)) == (10, True, mark(one).lower())


def test_every_word_stands_behind_the_mark_of_its_tenant() -> None:
    assert marked("tenant", "Green_tea, e-mail").split() == [
        TENANT + word for word in ("green", "tea", "e", "mail")
    ]
    assert marked("tenant", "?!") == ""


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


async def test_the_index_is_walked_for_words_of_the_tenant_alone(
    store: SqliteStore, stranger: Connection
) -> None:
    for tenant in ("mine", "theirs"):
        await begin(store, tenant, tenant=tenant, question="secret")
        await say(store, tenant, "words")
    stranger.execute("create virtual table temp.words using fts5vocab (main, said, row)")
    terms = [term for (term,) in stranger.execute("select term from words").fetchall()]
    assert sorted(terms) == sorted(
        mark(tenant) + word for tenant in ("mine", "theirs") for word in ("secret", "words")
    )


async def test_only_the_best_runs_are_read_for_their_snippets(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(50):
        await begin(store, f"run{number}")
        await say(store, f"run{number}", "milk")
    read: list[str] = []

    def hit(wanted: list[str], said: Said) -> Hit:
        read.append(said.run_id)
        return snippets.hit(wanted, said)

    monkeypatch.setattr(search, "hit", hit)
    assert len(await store.sessions.search(Search("tenant", "milk", limit=5))) == 5
    assert len(read) == 5


async def test_a_search_that_takes_too_long_is_given_up(store: SqliteStore) -> None:
    for number in range(200):
        await begin(store, f"run{number}")
        await say(store, f"run{number}", " ".join(f"word{number}x{n}" for n in range(50)))

    def hurried(connection: Connection) -> None:
        with pytest.raises(BadRequest, match="add a word") as caught:
            search.search(connection, Search("tenant", "wor"), seconds=-1)
        assert (caught.value.param, caught.value.code) == ("q", "search_too_broad")
        # The connection serves whoever comes next.
        (pairs,) = connection.execute("select count(*) from runs, runs as others").fetchone()
        assert pairs == 40_000
        assert search.search(connection, Search("tenant", "word7x7")) != ()

    await store.database.search(hurried)


async def test_the_statement_itself_is_broken_off(store: SqliteStore) -> None:
    for number in range(200):
        await begin(store, f"run{number}")
        await say(store, f"run{number}", f"word{number}")

    def hurried(connection: Connection) -> None:
        # Nothing is found, so there is nothing to show but the work of SQLite itself.
        with pytest.raises(BadRequest):
            search.search(connection, Search("tenant", "wor", user="nobody"), seconds=-1)

    await store.database.search(hurried)


def test_what_else_goes_wrong_is_not_the_fault_of_the_words() -> None:
    with (
        closing(sqlite3.connect(":memory:")) as empty,
        pytest.raises(sqlite3.OperationalError, match="said"),
    ):
        search.search(empty, Search("tenant", "words"))
