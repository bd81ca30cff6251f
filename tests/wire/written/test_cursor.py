"""Steps through a text that is still coming: what succeeds does so whatever comes behind."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from angelia.wire.written.cursor import Cursor, Other, Short

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
).filter(lambda value: isinstance(value, dict | list))


@given(VALUES, st.text(), st.booleans())
def test_an_object_ends_where_it_ends(value: dict | list, behind: str, indented: bool) -> None:
    encoded = json.encode(value)
    text = (json.format(encoded) if indented else encoded).decode()
    cursor = Cursor(f"x{text}{behind}", 1)
    assert (cursor.json(), cursor.at) == (text, 1 + len(text))


@given(VALUES, st.data())
def test_an_object_that_is_cut_is_too_short(value: dict | list, data: st.DataObject) -> None:
    text = json.encode(value).decode()
    cursor = Cursor(text[: data.draw(st.integers(0, len(text) - 1))])
    with pytest.raises(Short):
        cursor.json()
    assert cursor.at == 0


@pytest.mark.parametrize("text", ["x", '"a"', "{'a'}", '{"a": 1</tool_call>', "}"])
def test_what_cannot_be_an_object_is_something_else(text: str) -> None:
    with pytest.raises(Other):
        Cursor(text).json()


@pytest.mark.parametrize(
    ("text", "ended", "closed", "at"),
    [
        ("</a>b", False, True, 4),
        (" \n</a>b", False, True, 6),
        (" b", False, False, 0),
        (" </", True, True, 3),
        (" ", True, True, 1),
        ("", True, True, 0),
    ],
)
def test_a_closing_word_may_be_there_or_not(text: str, ended: bool, closed: bool, at: int) -> None:
    cursor = Cursor(text, ended=ended)
    assert (cursor.close("</a>"), cursor.at) == (closed, at)


@pytest.mark.parametrize("text", ["", " ", " </"])
def test_a_closing_word_may_still_come(text: str) -> None:
    with pytest.raises(Short):
        Cursor(text).close("</a>")


def test_a_word_ends_at_what_cannot_be_part_of_one() -> None:
    cursor = Cursor("read.file-1>")
    assert cursor.word() == "read.file-1"
    with pytest.raises(Other):
        cursor.word()
    with pytest.raises(Short):
        Cursor("read").word()


def test_one_of_some_words_is_taken() -> None:
    cursor = Cursor("<b>c")
    assert cursor.sees("<a>", "<b>")
    assert cursor.take("<a>") is None
    assert cursor.expect("<a>", "<b>") == "<b>"
    with pytest.raises(Other):
        cursor.expect("<a>")
    with pytest.raises(Short):
        Cursor("<").take("<a>")


def test_the_end_is_not_known_before_it_is_said() -> None:
    assert not Cursor("a").at_end
    assert Cursor("", ended=True).at_end
    with pytest.raises(Short):
        _ = Cursor("").at_end


def test_what_stands_before_a_word_is_read_with_it() -> None:
    cursor = Cursor("abc|d")
    assert (cursor.until("|"), cursor.at) == ("abc", 4)
    with pytest.raises(Short):
        cursor.until("|")
