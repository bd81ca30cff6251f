import pytest

from angelia.adapters.sqlite.window import WIDEST, Window


def after(offers: int, seconds: float, groups: int = 400) -> float:
    """The window when groups of `offers` have come every `seconds` for a while."""
    window = Window()
    for number in range(groups):
        window.observe(offers, number * seconds)
    return window.seconds


def test_a_new_log_commits_at_once() -> None:
    assert Window().seconds == 0.0
    assert after(1, 1.0, groups=1) == 0.0


@pytest.mark.parametrize(
    ("offers", "seconds", "at_least", "at_most"),
    [
        pytest.param(1, 0.02, 0.0, 0.0, id="one run of 50 a second"),
        pytest.param(0, 0.0004, 0.0, 0.0, id="appends alone, however fast"),
        pytest.param(50, 0.005, 0.0005, 0.002, id="10,000 a second"),
        pytest.param(2500, 0.05, 0.02, 0.03, id="50,000 a second"),
        pytest.param(10_000, 0.01, WIDEST, WIDEST, id="a flood"),
    ],
)
def test_the_window_widens_with_the_load(
    offers: int, seconds: float, at_least: float, at_most: float
) -> None:
    assert at_least <= after(offers, seconds) <= at_most


def test_a_pause_closes_the_window() -> None:
    window = Window()
    for number in range(400):
        window.observe(50, number * 0.005)
    window.observe(1, 400 * 0.005 + 1.0)
    assert window.seconds == 0.0


def test_groups_at_the_same_instant_are_no_division_by_zero() -> None:
    window = Window()
    window.observe(5, 1.0)
    window.observe(5, 1.0)
    assert window.seconds >= 0.0
