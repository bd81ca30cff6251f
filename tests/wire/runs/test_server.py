"""A run's entries as events: one for one, in our own names, whatever is in them."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from angelia.core.events import (
    PIECE_TYPES,
    AnyEvent,
    ApprovalGiven,
    ApprovalRequested,
    CallDelta,
    Cancelled,
    ClientReplied,
    Compacted,
    Completed,
    DeadlinePassed,
    Entry,
    Exhausted,
    Failed,
    ModelReplied,
    Notice,
    OutputDelta,
    Overflowed,
    ReasoningClosed,
    ReasoningDelta,
    RunEnded,
    RunStarted,
    RunTaken,
    RunWaited,
    Steered,
    StepReset,
    StopRequested,
    SubagentCompleted,
    SubagentStarted,
    TextDelta,
    ToolFinished,
    ToolResumed,
    ToolStarted,
    TurnBegun,
    UsageReported,
)
from angelia.core.messages import (
    Assistant,
    Reply,
    System,
    Text,
    ToolCall,
    ToolResult,
    ToolSpec,
    Usage,
    user,
)
from angelia.core.policy import Policy
from angelia.core.run import fold
from angelia.core.window import Digest
from angelia.wire.runs.server import Facing, outline, payload, render, run_json
from angelia.wire.sse import Decoder

USAGE = Usage(10, 5, 3, 1, 2)
USAGE_JSON = {
    "input_tokens": 10,
    "output_tokens": 5,
    "total_tokens": 15,
    "cached_tokens": 3,
    "cache_write_tokens": 1,
    "reasoning_tokens": 2,
}
TOKENS_JSON = {
    "input": 10,
    "output": 5,
    "total": 15,
    "cached": 3,
    "cache_written": 1,
    "reasoning": 2,
}
CALL = ToolCall("c1", "terminal", '{"command": "ls"}')


def replied(*parts, finish="stop", model: str | None = "real") -> ModelReplied:
    return ModelReplied(Reply(Assistant(parts), finish, USAGE, model))


CASES: list[tuple[AnyEvent, dict]] = [
    (
        RunStarted("angelia", (user("x"),), session_id="s"),
        {"event": "run.started", "model": "angelia", "session_id": "s", "queued": False},
    ),
    (TurnBegun((user("y"),), "run_0"), {"event": "run.begun", "parent": "run_0"}),
    (TextDelta('a"\n'), {"event": "message.delta", "delta": 'a"\n'}),
    (ReasoningDelta("hm"), {"event": "reasoning.delta", "delta": "hm"}),
    (ReasoningClosed("hm"), {"event": "reasoning.available", "text": "hm"}),
    (
        CallDelta(0, "{", "c1", "f"),
        {"event": "tool.arguments", "index": 0, "delta": "{", "tool_call_id": "c1", "tool": "f"},
    ),
    (CallDelta(1, "}"), {"event": "tool.arguments", "index": 1, "delta": "}"}),
    (
        replied(Text("hi")),
        {
            "event": "message.completed",
            "text": "hi",
            "finish_reason": "stop",
            "model": "real",
        },
    ),
    (
        replied(Text("hi"), CALL, finish="tool_calls", model=None),
        {
            "event": "message.completed",
            "text": "hi",
            "finish_reason": "tool_calls",
            "model": None,
            "tool_calls": [{"id": "c1", "name": "terminal"}],
        },
    ),
    (
        replied(CALL, finish="tool_calls"),
        {
            "event": "step.completed",
            "finish_reason": "tool_calls",
            "model": "real",
            "tool_calls": [{"id": "c1", "name": "terminal"}],
        },
    ),
    (
        UsageReported(USAGE, "real", 0.5),
        {
            "event": "usage",
            "model": "real",
            "tokens": TOKENS_JSON,
            "usage": USAGE_JSON,
            "cost": 0.5,
        },
    ),
    (
        StepReset("stall", ("f",)),
        {"event": "step.reset", "reason": "stall", "dropped_tools": ["f"]},
    ),
    (
        ToolStarted("c1", "terminal", '{"command":\n"ls"}', "irreversible", "ls", "💻"),
        {
            "event": "tool.started",
            "tool_call_id": "c1",
            "tool": "terminal",
            "preview": "ls",
            "emoji": "💻",
            "args": {"command": "ls"},
            "effect": "irreversible",
        },
    ),
    (
        ToolStarted("c1", "f", "{broken", "pure"),
        {
            "event": "tool.started",
            "tool_call_id": "c1",
            "tool": "f",
            "preview": "",
            "emoji": "",
            "args": "{broken",
            "effect": "pure",
        },
    ),
    (
        ToolResumed("c1"),
        {
            "event": "notice",
            "code": "tool_resumed",
            "message": "A tool call whose process was lost is run again.",
            "tool_call_id": "c1",
        },
    ),
    (
        ToolFinished("c1", "terminal", "timeout", "é" * 2000, 0.5),
        {
            "event": "tool.completed",
            "tool_call_id": "c1",
            "tool": "terminal",
            "duration": 0.5,
            "error": True,
            "outcome": "timeout",
            "output": "é" * 1024,
            "sandbox": None,
            "truncated": True,
        },
    ),
    (
        ToolFinished("c1", "terminal", "ok", "fine", 0.5),
        {
            "event": "tool.completed",
            "tool_call_id": "c1",
            "tool": "terminal",
            "duration": 0.5,
            "error": False,
            "outcome": "ok",
            "output": "fine",
            "sandbox": None,
            "truncated": False,
        },
    ),
    (
        OutputDelta("c1", "x", 7, "stderr"),
        {
            "event": "tool.output",
            "tool_call_id": "c1",
            "offset": 7,
            "stream": "stderr",
            "delta": "x",
        },
    ),
    (
        ApprovalRequested("a1", "c1", "terminal", "it writes", "rm x", 9.0, "7F3"),
        {
            "event": "approval.requested",
            "approval_id": "a1",
            "tool_call_id": "c1",
            "tool": "terminal",
            "preview": "rm x",
            "reason": "it writes",
            "choices": ["once", "session", "always", "deny"],
            "code": "7F3",
            "expires_at": 9.0,
        },
    ),
    (
        ApprovalGiven("a1", "deny", "user", "no"),
        {
            "event": "approval.resolved",
            "approval_id": "a1",
            "choice": "deny",
            "by": "user",
            "reason": "no",
        },
    ),
    (
        SubagentStarted("run_2", "c1", "find it"),
        {
            "event": "subagent.started",
            "child_run_id": "run_2",
            "tool_call_id": "c1",
            "goal": "find it",
        },
    ),
    (
        SubagentCompleted("run_2", "c1", "completed", "found", 0.5),
        {
            "event": "subagent.completed",
            "child_run_id": "run_2",
            "tool_call_id": "c1",
            "status": "completed",
            "summary": "found",
            "duration": 0.5,
        },
    ),
    (
        RunWaited("client_tools", ("c1", "c2")),
        {"event": "run.waiting", "for": "client_tools", "tool_calls": ["c1", "c2"]},
    ),
    (
        ClientReplied((ToolResult("c1", "r"),)),
        {"event": "run.resumed", "tool_calls": ["c1"]},
    ),
    (
        Steered((user("faster"), System("calm"))),
        {"event": "run.steered", "text": "faster\n\ncalm"},
    ),
    (StopRequested("ann"), {"event": "run.stopping", "by": "ann"}),
    (
        DeadlinePassed(),
        {"event": "notice", "code": "budget", "message": "The run's max_seconds are over."},
    ),
    (
        Overflowed(8192),
        {
            "event": "notice",
            "code": "overflow",
            "message": "The model says that the conversation is too long. It reads 8,192 tokens. "
            "It is made shorter.",
        },
    ),
    (
        Compacted(Digest(9, 1, 7, "They looked."), 6000, 1500, Usage(5, 6), 0.5, "small"),
        {
            "event": "notice",
            "code": "compaction",
            "message": "The conversation was too long for the model. 6 older messages are shown to "
            "the model as a summary: about 6,000 tokens became 1,500. Nothing is lost: the session "
            "keeps everything.",
        },
    ),
    (
        Compacted(Digest(9), 6000, 1500),
        {
            "event": "notice",
            "code": "compaction",
            "message": "The conversation was too long for the model. Old results of tools are "
            "shown to the model in part: about 6,000 tokens became 1,500. Nothing is lost: the "
            "session keeps everything.",
        },
    ),
    (
        RunTaken(2),
        {
            "event": "notice",
            "code": "recovered",
            "message": "The run goes on after its process was lost.",
        },
    ),
    (Notice("retry", "again"), {"event": "notice", "code": "retry", "message": "again"}),
    (
        RunEnded(Completed("length"), "out", USAGE),
        {
            "event": "run.completed",
            "output": "out",
            "usage": USAGE_JSON,
            "finish_reason": "length",
            "cost": 0.0,
        },
    ),
    (
        RunEnded(Failed("no answer", "upstream_stalled"), "half", USAGE),
        {
            "event": "run.failed",
            "error": {"message": "no answer", "code": "upstream_stalled"},
            "output": "half",
            "usage": USAGE_JSON,
        },
    ),
    (
        RunEnded(Exhausted("max_steps"), "half", USAGE),
        {
            "event": "run.failed",
            "error": {"message": "The run used up its budget: max_steps.", "code": "max_steps"},
            "output": "half",
            "usage": USAGE_JSON,
        },
    ),
    (
        RunEnded(Cancelled("ann"), "half", USAGE),
        {"event": "run.cancelled", "by": "ann", "usage": USAGE_JSON},
    ),
]


@pytest.mark.parametrize(("event", "expected"), CASES)
def test_an_entry_is_one_event_in_our_names(event: AnyEvent, expected: dict) -> None:
    written = render([Entry("run_1", 7, 1.5, event)])
    assert written.startswith(b"id: 7\ndata: ")
    (got,) = Decoder().feed(written)
    assert (got.name, got.id) == ("message", "7")
    assert json.decode(got.data) == {"run_id": "run_1", "seq": 7, "timestamp": 1.5, **expected}


def test_every_kind_of_event_has_its_case() -> None:
    assert {type(event) for event, _ in CASES} == set(get_args(AnyEvent))


ENTRIES = st.lists(
    st.tuples(
        st.sampled_from([event for event, _ in CASES]) | st.text().map(TextDelta),
        st.sampled_from([1.0, 1.25, 2.5e9]),
        st.sampled_from(["run_1", 'run_"2']),
    )
).map(lambda listed: [Entry(run, seq, at, e) for seq, (e, at, run) in enumerate(listed, 1)])


@given(ENTRIES)
def test_ids_have_no_gap_and_every_event_has_the_four_fields(log: list[Entry]) -> None:
    got = Decoder().feed(render(log))
    assert [event.id for event in got] == [str(entry.seq) for entry in log]
    for event, entry in zip(got, log, strict=True):
        data = json.decode(event.data)
        assert (data["run_id"], data["seq"], data["timestamp"]) == (
            entry.run_id,
            entry.seq,
            entry.at,
        )
        if isinstance(entry.event, TextDelta):
            assert data["delta"] == entry.event.text


@given(ENTRIES, st.integers(0, 20))
def test_a_reader_that_begins_anywhere_gets_exactly_the_rest(log: list[Entry], place: int) -> None:
    assert render(log[:place]) + render(log[place:]) == render(log)


@given(ENTRIES)
def test_an_outline_is_the_same_stream_without_the_pieces(log: list[Entry]) -> None:
    whole = [entry for entry in log if not isinstance(entry.event, PIECE_TYPES)]
    assert outline(log) == render(whole)
    assert [event.data for event in Decoder().feed(outline(log))] == [
        payload(entry) for entry in whole
    ]


# ── the run ─────────────────────────────────────────────────────────────────────────────────

ASKING = [
    RunStarted(
        "angelia",
        (user("x"),),
        session_id="s",
        tools=(ToolSpec("terminal"),),
        policy=Policy(ask=("irreversible",)),
    ),
    replied(Text("let me"), CALL, finish="tool_calls"),
    ApprovalRequested("a1", "c1", "terminal", "it writes"),
]


def run(**fields: object) -> dict:
    known = {
        "run_id": "run_1",
        "status": "running",
        "created_at": 1.0,
        "updated_at": 2.0,
        "session_id": "s",
        "model": "angelia",
        "last_seq": 3,
        "output": "let me",
        "usage": USAGE,
        "cost": 0.25,
        "error": None,
    }
    return json.decode(run_json(Facing(**{**known, **fields})))


def test_a_run_that_asks_shows_what_it_asks() -> None:
    state = fold(ASKING)
    assert run(status=state.status, calls=state.calls) == {
        "object": "hermes.run",
        "run_id": "run_1",
        "status": "waiting_for_approval",
        "created_at": 1.0,
        "updated_at": 2.0,
        "session_id": "s",
        "model": "angelia",
        "last_seq": 3,
        "output": "let me",
        "usage": USAGE_JSON,
        "error": None,
        "pending_approvals": [
            {
                "approval_id": "a1",
                "tool_call_id": "c1",
                "tool": "terminal",
                "args": {"command": "ls"},
                "choices": ["once", "session", "always", "deny"],
                "preview": "",
                "code": None,
                "expires_at": None,
                "reason": "it writes",
                "covers": ["terminal"],
            }
        ],
        "cost": 0.25,
        "surface": "",
        "question": "",
        "parent_run_id": None,
        "user": None,
        "delegated_by": None,
    }


def test_an_approval_that_was_given_is_no_longer_pending() -> None:
    state = fold([*ASKING, ApprovalGiven("a1", "once")])
    shown = run(status=state.status, calls=state.calls)
    assert (shown["status"], shown["pending_approvals"]) == ("running", [])


def test_how_a_run_failed_is_told() -> None:
    shown = run(status="failed", error=Failed("m", "c"))
    assert (shown["status"], shown["error"]) == ("failed", {"message": "m", "code": "c"})


def test_a_run_tells_where_it_comes_from() -> None:
    shown = run(
        surface="delegate",
        question="Who?",
        parent="run_0",
        user="ann",
        delegated_by="run_2",
        delegated_call="c1",
    )
    assert (shown["surface"], shown["question"], shown["user"]) == ("delegate", "Who?", "ann")
    assert shown["parent_run_id"] == "run_0"
    assert shown["delegated_by"] == {"run_id": "run_2", "tool_call_id": "c1"}


def test_a_long_question_is_shown_by_its_beginning() -> None:
    shown = run(question="word " * 1_000)["question"]
    assert (len(shown), shown[:10], shown[-1]) == (1_000, "word word ", "…")
