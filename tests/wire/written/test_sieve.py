"""Text sorted into answer, thought and calls, in all three protocols alike."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec import json

from angelia.core.events import Delta, TextDelta
from angelia.core.messages import FinishReason, Reasoning, Refusal, Reply, Text, ToolCall, ToolSpec
from angelia.errors import UpstreamEmpty, UpstreamGarbled
from angelia.wire.anthropic import client as anthropic
from angelia.wire.chat import client as chat
from angelia.wire.responses import client as responses
from angelia.wire.sse import encode
from angelia.wire.written.manner import PLAIN, Manner
from tests.wire.streams import calls_of, framed, read, reasoning_of, text_of

WRITES_CALLS = Manner(text_calls=True, tools=(ToolSpec("list"),))
OPENED = Manner(think_tags="open")
TEXT = (
    '<think>\nhm\n</think>\n\nI look.\n<tool_call>\n{"name": "list", "arguments": {}}\n</tool_call>'
)

Came = tuple[list[Delta], Reply]
Ask = Callable[[Sequence[str], FinishReason, Manner], Came]


def chat_stream(pieces: Sequence[str], finish: FinishReason, manner: Manner) -> Came:
    choices = [{"delta": {"content": piece}} for piece in pieces]
    chunks = [{"choices": [choice]} for choice in (*choices, {"finish_reason": finish})]
    stream = b"".join(encode(json.encode(chunk)) for chunk in chunks)
    return read(chat.Reader(manner), stream + b"data: [DONE]\n\n")


def chat_whole(pieces: Sequence[str], finish: FinishReason, manner: Manner) -> Came:
    choice = {"message": {"content": "".join(pieces)}, "finish_reason": finish}
    return chat.whole(json.encode({"choices": [choice]}), manner)


def response(text: str, finish: FinishReason) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text}]
    reasons = {"length": "max_output_tokens", "content_filter": "content_filter"}
    return {
        "status": "completed" if finish == "stop" else "incomplete",
        "incomplete_details": {"reason": reasons[finish]} if finish in reasons else None,
        "output": [{"type": "message", "content": content}],
    }


def responses_stream(pieces: Sequence[str], finish: FinishReason, manner: Manner) -> Came:
    kind = "response.output_text.delta"
    deltas = [{"type": kind, "delta": piece} for piece in pieces]
    ended = response("".join(pieces), finish)
    last = {"type": f"response.{ended['status']}", "response": ended}
    item = {"type": "response.output_item.done", "item": ended["output"][0]}
    return read(responses.Reader(manner), framed([*deltas, item, last]))


def responses_whole(pieces: Sequence[str], finish: FinishReason, manner: Manner) -> Came:
    return responses.whole(json.encode(response("".join(pieces), finish)), manner)


STOPS = {
    "stop": "end_turn",
    "tool_calls": "tool_use",
    "length": "max_tokens",
    "content_filter": "refusal",
}


def anthropic_stream(pieces: Sequence[str], finish: FinishReason, manner: Manner) -> Came:
    begun = {"type": "content_block_start", "index": 0, "content_block": {"type": "text"}}
    deltas = [
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "text_delta", "text": piece},
        }
        for piece in pieces
    ]
    ends = [
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": STOPS[finish]}},
        {"type": "message_stop"},
    ]
    return read(anthropic.Reader(manner), framed([begun, *deltas, *ends]))


def anthropic_whole(pieces: Sequence[str], finish: FinishReason, manner: Manner) -> Came:
    content = [{"type": "text", "text": "".join(pieces)}]
    body = {"type": "message", "content": content, "stop_reason": STOPS[finish]}
    return anthropic.whole(json.encode(body), manner)


by_protocol = pytest.mark.parametrize(
    "ask",
    [
        chat_stream,
        chat_whole,
        responses_stream,
        responses_whole,
        anthropic_stream,
        anthropic_whole,
    ],
)


@by_protocol
def test_thoughts_and_calls_leave_the_text(ask: Ask) -> None:
    deltas, reply = ask(TEXT, "stop", WRITES_CALLS)
    assert reply.finish == "tool_calls"
    assert reply.message.parts == (
        Reasoning("hm\n"),
        Text("I look.\n"),
        ToolCall("call_0", "list", "{}"),
    )
    assert (reasoning_of(deltas), text_of(deltas)) == ("hm\n", "I look.\n")
    assert calls_of(deltas) == [("call_0", "list", "{}")]


@by_protocol
def test_calls_stay_text_for_a_model_that_is_not_marked(ask: Ask) -> None:
    deltas, reply = ask(TEXT, "stop", PLAIN)
    assert reply.message.calls == ()
    assert text_of(deltas) == reply.message.text == TEXT.partition("\n\n")[2]


@by_protocol
@pytest.mark.parametrize("text", ["<", "<thi", " \nx", "<b>"])
def test_what_was_held_back_is_shown_at_the_end(ask: Ask, text: str) -> None:
    deltas, reply = ask(text, "stop", WRITES_CALLS)
    assert text_of(deltas) == reply.message.text == text


@by_protocol
def test_a_text_that_begins_inside_a_thought_leaves_it(ask: Ask) -> None:
    deltas, reply = ask("hm</think>\nYes", "stop", OPENED)
    assert reply.message.parts == (Reasoning("hm"), Text("Yes"))
    assert (reasoning_of(deltas), text_of(deltas)) == ("hm", "Yes")


@by_protocol
def test_a_text_that_never_leaves_its_thought_is_still_an_answer(ask: Ask) -> None:
    deltas, reply = ask("Yes", "stop", OPENED)
    assert reply.message.parts == (Reasoning("Yes"), Text("Yes"))
    assert (reasoning_of(deltas), text_of(deltas)) == ("Yes", "Yes")


@by_protocol
@pytest.mark.parametrize(
    ("text", "finish", "manner", "clean"),
    [
        ("", "stop", PLAIN, True),
        (" \n", "stop", PLAIN, True),
        ("<think>hm</think>", "stop", PLAIN, True),
        ("<think>hm", "stop", PLAIN, True),
        ("<think>hm", "length", PLAIN, False),
        ("hm", "length", OPENED, False),
    ],
)
def test_thinking_alone_is_no_answer(
    ask: Ask, text: str, finish: FinishReason, manner: Manner, clean: bool
) -> None:
    with pytest.raises(UpstreamEmpty) as caught:
        ask(text, finish, manner)
    reply = caught.value.reply
    assert isinstance(reply, Reply)
    assert (reply.finish == "stop") is clean
    thought = [part.text for part in reply.message.parts if isinstance(part, Reasoning)]
    assert thought == (["hm"] if "hm" in text else [])


@by_protocol
def test_a_filter_that_left_nothing_but_thoughts_is_a_refusal(ask: Ask) -> None:
    deltas, reply = ask("<think>hm", "content_filter", PLAIN)
    thought, refusal = reply.message.parts
    assert thought == Reasoning("hm")
    assert isinstance(refusal, Refusal)
    assert text_of(deltas) == refusal.text


@by_protocol
def test_a_written_call_that_is_cut_off_is_named_and_not_made(ask: Ask) -> None:
    text = '<tool_call>{"name": "list", "arguments": {"path": "a'
    with pytest.raises(UpstreamGarbled, match="'list'"):
        ask(text, "length", WRITES_CALLS)


def native_chat() -> Came:
    call = {"index": 0, "id": "a", "function": {"name": "list", "arguments": "{}"}}
    deltas = [{"content": "<"}, {"tool_calls": [call]}]
    chunks = [{"choices": [{"delta": delta}]} for delta in deltas]
    last = {"choices": [{"finish_reason": "tool_calls"}]}
    return read(chat.Reader(), b"".join(encode(json.encode(chunk)) for chunk in (*chunks, last)))


def native_responses() -> Came:
    item = {"type": "function_call", "call_id": "a", "name": "list", "arguments": "{}"}
    events = [
        {"type": "response.output_text.delta", "delta": "<", "output_index": 0},
        {"type": "response.output_item.done", "item": item, "output_index": 1},
        {"type": "response.completed", "response": {"status": "completed"}},
    ]
    return read(responses.Reader(), framed(events))


def native_anthropic() -> Came:
    call = {"type": "tool_use", "id": "a", "name": "list", "input": {}}
    text = {"type": "text", "text": "<"}
    events = [
        {"type": "content_block_start", "index": 0, "content_block": text},
        {"type": "content_block_start", "index": 1, "content_block": call},
        {
            "type": "content_block_delta",
            "index": 1,
            "delta": {"type": "input_json_delta", "partial_json": "{}"},
        },
        {"type": "content_block_stop", "index": 1},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
        {"type": "message_stop"},
    ]
    return read(anthropic.Reader(), framed(events))


@pytest.mark.parametrize("came", [native_chat, native_responses, native_anthropic])
def test_text_that_is_held_back_comes_before_the_call_behind_it(came: Callable[[], Came]) -> None:
    deltas, reply = came()
    assert reply.message.parts == (Text("<"), ToolCall("a", "list", "{}"))
    assert isinstance(deltas[0], TextDelta)
    assert text_of(deltas) == "<"


@pytest.mark.parametrize("ask", [chat_stream, chat_whole, anthropic_stream, anthropic_whole])
def test_a_call_that_was_announced_and_never_came_is_no_clean_end(ask: Ask) -> None:
    with pytest.raises(UpstreamEmpty) as caught:
        ask("<think>hm</think>", "tool_calls", PLAIN)
    assert isinstance(caught.value.reply, Reply)
    assert caught.value.reply.finish == "length"
