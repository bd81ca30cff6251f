"""Clock changes, wall clocks, and cron against a walk through every minute."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from angelia.adapters.zone_calendar import ZoneCalendar
from angelia.core.cron import FIELDS
from angelia.core.schedule import LAST, Once, parse, wall_text
from angelia.errors import BadRequest
from tests.core.test_schedule import CRONS

CALENDAR = ZoneCalendar()
BERLIN = "Europe/Berlin"


def wall(text: str) -> int:
    once = parse(text)
    assert isinstance(once, Once)
    return once.at


def times(cron: str, start: str, count: int, zone: str = BERLIN) -> list[str]:
    moment = CALENDAR.moment(wall(start), zone)
    found: list[str] = []
    for _ in range(count):
        following = CALENDAR.following(cron, zone, moment)
        assert following is not None
        moment = following
        found.append(CALENDAR.shown(moment, zone)[8:22].replace("T", " "))
    return found


@pytest.mark.parametrize(
    ("cron", "expected"),
    [
        # The clocks go from 02:00 to 03:00.
        ("30 2 * * *", ["29 03:00:00+02", "30 02:30:00+02", "31 02:30:00+02"]),
        ("0,30 2 * * *", ["29 03:00:00+02", "30 02:00:00+02", "30 02:30:00+02"]),
        ("*/30 1-3 * * *", ["29 01:00:00+01", "29 01:30:00+01", "29 03:00:00+02"]),
        ("30 * 29 * *", ["29 00:30:00+01", "29 01:30:00+01", "29 03:30:00+02"]),
    ],
)
def test_a_time_that_the_clocks_skip_comes_when_they_go_on(cron: str, expected: list[str]) -> None:
    assert times(cron, "2026-03-29T00:00", 3)[: len(expected)] == expected


@pytest.mark.parametrize(
    ("cron", "expected"),
    [
        # The clocks go from 03:00 back to 02:00.
        ("30 2 * * *", ["25 02:30:00+02", "26 02:30:00+01", "27 02:30:00+01"]),
        ("30 * * * *", ["25 01:30:00+02", "25 02:30:00+02", "25 02:30:00+01"]),
    ],
)
def test_a_time_that_the_clocks_show_twice(cron: str, expected: list[str]) -> None:
    assert times(cron, "2026-10-25T01:00", 3) == expected


def test_between_two_times_that_look_the_same_the_next_one_is_tomorrow() -> None:
    second = datetime(2026, 10, 25, 2, 10, fold=1, tzinfo=ZoneInfo(BERLIN)).timestamp()
    following = CALENDAR.following("30 2 * * *", BERLIN, second)
    assert following is not None
    assert CALENDAR.shown(following, BERLIN) == "2026-10-26T02:30:00+01:00"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2026-03-29T01:59:59", "2026-03-29T01:59:59+01:00"),
        ("2026-03-29T02:30:00", "2026-03-29T03:00:00+02:00"),
        ("2026-10-25T02:30:00", "2026-10-25T02:30:00+02:00"),
    ],
)
def test_a_wall_clock_tells_a_moment(text: str, shown: str) -> None:
    assert CALENDAR.shown(CALENDAR.moment(wall(text), BERLIN), BERLIN) == shown


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Niue", "UTC"])
@pytest.mark.parametrize("at", [0, LAST])
def test_the_first_and_the_last_moment_can_be_shown_everywhere(zone: str, at: int) -> None:
    assert CALENDAR.shown(CALENDAR.moment(at, zone), zone).startswith(wall_text(at))
    assert CALENDAR.shown(float(at), zone)


def test_a_day_that_never_comes_is_none() -> None:
    assert CALENDAR.following("0 0 30 2 *", "UTC", 0.0) is None
    assert CALENDAR.following("0 0 1 1 *", "UTC", 253_402_300_000.0) is None


def test_the_29th_of_february_comes_again() -> None:
    following = CALENDAR.following("0 0 29 2 *", "UTC", CALENDAR.moment(wall("2097-01-01"), "UTC"))
    assert following is not None
    assert CALENDAR.shown(following, "UTC").startswith("2104-02-29")


def test_zones_are_known_by_name_in_any_case() -> None:
    assert CALENDAR.zone(" europe/BERLIN ") == BERLIN
    assert CALENDAR.zone("utc") == "UTC"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("Europe/Berln", "'Europe/Berlin'"),
        ("../../etc/passwd", "Try"),
        ("Europe", "Europe/"),
        ("\0", "Try"),
        ("x" * 999, "Try"),
    ],
)
def test_a_zone_that_is_none_is_named(name: str, hint: str) -> None:
    with pytest.raises(BadRequest) as refused:
        CALENDAR.zone(name)
    assert hint in refused.value.message
    assert refused.value.param == "timezone"


ZONES = st.sampled_from(
    ["UTC", BERLIN, "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia"]
)


@given(CRONS, ZONES, st.floats(0, 4e9))
@settings(max_examples=200, deadline=None)
@example("30 2 * * *", BERLIN, 1_792_889_400.0)
def test_the_next_time_is_always_later(cron: str, zone: str, after: float) -> None:
    following = CALENDAR.following(cron, zone, after)
    assert following is None or following > after


def allowed(text: str, number: int) -> set[int]:
    """A field read the plain way."""
    field, found = FIELDS[number], set[int]()
    for each in text.split(","):
        span, _, step = each.partition("/")
        first, _, last = span.partition("-")
        if span == "*":
            values = range(field.least, field.most + 1)
        elif last:
            values = range(int(first), int(last) + 1)
        else:
            values = range(int(first), (field.most if step else int(first)) + 1)
        found.update(values[:: int(step or 1)])
    return found


def fits(cron: str, shown: datetime) -> bool:
    fields = cron.split()
    minute, hour, day, month, weekday = (allowed(text, n) for n, text in enumerate(fields))
    of_month, of_week = (
        shown.day in day,
        bool({shown.isoweekday(), shown.isoweekday() % 7} & weekday),
    )
    both = fields[2].startswith("*") or fields[4].startswith("*")
    on_day = (of_month and of_week) if both else (of_month or of_week)
    return shown.minute in minute and shown.hour in hour and shown.month in month and on_day


@given(CRONS, st.integers(28_400_000, 31_500_000))
@settings(max_examples=60, deadline=None)
@example("7-7/30 0 * * *", 29_000_000)
@example("0 0 * * 03-3/2", 29_000_000)
def test_cron_agrees_with_a_walk_through_every_minute(cron: str, minute: int) -> None:
    begin = datetime.fromtimestamp(minute * 60, UTC)
    minutes = (begin + timedelta(minutes=n) for n in range(1, 3 * 1440))
    walked = [each for each in minutes if fits(cron, each)][:20]
    moment, found = begin.timestamp(), list[datetime]()
    for _ in walked:
        moment = CALENDAR.following(cron, "UTC", moment) or 0.0
        found.append(datetime.fromtimestamp(moment, UTC))
    assert found == walked
    if not walked:
        following = CALENDAR.following(cron, "UTC", moment)
        assert following is None or following >= (begin + timedelta(minutes=3 * 1440)).timestamp()
