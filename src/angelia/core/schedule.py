"""When a job is due, read from text: cron, `every 2h`, `in 20 minutes`, a day and a time.

Clock changes and time zones are a calendar's; nothing here knows any. A moment is in seconds since
the epoch, and so is what a clock on the wall shows, as if it hung in Greenwich.
"""

import math
import re
from typing import assert_never

from msgspec import Struct

from angelia.core import cron, days, phrases
from angelia.errors import BadRequest

EXAMPLES = (
    "'every 2h', 'every monday at 9:00', 'in 20 minutes', '2026-12-24T18:00' or, as cron, "
    "'0 9 * * 1-5'"
)
LONGEST = 200
# The last second of the year 9998: behind it some clocks show a year that calendars do not have.
LAST = 253_370_764_799

_ISO = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)"
    r"(?:[t ](?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.\d+)?)?)?"
    r" ?(?P<zone>z|[+-]\d\d:?\d\d)?",
    re.ASCII,
)


class Cron(Struct, frozen=True):
    """Five fields, of which Debian's cron would make the same."""

    fields: str


class Every(Struct, frozen=True):
    """So many seconds after the job was made, and again and again."""

    seconds: int


class Once(Struct, frozen=True):
    """One moment; or, if not `fixed`, when the clocks of the job's time zone show that."""

    at: int
    fixed: bool = False


class After(Struct, frozen=True):
    """Once, so many seconds after the job was made."""

    seconds: int


Schedule = Cron | Every | Once | After


def parse(text: str, param: str = "schedule") -> Schedule:
    """Raises BadRequest, which says what is wrong and shows what would be right."""
    plain = " ".join(text.split())
    if len(plain) > LONGEST:
        raise refused(f"it is longer than {LONGEST} characters", param)
    lower = plain.lower()
    if (moment := _ISO.fullmatch(lower.removeprefix("at "))) is not None:
        return _moment(moment, param)
    if lower.startswith("in "):
        return After(_seconds(lower[3:], plain, param))
    if cron.looks_like(plain):
        fields, fault = cron.check(plain)
        if fault:
            raise refused(fault, param)
        return Cron(fields)
    return _phrase(lower, plain, param)


def describe(schedule: Schedule) -> str:
    """A text that means the same."""
    match schedule:
        case Cron(fields=fields):
            return fields
        case Every(seconds=seconds):
            return f"every {phrases.duration_text(seconds)}"
        case After(seconds=seconds):
            return f"in {phrases.duration_text(seconds)}"
        case Once(at=at, fixed=fixed):
            return wall_text(at) + ("Z" if fixed else "")
        case _:
            assert_never(schedule)


def wall_text(at: int) -> str:
    """What a clock on the wall shows, as ISO has it."""
    hour, rest = divmod(at % days.DAY, 3600)
    minute, second = divmod(rest, 60)
    return f"{days.iso(days.day_of(at))}T{hour:02}:{minute:02}:{second:02}"


def following(every: Every, anchor: float, after: float) -> float:
    """The first time later than `after`; all of them are whole intervals behind `anchor`."""
    count = max(1, math.floor((after - anchor) / every.seconds) + 1)
    moment = anchor + count * every.seconds
    # The quotient may be off by one where the numbers are large.
    return moment if moment > after else moment + every.seconds


def refused(why: str, param: str = "schedule") -> BadRequest:
    return BadRequest(
        f"Invalid value for '{param}': {why}. Examples: {EXAMPLES}.",
        param=param,
        code="invalid_value",
    )


def _phrase(lower: str, plain: str, param: str) -> Schedule:
    if (fields := phrases.calendar(lower)) is not None:
        return Cron(fields)
    words = phrases.WORDS.get(lower, lower)
    if words.startswith("every "):
        return Every(_seconds(words[6:], plain, param))
    raise refused(f"{plain[:60]!r} is no schedule", param)


def _seconds(text: str, whole: str, param: str) -> int:
    seconds = phrases.duration(text)
    if seconds is None:
        raise refused(f"{whole[:60]!r} is no schedule", param)
    if not 1 <= seconds <= phrases.LONGEST:
        raise refused(f"{whole[:60]!r} is not between a second and ten years", param)
    return seconds


def _moment(found: re.Match[str], param: str) -> Once:
    day = days.parse_iso(found["day"])
    hour, minute, second = (int(found[name] or 0) for name in ("hour", "minute", "second"))
    if day is None or hour > 23 or minute > 59 or second > 59:
        raise refused(f"{found[0].upper()!r} is no day and time of the calendar", param)
    wall = day * days.DAY + hour * 3600 + minute * 60 + second
    zone = found["zone"]
    at = wall if zone is None else wall - _offset(zone, param)
    if not 0 <= at <= LAST:
        raise refused(f"{found[0].upper()!r} is not between the years 1970 and 9998", param)
    return Once(at, fixed=zone is not None)


def _offset(zone: str, param: str) -> int:
    if zone == "z":
        return 0
    hours, minutes = int(zone[1:3]), int(zone[-2:])
    if hours > 14 or minutes > 59:
        raise refused(f"there is no place with the offset {zone}", param)
    return (hours * 3600 + minutes * 60) * (-1 if zone[0] == "-" else 1)
