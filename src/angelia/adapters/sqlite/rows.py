"""Events as bytes in a row, and back.

A row has one time and a line of JSON for each event. One whose events have come at several times
is packed: its first line says when, and how many each time.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Annotated, NamedTuple

from msgspec import Meta, json

from angelia.core.events import DELTA_TYPES, PIECE_TYPES, AnyEvent, Entry

_encode_lines = json.Encoder().encode_lines
_decode_lines = json.Decoder(AnyEvent).decode_lines
_decode = json.Decoder(AnyEvent).decode
_encode = json.Encoder().encode
_decode_times = json.Decoder(list[tuple[float, Annotated[int, Meta(ge=1)]]]).decode
# What no event begins with.
_PACKED = b"["
_DELTAS = frozenset[type](DELTA_TYPES)
# What the line of a piece begins with: a tag stands before all fields.
_PIECES = tuple(b'{"t":%b' % json.encode(kind.__struct_config__.tag) for kind in PIECE_TYPES)


class Stretch(NamedTuple):
    """Events of one kind in a row, encoded. Lines, so that stretches join without parsing."""

    fact: bool
    length: int
    body: bytes


Stretches = tuple[Stretch, ...]
StoredRow = tuple[int, int, float, bytes]


def encode_lines(events: Sequence[AnyEvent]) -> bytes:
    # msgspec never lets go of the iterator of anything but a list.
    return _encode_lines(list(events))


def encode(events: Sequence[AnyEvent]) -> Stretches:
    """Consecutive events of a kind together, in order."""
    stretches: list[Stretch] = []
    start = 0
    for end in range(1, len(events) + 1):
        if end == len(events) or _is_fact(events[end]) != _is_fact(events[start]):
            part = events[start:end]
            stretches.append(Stretch(_is_fact(events[start]), len(part), encode_lines(part)))
            start = end
    return tuple(stretches)


def _is_fact(event: AnyEvent) -> bool:
    return type(event) not in _DELTAS


def packed(rows: Sequence[StoredRow], most: int) -> Iterator[StoredRow]:
    """Consecutive rows as few, of about `most` bytes, in which every event keeps its time."""
    start = size = 0
    for end, row in enumerate(rows, 1):
        size += len(row[3])
        if size >= most or end == len(rows):
            part = rows[start:end]
            counted = [(at, last - first + 1) for first, last, at, _ in part]
            body = b"".join([row[3] for row in part])
            yield part[0][0], row[1], row[2], _headed(counted, body)
            start, size = end, 0


def stamped(first: int, times: Sequence[float], body: bytes) -> StoredRow:
    """A row of the lines in `body`, with the time of each."""
    counted = [(at, sum(1 for _ in each)) for at, each in groupby(times)]
    return first, first + len(times) - 1, times[-1], _headed(counted, body)


def _headed(counted: Sequence[tuple[float, int]], body: bytes) -> bytes:
    at = counted[0][0]
    if all(other == at for other, _ in counted):
        return body
    return b"%b\n%b" % (_encode(counted), body)


def unstamped(row: StoredRow) -> tuple[Sequence[float], bytes]:
    """The time of each event of a row, and their lines."""
    first, last, at, body = row
    if body[:1] != _PACKED:
        return (at,) * (last - first + 1), body
    head, _, body = body.partition(b"\n")
    counted = _decode_times(head)
    if sum(count for _, count in counted) != last - first + 1:
        raise ValueError("a row has other events than times")
    return [at for at, count in counted for _ in range(count)], body


def decode(run_id: str, rows: Iterable[StoredRow], after: int) -> tuple[Entry, ...]:
    """The entries of (first seq, last seq, at, body) rows, without those up to `after`."""
    entries: list[Entry] = []
    for row in rows:
        first, last, *_ = row
        times, body = unstamped(row)
        events = _decode_lines(body)
        if first <= after:
            times, events = times[after - first + 1 :], events[after - first + 1 :]
            first = after + 1
        entries += [
            Entry(run_id, seq, at, event)
            for seq, at, event in zip(range(first, last + 1), times, events, strict=True)
        ]
    return tuple(entries)


def decode_outline(run_id: str, rows: Iterable[StoredRow]) -> tuple[Entry, ...]:
    """The entries of the rows that are no pieces. Nearly all lines are, and are not even read."""
    return tuple(
        Entry(run_id, seq, at, _decode(line))
        for row in rows
        for seq, at, line in _lines(row)
        if not line.startswith(_PIECES)
    )


def _lines(row: StoredRow) -> Iterable[tuple[int, float, bytes]]:
    times, body = unstamped(row)
    return zip(range(row[0], row[1] + 1), times, body.splitlines(), strict=True)
