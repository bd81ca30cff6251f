"""Events as bytes: numbered, named, and cut where they can be."""

from msgspec import json

from angelia.core.events import RunWaited, ToolStarted
from angelia.core.messages import ToolCall
from angelia.wire.responses.output.frames import DONE, PIECE, Frame, Tape, pieces, sse
from angelia.wire.sse import Decoder
from tests.wire.chat.runs import STARTED, step
from tests.wire.responses.legs import DIALECTS, ENDED, entries, stream, writer


def test_no_line_that_can_be_cut_is_longer_than_a_reader_takes() -> None:
    text = "\x00" * 70_000
    calls = (ToolCall("call_c_0", "mine", text),)
    log = entries(
        STARTED,
        *step([text], [text], calls),
        ToolStarted("t", "look", text, "pure"),
        RunWaited("client_tools", ("call_c_0",)),
    )
    for dialect in DIALECTS:
        frames = writer(dialect).write(log)
        deltas = [frame for frame in frames if frame.type.endswith(".delta")]
        assert len(deltas) >= 3 * 9
        assert max(len(frame.data) for frame in deltas) < 64 * 1024


def test_the_name_of_an_event_is_its_type() -> None:
    _, frames = stream(STARTED, *step(["a"]), ENDED)
    decoder = Decoder()
    read = decoder.feed(sse(frames) + DONE)
    assert read.pop().data == b"[DONE]"
    assert [event.name for event in read] == [json.decode(event.data)["type"] for event in read]
    assert all(event.id is None for event in read)


def test_numbers_go_on_over_several_takings() -> None:
    tape = Tape()
    tape.add("a", b'"x":1')
    first = tape.take()
    tape.add("b", b'"x":2')
    tape.go_on("c", b'{"type":"c","x":', b"3")
    assert [*first, *tape.take()] == [
        Frame(0, "a", b'{"type":"a","x":1,"sequence_number":0}'),
        Frame(1, "b", b'{"type":"b","x":2,"sequence_number":1}'),
        Frame(2, "c", b'{"type":"c","x":3,"sequence_number":2}'),
    ]
    assert tape.take() == []


def test_nothing_is_lost_where_text_is_cut() -> None:
    text = "é" * (2 * PIECE + 1)
    assert [len(piece) for piece in pieces(text)] == [PIECE, PIECE, 1]
    assert "".join(pieces(text)) == text
    assert list(pieces("")) == [""]
