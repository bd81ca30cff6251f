import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter

from angelia.core.events import TextDelta
from angelia.core.messages import Reasoning, Refusal, Seal, Text, ToolCall, Usage
from angelia.errors import AngeliaError, UpstreamGarbled, UpstreamRefused
from angelia.wire import sse
from angelia.wire.responses.client import Reader, whole
from tests.wire.responses import streams as recorded
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


@pytest.mark.parametrize("events", recorded.ALL)
def test_the_recorded_streams_are_what_the_openai_package_reads(events):
    kinds = TypeAdapter(ResponseStreamEvent)
    for event in events:
        assert kinds.validate_python(event).type == event["type"]


def test_text_arrives_piece_by_piece_and_whole():
    deltas, reply = reply_to(recorded.TEXT)
    assert deltas == [TextDelta("Hel"), TextDelta("lo, "), TextDelta("wörld 🦉")]
    assert reply.message.parts == (Text("Hello, wörld 🦉"),)
    assert reply.finish == "stop"
    assert reply.model == "gpt-test-1"
    assert reply.usage == Usage(input=75, output=120, cached=32, cache_written=8, reasoning=64)


def test_reasoning_text_and_calls_keep_their_order_and_the_models_own_arguments():
    deltas, reply = reply_to(recorded.CALLS)
    sealed = Seal("responses", json.encode(recorded.REASONING).decode())
    assert reply.message.parts == (
        Reasoning("Look at the file.\n\nThen answer.", sealed),
        Text("Let me see."),
        ToolCall("call_1aB", "read_file", '{"path": "a.txt" , "n":1.0}'),
        ToolCall("call_2aB", "read_file", "{}"),
    )
    assert reply.finish == "tool_calls"
    assert reasoning_of(deltas) == "Look at the file.\n\nThen answer."
    assert text_of(deltas) == "Let me see."
    assert calls_of(deltas) == [
        ("call_1aB", "read_file", '{"path": "a.txt" , "n":1.0}'),
        ("call_2aB", "read_file", ""),
    ]


def test_reasoning_is_sealed_with_the_bytes_that_came():
    item = b'{ "type":"reasoning" , "id":"rs_9","summary":[],"encrypted_content":"z\\u00e9"}'
    reader = Reader()
    reader.feed(
        sse.Event(
            b'{"type":"response.output_item.done","output_index":0,"item":%b}' % item,
            "response.output_item.done",
        )
    )
    stream = framed([*recorded.text_events(1, "ok"), recorded.completed()])
    _, reply = read(reader, stream)
    assert reply.message.parts[0] == Reasoning("", Seal("responses", item.decode()))


def test_open_reasoning_text_is_shown_once_and_sealed():
    deltas, reply = reply_to(recorded.OPEN_REASONING)
    assert reasoning_of(deltas) == "Thinking aloud."
    thought = reply.message.parts[0]
    assert isinstance(thought, Reasoning)
    assert thought.text == "Thinking aloud."
    assert thought.seal is not None


def test_a_refusal_is_kept_apart_and_what_its_deltas_lacked_is_shown():
    deltas, reply = reply_to(recorded.REFUSAL)
    assert reply.message.parts == (Refusal("I can't do that."),)
    assert text_of(deltas) == "I can't do that."


@pytest.mark.parametrize(
    ("details", "finish"),
    [
        ({"reason": "max_output_tokens"}, "length"),
        ({"reason": "content_filter"}, "content_filter"),
        (None, "length"),
    ],
)
def test_an_incomplete_answer_says_why(details, finish):
    end = {
        "type": "response.incomplete",
        "response": recorded.response("incomplete", incomplete_details=details),
    }
    _, reply = reply_to([*recorded.text_events(0, "Once"), end])
    assert reply.finish == finish
    assert reply.message.text == "Once"


def test_a_filtered_answer_without_a_word_is_a_refusal():
    end = recorded.response("incomplete", incomplete_details={"reason": "content_filter"})
    _, reply = reply_to([{"type": "response.incomplete", "response": end}])
    assert reply.finish == "content_filter"
    assert isinstance(reply.message.parts[0], Refusal)


@pytest.mark.parametrize("reason", ["max_output_tokens", "content_filter"])
def test_a_call_cut_off_inside_its_arguments_is_not_a_call(reason):
    begun = recorded.call_events(0, '{"path": "a')[:2]
    end = recorded.response("incomplete", incomplete_details={"reason": reason})
    with pytest.raises(UpstreamGarbled, match="read_file"):
        reply_to([*begun, {"type": "response.incomplete", "response": end}])


DONE_ONLY = [
    [event for event in recorded.CALLS if not event["type"].endswith(".delta")],
    [event for event in recorded.CALLS if event["type"].startswith("response.output_item")]
    + recorded.CALLS[-1:],
    [event for event in recorded.CALLS if event["type"] == "response.output_item.done"]
    + recorded.CALLS[-1:],
    recorded.CALLS[-1:],
]


@pytest.mark.parametrize("events", DONE_ONLY)
def test_servers_that_leave_out_deltas_give_the_same_reply_and_show_everything_once(events):
    deltas, reply = reply_to(events)
    shown, expected = reply_to(recorded.CALLS)
    assert reply == expected
    assert text_of(deltas) == text_of(shown)
    assert reasoning_of(deltas) == reasoning_of(shown)
    assert calls_of(deltas) == calls_of(shown)


