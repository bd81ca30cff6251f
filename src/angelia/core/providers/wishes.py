"""How long a server asks to be left alone: by its headers, or by the words of its refusal.

Headers are given in lower case, moments in seconds since the epoch.
"""

import re
from collections.abc import Mapping
from email.utils import mktime_tz, parsedate_tz

from angelia.core import days

# Nobody is left alone for longer, whatever was asked.
LONGEST = 86_400.0

_LIMIT = re.compile(
    r"(?:x-|anthropic-)?ratelimit-(?:(?P<kind>[\w-]+)-)?(?P<what>reset|remaining)(?:-(?P<of>[\w-]+))?"
)
_SPAN = re.compile(
    r"(?=\d)(?:(?P<d>\d+)d)?(?:(?P<h>\d+)h)?(?:(?P<m>\d+)m(?!s))?"
    r"(?:(?P<s>\d+(?:\.\d+)?)s)?(?:(?P<ms>\d+(?:\.\d+)?)ms)?",
    re.ASCII,
)
_UNITS = {"d": 86_400.0, "h": 3_600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_DATE = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d):(\d\d)(\.\d+)?(?:Z|([+-])(\d\d):?(\d\d))", re.ASCII
)
_IN_WORDS = re.compile(
    r"(?:try(?:ing)? again|retry(?:ing)?)\s(?:in|after)\s"
    r"(?:(?P<span>(?:\d[\d.]{0,12}(?:ms|[smhd])){1,5})\b|(?P<seconds>\d[\d.]{0,12})\ssec)",
    re.ASCII,
)

# Larger numbers are moments, in seconds and in milliseconds; smaller ones are seconds from now.
_A_MOMENT = 1_000_000_000.0
_IN_MILLISECONDS = 100_000_000_000.0


def matters(header: str) -> bool:
    """Whether this header, in lower case, tells anything about waiting."""
    return header in ("retry-after", "retry-after-ms") or bool(_LIMIT.fullmatch(header))


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """The seconds of `Retry-After`: given as milliseconds, as seconds or as a date."""
    if (milliseconds := _number(headers.get("retry-after-ms"))) is not None:
        return _bounded(milliseconds / 1000)
    text = headers.get("retry-after")
    return None if text is None else _seconds(text, now)


def in_words(message: str) -> float | None:
    """As in "Please try again in 1.5s"."""
    found = _IN_WORDS.search(message.lower())
    return None if found is None else _seconds(found["span"] or found["seconds"], 0.0)


def limit_reset(headers: Mapping[str, str], now: float) -> float | None:
    """When a rate limit is over: the last one to reset of those that are used up.

    If none says that it is used up, the first one to reset: something changes then.
    """
    resets, spent = _limits(headers, now)
    used_up = [resets[name] for name in spent if name in resets]
    if used_up:
        return max(used_up)
    return min(resets.values(), default=None)


def _limits(headers: Mapping[str, str], now: float) -> tuple[dict[str, float], set[str]]:
    """The seconds until each limit is reset, and the names of those with nothing remaining."""
    resets: dict[str, float] = {}
    spent: set[str] = set()
    for header, value in headers.items():
        found = _LIMIT.fullmatch(header)
        if found is None:
            continue
        name = found["kind"] or found["of"] or ""
        if found["what"] == "reset" and (seconds := _seconds(value, now)) is not None:
            resets[name] = seconds
        elif found["what"] == "remaining" and _number(value) == 0:
            spent.add(name)
    return resets, spent


def _seconds(text: str, now: float) -> float | None:
    """From a number, a moment, a span such as `6m0s`, or a date."""
    text = text.strip()
    if (number := _number(text)) is not None:
        return _bounded(_from_number(number, now))
    if (span := _SPAN.fullmatch(text)) is not None:
        given = {unit: _number(value) for unit, value in span.groupdict().items()}
        return _bounded(sum(_UNITS[unit] * (value or 0.0) for unit, value in given.items()))
    moment = _iso_moment(text) if "-" in text[:5] else None
    moment = _http_moment(text) if moment is None else moment
    return None if moment is None else _bounded(moment - now)


def _from_number(number: float, now: float) -> float:
    if number >= _IN_MILLISECONDS:
        return number / 1000 - now
    return number - now if number >= _A_MOMENT else number


def _iso_moment(text: str) -> float | None:
    found = _DATE.fullmatch(text)
    day = days.parse_iso(found[1]) if found else None
    if found is None or day is None:
        return None
    clock = int(found[2]) * 3600 + int(found[3]) * 60 + int(found[4]) + float(found[5] or 0)
    away = (int(found[7]) * 3600 + int(found[8]) * 60) if found[6] else 0
    return day * days.DAY + clock - (away if found[6] == "+" else -away)


def _http_moment(text: str) -> float | None:
    try:
        date = parsedate_tz(text)
        return None if date is None else float(mktime_tz(date))
    except (ValueError, OverflowError, IndexError, TypeError):
        return None


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    # The comparison also leaves out what is not a number at all.
    return number if 0 <= number < float("inf") else None


def _bounded(seconds: float) -> float:
    return min(max(0.0, seconds), LONGEST)
