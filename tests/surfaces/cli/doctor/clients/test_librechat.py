from angelia.surfaces.cli.doctor.clients.librechat import read
from angelia.surfaces.cli.doctor.shown import Errand, Said, Thought, Tokens, Trouble
from tests.surfaces.cli.doctor.streams import DONE, call, delta, frame, usage


def test_reasoning_text_and_usage_are_shown():
    stream = delta(reasoning_content="r") + delta(content="t") + delta("stop") + usage(1, 2) + DONE
    shown = read(stream)
    assert shown.pieces == (Thought("r"), Said("t"))
    assert (shown.finish, shown.tokens) == ("stop", Tokens(1, 2))


def test_the_last_usage_counts():
    assert read(usage(1, 2) + usage(3, 4)).tokens == Tokens(3, 4)


def test_chunks_without_a_choice_are_skipped():
    assert read(frame(choices=[], tool="ls", status="running") + delta(content="t")).text == "t"


def test_an_error_ends_the_answer():
    stream = delta(content="a") + frame(error={"message": "no"}) + delta(content="b")
    assert read(stream).pieces == (Said("a"), Trouble("no"))


def test_a_call_is_for_it_to_execute():
    assert read(delta(tool_calls=call("f", "{}"))).errands == [Errand("f", "{}")]
