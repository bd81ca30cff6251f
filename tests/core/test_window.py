"""What a model is shown of a conversation that is too long for it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from angelia.core.history import closed
from angelia.core.messages import (
    Assistant,
    Image,
    Prompt,
    System,
    Text,
    ToolCall,
    ToolResult,
    User,
    user,
)
from angelia.core.tokens import estimate
from angelia.core.window import (
    SHORT,
    SUMMARY,
    Digest,
    candidates,
    fitted,
    inherited,
    least,
    plan,
    shown,
)
from tests.core.transcripts import transcripts


def said(text: str) -> Assistant:
    return Assistant((Text(text),))


LONG = (user("a" * 400), said("b" * 400), user("c" * 400), said("d" * 400), user("e"))


def test_what_fits_stays_whole() -> None:
    prompt = Prompt("m", "", LONG)
    assert fitted(prompt, estimate(prompt)) == LONG


def test_the_oldest_turns_go_first_and_go_whole() -> None:
    prompt = Prompt("m", "", LONG)
    assert fitted(prompt, estimate(prompt) - 1) == LONG[2:]
    assert fitted(prompt, 20) == LONG[4:]


def test_the_last_turn_stays_however_long_it_is() -> None:
    assert fitted(Prompt("m", "", (*LONG[:4], user("f" * 9000))), 10) == (user("f" * 9000),)


@given(transcripts, st.integers(1, 400))
def test_a_fitted_conversation_is_an_end_of_the_whole_that_begins_with_a_person(
    messages: tuple[object, ...], tokens: int
) -> None:
    prompt = Prompt("m", "be kind", messages)
    kept = fitted(prompt, tokens)
    assert kept == messages[len(messages) - len(kept) :]
    if kept != messages:
        assert isinstance(kept[0], User)
    if estimate(prompt) > tokens and len(kept) == len(messages):
        later = messages[1:]
        assert all(
            isinstance(before, User)
            for before, here in zip(messages, later, strict=False)
            if isinstance(here, User)
        )


# ── digests ─────────────────────────────────────────────────────────────────────────────────

CALL = Assistant((ToolCall("c", "look", "{}"),))
LONG_RESULT = ToolResult("c", "head " + "x" * 5000 + " tail")


def test_without_a_digest_everything_is_shown_as_it_was_said() -> None:
    assert shown(LONG) == LONG
    assert shown((*LONG, CALL, LONG_RESULT))[-1] is LONG_RESULT


def test_an_old_result_keeps_its_head_and_tail_and_says_how_to_see_the_rest() -> None:
    said_before = (user("look"), CALL, LONG_RESULT, CALL, LONG_RESULT)
    told = shown(said_before, Digest(short=3))
    output = told[2].output
    assert len(output) < SHORT + 200
    assert output.startswith("head ")
    assert output.endswith(" tail")
    assert "call the tool again" in output
    assert told[3:] == said_before[3:]


SUMMED = f"{SUMMARY}\n\nThey talked."


@pytest.mark.parametrize(
    ("messages", "digest", "told"),
    [
        (
            (user("a"), said("b"), user("c"), said("d"), user("e")),
            Digest(0, 1, 4, "They talked."),
            (user("a"), said(SUMMED), user("e")),
        ),
        (
            (user("a"), said("b"), user("c"), said("d"), user("e")),
            Digest(0, 1, 3, "They talked."),
            (user(f"a\n\n{SUMMED}"), said("d"), user("e")),
        ),
        (
            (user("a"), said("b"), user("c"), said("d"), user("e")),
            Digest(0, 0, 4, "They talked."),
            (user(f"{SUMMED}\n\ne"),),
        ),
        (
            (user("a"), CALL, LONG_RESULT, said("d")),
            Digest(0, 0, 3, "They talked."),
            (user(SUMMED), said("d")),
        ),
        (
            (User((Image("https://x.org/a.png"),)), said("b"), said("d")),
            Digest(0, 1, 2, "They talked."),
            (User((Image("https://x.org/a.png"), Text(SUMMED))), said("d")),
        ),
        (
            (user("a"), System("rule"), said("b"), user("e")),
            Digest(0, 1, 3, "They talked."),
            (user("a"), System("rule"), said(SUMMED), user("e")),
        ),
    ],
)
def test_a_summary_stands_where_roles_stay_in_turns(messages, digest, told) -> None:
    assert shown(messages, digest) == told


digests = st.builds(Digest, st.integers(0, 9), st.integers(0, 4), st.integers(4, 9), st.just("s"))


@given(transcripts, digests, st.lists(st.sampled_from([user("more"), CALL]), max_size=3))
def test_more_words_leave_what_is_shown_as_it_is(messages, digest, more) -> None:
    if digest.end >= len(messages):
        return
    before = shown(messages, digest)
    assert shown((*messages, *more), digest)[: len(before)] == before


@given(transcripts, st.integers(0, 300))
def test_a_plan_tears_no_call_from_its_results_and_keeps_the_end(messages, aim) -> None:
    messages = closed(messages)
    prompt = Prompt("m", "be kind", messages)
    for found in candidates(prompt, Digest(), aim):
        end = found.digest.end
        if end:
            assert end < len(messages)
            assert not isinstance(messages[end], ToolResult)
            assert found.condense
        told = shown(messages, replace(found.digest, summary="s"))
        assert closed(told) == told
        if not isinstance(messages[-1], User | ToolResult):
            assert told[-1] == messages[-1]


@given(transcripts, st.integers(1, 200), st.integers(1, 200))
def test_a_plan_makes_the_prompt_shorter(messages, most, aim) -> None:
    prompt = Prompt("m", "be kind", messages)
    found = plan(prompt, Digest(), most, min(most, aim))
    if found is not None and not found.condense:
        assert found.after < found.before
        assert estimate(replace(prompt, messages=shown(messages, found.digest))) == found.after


def test_a_later_summary_holds_the_earlier_one() -> None:
    messages = tuple(m for n in range(20) for m in (user(f"{n} " + "w " * 99), said("x " * 99)))
    prompt = Prompt("m", "", (*messages, user("so?")))
    before = Digest(0, 1, 9, "Long ago.")
    found = plan(prompt, before, 900, 700)
    assert found is not None
    assert found.digest.end > 9
    assert found.condense[0] == System(f"{SUMMARY}\n\nLong ago.")
    assert found.condense[1:] == messages[9 : found.digest.end]
    assert found.task is None


def test_what_a_summary_would_only_make_longer_is_not_summarised() -> None:
    prompt = Prompt("m", "", (user("a"), said("b"), user("c"), said("d"), user("e")))
    assert plan(prompt, Digest(), 1, 1) is None


def test_a_digest_is_inherited_as_far_as_the_conversation_is_the_same() -> None:
    digest = Digest(4, 1, 3, "s")
    assert inherited(digest, LONG, (*LONG, user("more"))) == digest
    assert inherited(digest, LONG, LONG[:3]) == replace(digest, short=3)
    assert inherited(digest, LONG, (*LONG[:3], said("else"))) == replace(digest, short=3)
    assert inherited(digest, LONG, LONG[:2]) is None
    assert inherited(digest, LONG, (user("else"), *LONG[1:])) is None


def test_what_is_left_at_least_is_never_more_than_there_is() -> None:
    prompt = Prompt("m", "", (user("hi"),))
    assert least(prompt, Digest(), 10) == estimate(prompt)
    assert least(Prompt("m", "", (*LONG, user("so?"))), Digest(), 100) < estimate(
        Prompt("m", "", LONG)
    )
