"""Days and months in UTC, as numbers: a day is counted from the epoch."""

import re

DAY = 86_400

_EPOCH = 719_162  # days between the first of January of the years 1 and 1970
_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)


def day_of(seconds: float) -> int:
    """The day of a moment, given in seconds since the epoch."""
    return int(seconds // DAY)


def month_of(day: int) -> int:
    """The first day of the month that `day` is in."""
    return day - _date(day)[2] + 1


def next_month(day: int) -> int:
    """The first day of the month after the one that `day` is in."""
    year, month, _ = _date(day)
    return month_of(day) + _length(year, month)


def iso(day: int) -> str:
    year, month, of_month = _date(day)
    return f"{year:04}-{month:02}-{of_month:02}"


def parse_iso(text: str) -> int | None:
    """None for what is not a day of the calendar in the form 2026-01-31."""
    found = _ISO.fullmatch(text)
    if found is None:
        return None
    year, month, of_month = (int(part) for part in found.groups())
    if year < 1 or not 1 <= month <= 12 or not 1 <= of_month <= _length(year, month):
        return None
    return _new_year(year) + sum(_length(year, m) for m in range(1, month)) + of_month - 1


def _date(day: int) -> tuple[int, int, int]:
    # 400 years have 146,097 days; the guess is one year off at most.
    year = (day + _EPOCH) * 400 // 146_097 + 1
    if _new_year(year) > day:
        year -= 1
    elif _new_year(year + 1) <= day:
        year += 1
    month, left = 1, day - _new_year(year)
    while left >= _length(year, month):
        left -= _length(year, month)
        month += 1
    return year, month, left + 1


def _new_year(year: int) -> int:
    before = year - 1
    return before * 365 + before // 4 - before // 100 + before // 400 - _EPOCH


def _length(year: int, month: int) -> int:
    return _LENGTHS[month - 1] + (month == 2 and _is_leap(year))


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
