"""Runs as their logs would be, for whoever renders them."""

from collections.abc import Sequence

from hypothesis import strategies as st

from angelia.core.events import (
    AnyEvent,
    CallDelta,
    Cancelled,
    ClientReplied,
    Completed,
    Entry,
    Exhausted,
    Failed,
    ModelReplied,
    Notice,
    OutputDelta,
    ReasoningClosed,
    ReasoningDelta,
    RunEnded,
    RunStarted,
    RunWaited,
    StepReset,
    TextDelta,
    ToolFinished,
    ToolStarted,
    UsageReported,
)
from angelia.core.messages import (
    Assistant,
    Reasoning,
    Reply,
    Text,
    ToolCall,
    ToolResult,
    Usage,
    user,
)
from tests.support.prose import prose

TEXT = prose(max_size=20)
STARTED = RunStarted("angelia", (user("hi"),))


def entries(*events: AnyEvent) -> list[Entry]:
    return [Entry("run_1", seq, 1.5, event) for seq, event in enumerate(events, 1)]


def step(
    texts: list[str],
    thoughts: Sequence[str] = (),
    calls: tuple[ToolCall, ...] = (),
) -> list[AnyEvent]:
    """What a model call leaves in the log."""
    usage = Usage(10, 5, 3, 0, 2)
    parts = (
        *([Reasoning("".join(thoughts))] if any(thoughts) else []),
        *([Text("".join(texts))] if any(texts) else []),
        *calls,
    )
    reply = Reply(Assistant(parts), "tool_calls" if calls else "stop", usage, "real")
    return [
        *(ReasoningDelta(thought) for thought in thoughts if thought),
        *([ReasoningClosed("".join(thoughts))] if any(thoughts) else []),
        *(TextDelta(text) for text in texts if text),
        *(CallDelta(i, call.arguments, call.id, call.name) for i, call in enumerate(calls)),
        UsageReported(usage, "real"),
        ModelReplied(reply),
    ]


@st.composite
def tool_step(draw: st.DrawFn, number: int) -> list[AnyEvent]:
    count = draw(st.integers(1, 3))
    names = draw(st.lists(st.sampled_from(["f", "g", "_inner"]), min_size=count, max_size=count))
    calls = tuple(
        ToolCall(f"call_{number}_{i}", name, draw(st.sampled_from(["{}", '{"x": 1}', "{bad"])))
        for i, name in enumerate(names)
    )
    outcomes = st.sampled_from(["ok", "error", "denied", "cancelled", "timeout", "in_doubt"])
    ends = draw(st.permutations(calls))
    return [
        *step(draw(st.lists(TEXT, max_size=3)), draw(st.lists(TEXT, max_size=2)), calls),
        *(ToolStarted(c.id, c.name, c.arguments, "pure", draw(TEXT), "🔧") for c in calls),
        *([OutputDelta(calls[0].id, "…"), Notice("retry", "again")]),
        *(ToolFinished(c.id, c.name, draw(outcomes), draw(TEXT), 0.1) for c in ends),
    ]


@st.composite
def voided_step(draw: st.DrawFn) -> list[AnyEvent]:
    texts = draw(st.lists(TEXT, max_size=2))
    return [*(TextDelta(text) for text in texts if text), StepReset("stall")]


CLIENT_CALLS = (ToolCall("call_c_0", "mine", '{"x": 1}'), ToolCall("call_c_1", "mine", "{}"))
WAITING = RunWaited("client_tools", tuple(call.id for call in CLIENT_CALLS))


@st.composite
def runs(draw: st.DrawFn) -> list[Entry]:
    """A run of some steps, to its end or to the client's turn."""
    events: list[AnyEvent] = [STARTED]
    for number in range(draw(st.integers(0, 3))):
        events += draw(voided_step()) if draw(st.booleans()) else []
        events += draw(tool_step(number))
    if draw(st.booleans()):
        events += [*step(draw(st.lists(TEXT, max_size=2)), [], CLIENT_CALLS), WAITING]
        after = ClientReplied((ToolResult("call_c_0", "r"), ToolResult("call_c_1", "r")))
        return entries(*events, *([after] if draw(st.booleans()) else []))
    ending = draw(
        st.sampled_from(
            [
                *(Completed("stop"), Completed("length"), Completed("tool_calls")),
                *(Exhausted("max_steps"), Failed("no", "upstream_stalled"), Failed("no", "x")),
                Cancelled("user"),
            ]
        )
    )
    said = ["the end", *draw(st.lists(TEXT, max_size=2))]
    return entries(*events, *step(said, draw(st.lists(TEXT, max_size=2))), RunEnded(ending))
