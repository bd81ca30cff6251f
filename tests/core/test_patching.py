import contextlib

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from angelia.core.patching import Patched, replaced
from angelia.errors import ToolError

CODE = "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n"


@pytest.mark.parametrize(
    ("text", "old", "new", "result", "manner"),
    [
        ("a\nb\nc\n", "b", "x", "a\nx\nc\n", ""),
        ("a\nb", "b", "x", "a\nx", ""),
        ("a\r\nb\r\nc\r\n", "b\nc", "x\ny", "a\r\nx\r\ny\r\n", ""),
        ("a\r\nb\r\nc", "b", "x\ny", "a\r\nx\r\ny\r\nc", ""),
        ("a\nb\n", "a\r\nb", "x\r\ny", "x\ny\n", ""),
        ("a\nb\r\nc\nd\n", "c", "x\ny", "a\nb\r\nx\ny\nd\n", ""),
        ("f():  \n  pass\n", "f():\n  pass\n", "g():\n  pass\n", "g():\n  pass\n", "trailing"),
        (
            CODE,
            "def f(self):\n    return 1\n",
            "def f(self):\n    x = 1\n    return x\n",
            CODE.replace("return 1", "x = 1\n        return x"),
            "indentation",
        ),
        (
            "if x:\n\treturn  1\n",
            "if x:\n\treturn 1",
            "if x:\n\treturn 2",
            "if x:\n\treturn 2\n",
            "loose",
        ),
        ("say “hi”\n", 'say "hi"', "say no", "say no\n", "loose"),
        (
            "alpha beta gamma delta\nfoo bar is here\nbaz qux is here\nend of all\n",
            "alpha beta gamma delt\nfoo bar is here\nbaz qux is here\nend of all\n",
            "alpha beta gamma delt\nfoo bar is here\nCHANGED\nend of all\n",
            "alpha beta gamma delta\nfoo bar is here\nCHANGED\nend of all\n",
            "similar",
        ),
        ("a  \nb\nc", "a\nb\n", "", "c", "trailing"),
    ],
)
def test_a_piece_is_replaced_where_it_plainly_stands(
    text: str, old: str, new: str, result: str, manner: str
) -> None:
    patched = replaced(text, old, new)
    assert (patched.text, patched.places) == (result, 1)
    manners = {
        "": "",
        "trailing": "white space at the ends of lines differs",
        "indentation": "indentation differs",
        "loose": "white space or typography differs",
        "similar": "some lines differ a little",
    }
    assert patched.manner == manners[manner]


@pytest.mark.parametrize(
    ("text", "old", "new", "message"),
    [
        ("a\na\n", "a", "b", "'old' fits in 2 places (lines 1, 2). Give more"),
        ("aaa", "aa", "b", "'old' fits in 2 places (lines 1, 1). Give more"),
        ("x \nx  \n", "x\n", "y\n", "'old' fits in 2 places (lines 1, 2). Give more"),
        ("a\n", "", "b", "'old' is empty"),
        ("a\n", "a", "a", "'old' and 'new' are the same"),
        ("a\r\n", "a\n", "a\r\n", "'old' and 'new' are the same"),
        ("", "a", "b", "'old' was not found: the file is empty."),
        ("one\ntwo\n", "completely else", "b", "'old' was not found in the file, which has 3"),
    ],
)
def test_what_is_not_plain_is_refused(text: str, old: str, new: str, message: str) -> None:
    with pytest.raises(ToolError) as caught:
        replaced(text, old, new)
    assert str(caught.value).startswith(message)


def test_the_nearest_place_is_shown_with_its_lines() -> None:
    with pytest.raises(ToolError) as caught:
        replaced(CODE, "    def g(self):\n        return 5 + 5 - 8 * self.other\n", "x")
    assert str(caught.value) == (
        "'old' was not found. The nearest place begins at line 5:\n"
        "     5\t    def g(self):\n"
        "     6\t        return 2"
    )


def test_every_place_is_replaced_on_request() -> None:
    assert replaced("a b a\na", "a", "c", every=True) == Patched("c b c\nc", 3)
    assert replaced("x \ny\nx  \n", "x\n", "z\n", every=True).text == "z\ny\nz\n"


def test_places_that_are_only_similar_are_never_all_meant() -> None:
    block = "alpha beta gamma {}\nfoo bar is here\nbaz qux is here\n"
    text = block.format("one") + block.format("two")
    with pytest.raises(ToolError, match="fits in 2 places"):
        replaced(text, block.format("twe"), "x\n", every=True)


words = st.text(st.sampled_from("ab \n\tx"), max_size=30)


@given(words, words, words, words)
def test_a_unique_exact_replacement_is_that_of_strings(
    before: str, old: str, after: str, new: str
) -> None:
    old, text = f"<{old}>", f"{before}<{old}>{after}"
    assume(old != new)
    assert replaced(text, old, new).text == text.replace(old, new)


@given(st.lists(st.text(st.sampled_from("ab \t"), max_size=6), min_size=1), st.data())
def test_other_lines_are_never_touched(lines: list[str], data: st.DataObject) -> None:
    """Whatever manner it is found in."""
    first = data.draw(st.integers(0, len(lines) - 1))
    last = data.draw(st.integers(first, len(lines) - 1))
    shift = data.draw(st.sampled_from(["", "  ", "\t"]))
    old = "\n".join(shift + line.rstrip() for line in lines[first : last + 1])
    text = "\n".join(lines)
    try:
        patched = replaced(text, old, "NEW")
    except ToolError:
        return
    before, _, after = patched.text.partition("NEW")
    assert text.startswith(before)
    assert text.endswith(after)


@given(st.lists(st.text("ab", max_size=3)), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_line_endings_and_the_last_one_stay(lines: list[str], ending: str, ended: bool) -> None:
    text = ending.join(("needle", *lines, "end")) + (ending if ended else "")
    patched = replaced(text, "needle", "one\ntwo").text
    assert patched == text.replace("needle", f"one{ending}two" if ending in text else "one\ntwo")


@given(st.text(max_size=200), st.text(max_size=50), st.text(max_size=50), st.booleans())
def test_anything_is_replaced_or_refused(text: str, old: str, new: str, every: bool) -> None:
    with contextlib.suppress(ToolError):
        assert replaced(text, old, new, every=every).places >= 1
