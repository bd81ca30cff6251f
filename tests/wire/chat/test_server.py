"""Runs as chat completions: what we serve our own reader reads, and OpenAI's types accept."""

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import json
from openai.types.chat import ChatCompletion, ChatCompletionChunk

from angelia.core.approval_text import question
from angelia.core.events import (
    DELTA_TYPES,
    Asked,
    Cancelled,
    Completed,
    Entry,
    Exhausted,
    Failed,
    ModelReplied,
    ReasoningDelta,
    RunEnded,
    RunWaited,
    StepReset,
    TextDelta,
    ToolFinished,
    ToolStarted,
)
from angelia.core.messages import Assistant, Refusal, Reply, Text, ToolCall, Usage
from angelia.errors import IllegalTransition, UpstreamRefused
from angelia.wire.chat.client import Reader, whole
from angelia.wire.chat.dialects import Dialect
from angelia.wire.chat.server import Writer, complete
from angelia.wire.sse import Decoder, Event
from tests.wire.chat.runs import CLIENT_CALLS, STARTED, WAITING, entries, runs, step

DIALECTS = get_args(Dialect)


def writer(dialect: Dialect = "carrier", **options) -> Writer:
    return Writer(
        completion_id="chatcmpl-1",
        model="angelia",
        created=1,
        dialect=dialect,
        **{"include_usage": True, **options},
    )


def stream(log: list[Entry], dialect: Dialect = "carrier", **options) -> bytes:
    made = writer(dialect, **options)
    return made.open() + made.write(log)


def events(data: bytes) -> list[Event]:
    return Decoder().feed(data)


def chunks(data: bytes) -> list[dict]:
    return [json.decode(event.data) for event in events(data) if event.data != b"[DONE]"]


def answer(log: list[Entry]) -> bytes | Failed | Cancelled:
    return complete(log, completion_id="chatcmpl-1", model="angelia", created=1)


def content(data: bytes) -> str:
    deltas = [choice["delta"] for chunk in chunks(data) for choice in chunk.get("choices", [])]
    return "".join(delta.get("content") or "" for delta in deltas)


def standing(log: list[Entry]) -> list[Entry]:
    """Without what became void."""
    kept: list[Entry] = []
    settled = 0
    for entry in log:
        kept.append(entry)
        if isinstance(entry.event, StepReset):
            del kept[settled:]
        elif not isinstance(entry.event, DELTA_TYPES):
            settled = len(kept)
    return kept


def ended_well(log: list[Entry]) -> bool:
    last = log[-1].event
    return not isinstance(last, RunEnded) or isinstance(last.ending, Completed | Exhausted)


# ── properties ──────────────────────────────────────────────────────────────────────────────


@given(runs(), st.sampled_from(DIALECTS))
def test_what_we_serve_we_can_read(log: list[Entry], dialect: Dialect) -> None:
    data = stream(log, dialect)
    reader, deltas = Reader(), []
    if not ended_well(log):
        with pytest.raises(UpstreamRefused):
            [reader.feed(event) for event in events(data)]
        return
    for event in events(data):
        deltas += reader.feed(event)
    assert reader.done
    shown = [delta.text for delta in deltas if isinstance(delta, TextDelta)]
    thought = [delta.text for delta in deltas if isinstance(delta, ReasoningDelta)]
    whole_answer = answer(log)
    assert isinstance(whole_answer, bytes)
    message = json.decode(whole_answer)["choices"][0]["message"]
    if standing(log) == log:
        assert "".join(shown) == (message["content"] or "")
        assert "".join(thought) == message.get("reasoning_content", "")
    reply = reader.finish()
    replies = [entry.event.reply for entry in log if isinstance(entry.event, ModelReplied)]
    assert reply.usage is not None
    assert reply.usage.total == 15 * len(replies)
    last = log[-1].event
    if isinstance(last, RunEnded):
        assert reply.message.calls == ()
    else:
        assert reply.message.calls == CLIENT_CALLS
        assert reply.finish == "tool_calls"


