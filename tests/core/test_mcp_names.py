import re

from hypothesis import given
from hypothesis import strategies as st

from angelia.core.mcp_names import tool_names, toolset_of

FIT = re.compile(r"[A-Za-z0-9_-]{1,64}")


def test_names_that_fit_stay_as_they_are() -> None:
    assert toolset_of("git-hub") == "mcp__git-hub"
    assert tool_names("mcp__s", ("read", "write_it", "get-sum")) == {
        "read": "mcp__s__read",
        "write_it": "mcp__s__write_it",
        "get-sum": "mcp__s__get-sum",
    }


def test_of_names_that_become_alike_the_one_that_fits_keeps_its_own() -> None:
    names = tool_names("mcp__s", ("a.b", "a_b", "a/b"))
    assert names["a_b"] == "mcp__s__a_b"
    assert len(set(names.values())) == 3


def test_a_server_never_looks_like_a_part_of_another() -> None:
    assert toolset_of("a__b") == "mcp__a_b"
    assert toolset_of("__") == "mcp__server"


@given(st.text(), st.lists(st.text(max_size=200), unique=True, max_size=20))
def test_every_name_fits_and_none_is_given_twice(server: str, tools: list[str]) -> None:
    toolset = toolset_of(server)
    names = tool_names(toolset, tools)
    assert set(names) == set(tools)
    assert len(set(names.values())) == len(tools)
    assert all(FIT.fullmatch(name) and name.startswith(f"{toolset}__") for name in names.values())
    assert names == {tool: tool_names(toolset, reversed(tools))[tool] for tool in tools}
