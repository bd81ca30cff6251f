"""How long things took, as counts in buckets that can be added up, and percentiles of those.

A bucket ends a quarter of an octave above the one below it, so a percentile is at most 19 % above
the true one and never under it.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from itertools import accumulate
from math import ceil
from typing import Literal

from msgspec import Struct

from angelia.core.events import Entry, RunStarted, RunTaken, RunWaited, TurnBegun

Kind = Literal["run", "call", "first"]

SHORTEST = 0.001
STEPS_TO_DOUBLE = 4
# The end of each bucket in seconds. The last one holds whatever is longer: twelve days.
ENDS = tuple(SHORTEST * 2 ** (step / STEPS_TO_DOUBLE) for step in range(121))

Counts = Mapping[int, int]


class Spread(Struct, frozen=True):
    """How often something was timed; half of the times, and 95 of 100, were not longer."""

    count: int
    p50: float
    p95: float


def bucket_of(seconds: float) -> int:
    return min(bisect_left(ENDS, seconds), len(ENDS) - 1)


def percentile(counts: Counts, share: float) -> float:
    """The end of the bucket that holds it. There is at least one count."""
    buckets = sorted(counts)
    rank = max(1, ceil(share * sum(counts.values())))
    sums = accumulate(counts[bucket] for bucket in buckets)
    found = next(bucket for bucket, below in zip(buckets, sums, strict=True) if below >= rank)
    return ENDS[found]


def spread(counts: Counts) -> Spread | None:
    """None where nothing was timed."""
    total = sum(counts.values())
    if not total:
        return None
    return Spread(total, percentile(counts, 0.5), percentile(counts, 0.95))


def worked(entries: Iterable[Entry]) -> float:
    """Seconds from fact to fact in which somebody was at work on a run.

    Not in line for its turn, not while it waited for people or clients, and not while there was
    nobody to drive it.
    """
    seconds, last = 0.0, None
    for entry in entries:
        if last is not None and not isinstance(entry.event, RunTaken | TurnBegun):
            seconds += max(0.0, entry.at - last)
        match entry.event:
            case RunWaited() | RunStarted(queued=True):
                last = None
            case _:
                last = entry.at
    return seconds