def test_items_that_all_have_the_same_index_are_still_told_apart():
    events = [
        {key: value for key, value in event.items() if key != "output_index"}
        for event in recorded.CALLS
    ]
    deltas, reply = reply_to(events)
    assert reply == reply_to(recorded.CALLS)[1]
    assert text_of(deltas) == "Let me see."


def test_a_second_item_of_the_same_index_is_shown_though_it_has_no_deltas():
    second = [e for e in recorded.text_events(0, " Bye.") if not e["type"].endswith(".delta")]
    events = [*recorded.text_events(0, "Hello."), *second, recorded.completed()]
    deltas, reply = reply_to(events)
    assert reply.message.text == text_of(deltas) == "Hello. Bye."


def test_integer_and_missing_call_ids_become_strings():
    numbered = recorded.call("{}") | {"call_id": 7}
    nameless = {k: v for k, v in recorded.call("{}", 2).items() if k != "call_id"}
    _, reply = whole(json.encode(recorded.response("completed", [numbered, nameless])))
    assert [call.id for call in reply.message.calls] == ["7", "call_1"]


@pytest.mark.parametrize("events", recorded.ALL)
def test_a_body_that_comes_at_once_reads_like_its_stream(events):
    body = events[-1]["response"]
    if not body["output"]:
        body = body | {"output": [e["item"] for e in events if e["type"].endswith("item.done")]}
    assert Response.model_validate(body).status == body["status"]
    deltas, reply = whole(json.encode(body))
    shown, expected = reply_to(events)
    assert reply == expected
    assert text_of(deltas) == text_of(shown)
    assert calls_of(deltas) == calls_of(shown)


@pytest.mark.parametrize("events", recorded.ALL)
def test_events_without_names_are_known_by_their_type(events):
    assert read(Reader(), framed(events, named=False)) == reply_to(events)


@given(st.sampled_from(recorded.ALL), st.lists(st.integers(0, 300), max_size=30))
def test_where_the_bytes_are_cut_does_not_matter(events, sizes):
    assert read(Reader(), framed(events), sizes) == reply_to(events)


NOISE = [
    {"type": "response.brand_new.delta", "delta": {"deep": [1]}, "output_index": "x"},
    {"type": "response.output_item.added", "output_index": 9, "item": {"type": "web_search_call"}},
    {
        "type": "response.output_item.done",
        "output_index": 9,
        "item": {"type": "new_call", "name": 3, "arguments": {}, "content": "x"},
    },
    {"type": "keepalive"},
    {"hello": 1, "type": ""},
]


@given(st.integers(0, len(recorded.CALLS) - 1), st.sampled_from(NOISE))
def test_unknown_events_items_and_fields_are_skipped(place, noise):
    events = [event | {"obfuscation": "xyz"} for event in recorded.CALLS]
    events.insert(place, noise)
    assert read(Reader(), framed(events, named=False)) == reply_to(recorded.CALLS)


def test_what_follows_the_last_event_is_ignored():
    reader = Reader()
    _, reply = read(reader, framed(recorded.TEXT) + b"data: [DONE]\n\n" + framed(recorded.TEXT))
    assert reader.done
    assert reply.message.text == "Hello, wörld 🦉"


ERRORS = [
    (
        {"type": "error", "code": "rate_limit_exceeded", "message": "slow down"},
        ("error", "rate_limit_exceeded"),
    ),
    (
        {"type": "error", "error": {"type": "server_error", "message": "oops"}},
        ("server_error", None),
    ),
    (
        {
            "type": "response.failed",
            "response": recorded.response(
                "failed", error={"code": "invalid_prompt", "message": "no"}
            ),
        },
        (None, "invalid_prompt"),
    ),
    (
        {"type": "response.failed", "response": recorded.response("failed")},
        ("server_error", None),
    ),
]


@pytest.mark.parametrize(("event", "words"), ERRORS)
def test_an_error_inside_a_stream_is_a_refusal_in_the_providers_words(event, words):
    with pytest.raises(UpstreamRefused) as caught:
        reply_to([*recorded.TEXT[:6], event])
    assert (caught.value.their_type, caught.value.their_code) == words


def test_an_error_without_a_type_or_name_is_seen():
    stream = b'data: {"error": {"message": "Overloaded", "code": 529}}\n\n'
    with pytest.raises(UpstreamRefused, match="Overloaded") as caught:
        read(Reader(), stream)
    assert caught.value.status == 529


def test_a_body_that_is_an_error_is_a_refusal():
    with pytest.raises(UpstreamRefused, match="oops"):
        whole(b'{"error": {"message": "oops", "type": "server_error"}}')


GARBLED = [
    b"",
    b": keep-alive\n\n",
    framed(recorded.TEXT[:-1]),
    framed(recorded.CALLS[:-4]),
    framed(recorded.started()) + framed([recorded.completed()]),
    b"event: response.output_text.delta\ndata: {not json\n\n",
    b'event: response.output_text.delta\ndata: {"delta": "\xff"}\n\n',
    b'event: response.output_item.done\ndata: {"item": {"type":"reasoning","x":"\xff"}}\n\n',
    b"data: " + b"[" * 100_000 + b"\n\n",
    b"data: 17\n\n",
    framed([{"type": "response.completed", "response": recorded.response("in_progress")}]),
]


@pytest.mark.parametrize("stream", GARBLED)
def test_what_is_not_a_whole_answer_is_garbled(stream):
    check_garbled(Reader(), stream)


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b"<html>", b'{"output": 3}'])
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
