import pytest

from angelia.surfaces.cli.doctor.clients.openwebui import LONGEST_LINE, MERGED, read
from angelia.surfaces.cli.doctor.shown import Card, Errand, Said, Thought, Tokens, Trouble
from tests.surfaces.cli.doctor.streams import DONE, call, delta, frame, usage


def status(description: str, *, done: bool) -> bytes:
    event = {"type": "status", "data": {"description": description, "done": done}}
    return frame(choices=[{"index": 0, "delta": {}}], event=event)


def test_a_status_is_a_card_that_ends_with_its_outcome():
    stream = (
        status("💻 ls", done=False)
        + status("💻 cat x", done=False)
        + status("💻 cat x (error)", done=True)
        + status("💻 ls", done=True)
    )
    assert read(stream).cards == [
        Card("💻 ls", ("running", "ok")),
        Card("💻 cat x", ("running", "error")),
    ]


def test_two_calls_with_the_same_line_are_two_cards():
    stream = status("ls", done=False) * 2 + status("ls (timeout)", done=True)
    assert read(stream).cards == [Card("ls", ("running", "timeout")), Card("ls", ("running",))]


def test_usage_of_several_chunks_is_added_up():
    assert read(usage(1, 2) + usage(10, 20) + DONE).tokens == Tokens(11, 22)


def test_reasoning_that_follows_text_is_put_above_it():
    stream = delta(reasoning_content="one ") + delta(content="text") + delta(reasoning="two")
    shown = read(stream)
    assert shown.pieces == (Thought("one two"), Said("text"))
    assert shown.remarks == (MERGED,)


def test_reasoning_and_text_in_one_chunk_are_both_shown():
    assert read(delta(reasoning_content="r", content="t")).pieces == (Thought("r"), Said("t"))


@pytest.mark.parametrize("noise", [b": ping\n\n", b"event: x\n", b"data: {\n\n", b"data: []\n\n"])
def test_what_it_cannot_read_is_passed_over(noise: bytes):
    assert read(noise + delta(content="t") + noise + DONE).pieces == (Said("t"),)


def test_an_error_is_shown_if_the_chunk_has_no_choices():
    assert read(frame(error={"message": "no"})).pieces == (Trouble("no"),)


def test_a_line_over_the_limit_breaks_the_answer_off():
    shown = read(delta(content="a") + delta(content="x" * LONGEST_LINE) + delta(content="b"))
    assert shown.text == "a"
    assert "too long" in shown.troubles[0].message


def test_a_call_of_a_function_is_for_open_webui_to_execute():
    stream = delta(tool_calls=call("f", "{")) + delta(tool_calls=call("", "}"))
    assert read(stream + delta("tool_calls")).errands == [Errand("f", "{}")]
