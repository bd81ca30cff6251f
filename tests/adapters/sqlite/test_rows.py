import gc
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import DecodeError, Raw

from angelia.adapters.sqlite.rows import (
    StoredRow,
    decode,
    decode_outline,
    encode,
    encode_lines,
    packed,
    stamped,
    unstamped,
)
from angelia.core.events import (
    DELTA_TYPES,
    PIECE_TYPES,
    AnyEvent,
    CallDelta,
    OutputDelta,
    ReasoningClosed,
    ReasoningDelta,
    RunEnded,
    RunStarted,
    StopRequested,
    TextDelta,
    ToolFinished,
)
from angelia.core.events import Completed as Done
from angelia.core.messages import Image, Text, ToolSpec, User

some_events = st.lists(
    st.one_of(
        st.builds(TextDelta, st.text(st.characters(exclude_categories=("Cs",)))),
        st.builds(StopRequested, st.text('ab\n"\\')),
        st.just(ToolFinished("call", "tool", "ok", "line\nline\r\n\u2028")),
        st.just(RunEnded(Done("length"))),
        st.just(ReasoningDelta("hm")),
        st.just(ReasoningClosed("hm")),
        st.just(CallDelta(0, "{", "c", "f")),
        st.just(OutputDelta("c", "out\r\n")),
    ),
    min_size=1,
    max_size=12,
)


def rows(events: list[AnyEvent]) -> list[tuple[int, int, float, bytes]]:
    found: list[tuple[int, int, float, bytes]] = []
    seq = 0
    for _fact, length, body in encode(tuple(events)):
        found.append((seq + 1, seq + length, 5.0, body))
        seq += length
    return found


@given(some_events)
def test_stretches_hold_events_of_one_kind_and_alternate(events: list[AnyEvent]) -> None:
    stretches = encode(tuple(events))
    kinds = [stretch.fact for stretch in stretches for _ in range(stretch.length)]
    assert kinds == [not isinstance(event, DELTA_TYPES) for event in events]
    assert all(one.fact != two.fact for one, two in pairwise(stretches))


@given(some_events, st.data())
def test_every_cursor_gets_exactly_the_rest(events: list[AnyEvent], data: st.DataObject) -> None:
    after = data.draw(st.integers(-1, len(events)))
    behind = [row for row in rows(events) if row[1] > after]
    entries = decode("run", behind, after)
    assert [entry.event for entry in entries] == events[max(after, 0) :]
    assert [entry.seq for entry in entries] == list(range(max(after, 0) + 1, len(events) + 1))


@given(some_events)
def test_an_outline_has_everything_but_the_pieces(events: list[AnyEvent]) -> None:
    entries = decode("run", rows(events), 0)
    assert decode_outline("run", rows(events)) == tuple(
        entry for entry in entries if not isinstance(entry.event, PIECE_TYPES)
    )


@given(some_events, some_events)
def test_bodies_join_without_parsing(one: list[AnyEvent], two: list[AnyEvent]) -> None:
    joined = b"".join(row[3] for row in rows(one) + rows(two))
    entries = decode("run", [(1, len(one) + len(two), 5.0, joined)], 0)
    assert [entry.event for entry in entries] == one + two


@st.composite
def flushes(draw: st.DrawFn) -> list[StoredRow]:
    """Deltas as they were spooled: each lot with a time of its own, or that of the one before."""
    found: list[StoredRow] = []
    last, at = 1, 5.0
    for count, later in draw(st.lists(st.tuples(st.integers(1, 4), st.booleans()), min_size=1)):
        at += later * 0.1
        lot = [TextDelta(f"{last + 1 + number}") for number in range(count)]
        found.append((last + 1, last + count, at, encode_lines(lot)))
        last += count
    return found


@given(flushes(), st.integers(1, 400), st.data())
def test_packed_every_event_keeps_its_seq_and_its_time(
    rows: list[StoredRow], most: int, data: st.DataObject
) -> None:
    few = list(packed(rows, most))
    assert len(few) <= len(rows)
    after = data.draw(st.integers(0, rows[-1][1] + 2))
    behind = [row for row in few if row[1] > after]
    assert decode("run", behind, after) == decode("run", [r for r in rows if r[1] > after], after)
    assert decode_outline("run", few) == decode_outline("run", rows)


@given(flushes(), st.integers(1, 400))
def test_packed_rows_are_as_large_as_they_may_be_and_hardly_larger(
    rows: list[StoredRow], most: int
) -> None:
    sizes = [len(unstamped(row)[1]) for row in packed(rows, most)]
    largest = max(len(row[3]) for row in rows)
    assert all(most <= size < most + largest for size in sizes[:-1])


@given(flushes(), st.data())
def test_a_part_of_a_packed_row_is_one_too(rows: list[StoredRow], data: st.DataObject) -> None:
    ((first, last, _, _),) = whole = list(packed(rows, 1_000_000))
    times, body = unstamped(whole[0])
    start = data.draw(st.integers(0, last - first))
    count = data.draw(st.integers(1, last - first + 1 - start))
    lines = body.splitlines(keepends=True)[start : start + count]
    part = stamped(first + start, times[start : start + count], b"".join(lines))
    assert part[1] == first + start + count - 1
    assert decode("run", [part], 0) == decode("run", whole, 0)[start : start + count]


def test_what_came_at_one_time_needs_no_line_for_it() -> None:
    one, two = (2, 2, 5.0, b'{"t":"a"}\n'), (3, 4, 5.0, b'{"t":"b"}\n{"t":"c"}\n')
    assert list(packed([one, two], 1_000)) == [(2, 4, 5.0, one[3] + two[3])]
    assert list(packed([], 1_000)) == []


@pytest.mark.parametrize(
    "head",
    [
        b"[[5.0,1]]",
        b"[[5.0,1],[6.0,2]]",
        b"[[5.0,3],[6.0,-1]]",
        b"[",
        b"[[]]",
        b"[[5.0,2]",
        b"[[5.0,1000000000000]]",
    ],
)
def test_times_that_are_not_those_of_the_events_are_refused(head: bytes) -> None:
    body = head + b"\n" + encode_lines([TextDelta("a"), TextDelta("b")])
    with pytest.raises((DecodeError, ValueError)):
        decode("run", [(1, 2, 6.0, body)], 0)


def test_json_that_is_kept_verbatim_comes_back_verbatim() -> None:
    started = RunStarted(
        "m",
        (User((Text("a"), Image("data:,"))),),
        tools=(ToolSpec("t", parameters=Raw(b'{"type": "object",  "x":1.0}')),),
        metadata=Raw(b'{ "spaced" : [1, 2] }'),
    )
    (entry,) = decode("run", rows([started]), 0)
    assert isinstance(entry.event, RunStarted)
    assert bytes(entry.event.metadata or b"") == b'{ "spaced" : [1, 2] }'
    assert bytes(entry.event.tools[0].parameters) == b'{"type": "object",  "x":1.0}'


def test_nothing_encodes_to_nothing() -> None:
    assert encode(()) == ()


def test_text_that_is_not_unicode_is_refused_at_once() -> None:
    with pytest.raises(UnicodeEncodeError):
        encode((TextDelta("\ud800"),))


def test_encoding_and_decoding_leave_nothing_behind() -> None:
    events = (TextDelta("a"), TextDelta("b"))
    row = rows(list(events))
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(1000):
        encode_lines(events)
        encode(events)
        decode("run", row, 0)
    gc.collect()
    assert len(gc.get_objects()) - before < 100
