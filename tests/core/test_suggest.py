"""A name that does not exist is answered with those that do."""

from hypothesis import given
from hypothesis import strategies as st

from angelia.core.suggest import unknown_tool


def test_the_nearest_name_is_suggested() -> None:
    said = unknown_tool("read_fil", ["terminal", "read_file"])
    assert "Did you mean 'read_file'?" in said
    assert "Available: terminal, read_file." in said


def test_without_tools_nothing_is_suggested() -> None:
    assert unknown_tool("x", []) == "There is no tool 'x'. Available: none."


@given(st.text(), st.lists(st.text(max_size=10), max_size=4))
def test_any_name_gets_an_answer_of_bounded_length(name, names) -> None:
    assert len(unknown_tool(name, names)) < 1_200
