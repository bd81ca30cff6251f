import sqlite3
from collections.abc import Iterator
from contextlib import closing
from sqlite3 import Connection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.adapters.memory.search import matches
from angelia.adapters.sqlite.search import marked, phrase
from angelia.adapters.words import words

some_text = st.text("abAB éÉüßжЖ1_-.\u0301\U0001e900 ", max_size=12)


@pytest.fixture(scope="module")
def index() -> Iterator[Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute(
            "create virtual table said using fts5 (question, output, tokenize = 'ascii')"
        )
        yield connection


@given(question=some_text, output=some_text, wanted=some_text)
def test_what_is_found_is_what_the_index_of_sqlite_finds(
    index: Connection, question: str, output: str, wanted: str
) -> None:
    index.execute("delete from said")
    texts = (marked("t", question), marked("t", output))
    index.execute("insert into said values (?, ?)", texts)
    looked_for = list(words(wanted))
    if looked_for:
        query = phrase("t", looked_for)
        by_index = index.execute("select 1 from said(?)", (query,)).fetchone() is not None
        assert matches(looked_for, question, output) == by_index


@pytest.mark.parametrize(
    ("wanted", "found"),
    [(["te"], False), (["tea"], True), (["teapot"], True), (["tea", "te"], False), (["猫"], True)],
)
def test_the_beginning_of_a_word_must_not_be_too_short(wanted: list[str], found: bool) -> None:
    assert matches(wanted, "a teapot for my tea", "猫が好き") == found
