"""Days are counted as the calendar counts them."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core import days

EPOCH = date(1970, 1, 1)
dates = st.dates()


@given(dates)
def test_a_day_is_written_and_read_as_the_calendar_has_it(when: date) -> None:
    day = (when - EPOCH).days
    assert days.iso(day) == when.isoformat()
    assert days.parse_iso(when.isoformat()) == day


@given(st.dates(max_value=date(9999, 11, 30)))
def test_months_begin_where_the_calendar_begins_them(when: date) -> None:
    day = (when - EPOCH).days
    first = when.replace(day=1)
    assert days.month_of(day) == (first - EPOCH).days
    following = (first + timedelta(days=31)).replace(day=1)
    assert days.next_month(day) == (following - EPOCH).days


@given(st.floats(0, 7e9))
def test_a_moment_is_on_its_day_in_utc(seconds: float) -> None:
    assert days.day_of(seconds) == (datetime.fromtimestamp(seconds, UTC).date() - EPOCH).days


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026",
        "2026-1-1",
        "2026-13-01",
        "2026-00-10",
        "2026-02-29",
        "1900-02-29",
        "2026-04-31",
        "2026-01-00",
        "0000-01-01",
        "2026-01-01 ",
        "2026-01-01\n",
        "+026-01-01",
        "２０２６-01-01",
    ],
)
def test_what_is_no_day_is_not_read(text: str) -> None:
    assert days.parse_iso(text) is None


def test_leap_days_are_days() -> None:
    assert days.parse_iso("2024-02-29") is not None
    assert days.parse_iso("2000-02-29") is not None
