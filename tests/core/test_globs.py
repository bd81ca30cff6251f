import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.globs import glob, last_name
from angelia.errors import ToolError


@pytest.mark.parametrize(
    ("pattern", "fits", "not_fits"),
    [
        ("*.py", ("a.py", "x/y/a.py", ".py"), ("a.pyc", "a.py/b")),
        ("/*.py", ("a.py",), ("x/a.py",)),
        ("src/*.py", ("src/a.py",), ("src/x/a.py", "x/src/a.py")),
        ("src/**/*.py", ("src/a.py", "src/x/y/a.py"), ("a.py",)),
        ("**/x", ("x", "a/b/x"), ("ax",)),
        ("a/**", ("a/b", "a/b/c"), ("a", "b")),
        ("**", ("a", "a/b"), ()),
        ("?.t", ("a.t",), ("ab.t", "/.t")),
        ("[ab]", ("a", "x/b"), ("c", "ab")),
        ("[!ab]", ("c",), ("a", "b")),
        ("[a-c]x", ("bx",), ("dx", "-x")),
        ("*.{ts,tsx}", ("a.ts", "b/a.tsx"), ("a.js", "a.")),
        ("a,b", ("a,b",), ("a", "b")),
        ("[", ("[",), ("a",)),
        (r"\*", ("*",), ("a",)),
        ("a.b", ("a.b",), ("axb",)),
    ],
)
def test_what_a_glob_fits(pattern: str, fits: tuple[str, ...], not_fits: tuple[str, ...]) -> None:
    assert [path for path in fits if not glob(pattern).fullmatch(path)] == []
    assert [path for path in not_fits if glob(pattern).fullmatch(path)] == []


@pytest.mark.parametrize("pattern", ["{a", "a}", "[z-a]"])
def test_a_glob_that_is_none_is_an_error(pattern: str) -> None:
    with pytest.raises(ToolError, match="The glob"):
        glob(pattern)


@pytest.mark.parametrize(
    ("pattern", "name"),
    [("*.py", "*.py"), ("src/**/*.py", "*.py"), ("src/**", None), ("{a,b}", None), ("", None)],
)
def test_the_last_name_of_a_glob(pattern: str, name: str | None) -> None:
    assert last_name(pattern) == name


@given(st.text(max_size=20), st.text(max_size=20))
def test_any_text_is_a_glob_or_an_error(pattern: str, path: str) -> None:
    with contextlib.suppress(ToolError):
        glob(pattern).fullmatch(path)
