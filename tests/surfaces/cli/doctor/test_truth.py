import pytest

from angelia.core.events import (
    AnyEvent,
    Cancelled,
    ClientReplied,
    Completed,
    Ending,
    Exhausted,
    Failed,
    ModelReplied,
    Notice,
    ReasoningDelta,
    RunEnded,
    RunWaited,
    StepReset,
    TextDelta,
    ToolStarted,
)
from angelia.core.messages import Assistant, Reply, Text, Usage
from angelia.surfaces.cli.doctor.shown import Tokens
from angelia.surfaces.cli.doctor.truth import Truth, tell
from angelia.wire import sse
from angelia.wire.runs.server import render
from tests.wire.chat.runs import STARTED, entries

COMPLETED = RunEnded(Completed(), usage=Usage(1, 2))


def told(*events: AnyEvent) -> Truth:
    stream = render(entries(STARTED, *events))
    return tell(event.data for event in sse.Decoder().feed(stream))


def said(text: str) -> ModelReplied:
    return ModelReplied(Reply(Assistant((Text(text),)), "stop"))


def test_text_is_taken_once_whether_it_was_streamed_or_not():
    assert told(TextDelta("a"), TextDelta("b"), said("ab"), said("c"), COMPLETED).text == "abc"


def test_a_step_that_was_asked_again_has_shown_what_it_had():
    assert told(TextDelta("x"), StepReset("stall"), said("y"), COMPLETED).text == "xy"


def test_internal_tools_are_nobodys_business():
    tools = [ToolStarted(name, name, "{}", "pure") for name in ("terminal", "_inner")]
    assert told(*tools, COMPLETED).tools == ("terminal",)


def test_the_story_ends_where_the_client_has_to_act():
    waiting = RunWaited("client_tools", ("a", "b"))
    truth = told(said("x"), waiting, ClientReplied(()), said("later"), COMPLETED)
    assert truth == Truth("x", "", (), 2, None, None)


def test_waiting_for_approval_is_not_an_end():
    assert told(RunWaited("approval", ("a",)), said("x"), COMPLETED).tokens == Tokens(1, 2)


@pytest.mark.parametrize(
    ("ending", "failure"),
    [
        (Completed(), None),
        (Cancelled(), "The run was stopped."),
        (Failed("no", "x"), "no"),
        (Exhausted("max_steps"), None),
    ],
)
def test_how_it_ended(ending: Ending, failure: str | None):
    end = RunEnded(ending, usage=Usage(1, 2))
    truth = told(ReasoningDelta("r"), Notice("retry", "again"), end)
    assert truth == Truth("", "r", (), 0, failure, Tokens(1, 2))
