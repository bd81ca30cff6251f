"""So many in a minute and no more, whichever minute is looked at."""

from hypothesis import given
from hypothesis import strategies as st

from angelia.core.rates import MINUTE, Window

rates = st.integers(1, 6)
gaps = st.lists(st.floats(0, 70), max_size=60)
starts = st.floats(0, 1e7)


def passed(start: float, gaps: list[float], most: int) -> list[float]:
    window, now, times = Window(), start, list[float]()
    for gap in gaps:
        now += gap
        if window.wait(now, most) == 0:
            times.append(now)
    return times


@given(starts, gaps, rates)
def test_no_minute_lets_more_pass_than_the_rate(start: float, gaps: list[float], most: int) -> None:
    times = passed(start, gaps, most)
    for first in times:
        assert sum(first <= time < first + MINUTE for time in times) <= most


@given(starts, gaps, rates)
def test_whoever_waits_as_told_passes_and_nobody_waits_longer(
    start: float, gaps: list[float], most: int
) -> None:
    window, now = Window(), start
    for gap in gaps:
        now += gap
        if seconds := window.wait(now, most):
            assert 0 < seconds < MINUTE + 1
            assert seconds < 0.01 or window.wait(now + seconds - 0.01, most) > 0
            now += seconds
            assert window.wait(now, most) == 0


@given(starts, rates)
def test_a_whole_minute_of_requests_passes_at_once(start: float, most: int) -> None:
    assert len(passed(start, [0.0] * (most + 5), most)) == most


def test_those_who_are_turned_away_do_not_count() -> None:
    window = Window()
    assert window.wait(0.0, 1) == 0
    assert all(window.wait(float(second), 1) for second in range(1, 60))
    assert window.wait(60.0, 1) == 0


def test_a_lower_rate_holds_for_what_has_passed_already() -> None:
    window = Window()
    for second in range(4):
        assert window.wait(float(second), 10) == 0
    seconds = window.wait(5.0, 2)
    assert seconds > 56
    assert window.wait(5.0 + seconds, 2) == 0


def test_a_window_is_empty_again_after_a_minute() -> None:
    window = Window()
    assert window.is_empty(0.0)
    window.wait(0.0, 1)
    assert not window.is_empty(59.9)
    assert window.is_empty(60.0)