@given(runs())
def test_the_whole_answer_is_the_stream_folded_but_for_what_became_void(log: list[Entry]) -> None:
    answered = answer(log)
    if not ended_well(log):
        assert answered == log[-1].event.ending
        return
    assert isinstance(answered, bytes)
    reader = Reader()
    for event in events(stream(standing(log), "off")):
        reader.feed(event)
    streamed, (_, folded) = reader.finish(), whole(answered)
    assert folded.message.text == streamed.message.text
    assert folded.message.calls == streamed.message.calls
    assert (folded.finish, folded.usage) == (streamed.finish, streamed.usage)
    ChatCompletion.model_validate_json(answered, strict=True)


@given(runs(), st.sampled_from(DIALECTS), st.lists(st.integers(0, 50), max_size=8))
def test_the_bytes_do_not_depend_on_how_entries_are_batched(
    log: list[Entry], dialect: Dialect, places: list[int]
) -> None:
    made = writer(dialect)
    written, start = made.open(), 0
    for end in [*sorted(place % len(log) for place in places), len(log)]:
        written += made.write(log[start:end])
        start = end
    assert written == stream(log, dialect)
    assert made.done


@given(runs(), st.sampled_from(["named", "carrier", "openwebui"]))
def test_every_visible_call_runs_once_and_completes_once_in_order(
    log: list[Entry], dialect: Dialect
) -> None:
    happened = [
        (entry.event.call_id, "running" if isinstance(entry.event, ToolStarted) else "completed")
        for entry in log
        if isinstance(entry.event, ToolStarted | ToolFinished)
        and not entry.event.name.startswith("_")
    ]
    payloads = [chunk.get("hermes.tool.progress", chunk) for chunk in chunks(stream(log, dialect))]
    shown = [(p["toolCallId"], p["status"]) for p in payloads if "toolCallId" in p]
    assert shown == happened


@given(runs(), st.sampled_from(DIALECTS))
@settings(max_examples=50)
def test_openais_own_types_accept_every_chunk(log: list[Entry], dialect: Dialect) -> None:
    data = stream(log, dialect)
    for chunk in chunks(data):
        if "error" in chunk:
            assert not ended_well(log)
            continue
        ChatCompletionChunk.model_validate_json(json.encode(chunk), strict=True)
        for choice in chunk["choices"]:
            assert choice["index"] == 0
            assert len(choice["delta"]) <= 1 or "role" in choice["delta"]
    assert data.endswith(b"data: [DONE]\n\n")
    assert b"\nid:" not in data
    assert b"\nretry:" not in data


@given(runs())
def test_facts_alone_show_the_same_final_text(log: list[Entry]) -> None:
    """Deltas may be dropped; a voided step is the only thing that leaves no trace."""
    if any(isinstance(entry.event, StepReset) for entry in log):
        return
    facts = [entry for entry in log if not isinstance(entry.event, DELTA_TYPES)]
    assert content(stream(facts, "off")) == content(stream(log, "off"))


# ── the order of a stream ───────────────────────────────────────────────────────────────────


def test_the_role_comes_at_once_and_the_usage_comes_last() -> None:
    log = entries(STARTED, *step(["Hel", "lo"], ["hm"]), RunEnded(Completed()))
    got = events(stream(log))
    assert got[-1].data == b"[DONE]"
    deltas = [json.decode(event.data) for event in got[:-1]]
    assert [chunk["choices"][0]["delta"] for chunk in deltas[:-1]] == [
        {"role": "assistant", "content": ""},
        {"reasoning_content": "hm"},
        {"content": "Hel"},
        {"content": "lo"},
        {},
    ]
    assert [chunk["choices"][0]["finish_reason"] for chunk in deltas[:-1]] == [
        *[None] * 4,
        "stop",
    ]
    assert deltas[-1]["choices"] == []
    assert deltas[-1]["usage"] == {
        "prompt_tokens": 10,
        "completion_tokens": 5,
        "total_tokens": 15,
        "prompt_tokens_details": {"cached_tokens": 3},
        "completion_tokens_details": {"reasoning_tokens": 2},
    }


