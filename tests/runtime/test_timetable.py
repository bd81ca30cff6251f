"""Times to come, and what becomes of those that have passed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from angelia.adapters.zone_calendar import ZoneCalendar
from angelia.errors import BadRequest
from angelia.ports.jobs import Errand, Job
from angelia.runtime.timetable import GRACE, MOST_CAUGHT_UP, Plan, Timetable

NOW = 1_796_115_600.0  # 2026-12-01T09:00Z
TABLE = Timetable(ZoneCalendar(), "europe/berlin", 60)


def job(schedule: str, **fields: object) -> Job:
    made = Job("job_1", "key_1", "x", schedule, "UTC", Errand("x"), NOW, NOW, NOW)
    return replace(made, **fields)


def timed(schedule: str, **fields: object) -> Job:
    made = job(schedule, **fields)
    return replace(made, next_at=TABLE.following(made, NOW))


def test_the_zone_of_the_configuration_holds_where_none_is_named() -> None:
    assert TABLE.zone(None) == "Europe/Berlin"
    assert TABLE.zone("asia/tokyo") == "Asia/Tokyo"


@pytest.mark.parametrize(
    ("schedule", "seconds"),
    [
        ("every 2h", 7200),
        ("in 20 minutes", 1200),
        ("0 10 * * *", 3600),
        ("2026-12-01T09:30", 1800),
        ("2026-12-01T11:30+02:00", 1800),
        ("2026-12-01T08:59", None),
    ],
)
def test_the_next_time_by_every_kind_of_schedule(schedule: str, seconds: float | None) -> None:
    expected = None if seconds is None else NOW + seconds
    assert TABLE.following(job(schedule), NOW) == expected


def test_nine_in_the_morning_is_another_moment_in_another_zone() -> None:
    moments = [
        TABLE.following(job("0 9 * * *", timezone=zone), NOW)
        for zone in ("UTC", "Asia/Tokyo", "America/New_York")
    ]
    assert moments == [NOW + 24 * 3600, NOW + 15 * 3600, NOW + 5 * 3600]


def test_what_is_once_comes_once() -> None:
    once = job("in 20 minutes")
    assert TABLE.following(once, NOW + 1200) is None
    assert TABLE.shown(timed("in 20 minutes"), 5) == ("2026-12-01T09:20:00+00:00",)


def test_nothing_comes_after_the_end() -> None:
    assert TABLE.shown(timed("every 1h", until=NOW + 7200), 5) == (
        "2026-12-01T10:00:00+00:00",
        "2026-12-01T11:00:00+00:00",
    )
    assert len(TABLE.shown(timed("every 1h", left=3), 5)) == 3
    assert TABLE.shown(job("every 1h"), 5) == ()


@pytest.mark.parametrize(
    ("schedule", "fields", "said"),
    [
        ("every 30s", {}, "60 s between"),
        ("2020-01-01", {}, "never comes again"),
        ("0 0 30 2 *", {}, "never comes again"),
        ("every 1h", {"until": NOW - 1}, "'until' has passed"),
    ],
)
def test_a_schedule_that_cannot_be_is_refused(
    schedule: str, fields: dict[str, object], said: str
) -> None:
    with pytest.raises(BadRequest, match=said):
        TABLE.check(job(schedule, **fields), NOW)


def test_an_end_is_a_day_and_a_time() -> None:
    assert TABLE.moment("2026-12-01T10:00", "Europe/Berlin", "until") == NOW
    with pytest.raises(BadRequest) as refused:
        TABLE.moment("every 2h", "UTC", "until")
    assert refused.value.param == "until"


# ── times that have passed ──────────────────────────────────────────────────────────────────


def test_a_time_that_has_just_come_is_fired_at_by_every_policy() -> None:
    for policy in ("skip", "once", "all"):
        due = timed("every 1h", catch_up=policy)
        assert TABLE.plan(due, NOW + 3601) == Plan((NOW + 3600,))


def test_missed_times_by_policy() -> None:
    later = NOW + 5 * 3600 + 2 * GRACE
    hours = tuple(NOW + n * 3600 for n in range(1, 6))
    assert TABLE.plan(timed("every 1h", catch_up="once"), later) == Plan(hours[-1:])
    assert TABLE.plan(timed("every 1h", catch_up="all"), later) == Plan(hours)
    assert TABLE.plan(timed("every 1h", catch_up="skip"), later) == Plan((), hours[-1])


def test_no_more_are_made_up_for_than_are_left() -> None:
    due = timed("every 1h", catch_up="all", left=2)
    assert TABLE.plan(due, NOW + 5 * 3600).times == (NOW + 4 * 3600, NOW + 5 * 3600)


@pytest.mark.parametrize("schedule", ["every 1m", "* * * * *", "every 1h", "0 0 * * 0"])
def test_a_year_that_was_missed_is_soon_looked_through(schedule: str) -> None:
    due = timed(schedule, catch_up="all")
    plan = TABLE.plan(due, NOW + 365 * 86_400)
    assert len(plan.times) == MOST_CAUGHT_UP
    assert list(plan.times) == sorted(set(plan.times))
    assert plan.times[-1] <= NOW + 365 * 86_400


def test_of_a_job_that_has_ended_meanwhile_the_last_times_are_found() -> None:
    due = timed("every 1m", catch_up="all", until=NOW + 365 * 86_400)
    plan = TABLE.plan(due, NOW + 900 * 86_400)
    assert len(plan.times) == MOST_CAUGHT_UP
    assert plan.times[-1] == NOW + 365 * 86_400


@given(st.integers(60, 200_000), st.floats(0, 10_000_000))
def test_the_last_time_that_has_passed_is_found_by_any_interval(
    seconds: int, passed: float
) -> None:
    due = timed(f"every {seconds} s", catch_up="once")
    now = NOW + seconds + passed
    (last,) = TABLE.plan(due, now).times
    following = TABLE.following(due, last)
    assert following is not None
    assert last <= now < following
