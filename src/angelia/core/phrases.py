"""English for schedules: `every monday at 9:00` is cron, `2 hours` is a number of seconds."""

import re

LONGEST = 3650 * 86_400
WORDS = {"hourly": "every hour", "daily": "every day", "weekly": "every week"}

_UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800}
_SHORT = {
    "s": "second",
    "sec": "second",
    "m": "minute",
    "min": "minute",
    "h": "hour",
    "hr": "hour",
    "d": "day",
    "w": "week",
}
_PIECE = re.compile(r"(?:(\d{1,9}(?:\.\d{1,3})?)|an?)? ?([a-z]+?)s?(?:,? and |, ?| |(?=\d)|$)")

_WEEKDAYS = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
_DAYS = {
    **{name: str(number) for number, name in enumerate(_WEEKDAYS)},
    **{name[:3]: str(number) for number, name in enumerate(_WEEKDAYS)},
    "tues": "2",
    "thur": "4",
    "thurs": "4",
    "weekday": "1-5",
    "weekend": "0,6",
}
_CALENDAR = re.compile(r"(?:every|each) (?P<days>.+?)(?: at (?P<time>.+))?")
_MONTHLY = re.compile(r"month on the (\d{1,2})(?:st|nd|rd|th)?")
_TIME = re.compile(r"(\d{1,2})(?:[:.](\d\d))? ?(am|pm)?")
_NAMED_TIMES = {"noon": (12, 0), "midday": (12, 0), "midnight": (0, 0)}


def duration(text: str) -> int | None:
    """`2h`, `90 minutes`, `an hour`, `1 hour and 30 minutes`; None for what is none."""
    seconds, place = 0.0, 0
    while place < len(text):
        piece = _PIECE.match(text, place)
        unit = _SHORT.get(piece[2], piece[2]) if piece else ""
        if piece is None or unit not in _UNITS:
            return None
        seconds += float(piece[1] or 1) * _UNITS[unit]
        place = piece.end()
    return int(seconds) if text and seconds == int(seconds) else None


def duration_text(seconds: int) -> str:
    """In the largest unit that it is a whole number of."""
    unit = max((u for u in _UNITS if seconds % _UNITS[u] == 0), key=_UNITS.__getitem__)
    count = seconds // _UNITS[unit]
    return f"{count} {unit}{'' if count == 1 else 's'}"


def calendar(text: str) -> str | None:
    """The five fields of cron for `every weekday at 9:00` and its like; None for anything else."""
    text = "every day" + text[5:] if text.startswith("daily at ") else text
    found = _CALENDAR.fullmatch(text)
    if found is None:
        return None
    named = found["time"] is not None
    time = _time(found["time"]) if named else (0, 0)
    fields = _day_fields(found["days"])
    # Without a time `every day` is an interval; a day of the week begins at midnight.
    if time is None or fields is None or (not named and fields == "* * *"):
        return None
    return f"{time[1]} {time[0]} {fields}"


def _day_fields(text: str) -> str | None:
    if text == "day":
        return "* * *"
    if (monthly := _MONTHLY.fullmatch(text)) is not None:
        return f"{int(monthly[1])} * *" if 1 <= int(monthly[1]) <= 31 else None
    names = re.split(r",? and |, ?| ", text)
    numbers = [_DAYS.get(name) or _DAYS.get(name.removesuffix("s")) for name in names]
    known = [number for number in numbers if number is not None]
    return f"* * {','.join(known)}" if len(known) == len(names) else None


def _time(text: str) -> tuple[int, int] | None:
    if text in _NAMED_TIMES:
        return _NAMED_TIMES[text]
    found = _TIME.fullmatch(text)
    if found is None:
        return None
    hour, minute, half = int(found[1]), int(found[2] or 0), found[3]
    if half is not None:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "pm" else 0)
    return (hour, minute) if hour < 24 and minute < 60 else None
