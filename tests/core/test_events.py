from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, Raw, json

from angelia.core.events import (
    DELTA_TYPES,
    AnyEvent,
    ApprovalGiven,
    ApprovalRequested,
    CallDelta,
    Cancelled,
    ClientReplied,
    Compacted,
    Completed,
    DeadlinePassed,
    Delta,
    Entry,
    Exhausted,
    Fact,
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
from angelia.core.messages import Assistant, Reply, Sampling, Usage
from angelia.core.policy import Limits, Policy
from angelia.core.window import Digest
from tests.core.transcripts import assistants, choices, formats, messages, specs, transcripts

words = st.text(max_size=8)
counts = st.integers(0, 10**9)
usages = st.builds(Usage, counts, counts, counts, counts, counts)
samplings = st.builds(
    Sampling,
    temperature=st.none() | st.floats(0, 2),
    stop=st.lists(words, max_size=2).map(tuple),
    response_format=formats,
    tool_choice=choices,
)
tools = st.lists(specs, max_size=2).map(tuple)
results = st.lists(messages.filter(lambda m: type(m).__name__ == "ToolResult"), max_size=2)
replies = st.builds(
    Reply,
    assistants,
    st.sampled_from(["stop", "length", "tool_calls", "content_filter"]),
    st.none() | usages,
    st.none() | words,
)
endings = st.one_of(
    st.builds(Completed, st.sampled_from(["stop", "length"])),
    st.builds(Exhausted, st.sampled_from(["max_steps", "max_tokens", "max_seconds", "max_cost"])),
    st.builds(Failed, words, words),
    st.builds(Cancelled, words),
)
effects = st.sampled_from(["pure", "idempotent", "irreversible"])
outcomes = st.sampled_from(["ok", "error", "denied", "cancelled", "timeout", "in_doubt"])
names = st.lists(words, max_size=3).map(tuple)
digests = st.builds(Digest, counts, counts, counts, words)

BY_TYPE = {
    RunStarted: st.builds(
        RunStarted,
        words,
        transcripts,
        words,
        words,
        tools,
        samplings,
        st.builds(Limits, st.none() | counts, st.none() | counts, st.none() | st.floats(0, 9)),
        st.builds(Policy, names, names),
        words,
        st.none() | words,
        st.sampled_from([UNSET, Raw(b'{"a":1}')]),
        counts,
        st.none() | words,
        st.booleans(),
        st.booleans(),
        st.sampled_from([UNSET, Raw(b'{"b":[2]}')]),
        context=st.none() | counts,
        factor=st.floats(0.5, 3),
        digest=digests,
    ),
    TurnBegun: st.builds(TurnBegun, transcripts, st.none() | words, digests),
    RunTaken: st.builds(RunTaken, counts),
    ModelReplied: st.builds(
        ModelReplied, replies, st.dictionaries(words, words, max_size=2), st.floats(0, 9)
    ),
    StepReset: st.builds(StepReset, words, names),
    Overflowed: st.builds(Overflowed, st.none() | counts),
    Compacted: st.builds(Compacted, digests, counts, counts, usages, st.floats(0, 9), words),
    ToolStarted: st.builds(ToolStarted, words, words, words, effects, words, words),
    ToolResumed: st.builds(ToolResumed, words),
    ToolFinished: st.builds(
        ToolFinished, words, words, outcomes, words, st.floats(0, 9), st.booleans(), counts
    ),
    ApprovalRequested: st.builds(
        ApprovalRequested, words, words, words, words, words, st.none() | st.floats(0, 9)
    ),
    ApprovalGiven: st.builds(
        ApprovalGiven,
        words,
        st.sampled_from(["once", "session", "always", "deny"]),
        st.sampled_from(["user", "policy", "expired"]),
        words,
    ),
    RunWaited: st.builds(RunWaited, st.sampled_from(["approval", "client_tools"]), names),
    ClientReplied: st.builds(
        ClientReplied,
        results.map(tuple),
        transcripts,
        st.none() | tools,
        st.none() | samplings,
        st.sampled_from([UNSET, Raw(b'{"b":[2]}')]),
    ),
    Steered: st.builds(Steered, transcripts),
    StopRequested: st.builds(StopRequested, words),
    DeadlinePassed: st.builds(DeadlinePassed),
    RunEnded: st.builds(RunEnded, endings, words, usages, st.floats(0, 9)),
    TextDelta: st.builds(TextDelta, words),
    ReasoningDelta: st.builds(ReasoningDelta, words),
    ReasoningClosed: st.builds(ReasoningClosed, words),
    CallDelta: st.builds(CallDelta, counts, words, st.none() | words, st.none() | words),
    OutputDelta: st.builds(
        OutputDelta, words, words, counts, st.sampled_from(["stdout", "stderr"])
    ),
    UsageReported: st.builds(UsageReported, usages, words),
    Notice: st.builds(Notice, words, words),
    SubagentStarted: st.builds(SubagentStarted, words, words, words),
    SubagentCompleted: st.builds(SubagentCompleted, words, words, words, words),
}


def test_there_is_a_strategy_for_every_event():
    assert set(BY_TYPE) == set(get_args(AnyEvent))
    assert set(DELTA_TYPES) == set(get_args(Delta))
    assert set(get_args(Fact)).isdisjoint(DELTA_TYPES)


@pytest.mark.parametrize("kind", BY_TYPE, ids=lambda kind: kind.__name__)
def test_every_event_survives_the_log(kind):
    @settings(max_examples=25)
    @given(BY_TYPE[kind])
    def survives(event):
        line = json.encode(event)
        assert json.decode(line, type=AnyEvent) == event
        assert json.encode(json.decode(line, type=AnyEvent)) == line

    survives()


@given(st.lists(st.one_of(*BY_TYPE.values()), max_size=6))
def test_a_batch_of_events_survives_the_log(events):
    assert json.decode(json.encode(events), type=list[AnyEvent]) == events


def test_an_entry_survives_the_log():
    entry = Entry("run_1", 3, 1.5, ModelReplied(Reply(Assistant(()), "stop")))
    assert json.decode(json.encode(entry), type=Entry) == entry


@pytest.mark.parametrize(
    "event",
    [
        RunStarted("m", (), metadata=Raw(b'{"a":1}')),
        RunStarted("m", (), sampling=Sampling(response_format=Raw(b'{"type":"json_object"}'))),
        ClientReplied((), sampling=Sampling(response_format=Raw(b'{"type":"json_object"}'))),
    ],
)
def test_json_that_a_client_sent_along_survives_the_log(event):
    assert json.decode(json.encode(event), type=AnyEvent) == event


TAGS = {
    "run.started",
    "run.taken",
    "model.replied",
    "step.reset",
    "tool.started",
    "tool.resumed",
    "tool.finished",
    "approval.requested",
    "approval.given",
    "run.waited",
    "client.replied",
    "run.steered",
    "stop.requested",
    "deadline.passed",
    "run.ended",
    "text",
    "reasoning",
    "reasoning.closed",
    "call",
    "output",
    "usage",
    "notice",
}


def test_tags_are_never_renamed():
    tags = {kind.__struct_config__.tag for kind in BY_TYPE}
    assert tags >= TAGS
