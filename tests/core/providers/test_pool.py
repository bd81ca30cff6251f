"""Whose turn it is among several keys."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.providers.pool import Pool


def picks(pool: Pool, count: int, now: float = 0.0) -> list[int]:
    return [pool.pick(now) for _ in range(count)]


def test_keys_take_turns() -> None:
    assert picks(Pool(3), 5) == [0, 1, 2, 0, 1]


def test_the_first_key_is_used_until_it_rests() -> None:
    pool = Pool(3, "fill_first")
    assert picks(pool, 2) == [0, 0]
    pool.rest(0, until=10.0)
    assert picks(pool, 2) == [1, 1]
    assert pool.pick(10.0) == 0


def test_the_least_used_key_comes_first() -> None:
    pool = Pool(2, "least_used")
    pool.rest(1, until=10.0)
    assert picks(pool, 3) == [0, 0, 0]
    assert picks(pool, 4, now=10.0) == [1, 1, 1, 0]


def test_without_a_key_there_is_one_way_to_ask() -> None:
    assert picks(Pool(0), 2) == [0, 0]


def test_a_key_that_rests_is_passed_over() -> None:
    pool = Pool(3)
    pool.rest(1, until=5.0)
    assert picks(pool, 4) == [0, 2, 0, 2]
    assert pool.resting(0.0) == 1


def test_a_shorter_rest_does_not_end_a_longer_one() -> None:
    pool = Pool(1)
    pool.rest(0, until=100.0)
    pool.rest(0, until=5.0)
    assert pool.wait(0.0) == 100.0


@pytest.mark.parametrize("order", ["round_robin", "fill_first", "least_used"])
def test_when_all_rest_the_one_that_is_ready_soonest_is_used(order) -> None:
    pool = Pool(3, order)
    for key, until in enumerate((30.0, 10.0, 20.0)):
        pool.rest(key, until)
    assert pool.wait(0.0) == 10.0
    assert pool.pick(0.0) == 1


@given(
    st.sampled_from(["round_robin", "fill_first", "least_used"]),
    st.lists(st.tuples(st.integers(0, 3), st.floats(0, 100)), max_size=20),
    st.floats(0, 100),
)
def test_no_key_is_used_while_it_rests_if_another_does_not(order, rests, now) -> None:
    pool = Pool(4, order)
    until = [0.0] * 4
    for key, end in rests:
        pool.rest(key, end)
        until[key] = max(until[key], end)
    key = pool.pick(now)
    assert until[key] <= now or all(end > now for end in until)
    assert (pool.wait(now) == 0.0) == any(end <= now for end in until)
