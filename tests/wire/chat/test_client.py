"""Chat completions from a provider: what each oddity of a stream comes to."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from angelia.core.events import CallDelta, Delta, ReasoningDelta, TextDelta
from angelia.core.messages import Reasoning, Refusal, Reply, Seal, Text, ToolCall, Usage
from angelia.errors import UpstreamEmpty, UpstreamError, UpstreamGarbled, UpstreamRefused
from angelia.wire.chat.client import Reader, whole
from angelia.wire.sse import Decoder, Event, encode


def chunk(delta: dict | None = None, finish: str | None = None, **more) -> dict:
    choice = {"index": 0, "delta": delta or {}, "finish_reason": finish}
    return {"object": "chat.completion.chunk", "model": "real", "choices": [choice], **more}


def feed(reader: Reader, *chunks: dict | bytes) -> list[Delta]:
    data = [c if isinstance(c, bytes) else json.encode(c) for c in chunks]
    return [delta for piece in data for delta in reader.feed(Event(piece))]


def read(*chunks: dict | bytes) -> tuple[list[Delta], Reply]:
    reader = Reader()
    deltas = feed(reader, *chunks)
    return deltas, reader.finish()


def reply(*chunks: dict | bytes) -> Reply:
    return read(*chunks)[1]


def call(index: int | None = None, **fields) -> dict:
    function = {name: fields.pop(name) for name in ("name", "arguments") if name in fields}
    function |= fields.pop("in_function", {})
    entry = {"function": function, **fields}
    return entry if index is None else {"index": index, **entry}


def calls(*entries: dict, finish: str | None = None) -> dict:
    return chunk({"tool_calls": list(entries)}, finish)


DONE = b"[DONE]"
STOP = chunk(finish="stop")
CALLED = chunk(finish="tool_calls")


# ── text, reasoning, refusals ───────────────────────────────────────────────────────────────


def test_text_streams_and_is_kept() -> None:
    deltas, got = read(
        chunk({"role": "assistant", "content": ""}),
        chunk({"content": "Hel"}),
        chunk({"content": "lo"}),
        STOP,
        DONE,
    )
    assert deltas == [TextDelta("Hel"), TextDelta("lo")]
    assert got.message.parts == (Text("Hello"),)
    assert (got.finish, got.model, got.usage) == ("stop", "real", None)


@pytest.mark.parametrize(
    "delta",
    [
        {"reasoning_content": "hm", "content": None},
        {"reasoning": "hm"},
        {"reasoning_content": "hm", "reasoning": "hm"},
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]},
        {"content": [{"type": "thinking", "thinking": "hm"}]},
    ],
)
def test_reasoning_is_found_under_every_name(delta: dict) -> None:
    deltas, got = read(chunk(delta), chunk({"content": [{"type": "text", "text": "so"}]}), STOP)
    assert deltas == [ReasoningDelta("hm"), TextDelta("so")]
    assert got.message.parts == (Reasoning("hm"), Text("so"))


def test_a_refusal_is_shown_as_text_and_kept_apart() -> None:
    deltas, got = read(chunk({"refusal": "I can't", "content": None}), STOP)
    assert deltas == [TextDelta("I can't")]
    assert got.message.parts == (Refusal("I can't"),)


def test_reasoning_details_are_sealed_whole_behind_their_reasoning() -> None:
    def piece(text: str, **more) -> dict:
        detail = {"type": "reasoning.text", "text": text, "index": 0, "signature": None, **more}
        return chunk({"reasoning": text, "reasoning_details": [detail]})

    locked = {"type": "reasoning.encrypted", "data": "zz", "index": 1}
    got = reply(
        piece("a"),
        piece("b", signature="sig"),
        chunk({"content": "said", "reasoning_details": [locked]}),
        STOP,
    )
    thought, said = got.message.parts
    assert isinstance(thought, Reasoning)
    assert said == Text("said")
    assert thought.text == "ab"
    assert thought.seal is not None
    assert thought.seal.dialect == "chat"
    assert json.decode(thought.seal.data) == {
        "reasoning_details": [
            {"type": "reasoning.text", "text": "ab", "index": 0, "signature": "sig"},
            locked,
        ]
    }


def test_details_that_come_last_are_kept_too() -> None:
    got = reply(chunk({"content": "x"}), chunk({"reasoning_details": [{"type": "t"}]}), STOP)
    assert got.message.parts == (
        Text("x"),
        Reasoning("", Seal("chat", '{"reasoning_details":[{"type":"t"}]}')),
    )


# ── tool calls ──────────────────────────────────────────────────────────────────────────────


def test_calls_are_told_apart_by_index() -> None:
    deltas, got = read(
        calls(call(0, id="a", name="f", arguments="")),
        calls(call(1, id="b", name="g", arguments='{"y"')),
        calls(call(0, arguments='{"x":1}'), call(1, arguments=":2}")),
        CALLED,
    )
    assert deltas[0] == CallDelta(0, "", id="a", name="f")
    assert got.message.calls == (ToolCall("a", "f", '{"x":1}'), ToolCall("b", "g", '{"y":2}'))
    assert got.finish == "tool_calls"


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        # Every call under index 0, told apart by id alone.
        (
            [call(0, id="a", name="f", arguments="{}"), call(0, id="b", name="f", arguments="{}")],
            [("a", "f", "{}"), ("b", "f", "{}")],
        ),
        # No index at all.
        (
            [call(id="a", name="f", arguments="{"), call(id="a", arguments="}")],
            [("a", "f", "{}")],
        ),
        (
            [call(id="a", name="f", arguments='{"x"'), call(arguments=":1}")],
            [("a", "f", '{"x":1}')],
        ),
        (
            [call(id="a", name="f", arguments="{}"), call(id="b", name="f", arguments="{}")],
            [("a", "f", "{}"), ("b", "f", "{}")],
        ),
        # Neither index nor id.
        (
            [call(id="", name="f", arguments="{}"), call(id="", name="f", arguments="{}")],
            [("call_0", "f", "{}"), ("call_1", "f", "{}")],
        ),
        (
            [call(name="f", arguments="{"), call(name="g", arguments="{}"), call(arguments=" ")],
            [("call_0", "f", "{"), ("call_1", "g", "{} ")],
        ),
        ([call(name="f", arguments="{"), call(name="f", arguments="}")], [("call_0", "f", "{}")]),
        # Names that are sent again, ids that are numbers, arguments that are missing or null.
        (
            [call(0, id=7, name="f", arguments=None), call(0, id=7, name="f", arguments="")],
            [("7", "f", "{}")],
        ),
        ([call(0, name="f")], [("call_0", "f", "{}")]),
        # The object itself instead of its text.
        ([call(0, id="a", name="f", arguments={"x": 1})], [("a", "f", '{"x":1}')]),
        # An index that is text.
        (
            [call(name="f", arguments="{", index="0"), call(index="0", arguments="}")],
            [("call_0", "f", "{}")],
        ),
    ],
)
@pytest.mark.parametrize("together", [False, True])
def test_calls_of_every_provider_are_told_apart(
    entries: list[dict], expected: list[tuple[str, str, str]], together: bool
) -> None:
    chunks = [calls(*entries)] if together else [calls(entry) for entry in entries]
    got = reply(*chunks, CALLED)
    assert [(c.id, c.name, c.arguments) for c in got.message.calls] == expected


def test_unknown_fields_of_a_call_are_kept_verbatim() -> None:
    got = reply(
        calls(call(0, id="a", name="f", arguments="", extra_content={"google": {"sig": "A=="}})),
        calls(call(0, arguments="{}", in_function={"thought": 1.50}, extra_content=None)),
        CALLED,
    )
    extras = got.message.calls[0].extras
    assert extras is not None
    assert extras.dialect == "chat"
    assert extras.data == '{"extra_content":{"google":{"sig":"A=="}},"function":{"thought":1.5}}'


def test_extras_stay_with_their_own_call_when_the_index_is_reused() -> None:
    got = reply(
        calls(call(0, id="a", name="f", arguments="{}", extra_content=1)),
        calls(call(0, id="b", name="f", arguments="{}", other=2)),
        CALLED,
    )
    assert [c.extras and c.extras.data for c in got.message.calls] == [
        '{"extra_content":1}',
        '{"other":2}',
    ]


def test_text_that_comes_after_a_call_began_still_streams() -> None:
    deltas, got = read(
        calls(call(0, id="a", name="f", arguments="{")),
        chunk({"content": "by the way"}),
        calls(call(0, arguments="}")),
        CALLED,
    )
    assert TextDelta("by the way") in deltas
    assert got.message.parts == (ToolCall("a", "f", "{}"), Text("by the way"))


def test_the_old_function_call_is_a_call() -> None:
    got = reply(
        chunk({"function_call": {"name": "f", "arguments": "{"}}),
        chunk({"function_call": {"arguments": "}"}}),
        chunk(finish="function_call"),
    )
    assert got.message.calls == (ToolCall("call_0", "f", "{}"),)
    assert got.finish == "tool_calls"


def test_a_call_list_that_is_none_is_noise() -> None:
    with pytest.raises(UpstreamGarbled):
        read(chunk({"tool_calls": {"id": 1}}))
    assert reply(chunk({"tool_calls": None, "content": "x"}), STOP).message.text == "x"


# ── the end ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("stop", "stop"),
        ("length", "length"),
        ("content_filter", "content_filter"),
        ("function_call", "stop"),
        ("tool_calls", "stop"),
        ("eos", "stop"),
        ("max_tokens", "length"),
    ],
)
def test_finish_reasons_of_a_text(said: str, meant: str) -> None:
    assert reply(chunk({"content": "x"}), chunk(finish=said)).finish == meant


def test_a_stream_that_just_ends_was_cut_off() -> None:
    with pytest.raises(UpstreamGarbled, match="cut off"):
        read(chunk({"content": "x"}))


def test_done_without_a_finish_reason_is_an_end() -> None:
    assert reply(chunk({"content": "x"}), DONE).finish == "stop"
    called = reply(calls(call(0, id="a", name="f", arguments="{}")), DONE)
    assert called.finish == "tool_calls"


def test_done_in_the_middle_of_arguments_is_a_cut() -> None:
    with pytest.raises(UpstreamGarbled, match="arguments of 'f'"):
        read(calls(call(0, id="a", name="f", arguments='{"x')), DONE)


@pytest.mark.parametrize("chunks", [(), (DONE,), (STOP, DONE), (chunk({"content": None}), STOP)])
def test_an_empty_answer_is_none(chunks: tuple) -> None:
    with pytest.raises(UpstreamEmpty, match="empty"):
        read(*chunks)


def test_nothing_counts_after_done() -> None:
    reader = Reader()
    feed(reader, chunk({"content": "x"}), STOP, DONE)
    assert reader.done
    assert feed(reader, chunk({"content": "y"}), b"noise") == []
    assert reader.finish().message.text == "x"


COUNTS = {
    "prompt_tokens": 10,
    "completion_tokens": 5.0,
    "prompt_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 3},
    "completion_tokens_details": {"reasoning_tokens": 2},
}


@pytest.mark.parametrize(
    "ending",
    [
        [chunk(finish="stop", usage=COUNTS)],
        [STOP, {"choices": [], "usage": COUNTS}],
        [STOP, {"usage": COUNTS}],
        [chunk({}, usage={"prompt_tokens": 1}), chunk(finish="stop", usage=COUNTS)],
        [chunk(finish="stop", usage=COUNTS), {"choices": [], "usage": None}],
        [chunk(finish="stop", usage=COUNTS), {"choices": [], "usage": {}}],
    ],
)
def test_usage_is_found_wherever_it_comes(ending: list[dict]) -> None:
    assert reply(chunk({"content": "x"}), *ending).usage == Usage(10, 5, 4, 3, 2)


def test_cached_tokens_under_another_name() -> None:
    counts = {"prompt_tokens": 9, "completion_tokens": 1, "prompt_cache_hit_tokens": 8}
    got = reply(chunk({"content": "x"}), chunk(finish="stop", usage=counts))
    assert got.usage == Usage(9, 1, cached=8)


# ── errors ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            {"error": {"message": "Overloaded", "type": "overloaded_error"}},
            ("Overloaded", None, "overloaded_error", None),
        ),
        (
            {"error": {"message": "Bad gateway", "code": 502}, "choices": []},
            ("Bad gateway", 502, None, "502"),
        ),
        (
            {"error": {"message": "too long", "code": "context_length_exceeded"}},
            ("too long", None, None, "context_length_exceeded"),
        ),
        ({"error": "connection lost"}, ("connection lost", None, None, None)),
        ({"object": "error", "message": "bad", "code": 400}, ("bad", 400, None, "400")),
        (
            {"choices": [{"delta": {}, "error": {"message": "c", "code": 429}}]},
            ("c", 429, None, "429"),
        ),
    ],
)
def test_an_error_in_a_chunk_is_a_refusal(data: dict, said: tuple) -> None:
    with pytest.raises(UpstreamRefused) as caught:
        read(chunk({"content": "x"}), data)
    error = caught.value
    assert (error.message, error.status, error.their_type, error.their_code) == said


@pytest.mark.parametrize("nothing", [None, {}, "", False])
def test_an_error_that_says_nothing_is_none(nothing: object) -> None:
    assert reply(chunk({"content": "x"}, error=nothing), STOP).message.text == "x"


@pytest.mark.parametrize(
    "data", [b'{"message":"server overloaded"}', b'{"error":{"message":"server overloaded"}}']
)
def test_an_event_named_error_is_a_refusal(data: bytes) -> None:
    with pytest.raises(UpstreamRefused, match="server overloaded"):
        Reader().feed(Event(data, "error"))


def test_a_finish_reason_of_error_is_no_answer() -> None:
    with pytest.raises(UpstreamGarbled):
        read(chunk({"content": "x"}), chunk(finish="error"))


@pytest.mark.parametrize(
    "data", [b"{", b"noise", b'{"choices":3}', b"[" * 100_000, b'{"a":"\xff"}{']
)
def test_malformed_json_is_garbled(data: bytes) -> None:
    with pytest.raises(UpstreamGarbled):
        read(data)


def test_unknown_fields_and_events_and_blank_data_are_skipped() -> None:
    reader = Reader()
    assert reader.feed(Event(b"pong", "ping")) == []
    assert reader.feed(Event(b"")) == []
    assert feed(reader, chunk({"content": "x", "new": {"a": 1}}, novel=[1])) == [TextDelta("x")]
    assert feed(reader, {"choices": [], "prompt_filter_results": []}, {}) == []


# ── properties ──────────────────────────────────────────────────────────────────────────────

WHOLE = {
    "id": "x",
    "model": "real",
    "choices": [
        {
            "index": 0,
            "message": {
                "role": "assistant",
                "reasoning_content": "hm",
                "content": "hello",
                "tool_calls": [
                    call(id="a", type="function", name="f", arguments='{"x":1}', extra_content=1),
                    call(id="b", type="function", name="f", arguments=""),
                ],
            },
            "finish_reason": "tool_calls",
        }
    ],
    "usage": COUNTS,
}


def test_a_whole_answer_and_a_stream_are_read_to_the_same_values() -> None:
    deltas, got = whole(json.encode(WHOLE))
    streamed_deltas, streamed = read(
        chunk({"reasoning_content": "hm"}),
        chunk({"content": "hello"}),
        calls(call(0, id="a", name="f", arguments='{"x":1}', extra_content=1)),
        calls(call(1, id="b", name="f", arguments="")),
        chunk(finish="tool_calls", usage=COUNTS),
    )
    assert got == streamed
    assert deltas == streamed_deltas


def test_calls_of_a_whole_answer_need_no_ids() -> None:
    message = {"tool_calls": [call(name="f", arguments=""), call(name="f", arguments="")]}
    body = {"choices": [{"message": message, "finish_reason": "stop"}]}
    _, got = whole(json.encode(body))
    assert [c.id for c in got.message.calls] == ["call_0", "call_1"]


def test_a_whole_answer_inside_a_stream_is_read_once() -> None:
    message = {"choices": [{"message": {"content": "hello"}, "finish_reason": "stop"}]}
    assert reply(message, message).message.text == "hello"


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b'{"error":{"message":"x","code":500}}', UpstreamRefused),
        (b"<html>", UpstreamGarbled),
        (b"{}", UpstreamGarbled),
        (b'{"choices":[]}', UpstreamGarbled),
    ],
)
def test_a_whole_answer_that_is_none(body: bytes, error: type[UpstreamError]) -> None:
    with pytest.raises(error):
        whole(body)


PIECES = st.sampled_from(
    [
        chunk({"content": "é😀"}),
        chunk({"reasoning_content": "hm"}),
        calls(call(0, id="a", name="f", arguments="{")),
        calls(call(0, arguments="}")),
        calls(call(id="b", name="g", arguments="{}")),
        STOP,
        {"choices": [], "usage": COUNTS},
        {"error": {"message": "x"}},
        {"choices": [{"delta": None}]},
        {"choices": [{"delta": {"tool_calls": [{}]}}]},
        {"choices": [{"delta": {"content": []}, "finish_reason": 3}]},
    ]
)


@given(st.lists(PIECES, max_size=8), st.binary(max_size=20), st.integers(0, 2000))
def test_any_stream_ends_in_a_reply_or_an_upstream_error(
    pieces: list[dict], noise: bytes, place: int
) -> None:
    stream = b"".join(encode(json.encode(piece)) for piece in pieces)
    stream = stream[:place] + noise + stream[place:]
    decoder, reader = Decoder(), Reader()
    with contextlib.suppress(UpstreamError):
        for event in decoder.feed(stream) + decoder.close():
            reader.feed(event)
        assert reader.finish().message.parts


@given(st.lists(st.text(min_size=1), min_size=1), st.lists(st.integers(0, 5000)))
def test_text_does_not_depend_on_where_bytes_are_cut(texts: list[str], places: list[int]) -> None:
    # The first word is held back until it is clear that no thought begins with it.
    texts = ["a", *texts]
    sent = [chunk({"content": text}) for text in texts]
    stream = b"".join(encode(json.encode(piece)) for piece in [*sent, STOP]) + encode(DONE)
    decoder, reader = Decoder(), Reader()
    deltas: list[Delta] = []
    start = 0
    for end in [*sorted(place % len(stream) for place in places), len(stream)]:
        for event in decoder.feed(stream[start:end]):
            deltas += reader.feed(event)
        start = end
    assert deltas == [TextDelta(text) for text in texts]
    assert reader.finish().message.text == "".join(texts)
