"""A reply under way: order is kept, calls are told apart, a call cut off is never a call."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from angelia.core.events import CallDelta, Delta, ReasoningDelta, TextDelta
from angelia.core.messages import (
    Assistant,
    Reasoning,
    Refusal,
    Reply,
    Seal,
    Text,
    ToolCall,
    ToolSpec,
    Usage,
)
from angelia.errors import UpstreamEmpty, UpstreamGarbled
from angelia.wire.draft import Draft
from angelia.wire.written.manner import Manner

KINDS = {"text": Text, "refusal": Refusal, "reasoning": Reasoning}
PROSE = st.lists(st.tuples(st.sampled_from(sorted(KINDS)), st.text()), min_size=1)
OBJECTS = st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5), max_size=3)


def say(draft: Draft, kind: str, text: str) -> Sequence[Delta]:
    shown = getattr(draft, kind)(text)
    return shown if isinstance(shown, tuple | list) else [shown] if shown else []


@given(PROSE)
def test_what_is_shown_is_what_is_kept_in_the_order_it_came(said: list[tuple[str, str]]) -> None:
    draft = Draft(Manner(think_tags="off"))
    shown = [delta for kind, text in said for delta in say(draft, kind, text)]
    assert "".join(delta.text for delta in shown) == "".join(text for _, text in said)
    if draft.silent:
        return
    parts = draft.reply().message.parts
    assert "".join(part.text for part in parts) == "".join(text for _, text in said)
    assert all(type(a) is not type(b) for a, b in pairwise(parts))


@given(st.lists(st.tuples(st.text("abc", min_size=1), OBJECTS, st.integers(1, 5)), min_size=1))
def test_calls_cut_anywhere_and_interleaved_come_out_whole(calls: list) -> None:
    draft = Draft()
    pieces = [
        (index, name, text[start : start + size], start == 0)
        for index, (name, value, size) in enumerate(calls)
        for text in [json.encode(value).decode()]
        for start in range(0, len(text), size)
    ]
    for index, name, piece, first in sorted(pieces, key=lambda piece: not piece[3]):
        draft.call(index, id=f"id_{index}" if first else None, name=name, arguments=piece)
    draft.finish = "tool_calls"
    expected = [
        ToolCall(f"id_{index}", name, json.encode(value).decode())
        for index, (name, value, _) in enumerate(calls)
    ]
    assert list(draft.reply().message.calls) == expected


def test_a_new_id_on_a_used_key_opens_a_new_call() -> None:
    draft = Draft()
    opened = [draft.call(0, id=id_, name="f", arguments="{}") for id_ in ("a", "b")]
    assert [delta.index for delta in opened] == [0, 1]
    assert [call.id for call in draft.reply().message.calls] == ["a", "b"]


def test_an_id_that_comes_late_names_the_call_under_way() -> None:
    draft = Draft()
    draft.call(0, name="f", arguments="{")
    draft.call(0, id="late", arguments="}")
    assert draft.reply().message.calls == (ToolCall("late", "f", "{}"),)


def test_names_are_set_and_not_added_up() -> None:
    draft = Draft()
    first = draft.call(0, id="a", name="search", arguments='{"q"')
    again = draft.call(0, id="a", name="search", arguments=":1}")
    assert (first.name, again.name) == ("search", None)
    assert draft.reply().message.calls[0].name == "search"


@pytest.mark.parametrize(("given_id", "kept"), [(7, "7"), (None, "call_0"), ("", "call_0")])
def test_every_call_has_an_id_of_text(given_id: int | str | None, kept: str) -> None:
    draft = Draft()
    assert draft.call(0, id=given_id, name="f") == CallDelta(0, "", id=kept, name="f")
    assert draft.reply().message.calls[0].id == kept


@pytest.mark.parametrize("arguments", ["", " ", "\n"])
def test_no_arguments_are_an_empty_object(arguments: str) -> None:
    draft = Draft()
    draft.call(0, name="f", arguments=arguments)
    draft.finish = "tool_calls"
    assert draft.reply().message.calls[0].arguments == "{}"


def test_text_after_a_call_keeps_its_place() -> None:
    draft = Draft()
    draft.text("before")
    draft.call(0, id="a", name="f", arguments="{}")
    draft.text("after")
    draft.call(0, arguments=" ")
    assert draft.reply().message.parts == (Text("before"), ToolCall("a", "f", "{} "), Text("after"))


@pytest.mark.parametrize("finish", [None, "length"])
def test_a_call_cut_off_inside_its_arguments_is_no_call(finish) -> None:
    draft = Draft()
    draft.call(0, id="a", name="write_file", arguments='{"path": "a')
    draft.finish = finish
    with pytest.raises(UpstreamGarbled, match="write_file"):
        draft.reply()


def test_a_call_that_the_provider_says_is_whole_is_left_to_the_tool() -> None:
    draft = Draft()
    draft.call(0, id="a", name="f", arguments="{broken")
    draft.finish = "tool_calls"
    assert draft.reply().message.calls[0].arguments == "{broken"


def test_a_call_without_a_name_is_noise() -> None:
    draft = Draft()
    draft.call(0, id="a", arguments="{}")
    draft.finish = "tool_calls"
    with pytest.raises(UpstreamGarbled, match="without a name"):
        draft.reply()


SEALED = Reasoning("", Seal("chat", "{}"))


@pytest.mark.parametrize(
    ("said", "message", "words"),
    [
        ([], (), "was empty"),
        ([("text", " \n")], (Text(" \n"),), "was empty"),
        ([("reasoning", "hm")], (Reasoning("hm"),), "thought and gave no answer"),
        ([("seal", SEALED.seal)], (SEALED,), "thought and gave no answer"),
        (
            [("reasoning", "hm"), ("text", "\n")],
            (Reasoning("hm"), Text("\n")),
            "thought and gave no answer",
        ),
        ([("text", "<think>hm</think>\n")], (Reasoning("hm"),), "thought and gave no answer"),
    ],
)
@pytest.mark.parametrize(("finish", "told"), [("stop", "stop"), ("tool_calls", "length")])
def test_without_a_word_or_a_call_there_is_no_answer(
    said: list, message: tuple, words: str, finish, told
) -> None:
    draft = Draft()
    draft.finish, draft.usage = finish, Usage(1, 2)
    for kind, text in said:
        getattr(draft, kind)(text)
    draft.close(clean=True)
    with pytest.raises(UpstreamEmpty, match=words) as caught:
        draft.reply()
    assert caught.value.reply == Reply(Assistant(message), told, Usage(1, 2))


def test_an_end_that_nobody_vouches_for_is_not_clean() -> None:
    with pytest.raises(UpstreamEmpty) as caught:
        Draft().reply()
    assert caught.value.reply == Reply(Assistant(()), "length")


def test_output_that_is_used_up_by_thinking_is_told() -> None:
    draft = Draft()
    draft.reasoning("hm")
    draft.finish = "length"
    with pytest.raises(UpstreamEmpty, match="used up its output on thinking"):
        draft.reply()


def test_a_refusal_is_an_answer() -> None:
    draft = Draft()
    draft.reasoning("hm")
    draft.refusal("No.")
    assert draft.reply().message.parts == (Reasoning("hm"), Refusal("No."))


# ── thoughts and calls in the text ──────────────────────────────────────────────────────────

WRITES_CALLS = Manner(text_calls=True, tools=(ToolSpec("list"),))


def test_a_thought_in_the_text_is_kept_as_one() -> None:
    draft = Draft()
    shown = [delta for text in ("<thi", "nk>h", "m</think>", "\nYes") for delta in draft.text(text)]
    assert shown == [ReasoningDelta("h"), ReasoningDelta("m"), TextDelta("Yes")]
    assert draft.reply().message.parts == (Reasoning("hm"), Text("Yes"))


def test_text_that_is_held_back_is_no_empty_answer() -> None:
    draft = Draft()
    assert draft.text("<") == []
    assert not draft.empty
    assert draft.close(clean=True) == [TextDelta("<")]
    assert draft.close(clean=True) == ()
    assert draft.reply().message.parts == (Text("<"),)


def test_text_that_is_held_back_keeps_its_place_before_a_call() -> None:
    draft = Draft()
    draft.text("<")
    assert draft.release() == [TextDelta("<")]
    draft.call(0, id="a", name="f", arguments="{}")
    draft.text("<think>")
    assert draft.reply().message.parts == (
        Text("<"),
        ToolCall("a", "f", "{}"),
        Text("<think>"),
    )


def test_tags_are_text_where_nobody_looks_for_them() -> None:
    draft = Draft(Manner(think_tags="off"))
    assert draft.text("<think>") == (TextDelta("<think>"),)


def test_a_block_that_is_open_from_the_start_is_not_looked_for_behind_a_thought() -> None:
    draft = Draft(Manner(think_tags="open"))
    draft.reasoning("hm")
    assert draft.text("Yes") == [TextDelta("Yes")]


def test_a_call_in_the_text_is_a_call() -> None:
    draft = Draft(WRITES_CALLS)
    shown = draft.text('So: <tool_call>{"name": "list", "arguments": {}}</tool_call>')
    assert shown == [TextDelta("So: "), CallDelta(0, "{}", id="call_0", name="list")]
    draft.finish = "stop"
    reply = draft.reply()
    assert reply.message.parts == (Text("So: "), ToolCall("call_0", "list", "{}"))
    assert reply.finish == "tool_calls"


def test_a_call_in_the_text_that_is_cut_off_is_no_call() -> None:
    draft = Draft(WRITES_CALLS)
    draft.text('<tool_call>{"name": "list", "arguments": {"a')
    draft.finish = "length"
    draft.close(clean=False)
    with pytest.raises(UpstreamGarbled, match="'list'"):
        draft.reply()


def test_a_model_without_tools_calls_none() -> None:
    draft = Draft(Manner(text_calls=True))
    text = '<tool_call>{"name": "list", "arguments": {}}</tool_call>'
    assert draft.text(text) == [TextDelta(text)]


def test_a_call_whose_arguments_are_whole_stands_though_the_output_was_used_up() -> None:
    draft = Draft()
    draft.call(0, id="a", name="f", arguments='{"a": 1}')
    draft.finish = "length"
    assert draft.reply().finish == "tool_calls"


def test_a_call_is_none_if_there_was_no_room_for_its_arguments() -> None:
    draft = Draft()
    draft.call(0, id="a", name="wipe")
    draft.finish = "length"
    with pytest.raises(UpstreamGarbled, match="wipe"):
        draft.reply()


def test_a_reply_with_calls_finishes_with_calls_whatever_the_provider_says() -> None:
    draft = Draft()
    draft.call(0, id="a", name="f", arguments="{}")
    draft.finish, draft.usage, draft.model = "stop", Usage(1, 2), "real-model"
    reply = draft.reply()
    assert (reply.finish, reply.usage, reply.model) == ("tool_calls", Usage(1, 2), "real-model")


def test_a_seal_closes_the_reasoning_it_belongs_to() -> None:
    draft = Draft()
    seal = Seal("chat", "{}")
    draft.reasoning("one")
    draft.seal(seal)
    draft.reasoning("two")
    draft.text("said")
    draft.seal(seal)
    parts = (Reasoning("one", seal), Reasoning("two"), Text("said"), Reasoning("", seal))
    assert draft.reply().message.parts == parts


def test_settled_arguments_replace_the_pieces_and_extras_stay_with_the_call() -> None:
    draft = Draft()
    draft.call("k", id="a", name="f", arguments="{")
    draft.settle_arguments("k", '{"x":1}')
    draft.extras("k", Seal("chat", '{"s":1}'))
    assert draft.reply().message.calls == (ToolCall("a", "f", '{"x":1}', Seal("chat", '{"s":1}')),)
