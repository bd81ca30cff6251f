import re
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.tools.transcript import Transcript, split_whole

messy = (
    st.binary()
    | st.text().map(str.encode)
    | st.lists(
        st.sampled_from(
            [
                b"\xe2",
                b"\x82",
                b"\xac",
                b"\xf0",
                b"\x9f",
                b"\xe0",
                b"\x80",
                b"\xc3",
                b"\xa9",
                b"a",
                b"\xff",
            ]
        )
    ).map(b"".join)
)


@given(st.lists(messy))
def test_text_does_not_depend_on_where_bytes_are_cut(pieces: list[bytes]):
    text, rest = "", b""
    for piece in pieces:
        whole, rest = split_whole(rest + piece)
        assert len(rest) < 4
        text += whole.decode(errors="replace")
    text += rest.decode(errors="replace")
    assert text == b"".join(pieces).decode(errors="replace")


@pytest.mark.parametrize(
    ("data", "rest"),
    [("€".encode(), b""), ("a€".encode()[:-1], b"\xe2\x82"), ("🎨".encode()[:1], b"\xf0")],
)
def test_only_an_unfinished_character_is_held_back(data: bytes, rest: bytes):
    assert split_whole(data) == (data[: len(data) - len(rest)], rest)


@given(st.lists(st.text().map(str.encode)), st.integers(2, 40))
def test_head_and_tail_are_kept_and_the_middle_is_counted(pieces: list[bytes], kept: int):
    transcript = Transcript(kept)
    for piece in pieces:
        transcript.add(piece)
    everything = b"".join(pieces)
    text = transcript.text()
    if len(everything) <= kept // 2 * 2:
        assert text == everything.decode()
        return
    found = re.search(r"\n\[… ([\d,]+) bytes left out …\]\n", text)
    assert found is not None
    head, tail = text[: found.start()].encode(), text[found.end() :].encode()
    assert everything.startswith(head)
    assert everything.endswith(tail)
    assert len(head) + len(tail) + int(found[1].replace(",", "")) == len(everything)
    assert len(head) + len(tail) >= kept // 2 * 2 - 6


def test_memory_stays_bounded_whatever_the_size_of_the_pieces():
    transcript = Transcript(10_000)
    piece = b"x" * 50_000
    tracemalloc.start()
    try:
        for size in (1, 7, 100, 5000, 50_000) * 100:
            transcript.add(piece[:size])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 500_000
    assert len(transcript.text()) < 10_100
