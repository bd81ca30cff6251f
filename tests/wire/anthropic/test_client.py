import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from angelia.core.events import TextDelta
from angelia.core.messages import Reasoning, Refusal, Seal, Text, ToolCall, Usage
from angelia.errors import AngeliaError, UpstreamGarbled, UpstreamRefused
from angelia.wire.anthropic.client import Reader, whole
from tests.wire.anthropic import streams as recorded
from tests.wire.streams import (
    calls_of,
    check_damaged,
    check_garbled,
    damaged,
    framed,
    read,
    reasoning_of,
    text_of,
)


def reply_to(events):
    return read(Reader(), framed(events))


def test_text_arrives_piece_by_piece_and_whole():
    deltas, reply = reply_to(recorded.TEXT)
    assert deltas == [TextDelta("Hel"), TextDelta("lo, wörld 🦉")]
    assert reply.message.parts == (Text("Hello, wörld 🦉"),)
    assert reply.finish == "stop"
    assert reply.model == "claude-test-1"


def test_input_tokens_include_what_the_cache_gave_and_took():
    _, reply = reply_to(recorded.TEXT)
    assert reply.usage == Usage(input=240, output=89, cached=200, cache_written=30)


def test_the_last_word_on_each_count_holds():
    events = [dict(event) for event in recorded.TEXT]
    events[-2] |= {"usage": {"input_tokens": 12, "cache_read_input_tokens": None}}
    _, reply = reply_to(events)
    assert reply.usage == Usage(input=242, output=1, cached=200, cache_written=30)


def test_thoughts_text_and_calls_keep_their_order_and_the_models_own_arguments():
    deltas, reply = reply_to(recorded.CALLS)
    signed = '{"type":"thinking","thinking":"The file first.","signature":"RXFvQ2tn"}'
    hidden = '{"type":"redacted_thinking","data":"RW5jcnlwdGVk"}'
    assert reply.message.parts == (
        Reasoning("The file first.", Seal("anthropic", signed)),
        Reasoning("", Seal("anthropic", hidden)),
        Text("Let me see."),
        ToolCall("toolu_01", "read_file", '{"path": "a.txt" , "n":1.0}'),
        ToolCall("toolu_02", "read_file", "{}"),
    )
    assert reply.finish == "tool_calls"
    assert reasoning_of(deltas) == "The file first."
    assert text_of(deltas) == "Let me see."
    assert calls_of(deltas) == [
        ("toolu_01", "read_file", '{"path": "a.txt" , "n":1.0}'),
        ("toolu_02", "read_file", ""),
    ]


def test_thinking_that_is_not_shown_is_still_sealed():
    events = [recorded.start(), *recorded.thinking(0), *recorded.text(1, "x")]
    _, reply = reply_to([*events, *recorded.end("end_turn")])
    sealed = '{"type":"thinking","thinking":"","signature":"RXFvQ2tn"}'
    assert reply.message.parts[0] == Reasoning("", Seal("anthropic", sealed))


def test_thinking_without_a_signature_has_no_seal():
    events = [*recorded.thinking(0, "hm", signature=""), *recorded.text(1, "x")]
    _, reply = reply_to([recorded.start(), *events, *recorded.end("end_turn")])
    assert reply.message.parts == (Reasoning("hm"), Text("x"))


def test_blocks_that_the_provider_deals_with_itself_are_skipped():
    deltas, reply = reply_to(recorded.SERVER_TOOL)
    assert reply.message.parts == (Text("Found."),)
    assert deltas == [TextDelta("Found.")]


def test_input_that_comes_with_the_start_of_a_block_counts():
    opened = {"type": "tool_use", "id": "toolu_1", "name": "read", "input": {"a": 1}}
    events = [recorded.start(), *recorded.block(0, opened), *recorded.end("tool_use")]
    deltas, reply = reply_to(events)
    assert reply.message.calls == (ToolCall("toolu_1", "read", '{"a":1}'),)
    assert calls_of(deltas) == [("toolu_1", "read", '{"a":1}')]


