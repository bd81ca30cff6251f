"""How long to wait before asking again."""

from hypothesis import given
from hypothesis import strategies as st

from angelia.core.providers.backoff import FIRST_WAIT, LONGEST_WAIT, wait

chances = st.floats(0, 1, exclude_max=True)


def test_waits_grow_and_stop_growing() -> None:
    assert [wait(n, None, 0.0) for n in (1, 2, 3, 4, 5, 6)] == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0]


def test_a_providers_own_wish_goes_first() -> None:
    assert wait(1, 12.5, 0.9) == 12.5
    assert wait(5, 0.0, 0.9) == 0.0


@given(st.integers(1, 100_000), chances)
def test_chance_shortens_a_wait_by_a_quarter_at_most(attempt, chance) -> None:
    longest = wait(attempt, None, 0.0)
    assert 0.75 * longest <= wait(attempt, None, chance) <= longest
    assert FIRST_WAIT <= longest <= LONGEST_WAIT
