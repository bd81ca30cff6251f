import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.adapters.workspace_paths import shown, steps
from angelia.errors import ToolError

ROOTS = ("/home/me/ws", "/mnt/ws")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (".", ()),
        ("", ()),
        ("a/b", ("a", "b")),
        ("./a//b/../c/", ("a", "c")),
        ("/home/me/ws", ()),
        ("/home/me/ws/a", ("a",)),
        ("/mnt/ws/x/../y", ("y",)),
        ("/mnt/../home/me/ws/y", ("y",)),
        ("..a/b..", ("..a", "b..")),
    ],
)
def test_the_steps_of_a_path(path: str, expected: tuple[str, ...]):
    assert steps(path, ROOTS) == expected


@pytest.mark.parametrize("path", ["..", "a/../..", "/", "/home/me", "/home/me/ws2", "/mnt/ws/.."])
def test_what_leads_out_is_named(path: str):
    with pytest.raises(ToolError, match="leads out of the workspace"):
        steps(path, ROOTS)


@given(st.text(alphabet="ab./\0") | st.text())
def test_steps_never_lead_anywhere_but_down(path: str):
    try:
        names = steps(path, ROOTS)
    except ToolError:
        return
    assert not {"", ".", ".."} & set(names)
    assert not any("/" in name or "\0" in name for name in names)


def test_a_long_path_is_shown_in_short():
    assert shown("x" * 10_000) == repr("x" * 200 + "…")


def test_depth_has_a_limit():
    assert len(steps("x/" * 100, ROOTS)) == 100
    with pytest.raises(ToolError, match="more than 100 folders deep"):
        steps("x/" * 101, ROOTS)
