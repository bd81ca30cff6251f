import sqlite3
from collections.abc import Iterator
from contextlib import closing
from sqlite3 import Connection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.adapters.memory.search import SNIPPET_WORDS, find, fold, matches, words
from angelia.adapters.sqlite.search import phrase

some_text = st.text("abAB éÉüßжЖ1_-.\u0301 ", max_size=12)


@pytest.fixture(scope="module")
def index() -> Iterator[Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute(
            "create virtual table said using fts5 "
            "(question, output, tokenize = 'unicode61 remove_diacritics 2')"
        )
        yield connection


@given(question=some_text, output=some_text, wanted=some_text)
def test_what_is_found_is_what_the_index_of_sqlite_finds(
    index: Connection, question: str, output: str, wanted: str
) -> None:
    index.execute("delete from said")
    index.execute("insert into said values (?, ?)", (question, output))
    query = phrase(wanted)
    by_index = bool(query) and index.execute("select 1 from said(?)", (query,)).fetchone()
    looked_for = words(wanted)
    assert (bool(looked_for) and matches(looked_for, question, output)) == bool(by_index)


@pytest.mark.parametrize(
    ("word", "folded"), [("Café", "cafe"), ("cafe\u0301", "cafe"), ("ÄÖÜ", "aou"), ("ЖУК", "жук")]
)
def test_accents_and_capitals_are_folded_away(word: str, folded: str) -> None:
    assert fold(word) == folded


def test_a_short_text_is_its_own_snippet() -> None:
    found = find(["tea"], "(Green tea,  black teapot!)")
    assert (found.count, found.snippet) == (2, "(Green «tea»,  black «teapot»!)")


@given(before=st.integers(0, 40), after=st.integers(0, 40))
def test_a_long_text_is_cut_around_the_first_hit(before: int, after: int) -> None:
    text = " ".join(["word"] * before + ["needle"] + ["word"] * after)
    snippet = find(["needle"], text).snippet
    assert "«needle»" in snippet
    assert len(words(snippet)) == min(before + after + 1, SNIPPET_WORDS)
    assert text.startswith(snippet.replace("«", "").replace("»", "").split("…")[0])


def test_a_text_without_a_hit_begins_where_it_begins() -> None:
    assert find(["tea"], "").snippet == ""
    assert find(["tea"], "milk").count == 0
