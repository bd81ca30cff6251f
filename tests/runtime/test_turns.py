"""Whose turn it is."""

from hypothesis import given
from hypothesis import strategies as st

from angelia.runtime.turns import Turns

PLACE = ("key_1", "session")


def test_the_first_works_and_the_next_follows_when_it_leaves() -> None:
    turns = Turns()
    assert [turns.join(PLACE, run) for run in ("a", "b", "c")] == [True, False, False]
    assert turns.first(PLACE) == "a"
    assert turns.leave(PLACE, "a") == "b"
    assert turns.leave(PLACE, "b") == "c"
    assert turns.leave(PLACE, "c") is None
    assert turns.first(PLACE) is None


def test_one_that_leaves_while_it_waits_lets_nobody_begin() -> None:
    turns = Turns()
    for run in ("a", "b", "c"):
        turns.join(PLACE, run)
    assert turns.leave(PLACE, "b") is None
    assert turns.leave(PLACE, "a") == "c"


def test_places_know_nothing_of_each_other() -> None:
    turns = Turns()
    assert turns.join(PLACE, "a")
    assert turns.join(("key_2", "session"), "b")
    assert turns.join(("key_1", "other"), "c")
    assert turns.leave(("key_2", "session"), "a") is None
    assert turns.first(PLACE) == "a"


def test_leaving_twice_or_without_having_come_changes_nothing() -> None:
    turns = Turns()
    assert turns.leave(PLACE, "a") is None
    turns.join(PLACE, "a")
    turns.join(PLACE, "b")
    assert turns.leave(PLACE, "a") == "b"
    assert turns.leave(PLACE, "a") is None
    assert turns.first(PLACE) == "b"


@given(st.lists(st.tuples(st.booleans(), st.sampled_from("abcd"))))
def test_the_line_is_the_order_of_coming_without_those_who_left(
    steps: list[tuple[bool, str]],
) -> None:
    turns, line = Turns(), list[str]()
    for comes, run in steps:
        if comes and run not in line:
            line.append(run)
            assert turns.join(PLACE, run) == (line == [run])
        elif not comes:
            begins = line[1] if len(line) > 1 and line[0] == run else None
            assert turns.leave(PLACE, run) == begins
            line = [other for other in line if other != run]
        assert turns.first(PLACE) == (line[0] if line else None)
        assert turns.waiting == max(len(line) - 1, 0)
