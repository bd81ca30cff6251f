"""Readers of a run are counted while they are there, and not longer."""

import pytest

from angelia.surfaces.http.audience import Audience


def test_nobody_takes_a_run_from_other_readers() -> None:
    audience = Audience()
    with audience.watching("run_1"):
        with audience.watching("run_1"), audience.watching("run_2"):
            assert audience.leave("run_1", "cancel") is None
            assert audience.leave("run_2", "cancel") == "cancel"
        assert audience.leave("run_1", "cancel") == "cancel"


def test_the_last_reader_decides_and_one_without_a_wish_leaves_it_to_those_before() -> None:
    audience = Audience()
    with audience.watching("run_1"):
        assert audience.leave("run_1", None) is None
        with audience.watching("run_1"):
            audience.leave("run_1", "cancel")
        assert audience.leave("run_1", None) == "cancel"
        assert audience.leave("run_1", "continue") == "continue"
    with audience.watching("run_1"):
        assert audience.leave("run_1", None) is None


def test_nothing_is_kept_of_a_run_that_nobody_watches() -> None:
    audience = Audience()
    with pytest.raises(ValueError, match="gone wrong"), audience.watching("run_1"):
        raise ValueError("gone wrong")
    assert len(audience) == 0
