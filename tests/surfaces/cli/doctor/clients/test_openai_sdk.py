from angelia.surfaces.cli.doctor.clients.openai_sdk import NO_CHOICE, read
from angelia.surfaces.cli.doctor.shown import Card, Errand, Said, Thought, Tokens, Trouble
from tests.surfaces.cli.doctor.streams import DONE, call, delta, frame, usage

RUNNING = {"tool": "terminal", "toolCallId": "c", "status": "running", "emoji": "💻", "label": "ls"}
COMPLETED = {"tool": "terminal", "toolCallId": "c", "status": "completed", "outcome": "timeout"}


def test_tool_progress_of_the_carrier_reaches_the_program():
    choices = [{"index": 0, "delta": {}}]
    stream = frame(choices=choices, **{"hermes.tool.progress": RUNNING})
    stream += frame(choices=choices, **{"hermes.tool.progress": COMPLETED})
    shown = read(stream)
    assert shown.cards == [Card("💻 ls", ("running", "timeout"))]
    assert shown.remarks == ()


def test_tool_progress_without_a_choice_is_dangerous():
    shown = read(frame(choices=[], **RUNNING) + frame(choices=[], **COMPLETED))
    assert shown.cards == [Card("💻 ls", ("running", "timeout"))]
    assert shown.remarks == (NO_CHOICE,)


def test_everything_else_is_as_it_was_sent():
    stream = delta(reasoning_content="r", content="t") + delta(tool_calls=call("f", "{}"))
    shown = read(stream + delta("tool_calls") + usage(1, 2) + DONE)
    assert shown.pieces == (Thought("r"), Said("t"), Errand("f", "{}"))
    assert (shown.finish, shown.tokens) == ("tool_calls", Tokens(1, 2))


def test_an_error_is_raised():
    assert read(frame(error={"message": "no"}) + DONE).pieces == (Trouble("no"),)
