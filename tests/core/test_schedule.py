"""Texts become schedules, and schedules texts that mean the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.cron import FIELDS, Field
from angelia.core.phrases import LONGEST as LONGEST_DURATION
from angelia.core.schedule import (
    LAST,
    LONGEST,
    After,
    Cron,
    Every,
    Once,
    Schedule,
    describe,
    following,
    parse,
)
from angelia.errors import BadRequest

NINE = 1_796_115_600  # 2026-12-01T09:00Z


@pytest.mark.parametrize(
    ("text", "schedule"),
    [
        ("every 2h", Every(7200)),
        ("  Every   90 Minutes ", Every(5400)),
        ("hourly", Every(3600)),
        ("every day at 9:00", Cron("0 9 * * *")),
        ("0 9 * * 1-5", Cron("0 9 * * 1-5")),
        ("in 20 minutes", After(1200)),
        ("2026-12-01T09:00", Once(NINE)),
        ("at 2026-12-01 09:00:00", Once(NINE)),
        ("2026-12-01", Once(NINE - 9 * 3600)),
        ("2026-12-01T09:00:00.000Z", Once(NINE, fixed=True)),
        ("2026-12-01T10:00+01:00", Once(NINE, fixed=True)),
        ("2026-12-01T05:30-0330", Once(NINE, fixed=True)),
    ],
)
def test_texts_become_schedules(text: str, schedule: Schedule) -> None:
    assert parse(text) == schedule


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "'' is no schedule"),
        ("soon", "'soon' is no schedule"),
        ("every fortnight", "'every fortnight' is no schedule"),
        ("every 0 minutes", "not between a second and ten years"),
        ("in 11000 days", "not between a second and ten years"),
        ("0 25 * * *", "'25' is no hour"),
        ("2026-02-30T09:00", "no day and time of the calendar"),
        ("2026-12-01T24:00", "no day and time of the calendar"),
        ("2026-12-01T09:00+15:00", "no place with the offset"),
        ("9999-12-31T23:59", "between the years 1970 and 9998"),
        ("9998-12-31T23:59-01:00", "between the years 1970 and 9998"),
        ("1969-12-31T23:59Z", "between the years 1970 and 9998"),
        ("x" * (LONGEST + 1), "longer than"),
    ],
)
def test_an_error_says_what_is_wrong_and_what_would_be_right(text: str, said: str) -> None:
    with pytest.raises(BadRequest) as refused:
        parse(text)
    assert said in refused.value.message
    assert "'every 2h'" in refused.value.message
    assert (refused.value.param, refused.value.code) == ("schedule", "invalid_value")


def item(field: Field) -> st.SearchStrategy[str]:
    numbers = st.integers(field.least, field.most)
    spans = st.tuples(numbers, numbers).map(lambda pair: f"{min(pair)}-{max(pair)}")
    plain = st.one_of(st.just("*"), numbers.map(str), spans)
    stepped = st.tuples(plain, st.integers(1, 40)).map(lambda pair: f"{pair[0]}/{pair[1]}")
    return st.one_of(plain, stepped)


CRONS = st.tuples(
    *(st.lists(item(field), min_size=1, max_size=3).map(",".join) for field in FIELDS)
).map(" ".join)

SCHEDULES = st.one_of(
    CRONS.map(Cron),
    st.integers(1, LONGEST_DURATION).map(Every),
    st.integers(1, LONGEST_DURATION).map(After),
    st.builds(Once, st.integers(0, LAST), st.booleans()),
)


@given(SCHEDULES)
def test_a_schedule_means_the_same_when_it_was_described(schedule: Schedule) -> None:
    text = describe(schedule)
    assert len(text) > LONGEST or parse(text) == schedule


@given(st.text(max_size=60))
def test_no_text_breaks_anything(text: str) -> None:
    try:
        schedule = parse(text)
    except BadRequest:
        return
    assert parse(describe(schedule)) == schedule


MOMENTS = st.floats(0, 4e9)


@given(st.integers(1, LONGEST_DURATION), MOMENTS, MOMENTS)
def test_the_next_time_is_later_and_keeps_its_phase(
    seconds: int, anchor: float, after: float
) -> None:
    moment = following(Every(seconds), anchor, after)
    assert moment > max(after, anchor)
    assert moment - max(after, anchor) <= seconds + 1e-3
    intervals = (moment - anchor) / seconds
    assert abs(intervals - round(intervals)) * seconds < 1e-3
