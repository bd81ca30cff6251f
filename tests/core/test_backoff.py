import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.backoff import wait

chances = st.floats(0, 1, exclude_max=True)


@pytest.mark.parametrize(("wish", "seconds"), [(0.0, 0.0), (7.0, 7.0), (3600.0, 60.0)])
def test_the_providers_wish_is_honoured_within_reason(wish: float, seconds: float):
    assert wait(1, wish, 0.5) == seconds


@given(st.integers(1, 5_000), chances)
def test_waits_grow_to_a_limit_and_never_come_in_step(attempt: int, chance: float):
    longest = min(8.0, 0.5 * 2.0 ** min(attempt - 1, 10))
    assert longest * 0.75 <= wait(attempt, None, chance) <= longest


@given(st.integers(1, 50))
def test_chance_makes_a_difference(attempt: int):
    assert wait(attempt, None, 0.9) < wait(attempt, None, 0.1)
