"""When to ask a provider again, and how long to wait before."""

from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from random import Random

from angelia.errors import UpstreamError

_FIRST_WAIT = 0.5
_LONGEST_WAIT = 8.0
_LONGEST_WISH = 60.0
_JITTER = 0.25


def wait(attempt: int, wish: float | None, randomness: Random) -> float:
    """Seconds before attempt `attempt` + 1, counted from 1. A provider's own wish goes first."""
    if wish is not None:
        return min(wish, _LONGEST_WISH)
    grown = min(_LONGEST_WAIT, _FIRST_WAIT * 2.0 ** (attempt - 1))
    return grown * (1 - _JITTER * randomness.random())


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """The seconds a provider asks to be left alone: as milliseconds, seconds or a date."""
    if (milliseconds := _number(headers.get("retry-after-ms"))) is not None:
        return milliseconds / 1000
    text = headers.get("retry-after")
    if text is None:
        return None
    seconds = _number(text)
    return _until(text, now) if seconds is None else seconds


def streaming_refused(error: UpstreamError) -> bool:
    """Whether a provider says that it does not stream, and nothing else is wrong."""
    said = error.message.lower()
    return (
        error.status in (400, 422, 501)
        and "stream" in said
        and any(words in said for words in _NO_STREAMING)
    )


_NO_STREAMING = (
    "not support",
    "n't support",
    "unsupported",
    "not available",
    "not allowed",
    "not enabled",
    "disabled",
    "must be false",
    "verified to stream",
)


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    # The comparison also leaves out what is not a number at all.
    return number if 0 <= number < float("inf") else None


def _until(date: str, now: float) -> float | None:
    try:
        then = parsedate_to_datetime(date)
    except ValueError:
        return None
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    return max(0.0, then.timestamp() - now)
