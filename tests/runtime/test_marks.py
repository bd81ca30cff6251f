"""What a record says of a run, told from its state."""

import pytest

from angelia.core.chain import chain
from angelia.core.events import (
    AnyEvent,
    Cancelled,
    Completed,
    Ending,
    Exhausted,
    Failed,
    ModelReplied,
    RunEnded,
    RunStarted,
    RunWaited,
    StopRequested,
    TextDelta,
    TurnBegun,
)
from angelia.core.messages import Assistant, Reply, Text, ToolCall, ToolSpec, Usage, user
from angelia.core.run import fold
from angelia.ports import Bill, Claim, Took
from angelia.runtime.marks import mark, summary

STARTED = RunStarted("angelia", (user("hi"),), session_id="s", user="ann")
USED = Usage(input=3, output=2)
REPLIED = ModelReplied(Reply(Assistant((Text("Hello."),)), "stop", USED, "gpt"), cost=0.5)
SERVED = chain((user("hi"), Assistant((Text("Hello."),))), "ann")


def test_a_model_call_is_billed_under_the_name_that_its_provider_gave() -> None:
    marked = mark(fold([STARTED, REPLIED]), [TextDelta("Hello."), REPLIED], ["Hello."])
    assert marked.bill == Bill("gpt", USED, 0.5)
    assert marked.summary is None
    nameless = ModelReplied(Reply(Assistant((Text("x"),)), "stop"))
    marked = mark(fold([STARTED, nameless]), [nameless], [])
    assert marked.bill == Bill("angelia", Usage(), 0.0)


def test_events_without_a_model_call_bill_nothing() -> None:
    marked = mark(fold([STARTED]), [TextDelta("x")], [])
    assert (marked.status, marked.bill, marked.summary) == ("running", None, None)


def test_a_run_that_ends_is_summed_up() -> None:
    ended = RunEnded(Completed(), "Hello.")
    marked = mark(fold([STARTED, REPLIED, ended]), [REPLIED, ended], ["Hel", "lo."])
    told = marked.summary
    assert told is not None
    assert (marked.status, told.output, told.usage, told.cost) == ("completed", "Hello.", USED, 0.5)
    assert told.error is None
    assert told.chains == (SERVED,)


def test_a_run_that_waits_is_summed_up_too() -> None:
    call = Assistant((ToolCall("c1", "theirs", "{}"),))
    events: list[AnyEvent] = [
        RunStarted("m", (user("hi"),), session_id="s", tools=(ToolSpec("theirs", owner="client"),)),
        ModelReplied(Reply(call, "tool_calls")),
        RunWaited("client_tools", ("c1",)),
    ]
    marked = mark(fold(events), events[1:], [])
    assert marked.status == "waiting_for_client"
    assert marked.summary is not None
    assert marked.summary.chains == (chain((user("hi"), call), ""),)


def test_what_went_by_is_known_besides_what_was_said() -> None:
    state = fold([STARTED, REPLIED, RunEnded(Completed())])
    passed_by = chain((user("hi"), Assistant((Text("Hel Hello."),))), "ann")
    assert set(summary(state, "Hel\n\nHello.").chains) == {SERVED, passed_by}
    assert summary(state, " \n").chains == (SERVED,)


def test_a_run_without_a_session_is_never_gone_on_with() -> None:
    state = fold([RunStarted("m", (user("hi"),)), REPLIED, RunEnded(Completed())])
    assert summary(state, "Hello.").chains == ()


@pytest.mark.parametrize(
    ("ending", "error"),
    [
        (Completed(), None),
        (Cancelled(), None),
        (Failed("It broke.", "broken"), Failed("It broke.", "broken")),
        (
            Exhausted("max_steps"),
            Failed("The run used up its budget: max_steps.", "max_steps"),
        ),
    ],
)
def test_an_end_that_is_an_error_says_which(ending: Ending, error: Failed | None) -> None:
    assert summary(fold([STARTED, StopRequested(), RunEnded(ending)])).error == error


def test_a_claim_is_passed_on() -> None:
    claim = Claim("key:x", "f", 1.0)
    assert mark(fold([STARTED]), [], [], claim).claim is claim


def test_a_turn_that_begins_tells_what_it_goes_on_from() -> None:
    queued = RunStarted("angelia", (user("hi"),), queued=True, follows=True)
    begun = TurnBegun((user("before"),), "run_before")
    assert mark(fold([queued, begun]), [begun], []).parent == "run_before"
    assert mark(fold([STARTED]), [TextDelta("x")], []).parent is None


def test_a_model_call_is_billed_with_the_time_it_took() -> None:
    took = Took(2.0, 0.5)
    marked = mark(fold([STARTED, REPLIED]), [REPLIED], [], took=took)
    assert marked.bill == Bill("gpt", USED, 0.5, took)
    assert marked.worked is None


@pytest.mark.parametrize(
    ("ending", "worked"), [(Completed(), 3.0), (Failed("x", "y"), 3.0), (Cancelled(), None)]
)
def test_the_time_of_a_run_counts_when_it_ends_by_itself(
    ending: Ending, worked: float | None
) -> None:
    ended = RunEnded(ending)
    events = [STARTED, *([StopRequested()] if isinstance(ending, Cancelled) else []), ended]
    assert mark(fold(events), [ended], [], worked=3.0).worked == worked
