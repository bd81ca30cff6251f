import pytest

from angelia.surfaces.cli.moments import ago, moment, span


@pytest.mark.parametrize(
    ("passed", "words"),
    [
        (-5, "just now"),
        (59, "just now"),
        (60, "1 minute ago"),
        (7200, "2 hours ago"),
        (86400, "1 day ago"),
        (31 * 86400, "1970-01-01"),
    ],
)
def test_how_long_since(passed: float, words: str) -> None:
    assert ago(0, passed) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.421, "0.42 s"), (12.3, "12 s"), (200, "3 min 20 s"), (7500, "2 h 5 min")],
)
def test_how_long_it_took(seconds: float, words: str) -> None:
    assert span(seconds) == words


def test_a_moment_says_its_zone() -> None:
    assert moment(0) == "1970-01-01 00:00 UTC"
