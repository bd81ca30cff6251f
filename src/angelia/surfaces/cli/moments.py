"""Moments and spans as people read them."""

from datetime import UTC, datetime

_UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"))


def moment(at: float) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC"


def ago(at: float, now: float) -> str:
    """How long since, in the largest unit that fits; a day for what is older than a month."""
    passed = max(0.0, now - at)
    if passed >= 30 * 86400:
        return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d}"
    for seconds, name in _UNITS:
        if passed >= seconds:
            count = int(passed // seconds)
            return f"{count} {name}{'' if count == 1 else 's'} ago"
    return "just now"


def span(seconds: float) -> str:
    """`0.42 s`, `12 s`, `3 min 20 s`, `2 h 5 min`."""
    if seconds < 10:
        return f"{seconds:.2f} s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{int(seconds // 60)} min {int(seconds % 60)} s"
    return f"{int(seconds // 3600)} h {int(seconds % 3600 // 60)} min"
