import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.diffs import NO_NEWLINE, shortened, unified


@pytest.mark.parametrize(
    ("before", "after", "diff"),
    [
        ("a\nb\n", "a\nc\n", "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"),
        (None, "a\n", "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n"),
        ("a\n", None, "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"),
        ("a", "a\n", f"--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n{NO_NEWLINE}\n+a\n"),
        (None, "", "--- /dev/null\n+++ b/f\n"),
        ("a\n", "a\n", ""),
        (None, None, ""),
    ],
)
def test_a_diff_is_unified(before: str | None, after: str | None, diff: str) -> None:
    assert unified("f", before, after) == diff


def test_endless_texts_are_told_by_their_length() -> None:
    assert "[20,001 lines became 0]" in unified("f", "a\n" * 20_001, "")


def test_a_long_diff_is_cut() -> None:
    diff = unified("f", None, "a\n" * 100)
    assert shortened(diff, 10).splitlines()[-1] == "[… 93 more lines of the diff …]"
    assert shortened(diff, 103) == diff


@given(st.text(), st.text())
def test_lines_that_came_and_went_make_up_the_difference(before: str, after: str) -> None:
    lines = unified("f", before, after).split("\n")[2:]
    came = sum(line.startswith("+") for line in lines)
    went = sum(line.startswith("-") for line in lines)
    assert came - went == count(after) - count(before)


def count(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n") if text else 0)
