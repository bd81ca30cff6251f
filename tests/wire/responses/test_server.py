"""Legs of runs as responses: valid, numbered, whole, and the same however they are read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw, json
from openai import omit
from openai._models import construct_type_unchecked
from openai.lib.streaming.responses._responses import ResponseStreamState
from openai.types.responses import ResponseStreamEvent

from angelia.core.approval_text import question
from angelia.core.events import (
    ApprovalGiven,
    Asked,
    Cancelled,
    ClientReplied,
    Failed,
    ModelReplied,
    ReasoningDelta,
    RunEnded,
    RunStarted,
    RunWaited,
    TextDelta,
    ToolFinished,
    ToolStarted,
    TurnBegun,
)
from angelia.core.messages import (
    Assistant,
    Reasoning,
    Reply,
    Seal,
    Text,
    ToolCall,
    Usage,
    user,
)
from angelia.errors import UpstreamRefused
from angelia.wire import sse as sse_in
from angelia.wire.responses.approvals import verdict_items
from angelia.wire.responses.client import Reader
from angelia.wire.responses.dialects import Dialect
from angelia.wire.responses.ids import Question, question_of
from angelia.wire.responses.items_out import known
from angelia.wire.responses.server import DONE, broken_off, sse
from tests.wire.chat.runs import STARTED, step
from tests.wire.responses import spec
from tests.wire.responses.legs import (
    ENDED,
    FEW,
    FEWEST,
    Leg,
    any_leg,
    dialects,
    entries,
    output,
    said,
    stream,
    told,
    types,
    writer,
    written,
)

SEAL = Seal("responses", '{"type":"reasoning","id":"rs_9","encrypted_content":"gAAA"}')
TERMINAL = ("response.completed", "response.incomplete", "response.failed")


# ── properties ──────────────────────────────────────────────────────────────────────────────


@given(any_leg, dialects)
@FEWEST
def test_every_event_and_response_is_valid(leg: Leg, dialect: Dialect) -> None:
    made, frames = written(leg, dialect)
    for event in told(frames):
        spec.check_event(event)
    spec.check_response(json.decode(made.response()))


@given(any_leg, dialects)
@FEW
def test_numbers_and_indexes_are_dense_and_every_item_added_is_done(
    leg: Leg, dialect: Dialect
) -> None:
    made, frames = written(leg, dialect)
    events = told(frames)
    assert [event["sequence_number"] for event in events] == list(range(len(events)))
    assert [(frame.number, frame.type) for frame in frames] == [
        (event["sequence_number"], event["type"]) for event in events
    ]
    added = [e["output_index"] for e in events if e["type"] == "response.output_item.added"]
    assert added == list(range(len(added)))
    done = {e["output_index"]: e["item"] for e in events if e["type"].endswith("output_item.done")}
    assert [done[index] for index in added] == json.decode(made.response())["output"]
    assert [e["type"] for e in events if e["type"] in TERMINAL] == [events[-1]["type"]]
    assert made.done


@given(any_leg, dialects)
@FEW
def test_the_last_event_holds_the_response_byte_by_byte(leg: Leg, dialect: Dialect) -> None:
    made, frames = written(leg, dialect)
    number = frames[-1].number
    assert frames[-1].data.endswith(
        b'"response":%b,"sequence_number":%d}' % (made.response(), number)
    )


@given(any_leg, dialects, st.lists(st.integers(0, 40), max_size=8))
@FEW
def test_the_events_do_not_depend_on_how_entries_are_batched(
    leg: Leg, dialect: Dialect, places: list[int]
) -> None:
    made, frames = writer(dialect, after=leg.after), []
    start = 0
    for place in (*sorted(places), len(leg.entries)):
        frames += made.write(leg.entries[start:place])
        start = max(start, place)
    assert frames == written(leg, dialect)[1]
    assert made.write(leg.entries) == []


@given(any_leg, st.sampled_from(["mcp", "off"]))
@FEW
def test_what_we_serve_our_own_reader_reads(leg: Leg, dialect: Dialect) -> None:
    _, frames = written(leg, dialect)
    reader, deltas = Reader(), []
    incoming = sse_in.Decoder().feed(sse(frames) + DONE)
    last = leg.entries[-1].event
    if isinstance(last, RunEnded) and isinstance(last.ending, Failed | Cancelled):
        with pytest.raises(UpstreamRefused):
            [reader.feed(event) for event in incoming]
        return
    for event in incoming:
        deltas += reader.feed(event)
    assert reader.done
    facts = [entry.event for entry in leg.entries]
    assert "".join(d.text for d in deltas if isinstance(d, TextDelta)) == said(leg, dialect)
    assert "".join(d.text for d in deltas if isinstance(d, ReasoningDelta)) == "".join(
        fact.text for fact in facts if isinstance(fact, ReasoningDelta)
    )
    added = [e["item"]["type"] for e in told(frames) if e["type"].endswith("item.added")]
    if set(added) <= {"mcp_call", "mcp_approval_request", "reasoning"}:
        # Nothing that an upstream would say: to the reader such an answer is empty.
        return
    reply = reader.finish()
    replies = [fact.reply for fact in facts if isinstance(fact, ModelReplied)]
    assert reply.usage == sum((r.usage for r in replies if r.usage), Usage())
    theirs = isinstance(last, RunWaited) and last.on == "client_tools"
    waited = last.call_ids if theirs else ()
    calls = [c for r in replies for c in r.message.calls if c.id in waited]
    assert list(reply.message.calls) == calls


@given(any_leg, dialects)
@FEWEST
def test_the_stream_helper_of_openai_python_accepts_it(leg: Leg, dialect: Dialect) -> None:
    made, frames = written(leg, dialect)
    state = ResponseStreamState(input_tools=omit, text_format=omit)
    for event in told(frames):
        state.handle_event(construct_type_unchecked(type_=ResponseStreamEvent, value=event))
    whole = state._completed_response
    assert (whole is not None) == (frames[-1].type == "response.completed")
    if whole is not None:
        final = json.decode(made.response())
        assert [item.id for item in whole.output] == [item["id"] for item in final["output"]]
        assert whole.output_text == "".join(
            part["text"]
            for item in final["output"]
            if item["type"] == "message"
            for part in item["content"]
            if part["type"] == "output_text"
        )


@given(any_leg, dialects, st.integers(0, 30))
@FEW
def test_a_response_under_way_can_be_shown_and_ended_anywhere(
    leg: Leg, dialect: Dialect, place: int
) -> None:
    made = writer(dialect, after=leg.after)
    frames = made.write(leg.entries[:place])
    spec.check_response(json.decode(made.response()))
    frames += made.fail("The server is stopping.", "server_stopping")
    events = told(frames)
    added = [e for e in events if e["type"] == "response.output_item.added"]
    done = [e for e in events if e["type"] == "response.output_item.done"]
    assert len(added) == len(done)
    assert events[0]["type"] == "response.created"
    calls = {e["item"]["call_id"] for e in done if e["item"]["type"] == "function_call"}
    results = {e["item"]["call_id"] for e in done if e["item"]["type"] == "function_call_output"}
    if place < len(leg.entries):
        assert events[-1]["response"]["error"]["code"] == "server_stopping"
        assert calls == results
    assert made.done
    assert made.fail("again", "x") == []


def test_a_stream_that_has_shown_nothing_ends_with_an_error_that_clients_know() -> None:
    frame = broken_off("The server is stopping.", "server_stopping", 7)
    event = json.decode(frame.data)
    spec.check_event(event)
    assert (frame.number, frame.type, event["sequence_number"]) == (7, "error", 7)
    assert event["code"] == event["error"]["code"] == "server_stopping"
    assert event["error"]["type"] == "server_error"


@given(any_leg, dialects)
@FEW
def test_items_can_be_referred_to_by_their_ids(leg: Leg, dialect: Dialect) -> None:
    made, _ = written(leg, dialect)
    found = known(made.output)
    assert list(found) == [item["id"] for item in json.decode(made.response())["output"]]
    text = "".join(m.text for each in found.values() for m in each if isinstance(m, Assistant))
    assert text == said(leg, dialect)


# ── the shape of a stream ───────────────────────────────────────────────────────────────────


def test_text_before_and_after_a_tool_is_two_messages() -> None:
    call = ToolCall("call_1", "look", "{}")
    log = (
        STARTED,
        *step(["Let me see."], (), (call,)),
        ToolStarted("call_1", "look", "{}", "pure"),
        ToolFinished("call_1", "look", "ok", "It is there."),
        *step(["Found it."]),
        ENDED,
    )
    assert [item["type"] for item in output(*log)] == ["message", "mcp_call", "message"]
    pair = output(*log, dialect="pair")
    assert [item["type"] for item in pair] == [
        "message",
        "function_call",
        "function_call_output",
        "message",
    ]
    assert pair[2]["output"] == [{"type": "input_text", "text": "It is there."}]
    assert [item["type"] for item in output(*log, dialect="off")] == ["message", "message"]


def test_a_reply_that_was_not_streamed_is_shown_when_it_is_whole() -> None:
    parts = (Reasoning("hm"), Text("Yes."), ToolCall("a", "look", "{}"))
    reply = ModelReplied(Reply(Assistant(parts), "tool_calls", Usage(1, 2)))
    items = output(STARTED, reply, *step(["Done."]), ENDED)
    assert [item["type"] for item in items] == ["reasoning", "message", "message"]
    assert items[0]["content"][0]["text"] == "hm"
    assert items[1]["content"][0]["text"] == "Yes."


def test_a_queued_run_says_so_until_its_turn() -> None:
    queued = RunStarted("angelia", (user("hi"),), queued=True)
    made = writer()
    frames = made.write(entries(queued))
    assert types(frames) == ["created", "queued"]
    assert json.decode(made.response())["status"] == "queued"
    frames = made.write(entries(queued, TurnBegun())[1:])
    assert types(frames) == ["in_progress"]
    assert json.decode(made.response())["status"] == "in_progress"


def test_sealed_reasoning_is_handed_out_to_those_who_ask_and_comes_back() -> None:
    reply = Reply(Assistant((Reasoning("hm", SEAL), Text("Yes."))), "stop")
    log = entries(STARTED, ReasoningDelta("hm"), TextDelta("Yes."), ModelReplied(reply), ENDED)
    asks = Raw(b'{"include":["reasoning.encrypted_content"]}')
    plain, sealed = writer(), writer(request=asks)
    plain.write(log)
    sealed.write(log)
    assert b"encrypted_content" not in plain.response()
    *shown, last = json.decode(sealed.response())["output"]
    assert shown == json.decode(plain.response())["output"]
    spec.check_item(last)
    assert known([Raw(json.encode(last))])[last["id"]] == (Assistant((Reasoning("", SEAL),)),)


# ── people who are asked ────────────────────────────────────────────────────────────────────

PUSH = Asked("apr_1", "c1", "terminal", '{"command":"git push"}', "git push", "Why.", "7F3")
SEND = Asked("apr_2", "c2", "send", "{}", "to ann", "Why.", "K2M")
ASKING = RunWaited("approval", ("c1", "c2"), (PUSH, SEND))


def test_an_mcp_client_gets_a_request_for_each_call_and_a_response_that_is_complete() -> None:
    answer, frames = stream(STARTED, *step(["Look."]), ASKING)
    assert answer["status"] == "completed"
    message, *requests = answer["output"]
    assert message["content"][0]["text"] == "Look."
    assert [(r["type"], r["name"], r["arguments"]) for r in requests] == [
        ("mcp_approval_request", "terminal", '{"command":"git push"}'),
        ("mcp_approval_request", "send", "{}"),
    ]
    seq = len(step(["Look."])) + 2
    assert [question_of(r["id"]) for r in requests] == [
        Question("run_1", seq, 0),
        Question("run_1", seq, 1),
    ]
    assert types(frames)[-1] == "completed"


@pytest.mark.parametrize("dialect", ["pair", "off"])
def test_others_are_asked_in_words(dialect: Dialect) -> None:
    first, second = output(STARTED, *step(["Look."]), ASKING, dialect=dialect)
    assert first["content"][0]["text"] == "Look."
    assert second["content"][0]["text"] == question((PUSH, SEND))


def test_answers_that_came_as_items_are_listed_as_items() -> None:
    log = entries(
        STARTED,
        *step(["Look."]),
        ASKING,
        ClientReplied(()),
        ApprovalGiven("apr_2", "deny", reason="no"),
        ApprovalGiven("apr_1", "once"),
    )
    after = log[-4].seq
    listed = [json.decode(item) for item in verdict_items(log, "run_1", after)]
    assert [(i["approval_request_id"], i["approve"], i["reason"]) for i in listed] == [
        (f"mcpr_1_o{after}x1", False, "no"),
        (f"mcpr_1_o{after}", True, None),
    ]
    assert verdict_items(log, "run_1", 0) == []
