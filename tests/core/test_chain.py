"""What counts as the same conversation, and where a resent one was seen before."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.approval_text import question
from angelia.core.chain import agrees, chain, chains, cut_off, prefixes, shown
from angelia.core.events import (
    ApprovalGiven,
    Asked,
    ClientReplied,
    ModelReplied,
    RunWaited,
    StepReset,
    TextDelta,
)
from angelia.core.messages import (
    Assistant,
    Image,
    Reasoning,
    Reply,
    System,
    Text,
    ToolCall,
    ToolResult,
    User,
    user,
)
from tests.core.transcripts import transcripts

TRUE = (
    user("what is in the file?"),
    Assistant((Reasoning("hm"), Text("Let me look."), ToolCall("c1", "read", "{}"))),
    ToolResult("c1", "42"),
    Assistant((Text("It says 42."),)),
)
VISIBLE = (user("what is in the file?"), Assistant((Text("Let me look.\n\nIt says 42."),)))


def test_tool_calls_results_and_reasoning_do_not_count() -> None:
    assert chain(TRUE, "") == chain(VISIBLE, "")


def test_space_and_what_a_frontend_draws_around_an_answer_do_not_count() -> None:
    drawn = '<details type="reasoning" done="true">hm</details>\nLet me look. It says  42. \n'
    assert chain((VISIBLE[0], Assistant((Text(drawn),))), "") == chain(TRUE, "")


def test_other_words_another_user_and_another_order_count() -> None:
    others = [
        chain((user("what is in the folder?"), VISIBLE[1]), ""),
        chain(VISIBLE, "somebody"),
        chain(VISIBLE[::-1], ""),
        chain((*VISIBLE, user("")), ""),
        chain((user("what is in"), user("the file?"), VISIBLE[1]), ""),
        chain((), ""),
    ]
    assert len({*others, chain(TRUE, "")}) == len(others) + 1


@given(transcripts, st.text())
def test_every_prefix_is_the_chain_of_that_many_messages(
    messages: tuple[object, ...], seed: str
) -> None:
    for prefix in prefixes(messages, seed):
        assert prefix.chain == chain(messages[: prefix.count], seed)
        assert isinstance(messages[prefix.count - 1], Assistant)
        assert prefix.count < len(messages)


def test_the_longest_prefix_comes_first() -> None:
    said = (*TRUE, user("and now?"), Assistant((Text("Still."),)), user("sure?"))
    assert [prefix.count for prefix in prefixes(said, "")] == [6, 4, 2]


def test_a_run_is_known_by_the_text_it_showed_even_if_that_was_void() -> None:
    reply = ModelReplied(Reply(Assistant((Text("It says 42."),)), "stop"))
    events = [TextDelta("It s"), StepReset("retry"), TextDelta("It says 42."), reply]
    assert "".join(map(str, shown(events))).split() == ["It", "s", "It", "says", "42."]
    resent = (VISIBLE[0], Assistant((Text("It s\n\nIt says 42."),)))
    assert chain(resent, "") in chains((VISIBLE[0],), 1, shown(events), "")


def test_a_reply_that_was_not_streamed_counts_as_shown() -> None:
    assert shown([ModelReplied(Reply(Assistant((Text("whole"),)), "stop"))])[0] == "whole"


def test_a_system_text_in_between_does_not_count() -> None:
    assert chain((System("be brief"), *VISIBLE), "") == chain(VISIBLE, "")


def test_what_is_cut_off_stands_behind_the_last_whole_reply_and_the_last_reset() -> None:
    reply = ModelReplied(Reply(Assistant((Text("whole"),)), "stop"))
    assert cut_off([TextDelta("a"), TextDelta("b")]) == "ab"
    assert cut_off([TextDelta("whole"), reply]) == ""
    assert cut_off([TextDelta("whole"), reply, TextDelta("ha")]) == "ha"
    assert cut_off([TextDelta("void"), StepReset("crash"), TextDelta("ha")]) == "ha"


@pytest.mark.parametrize(
    ("drawn", "left"),
    [
        ("a <details>x</details> b", "a b"),
        ("<details>1</details>a<details>2</details>", "a"),
        ("<think>x</think>a", "a"),
        ("<details>never closed", "<details>never closed"),
        ("</details>a", "</details>a"),
        ("<details>x<think>y</details>a</think>", "a</think>"),
        ("<think>open <details>x</details> b", "<think>open b"),
        ("<detailsx>a</detailsx>", "<detailsx>a</detailsx>"),
    ],
)
def test_only_what_is_closed_was_drawn(drawn: str, left: str) -> None:
    def said(text: str) -> str:
        return chain((user("?"), Assistant((Text(text),))), "")

    assert said(drawn) == said(left)


def test_boxes_that_are_never_closed_are_read_once() -> None:
    """So many of them take a moment, not a day."""
    text = "<details><think><details " * 100_000
    assert chain((user(text),), "") == chain((user(f" {text} "),), "")


def test_another_image_is_another_conversation() -> None:
    def shows(url: str) -> tuple[User, Assistant]:
        return User((Text("what is this?"), Image(url))), VISIBLE[1]

    chains = {chain(shows(url), "") for url in ("data:image/png;base64,AA", "http://a/b.png")}
    assert len(chains | {chain((user("what is this?"), VISIBLE[1]), "")}) == 3


def test_nobody_can_say_the_mark_of_a_turn() -> None:
    forged = (user("a\0assistant\0b"),)
    assert chain(forged, "") != chain((user("a"), Assistant((Text("b"),))), "")


def test_a_client_agrees_if_it_brings_no_result_that_is_not_known() -> None:
    assert agrees(VISIBLE, TRUE)
    assert agrees((*VISIBLE, ToolResult("other id", "42")), TRUE)
    assert not agrees((*VISIBLE, ToolResult("c1", "43")), TRUE)


@given(transcripts, st.integers(0, 20), st.text(), st.text())
def test_the_fingerprints_of_a_run_are_those_of_its_tellings(
    messages: tuple[object, ...], opening: int, shown_text: str, seed: str
) -> None:
    known = chains(messages, opening, shown_text, seed)
    told = {chain(messages, seed)}
    if shown_text.strip():
        before = messages[:opening]
        told.add(chain((*before, Assistant((Text(shown_text),))), seed))
        answers = [said for said in messages[opening:] if isinstance(said, Assistant)]
        told.add(chain((*before, *answers), seed))
    assert known[0] == chain(messages, seed)
    assert set(known) == told
    assert len(known) == len(set(known))


ASKED = (Asked("a1", "c1", "send", "{}", "to ann", "Why.", "7F3"),)


def test_what_a_person_was_asked_and_answered_is_part_of_what_was_shown() -> None:
    first = ModelReplied(Reply(Assistant((Text("Look."), ToolCall("c1", "send", "{}"))), "stop"))
    last = ModelReplied(Reply(Assistant((Text("Sent."),)), "stop"))
    events = [
        *(TextDelta("Look."), first, RunWaited("approval", ("c1",), ASKED)),
        *(ClientReplied((), (user("approve 7F3"),)), ApprovalGiven("a1", "once")),
        *(TextDelta("Sent."), last),
    ]
    asked = Assistant((Text(f"Look.\n\n{question(ASKED)}"),))
    opening = (user("send it"),)
    said = (*opening, first.reply.message)
    assert chain((*opening, asked), "") in chains(said, 1, shown(events[:3]), "")
    resent = (*opening, asked, user("approve 7F3"), Assistant((Text("Sent."),)))
    said = (*said, ToolResult("c1", "ok"), last.reply.message)
    assert chain(resent, "") in chains(said, 1, shown(events), "")
    # Without any text of its own, an answer is what was asked.
    assert chain((*opening, Assistant((Text(question(ASKED)),))), "") in chains(
        opening, 1, shown(events[2:3]), ""
    )
