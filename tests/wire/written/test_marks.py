"""Words in a text that is cut anywhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.wire.written.marks import Marks

MARKS = Marks("<a>", "</a>", "[[x]]", "◁a▷")
SNIPPETS = st.lists(st.sampled_from(["<", "<a", "</a", "a>", "[", "[[x", "]]", "◁a", " ", "b"]))


def test_the_first_one_is_found() -> None:
    found = MARKS.find("b</a><a>")
    assert found is not None
    assert (found[0], found.start()) == ("</a>", 1)


@pytest.mark.parametrize(
    ("text", "settled"),
    [("", 0), ("b", 1), ("b<", 1), ("b</a", 1), ("<a b", 4), ("<a<", 2), ("[[", 0), ("[[[x", 1)],
)
def test_what_may_still_be_one_is_not_settled(text: str, settled: int) -> None:
    assert MARKS.settled(text) == settled


@given(SNIPPETS.map("".join), SNIPPETS.map("".join))
def test_none_ever_begins_in_what_is_settled(text: str, more: str) -> None:
    if MARKS.find(text):
        return
    found = MARKS.find(text + more)
    assert found is None or found.start() >= MARKS.settled(text)


@pytest.mark.parametrize(
    ("text", "may"), [("<", True), ("[[x]", True), ("<a>", False), ("b", False), ("<b", False)]
)
def test_a_text_may_start_with_one_or_not(text: str, may: bool) -> None:
    assert MARKS.may_start(text) is may