def test_usage_and_reasoning_are_left_out_when_not_wanted() -> None:
    log = entries(STARTED, *step(["a"], ["hm"]), RunEnded(Completed()))
    data = stream(log, include_usage=False, reasoning=False)
    assert b"usage" not in data
    assert b"reasoning" not in data
    answered = complete(log, completion_id="c", model="m", created=1, reasoning=False)
    assert isinstance(answered, bytes)
    assert b"reasoning_content" not in answered


def test_a_blank_line_parts_the_texts_of_two_steps() -> None:
    call = ToolCall("c", "f", "{}")
    log = entries(*step(["one"], [], (call,)), *step([], [], (call,)), *step(["two", "!"]))
    assert content(stream(log)) == "one\n\ntwo!"


def test_no_blank_line_where_nothing_was_shown_before() -> None:
    log = entries(*step([], ["hm"], (ToolCall("c", "f", "{}"),)), *step(["two"]))
    assert content(stream(log)) == "two"


def test_what_follows_a_voided_step_starts_with_a_blank_line() -> None:
    log = entries(TextDelta("half a"), StepReset("stall"), *step(["whole"]))
    assert content(stream(log)) == "half a\n\nwhole"
    log = entries(StepReset("stall"), *step(["whole"]))
    assert content(stream(log)) == "whole"


def test_an_answer_in_one_body_has_nothing_that_became_void() -> None:
    void = (ReasoningDelta("hm"), TextDelta("half a"), StepReset("stall"))
    log = entries(*step(["first"]), *void, *step(["whole"]), RunEnded(Completed()))
    message = json.decode(answer(log))["choices"][0]["message"]
    assert message["content"] == "first\n\nwhole"
    assert "reasoning_content" not in message
    log = entries(*void, *step(["whole"]), RunEnded(Completed()))
    assert json.decode(answer(log))["choices"][0]["message"]["content"] == "whole"


def test_text_that_was_never_streamed_is_shown_with_the_reply() -> None:
    reply = Reply(Assistant((Text("all at once"),)), "stop")
    assert content(stream(entries(ModelReplied(reply)))) == "all at once"


# ── ends ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("ending", "finish"),
    [
        (Completed("stop"), "stop"),
        (Completed("length"), "length"),
        (Completed("content_filter"), "content_filter"),
        (Completed("tool_calls"), "stop"),
        (Exhausted("max_steps"), "length"),
    ],
)
def test_finish_reasons(ending: Completed | Exhausted, finish: str) -> None:
    log = entries(*step(["a"]), RunEnded(ending))
    assert chunks(stream(log))[-2]["choices"][0]["finish_reason"] == finish
    answered = answer(log)
    assert isinstance(answered, bytes)
    assert json.decode(answered)["choices"][0]["finish_reason"] == finish


@pytest.mark.parametrize(
    ("ending", "error"),
    [
        (
            Failed("No answer.", "upstream_stalled"),
            {"message": "No answer.", "type": "upstream_error", "code": "upstream_stalled"},
        ),
        (
            Failed("Broken.", "internal"),
            {"message": "Broken.", "type": "server_error", "code": "internal"},
        ),
        (
            Failed("No such image.", "invalid_image_url"),
            {
                "message": "No such image.",
                "type": "invalid_request_error",
                "code": "invalid_image_url",
            },
        ),
        (
            Cancelled("user"),
            {"message": "The run was stopped.", "type": "conflict_error", "code": "run_cancelled"},
        ),
    ],
)
def test_a_run_that_failed_never_looks_like_one_that_completed(
    ending: Failed | Cancelled, error: dict
) -> None:
    log = entries(STARTED, TextDelta("half"), RunEnded(ending))
    data = stream(log)
    assert chunks(data)[-1] == {"error": {**error, "param": None}}
    assert data.endswith(b"data: [DONE]\n\n")
    assert b'"finish_reason":"' not in data
    assert answer(log) == ending


