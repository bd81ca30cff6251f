import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.surfaces.upstream.frames import (
    Chunk,
    Frame,
    framed,
    split,
    split_arguments,
    spoil,
    up_to,
)
from angelia.surfaces.upstream.script import ErrorEvent, Fault, Place

FRAMES = [
    Frame("open", b"O"),
    Frame("reasoning", b"R"),
    *(Frame("text", b"T%d" % number) for number in range(4)),
    Frame("mark", b"M"),
    Frame("arguments", b"A1"),
    Frame("arguments", b"A2"),
    Frame("finish", b"F"),
    Frame("end", b"E"),
]
ERROR = Frame("end", b"ERROR")
WHOLE = [Frame("whole", b"0123456789")]


def joined(frames: list[Frame]) -> bytes:
    return b" ".join(frame.data for frame in frames)


@given(st.text(), st.sampled_from(["word", "char", "all", 1, 3]))
def test_pieces_together_are_the_text(text: str, chunk: Chunk):
    assert "".join(split(text, chunk)) == text
    assert "".join(split_arguments(text, chunk)) == text


@pytest.mark.parametrize(
    ("place", "sent"),
    [
        ("start", b""),
        ("open", b"O"),
        ("reasoning", b"O "),
        ("text", b"O R T0 T1"),
        ("arguments", b"O R T0 T1 T2 T3 M A1"),
    ],
)
def test_an_answer_goes_to_the_middle_of_a_place(place: Place, sent: bytes):
    assert joined(up_to(FRAMES, place)) == sent


def test_a_place_that_the_answer_lacks_is_its_text():
    frames = [frame for frame in FRAMES if frame.kind != "arguments"]
    assert joined(up_to(frames, "arguments")) == b"O R T0 T1"


def test_a_whole_answer_is_cut_in_its_middle():
    assert joined(up_to(WHOLE, "arguments")) == b"01234"


@pytest.mark.parametrize(
    ("fault", "sent", "ending"),
    [
        (Fault(), joined(FRAMES), "end"),
        (Fault(empty=True), b"", "end"),
        (Fault(no_finish=True), b"O R T0 T1 T2 T3 M A1 A2", "end"),
        (Fault(no_finish="arguments"), b"O R T0 T1 T2 T3 M A1", "end"),
        (Fault(comments="text"), b"O R T0 T1", "comments"),
        (Fault(cut="text"), b"O R T0 T1", "cut"),
        (Fault(stall="text"), b"O R T0 T1", "stall"),
        (Fault(error_event=ErrorEvent()), b"ERROR", "end"),
        (Fault(error_event=ErrorEvent(), after="text"), b"O R T0 T1 ERROR", "end"),
    ],
)
def test_a_fault_spoils_an_answer(fault: Fault, sent: bytes, ending: str):
    frames, end = spoil(FRAMES, fault, ERROR)
    assert (joined(frames), end) == (sent, ending)


def test_a_malformed_answer_has_a_piece_that_is_not_json_and_goes_on():
    frames, ending = spoil(FRAMES, Fault(malformed=True), ERROR)
    assert b"not JSON" in frames[4].data
    assert frames[5:] == FRAMES[4:]
    assert ending == "end"


def test_a_malformed_piece_may_come_anywhere():
    frames, _ = spoil(FRAMES, Fault(malformed="arguments"), ERROR)
    assert b"not JSON" in frames[8].data
    frames, _ = spoil(FRAMES, Fault(malformed="start"), ERROR)
    assert b"not JSON" in frames[0].data


def test_lines_may_end_otherwise_and_a_mark_may_lead():
    frames = [Frame("text", b"data: 1\n\n")]
    assert joined(framed(frames, Fault(crlf=True, bom=True))) == b"\xef\xbb\xbf data: 1\r\n\r\n"
    assert framed(frames, Fault()) == frames


def test_a_malformed_whole_answer_ends_too_soon():
    assert spoil(WHOLE, Fault(malformed=True), ERROR) == ([Frame("whole", b"01234")], "end")
