"""Counts in buckets say how long things took, never less than it was."""

from collections import Counter
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.events import (
    AnyEvent,
    Completed,
    Entry,
    RunEnded,
    RunStarted,
    RunTaken,
    RunWaited,
    Steered,
    TurnBegun,
)
from angelia.core.latency import ENDS, Spread, bucket_of, percentile, spread, worked
from angelia.core.messages import user

seconds = st.floats(0, ENDS[-1])
samples = st.lists(seconds, min_size=1, max_size=200)


def counted(times: list[float]) -> Counter[int]:
    return Counter(map(bucket_of, times))


@given(seconds)
def test_a_time_lies_at_or_under_the_end_of_its_bucket_and_above_the_one_below(time: float) -> None:
    bucket = bucket_of(time)
    assert time <= ENDS[bucket]
    assert bucket == 0 or time > ENDS[bucket - 1]


@given(seconds, seconds)
def test_who_takes_longer_is_in_no_lower_bucket(one: float, other: float) -> None:
    assert (bucket_of(one) <= bucket_of(other)) or one > other


@given(samples, st.sampled_from([0.5, 0.95, 0.01, 1.0]))
def test_a_percentile_is_within_one_bucket_of_the_true_one(
    times: list[float], share: float
) -> None:
    true = sorted(times)[ceil(share * len(times)) - 1]
    told = percentile(counted(times), share)
    assert told == ENDS[bucket_of(true)]
    assert told >= true
    assert told <= max(ENDS[0], true * 2**0.25 * (1 + 1e-9))


@given(samples, samples)
def test_counts_that_are_added_up_tell_what_all_times_together_tell(
    some: list[float], more: list[float]
) -> None:
    assert spread(counted(some) + counted(more)) == spread(counted([*some, *more]))


@pytest.mark.parametrize("time", [ENDS[-1] * 2, float("inf")])
def test_what_takes_longer_than_anything_is_in_the_last_bucket(time: float) -> None:
    assert bucket_of(time) == len(ENDS) - 1


def test_nothing_that_was_timed_has_no_spread() -> None:
    assert spread({}) is None
    assert spread({0: 0}) is None
    assert spread({0: 1}) == Spread(1, 0.001, 0.001)


def log(*facts: tuple[float, AnyEvent]) -> list[Entry]:
    return [Entry("run", seq, at, event) for seq, (at, event) in enumerate(facts, 1)]


STARTED = RunStarted("m", (user("hi"),))
QUEUED = RunStarted("m", (user("hi"),), queued=True)
STEERED = Steered((user("faster"),))
WAITED = RunWaited("approval", ("c1",))
ENDED = RunEnded(Completed())


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ((), 0.0),
        (((10.0, STARTED), (12.0, STEERED), (15.0, ENDED)), 5.0),
        (((10.0, STARTED), (11.0, WAITED), (99.0, STEERED), (101.0, ENDED)), 3.0),
        (((10.0, QUEUED), (50.0, TurnBegun()), (53.0, ENDED)), 3.0),
        (((10.0, QUEUED), (20.0, STEERED), (50.0, TurnBegun()), (53.0, ENDED)), 3.0),
        (((10.0, STARTED), (12.0, STEERED), (90.0, RunTaken(2)), (91.0, ENDED)), 3.0),
        (((10.0, STARTED), (9.0, ENDED)), 0.0),
    ],
    ids=["nothing", "straight", "waited", "in line", "steered in line", "crashed", "clock back"],
)
def test_only_the_time_counts_in_which_somebody_was_at_work(
    facts: tuple[tuple[float, AnyEvent], ...], expected: float
) -> None:
    assert worked(log(*facts)) == expected
