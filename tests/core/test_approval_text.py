"""What a person is asked in a plain chat box."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from angelia.core.approval_text import question, visible
from angelia.core.approval_words import read
from angelia.core.events import Asked

PUSH = Asked(
    approval_id="apr_1",
    call_id="c1",
    name="terminal",
    arguments="{}",
    label="git push origin main",
    reason="It reaches out to the network.",
    code="7F3",
    expires_at=1_000_000_000.0,
    covers=("terminal git push",),
)
OTHER = replace(PUSH, approval_id="apr_2", label="rm x", code="K2M", expires_at=None)


def test_one_question_says_what_why_how_and_until_when() -> None:
    text = question((PUSH,))
    assert "`terminal`: `git push origin main`" in text
    assert "It reaches out to the network." in text
    assert "`approve 7F3`" in text
    assert "`deny 7F3`" in text
    assert "`terminal git push`" in text
    assert "2001-09-09 01:46 UTC" in text


def test_several_are_listed_each_with_its_code() -> None:
    text = question((PUSH, OTHER))
    assert "7F3: `terminal`: `git push origin main`" in text
    assert "K2M: `terminal`: `rm x`" in text
    assert "approve all" in text


def test_several_say_what_is_agreed_to_for_longer() -> None:
    text = question((PUSH, replace(OTHER, covers=("terminal rm", "terminal git push"))))
    assert "not asked again about `terminal git push`, `terminal rm`." in text


def test_what_is_agreed_to_for_longer_hides_nothing() -> None:
    assert "rm\\u202e" in question((replace(PUSH, label="", covers=("terminal rm\u202e",)),))


def test_a_log_that_does_not_say_what_is_asked_says_that_it_waits() -> None:
    assert "approval" in question(())


@pytest.mark.parametrize("answer", ["approve 7F3", "approve 7F3 session", "approve 7F3 always"])
def test_every_answer_that_it_names_is_one(answer: str) -> None:
    assert f"`{answer}`" in question((PUSH,))
    assert read(answer, ("7F3",))


@pytest.mark.parametrize("label", ["a`b", "``` b ```", "one\ntwo", "x" * 500, "`" * 20])
def test_a_label_cannot_end_what_it_stands_in(label: str) -> None:
    text = question((replace(PUSH, label=label),))
    assert label in text


@given(st.text(max_size=300))
def test_nothing_is_hidden_from_whoever_agrees(label: str) -> None:
    shown = question((replace(PUSH, label=label),))
    assert all(mark.isprintable() or mark == "\n" for mark in shown)


def test_letters_that_turn_others_around_are_spelled_out() -> None:
    assert visible("rm \u202etxt.a\x1b[2K\n") == "rm \\u202etxt.a\\x1b[2K\n"


@given(st.text(max_size=300))
def test_the_same_question_has_the_same_words(label: str) -> None:
    asked = replace(PUSH, label=label)
    assert question((asked,)) == question((replace(asked),))
