"""What is an answer in a plain chat box, and above all what is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.approval_words import Given, read

ONE = ("7F3",)
TWO = ("7F3", "K2M")


def choices(answer: object) -> dict[str, str]:
    assert isinstance(answer, tuple), answer
    return {given.code: given.choice for given in answer}


@pytest.mark.parametrize(
    ("said", "choice"),
    [
        ("approve 7F3", "once"),
        ("Approve 7f3.", "once"),
        ("**approve** `7F3`", "once"),
        ("approve", "once"),
        ("approved", "once"),
        ("yes", "once"),
        ("Yes!", "once"),
        ("y", "once"),
        ("ok", "once"),
        ("okay", "once"),
        ("go ahead", "once"),
        ("Yes please", "once"),
        ("approve it", "once"),
        ("approve all", "once"),
        ("yes 7F3", "once"),
        ("approve 7F3 once", "once"),
        ("always", "always"),
        ("yes, always", "always"),
        ("approve 7F3 always", "always"),
        ("session", "session"),
        ("for this session", "session"),
        ("approve 7F3 session", "session"),
        ("approve 7F3 for this session", "session"),
        ("  approve\n7F3  ", "once"),
    ],
)
def test_these_words_approve(said: str, choice: str) -> None:
    assert choices(read(said, ONE)) == {"7F3": choice}


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("no", ""),
        ("No.", ""),
        ("n", ""),
        ("deny", ""),
        ("deny 7F3", ""),
        ("no, use staging", "use staging"),
        ("no use staging", "use staging"),
        ("No — use staging", "— use staging"),
        ("deny 7F3: too risky", "too risky"),
        ("deny 7F3 because it is Friday", "it is Friday"),
        ("Deny 7F3, and then run `rm x`", "and then run rm x"),
        ("don't", ""),
        ("no, approve 7F3", "approve 7F3"),
    ],
)
def test_these_words_deny_and_give_the_reason_as_it_was_written(said: str, reason: str) -> None:
    assert read(said, ONE) == (Given("7F3", "deny", reason),)


@pytest.mark.parametrize(
    "said",
    [
        "yes, but only on staging",
        "ok what does it do?",
        "ok?",
        "yes?",
        "sure thing",
        "approve the budget",
        "approve 7F3 if it is safe",
        "approve 7F3 unless it deletes something",
        "approve 7F3 and also rm -rf",
        "I approve 7F3",
        "please do not approve 7F3",
        "should I approve 7F3?",
        "what is 7F3?",
        "7F3",
        "yes and no",
        "nothing",
        "not now",
        "none of that",
        "now",
        "",
        "   ",
        "approve 7F3\n\nIgnore all that.",
        "yes " * 1000,
    ],
)
@pytest.mark.parametrize("codes", [ONE, TWO])
def test_these_words_are_no_answer(said: str, codes: tuple[str, ...]) -> None:
    assert read(said, codes) is None


@pytest.mark.parametrize("said", ["approve XYZ", "approve 9Z9", "deny 9Z9", "deny 9Z9: too risky"])
@pytest.mark.parametrize("codes", [ONE, TWO])
def test_a_code_that_is_not_pending_decides_nothing(said: str, codes: tuple[str, ...]) -> None:
    assert read(said, codes) == "unclear"


@pytest.mark.parametrize("said", ["yes", "ok", "always", "approve", "go ahead", "session"])
def test_a_yes_to_several_does_not_say_which(said: str) -> None:
    assert read(said, TWO) == "unclear"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("approve all", {"7F3": "once", "K2M": "once"}),
        ("approve all always", {"7F3": "always", "K2M": "always"}),
        ("approve 7F3", {"7F3": "once"}),
        ("approve 7F3 and deny K2M", {"7F3": "once", "K2M": "deny"}),
        ("approve 7F3, approve K2M session", {"7F3": "once", "K2M": "session"}),
        ("deny 7F3 and approve K2M", {"7F3": "deny", "K2M": "once"}),
        ("approve 7F3; deny K2M: too risky", {"7F3": "once", "K2M": "deny"}),
        ("no", {"7F3": "deny", "K2M": "deny"}),
        ("deny all", {"7F3": "deny", "K2M": "deny"}),
        ("no, use staging", {"7F3": "deny", "K2M": "deny"}),
    ],
)
def test_several_are_answered_by_their_codes(said: str, expected: dict[str, str]) -> None:
    assert choices(read(said, TWO)) == expected


words = st.sampled_from(
    [
        *("approve", "deny", "yes", "no", "ok", "and", ",", ";", "7F3", "K2M", "9Z9", "all", "it"),
        *("always", "session", "for this session", "but", "if", "?", "then", "rm", "please", "."),
    ]
)


@given(st.text() | st.lists(words, max_size=8).map(" ".join), st.sampled_from([(), ONE, TWO]))
def test_whatever_is_said_decides_about_what_is_asked_and_nothing_else(
    said: str, codes: tuple[str, ...]
) -> None:
    answer = read(said, codes)
    if isinstance(answer, tuple):
        assert {given.code for given in answer} <= set(codes)
        assert len({given.code for given in answer}) == len(answer)


@given(st.lists(words, min_size=1, max_size=6), st.sampled_from(["but", "if", "?", "then", "rm"]))
def test_a_yes_with_a_condition_is_never_one(before: list[str], condition: str) -> None:
    answer = read(" ".join([*before, condition]), TWO)
    approved = [g for g in answer if g.choice != "deny"] if isinstance(answer, tuple) else []
    denied = [g for g in answer if g.choice == "deny"] if isinstance(answer, tuple) else []
    # Only a reason for a no may hold such words.
    assert not approved or any(condition in given.reason for given in denied)


@given(st.text(min_size=1, max_size=40))
def test_words_behind_an_approval_make_it_none(tail: str) -> None:
    answer = read(f"approve 7F3 {tail} and this is a sentence", ONE)
    assert not (isinstance(answer, tuple) and any(g.choice != "deny" for g in answer))
