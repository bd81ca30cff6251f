"""Events as bytes in a row, and back."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import json

from angelia.core.events import DELTA_TYPES, PIECE_TYPES, AnyEvent, Entry

_encode_lines = json.Encoder().encode_lines
_decode_lines = json.Decoder(AnyEvent).decode_lines
_decode = json.Decoder(AnyEvent).decode
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


def decode(run_id: str, rows: Iterable[StoredRow], after: int) -> tuple[Entry, ...]:
    """The entries of (first seq, last seq, at, body) rows, without those up to `after`."""
    entries: list[Entry] = []
    for first, last, at, body in rows:
        events = _decode_lines(body)
        if first <= after:
            events = events[after - first + 1 :]
            first = after + 1
        entries += [
            Entry(run_id, seq, at, e) for seq, e in zip(range(first, last + 1), events, strict=True)
        ]
    return tuple(entries)


def decode_outline(run_id: str, rows: Iterable[StoredRow]) -> tuple[Entry, ...]:
    """The entries of the rows that are no pieces. Nearly all lines are, and are not even read."""
    return tuple(
        Entry(run_id, seq, at, _decode(line))
        for first, _last, at, body in rows
        for seq, line in enumerate(body.splitlines(), first)
        if not line.startswith(_PIECES)
    )
