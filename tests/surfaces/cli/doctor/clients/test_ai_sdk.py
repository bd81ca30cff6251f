import pytest

from angelia.surfaces.cli.doctor.clients.ai_sdk import UNFINISHED, read
from angelia.surfaces.cli.doctor.shown import Errand, Said, Thought, Tokens, Trouble
from tests.surfaces.cli.doctor.streams import DONE, call, delta, frame, usage


@pytest.mark.parametrize(
    "chunk",
    [
        frame(tool="ls"),
        frame(choices=[{"delta": {}}]),
        delta(role="tool"),
        delta(content=5),
        b"data: {\n\n",
    ],
    ids=["no choices", "no index", "another role", "content that is no text", "no JSON"],
)
def test_a_chunk_that_does_not_fit_is_an_error_and_the_rest_goes_on(chunk: bytes):
    shown = read(delta(content="a") + chunk + delta(content="b") + delta("stop") + DONE)
    assert shown.text == "ab"
    assert [trouble.message[:28] for trouble in shown.troubles] == ["a chunk does not fit the sch"]


def test_extra_fields_do_no_harm():
    chunk = frame(choices=[{"index": 0, "delta": {}}], **{"hermes.tool.progress": {"tool": "ls"}})
    assert read(chunk + delta("stop")).pieces == ()


def test_an_error_is_shown_with_its_message():
    assert read(frame(error={"message": "no"}) + DONE).pieces == (Trouble("no"),)


def test_an_end_without_a_reason_is_an_error():
    assert read(delta(content="a") + DONE).troubles == [Trouble(UNFINISHED)]


def test_everything_else_is_shown():
    stream = delta(role="assistant", content="") + delta(reasoning="r") + delta(content="t")
    stream += delta(tool_calls=call("f", "{")) + delta(tool_calls=call("", "}"))
    shown = read(stream + delta("tool_calls") + usage(1, 2) + DONE)
    assert shown.pieces == (Thought("r"), Said("t"), Errand("f", "{}"))
    assert (shown.finish, shown.tokens) == ("tool_calls", Tokens(1, 2))
