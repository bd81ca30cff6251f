"""Five fields: what is accepted, and which field an error names."""

import pytest

from angelia.core.cron import NICKNAMES, check, looks_like


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("* * * * *", "* * * * *"),
        ("*/5  0-6/2 1,15 jan-mar mon,fri", "*/5 0-6/2 1,15 JAN-MAR MON,FRI"),
        ("0 9 L * *", "0 9 L * *"),
        ("0 9 LW * 5L", "0 9 LW * 5L"),
        ("0 9 * * mon#2", "0 9 * * MON#2"),
        ("5/15 0 1 1 7", "5/15 0 1 1 7"),
        ("@Daily", NICKNAMES["@daily"]),
    ],
)
def test_what_cron_takes_is_kept(text: str, kept: str) -> None:
    assert check(text) == (kept, None)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("60 * * * *", "'60' is no minute; it can be 0 to 59"),
        ("* 24 * * *", "'24' is no hour"),
        ("* * 0 * *", "'0' is no day of the month"),
        ("* * * 13 *", "'13' is no month; it can be 1 to 12 or JAN to DEC"),
        ("* * * * 8", "'8' is no day of the week"),
        ("* * * * FUN", "'FUN' is no day of the week"),
        ("*/0 * * * *", "behind / stands a number from 1"),
        ("* 5-3 * * *", "from the lower to the higher"),
        ("1-2-3 * * * *", "no minute"),
        (", * * * *", "no minute"),
        ("* * * *", "five fields, this has 4"),
        ("0 0 0 * * *", "five fields, this has 6"),
        ("@often", "none of @hourly"),
        ("² * * * *", "no minute"),
        ("* * * * L", "no day of the week"),
    ],
)
def test_an_error_names_the_field(text: str, named: str) -> None:
    fault = check(text)[1]
    assert fault is not None
    assert named in fault


def test_days_and_words_are_not_taken_for_cron() -> None:
    assert [
        looks_like(text) for text in ("* * *", "@x", "5 4", "every 2h", "2026-01-01T10:00")
    ] == [
        *(True, True, True),
        *(False, False),
    ]