def test_the_clients_calls_are_handed_over_whole_and_those_of_the_server_are_not() -> None:
    server_call = ToolCall("call_s", "terminal", "{}")
    log = entries(*step(["a"], [], (server_call, *CLIENT_CALLS)), WAITING)
    got = chunks(stream(log))
    assert [chunk["choices"][0]["delta"] for chunk in got[2:4]] == [
        {
            "tool_calls": [
                {
                    "index": index,
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": call.arguments},
                }
            ]
        }
        for index, call in enumerate(CLIENT_CALLS)
    ]
    assert got[4]["choices"][0]["finish_reason"] == "tool_calls"
    assert b"call_s" not in stream(log)


def test_calls_without_text_have_null_content_in_a_whole_answer() -> None:
    answered = answer(entries(*step([], [], CLIENT_CALLS), WAITING))
    assert isinstance(answered, bytes)
    message = json.decode(answered)["choices"][0]["message"]
    assert message["content"] is None
    assert [call["id"] for call in message["tool_calls"]] == [call.id for call in CLIENT_CALLS]


ASKED = Asked("a1", "c", "send", "{}", "rm x", "It cannot be undone.", "7F3", 60.0, ("send rm",))


def test_a_person_is_asked_behind_a_blank_line_and_the_stream_ends_cleanly() -> None:
    made = writer(include_usage=True)
    seen = made.write(entries(*step(["Well."]), RunWaited("approval", ("c",), (ASKED,))))
    assert made.done
    chunks = [json.decode(line[6:]) for line in seen.split(b"\n\n") if line.startswith(b"data: {")]
    said = "".join(c["choices"][0]["delta"].get("content", "") for c in chunks if c["choices"])
    before, asked = said.split("\n\n", 1)
    assert before == "Well."
    assert asked == question((ASKED,))
    assert chunks[-2]["choices"][0]["finish_reason"] == "stop"
    assert "usage" in chunks[-1]
    assert seen.endswith(b"data: [DONE]\n\n")


def test_an_answer_in_one_piece_asks_in_the_same_words() -> None:
    log = entries(*step(["Well."]), RunWaited("approval", ("c",), (ASKED,)))
    whole = json.decode(complete(log, completion_id="i", model="m", created=0))
    assert whole["choices"][0]["message"]["content"] == f"Well.\n\n{question((ASKED,))}"
    assert whole["choices"][0]["finish_reason"] == "stop"


def test_nothing_is_written_after_the_end() -> None:
    made = writer()
    made.write(entries(*step(["a"]), RunEnded(Completed())))
    assert made.done
    assert made.write(entries(TextDelta("late"), RunEnded(Completed()))) == b""


def test_an_answer_of_a_run_that_goes_on_is_a_defect() -> None:
    with pytest.raises(IllegalTransition):
        answer(entries(*step(["a"])))


def test_a_refusal_is_content_and_refusal() -> None:
    reply = Reply(Assistant((Refusal("I can't"),)), "stop", Usage(1, 1))
    log = entries(TextDelta("I can't"), ModelReplied(reply), RunEnded(Completed()))
    answered = answer(log)
    assert isinstance(answered, bytes)
    message = json.decode(answered)["choices"][0]["message"]
    assert (message["content"], message["refusal"]) == ("I can't", "I can't")


# ── limits of clients ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("character", ["x", "é", "😀", "\x01", '"', "\n"])
def test_no_line_is_longer_than_clients_can_read(character: str) -> None:
    text = character * 70_000
    calls = (ToolCall("call_c_0", "mine", "{" + text),)
    failed = Failed(text, "x")
    waiting = RunWaited("client_tools", ("call_c_0",))
    for log in (
        entries(*step([text], [text], calls), waiting),
        entries(*step(["a"]), RunEnded(failed)),
    ):
        data = stream(log)
        assert max(map(len, data.split(b"\n"))) < 64 * 1024
    reader = Reader()
    for event in events(stream(entries(*step([text], [], calls), waiting))):
        reader.feed(event)
    reply = reader.finish()
    assert reply.message.text == text
    assert reply.message.calls == calls


@given(st.text(min_size=1))
def test_any_text_is_one_chunk(text: str) -> None:
    made = writer()
    (event,) = events(made.write(entries(TextDelta(text))))
    assert json.decode(event.data)["choices"][0]["delta"]["content"] == text
