"""Clocks and calendars of the time zones that IANA lists."""

import re
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from cronsim import CronSim, CronSimError

from angelia.errors import BadRequest

_MINUTE = timedelta(minutes=1)
# Steps of a range that has one value; cronsim takes it for one that is open.
_NO_STEPS = re.compile(r"\b0*(\w+)-0*\1/\d+")


class ZoneCalendar:
    def zone(self, name: str) -> str:
        known = _zones().get(name.strip().lower())
        if known is not None:
            return known
        near = get_close_matches(name[:64].lower(), _zones(), n=1)
        hint = f"Did you mean {_zones()[near[0]]!r}?" if near else "Try 'Europe/Berlin' or 'UTC'."
        raise BadRequest(
            f"Invalid value for 'timezone': {name[:64]!r} is no time zone. {hint}",
            param="timezone",
            code="invalid_value",
        )

    def following(self, cron: str, zone: str, after: float) -> float | None:
        start = datetime.fromtimestamp(after, _zone(zone))
        try:
            for found in CronSim(_NO_STEPS.sub(r"\1", cron), start):
                # Times that the clocks show twice are told by the first of them.
                if found.timestamp() > after:
                    return found.timestamp()
        except (CronSimError, OverflowError):
            # A day that no month has, or one behind the end of the calendar.
            return None
        return None

    def moment(self, wall: int, zone: str) -> float:
        shown = datetime.fromtimestamp(wall, UTC).replace(tzinfo=_zone(zone))
        while not _exists(shown):
            shown += _MINUTE
        return shown.timestamp()

    def shown(self, moment: float, zone: str) -> str:
        return datetime.fromtimestamp(moment, _zone(zone)).isoformat(timespec="seconds")


@cache
def _zones() -> dict[str, str]:
    return {name.lower(): name for name in sorted(available_timezones())}


@cache
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def _exists(shown: datetime) -> bool:
    back = shown.astimezone(UTC).astimezone(shown.tzinfo)
    return back.replace(tzinfo=None) == shown.replace(tzinfo=None)
