"""Server-sent events: any chunking, every line end, and a naive reading of the standard."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.errors import UpstreamGarbled
from angelia.wire.sse import Decoder, Event, comment, encode

SOUP = st.lists(
    st.sampled_from(
        [
            *(b"\r", b"\n", b"\r\n", b":", b" ", b"\0", b"x", "é😀".encode(), b"[DONE]"),
            *(b"data", b"data: ", b"event: ", b"id: ", b"retry: 1"),
            *(b"\xef\xbb\xbf", b"\xef", b"\xbb"),
        ]
    ),
    max_size=40,
).map(b"".join)


ONE_LINE = st.characters(exclude_characters="\r\n\0", exclude_categories=["Cs"])


def cuts(data: bytes, places: list[int]) -> list[bytes]:
    marks = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[a:b] for a, b in pairwise(marks)]


def decode(chunks: list[bytes]) -> list[Event]:
    decoder = Decoder()
    events = [event for chunk in chunks for event in decoder.feed(chunk)]
    return events + decoder.close()


def naive(data: bytes) -> list[Event]:
    """The standard, line by line, over the whole stream at once; an open last event counts."""
    data = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    events: list[Event] = []
    name, last_id, lines = "", None, []
    for line in [*data.split(b"\n"), b""]:
        if line == b"":
            if lines:
                events.append(Event(b"\n".join(lines), name or "message", last_id))
            name, lines = "", []
            continue
        field, _, value = line.partition(b":")
        value = value[1:] if value.startswith(b" ") else value
        if field == b"data":
            lines.append(value)
        elif field == b"event":
            name = value.decode(errors="replace")
        elif field == b"id" and b"\0" not in value:
            last_id = value.decode(errors="replace")
    return events


@given(SOUP, st.lists(st.integers(0, 10_000), max_size=30))
def test_events_do_not_depend_on_where_bytes_are_cut(data: bytes, places: list[int]) -> None:
    assert decode(cuts(data, places)) == decode([data])


@given(SOUP)
def test_events_are_those_of_a_naive_reading_of_the_standard(data: bytes) -> None:
    assert decode([data]) == naive(data)
    assert decode([data[i : i + 1] for i in range(len(data))]) == naive(data)


@given(
    st.lists(
        st.tuples(
            st.binary().filter(lambda data: b"\r" not in data),
            st.none() | st.text(ONE_LINE, min_size=1),
            st.text(ONE_LINE),
        )
    )
)
def test_what_is_encoded_is_decoded_again(sent: list[tuple[bytes, str | None, str]]) -> None:
    stream = b"".join(encode(data, name=name, id=id_) for data, name, id_ in sent)
    expected = [Event(data, name or "message", id_) for data, name, id_ in sent]
    assert decode([stream]) == expected


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        (b"data: a\n\n", [Event(b"a")]),
        (b"data:a\r\n\r\n", [Event(b"a")]),
        (b"data: a\r\rdata: b\r\r", [Event(b"a"), Event(b"b")]),
        (b"data: a\ndata: b\n\n", [Event(b"a\nb")]),
        (b"data: a\r\ndata: b\r\n\r\n", [Event(b"a\nb")]),
        (b"data: a\rdata: b\n\r\n", [Event(b"a\nb")]),
        (b"data\n\n", [Event(b"")]),
        (b": ping\n\ndata: a\n\n", [Event(b"a")]),
        (b"event: error\ndata: a\n\ndata: b\n\n", [Event(b"a", "error"), Event(b"b")]),
        (b"event: lonely\n\ndata: a\n\n", [Event(b"a")]),
        (b"id: 7\ndata: a\n\ndata: b\n\n", [Event(b"a", id="7"), Event(b"b", id="7")]),
        (b"id: 7\nid: 8\0\ndata: a\n\n", [Event(b"a", id="7")]),
        (b"\xef\xbb\xbfdata: a\n\n", [Event(b"a")]),
        (b"retry: 10\ndata: a\n\n", [Event(b"a")]),
        (b"data:  a\n\n", [Event(b" a")]),
    ],
)
def test_the_standards_cases(stream: bytes, expected: list[Event]) -> None:
    assert decode([stream]) == expected
    assert decode([stream[i : i + 1] for i in range(len(stream))]) == expected


def test_an_event_comes_out_with_its_blank_line_and_not_before() -> None:
    decoder = Decoder()
    assert decoder.feed(b"data: a\n") == []
    assert decoder.feed(b"\n") == [Event(b"a")]


def test_a_lone_cr_ends_a_line_without_waiting_for_an_lf() -> None:
    decoder = Decoder()
    assert decoder.feed(b"data: a\r\r") == [Event(b"a")]
    assert decoder.feed(b"\ndata: b\n\n") == [Event(b"b")]


@pytest.mark.parametrize("ending", [b"", b"\n", b"\r\n"])
def test_an_event_without_its_blank_line_counts_at_the_end(ending: bytes) -> None:
    decoder = Decoder()
    assert decoder.feed(b"data: [DONE]" + ending) == []
    assert decoder.close() == [Event(b"[DONE]")]
    assert decoder.close() == []


def test_an_event_of_exactly_the_limit_passes_and_one_byte_more_does_not() -> None:
    line = b"data: " + b"x" * 94
    assert len(Decoder(max_event=100).feed(line + b"\n\n")) == 1
    with pytest.raises(UpstreamGarbled, match="more than 100 bytes"):
        Decoder(max_event=100).feed(line + b"x\n\n")


@pytest.mark.parametrize("piece", [b"x", b"data: x\n", b"data:\n"])
def test_an_event_that_grows_without_end_is_given_up(piece: bytes) -> None:
    decoder = Decoder(max_event=1000)
    with pytest.raises(UpstreamGarbled):
        list(map(decoder.feed, [piece] * 2000))


def test_comments_may_go_on_for_ever() -> None:
    decoder = Decoder(max_event=100)
    for _ in range(1000):
        assert decoder.feed(b": still here\n") == []


def test_a_giant_line_in_small_chunks_is_read_whole() -> None:
    decoder = Decoder()
    chunks = [b"data: ", *[b"y" * 100] * 20_000, b"\n\n"]
    (event,) = [event for chunk in chunks for event in decoder.feed(chunk)]
    assert event.data == b"y" * 2_000_000


def test_every_kind_of_line_end_in_data_becomes_a_line_of_its_own() -> None:
    assert encode(b"a\r\nb\rc\nd") == b"data: a\ndata: b\ndata: c\ndata: d\n\n"


@pytest.mark.parametrize("bad", ["a\nb", "a\rb", "a\0b"])
def test_a_name_or_id_of_more_than_one_line_is_refused(bad: str) -> None:
    with pytest.raises(ValueError, match="one line"):
        encode(b"", name=bad)
    with pytest.raises(ValueError, match="one line"):
        encode(b"", id=bad)


@given(st.text())
def test_no_reader_sees_a_comment(text: str) -> None:
    assert decode([b"data: a\n\n" + comment(text) + encode(b"b")]) == [Event(b"a"), Event(b"b")]
