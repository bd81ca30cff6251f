import pytest

from angelia.surfaces.cli.doctor.clients.lobechat import LOST, NO_REASON, read
from angelia.surfaces.cli.doctor.shown import Errand, Said, Thought, Tokens, Trouble
from tests.surfaces.cli.doctor.streams import DONE, call, delta, frame, usage


def test_text_that_shares_a_chunk_with_reasoning_is_lost():
    shown = read(delta(reasoning_content="r", content="lost") + delta(content="kept"))
    assert shown.pieces == (Thought("r"), Said("kept"))
    assert shown.remarks == (LOST,)


def test_text_that_shares_a_chunk_with_a_call_is_lost():
    shown = read(delta(tool_calls=call("f", "{}"), content="lost"))
    assert shown.pieces == (Errand("f", "{}"),)
    assert shown.remarks == (LOST,)


def test_text_beside_the_finish_reason_is_kept():
    shown = read(delta("stop", content="last") + usage(1, 2) + DONE)
    assert (shown.text, shown.finish, shown.tokens) == ("last", "stop", Tokens(1, 2))


def test_an_error_behind_the_first_chunk_has_no_message():
    shown = read(delta(content="a") + frame(error={"message": "the reason"}))
    assert shown.pieces == (Said("a"), Trouble("the answer breaks off"))
    assert shown.remarks == (NO_REASON,)


def test_an_error_in_the_first_chunk_is_shown():
    assert read(frame(error={"message": "the reason"})).pieces == (Trouble("the reason"),)


@pytest.mark.parametrize("chunk", [frame(choices=[]), delta(), delta(content="")])
def test_chunks_without_content_show_nothing(chunk: bytes):
    assert read(chunk + DONE).pieces == ()
