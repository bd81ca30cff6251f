"""English for schedules, and what is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.phrases import LONGEST, calendar, duration, duration_text


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2h", 7200),
        ("90 minutes", 5400),
        ("hour", 3600),
        ("an hour", 3600),
        ("a day", 86_400),
        ("1h30m", 5400),
        ("1 hour and 30 minutes", 5400),
        ("1 hour, 30 min", 5400),
        ("1.5 hours", 5400),
        ("2 weeks", 1_209_600),
        ("10 secs", 10),
    ],
)
def test_durations_are_understood(text: str, seconds: int) -> None:
    assert duration(text) == seconds


@pytest.mark.parametrize(
    "text", ["", "2", "2 fortnights", "h2", "two hours", "-1h", "0.0001 s", "1h!", "1.5 s"]
)
def test_what_is_no_duration_is_none(text: str) -> None:
    assert duration(text) is None


@given(st.integers(1, LONGEST))
def test_a_duration_means_the_same_when_it_was_written(seconds: int) -> None:
    assert duration(duration_text(seconds)) == seconds


@given(st.text("0123456789 .,hmsdandw", max_size=30))
def test_nothing_that_is_read_as_a_duration_breaks(text: str) -> None:
    found = duration(text)
    assert found is None or found >= 0


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("every day at 9:00", "0 9 * * *"),
        ("daily at 9", "0 9 * * *"),
        ("every weekday at 7.30", "30 7 * * 1-5"),
        ("each weekend at noon", "0 12 * * 0,6"),
        ("every monday", "0 0 * * 1"),
        ("every mondays and thursdays at 6pm", "0 18 * * 1,4"),
        ("every tue, thu at 12am", "0 0 * * 2,4"),
        ("every month on the 31st at midnight", "0 0 31 * *"),
        ("every friday at 12:15 pm", "15 12 * * 5"),
    ],
)
def test_days_and_times_become_cron(text: str, fields: str) -> None:
    assert calendar(text) == fields


@pytest.mark.parametrize(
    "text",
    [
        *("every day", "every 2h", "every day at 25:00", "every day at 9:61", "every day at 13pm"),
        *("every moonday at 9", "every month on the 32nd at 9", "at 9:00", "every day at dawn"),
    ],
)
def test_what_is_no_day_of_the_calendar_is_none(text: str) -> None:
    assert calendar(text) is None