@pytest.mark.parametrize(
    ("stop_reason", "finish"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("pause_turn", "stop"),
        ("something_new", "stop"),
        ("tool_use", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("refusal", "content_filter"),
    ],
)
def test_the_reason_to_stop_is_told(stop_reason, finish):
    _, reply = reply_to([recorded.start(), *recorded.text(0, "x"), *recorded.end(stop_reason)])
    assert reply.finish == finish


def test_a_refusal_without_a_word_says_what_the_provider_explains():
    explained = recorded.end("refusal", stop_details={"type": "refusal", "explanation": "Bio."})
    assert reply_to([recorded.start(), *explained])[1].message.parts == (Refusal("Bio."),)
    deltas, reply = reply_to(recorded.REFUSED)
    assert reply.finish == "content_filter"
    assert isinstance(reply.message.parts[0], Refusal)
    assert text_of(deltas) == reply.message.parts[0].text


@pytest.mark.parametrize("stop_reason", ["max_tokens", "refusal"])
def test_a_call_cut_off_inside_its_arguments_is_not_a_call(stop_reason):
    begun = recorded.tool_use(0, '{"path": "a')
    with pytest.raises(UpstreamGarbled, match="read_file"):
        reply_to([recorded.start(), *begun, *recorded.end(stop_reason)])


def test_a_call_whose_block_never_stops_is_not_a_call():
    begun = recorded.tool_use(0, '{"path": "a')[:-1]
    with pytest.raises(UpstreamGarbled, match="read_file"):
        reply_to([recorded.start(), *begun, *recorded.end("tool_use")])


def test_a_body_that_comes_at_once_reads_like_its_stream():
    body = json.encode(recorded.BODY).replace(b'{"path":"a.txt"}', b'{"path": "a.txt" , "n":1.0}')
    deltas, reply = whole(body)
    shown, expected = reply_to(recorded.CALLS)
    assert reply == expected
    assert text_of(deltas) == text_of(shown)
    assert reasoning_of(deltas) == reasoning_of(shown)
    assert calls_of(deltas) == calls_of(shown)


def test_a_block_of_thinking_that_comes_at_once_is_sealed_with_its_own_bytes():
    block = b'{"signature" : "c2ln", "type":"thinking","thinking":"h\\u00e9"}'
    said = b'%b,{"type":"text","text":"x"}' % block
    _, reply = whole(b'{"type":"message","content":[%b],"stop_reason":"end_turn"}' % said)
    assert reply.message.parts[0] == Reasoning("hé", Seal("anthropic", block.decode()))


@pytest.mark.parametrize("events", recorded.ALL)
def test_events_without_names_are_known_by_their_type(events):
    assert read(Reader(), framed(events, named=False)) == reply_to(events)


@given(st.sampled_from(recorded.ALL), st.lists(st.integers(0, 300), max_size=30))
def test_where_the_bytes_are_cut_does_not_matter(events, sizes):
    assert read(Reader(), framed(events), sizes) == reply_to(events)


NOISE = [
    {"type": "ping"},
    {"type": "brand_new", "index": "x", "delta": 3},
    {"type": "content_block_start", "index": 90, "content_block": {"type": "new", "text": 3}},
    {"type": "content_block_start", "index": 91, "content_block": {}},
    {"type": ""},
]


@given(st.integers(1, len(recorded.CALLS) - 1), st.sampled_from(NOISE))
def test_unknown_events_blocks_and_fields_are_skipped(place, noise):
    events = [event | {"extra": [1]} for event in recorded.CALLS]
    events.insert(place, noise)
    assert read(Reader(), framed(events, named=False)) == reply_to(recorded.CALLS)


def test_what_follows_the_last_event_is_ignored():
    reader = Reader()
    _, reply = read(reader, framed(recorded.TEXT) * 2)
    assert reader.done
    assert reply.message.text == "Hello, wörld 🦉"


def test_an_error_inside_a_stream_is_a_refusal_in_the_providers_words():
    event = {"type": "error", "error": {"type": "overloaded_error", "message": "So it is."}}
    with pytest.raises(UpstreamRefused, match="So it is") as caught:
        reply_to([*recorded.TEXT[:4], event])
    assert caught.value.their_type == "overloaded_error"
    with pytest.raises(UpstreamRefused):
        whole(json.encode(event))


GARBLED = [
    b"",
    b": keep-alive\n\n",
    framed(recorded.TEXT[:-1]),
    framed(recorded.TEXT[:-3]),
    framed([recorded.start(), *recorded.end("end_turn")]),
    framed(recorded.CALLS[:1] + recorded.CALLS[2:]),
    b"event: message_start\ndata: {not json\n\n",
    b'data: {"type": "content_block_delta", "delta": "\xff"}\n\n',
    framed(recorded.TEXT[:3])
    + b'data: {"type":"content_block_start","content_block":{"type":"redacted_thinking",'
    b'"data":"\xff"}}\n\ndata: {"type":"content_block_stop"}\n\n',
    b"data: " + b"[" * 100_000 + b"\n\n",
    b"data: 17\n\n",
]


@pytest.mark.parametrize("stream", GARBLED)
def test_what_is_not_a_whole_answer_is_garbled(stream):
    check_garbled(Reader(), stream)


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b"<html>", b'{"content": 3}'])
def test_a_body_that_is_no_answer_is_garbled(body):
    with pytest.raises(UpstreamGarbled):
        whole(body)


@given(damaged(recorded.ALL))
def test_a_damaged_stream_ends_in_a_reply_or_an_error_of_ours(stream):
    check_damaged(Reader(), stream)


@given(st.binary(max_size=60))
def test_any_body_is_a_reply_or_an_error_of_ours(body):
    with pytest.raises(AngeliaError):
        whole(body)


@pytest.mark.parametrize(
    "kept_alive",
    [b"data:\n\n", b"event: ping\ndata: \n\n", b"event: ping\ndata: 1731\n\n", b"data: [DONE]\n\n"],
)
def test_what_proxies_send_to_keep_a_stream_open_is_skipped(kept_alive):
    stream = framed(recorded.CALLS).replace(b"\n\n", b"\n\n" + kept_alive)
    assert read(Reader(), stream) == reply_to(recorded.CALLS)
