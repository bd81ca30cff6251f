"""Readers of a run are counted while they are there, and not longer."""

import pytest

from angelia.surfaces.http.audience import Audience


def test_the_last_reader_is_alone() -> None:
    audience = Audience()
    with audience.watching("run_1"):
        with audience.watching("run_1"), audience.watching("run_2"):
            assert not audience.alone("run_1")
            assert audience.alone("run_2")
        assert audience.alone("run_1")


def test_nothing_is_kept_of_a_run_that_nobody_watches() -> None:
    audience = Audience()
    with pytest.raises(ValueError, match="gone wrong"), audience.watching("run_1"):
        raise ValueError("gone wrong")
    assert len(audience) == 0
