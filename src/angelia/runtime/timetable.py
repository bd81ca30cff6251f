"""The times of a job: those to come, and those that have passed unnoticed."""

import math
from collections import deque
from collections.abc import Iterator
from itertools import islice, pairwise
from typing import assert_never

from msgspec import Struct

from angelia.core.schedule import After, Cron, Every, Once, following, parse, refused
from angelia.ports.calendar import Calendar
from angelia.ports.jobs import Job

# Whoever skips missed times does not miss one by a moment.
GRACE = 60.0
MOST_CAUGHT_UP = 50
# How many times ahead are checked for lying too close together.
_LOOKAHEAD = 10
_HOUR = 3600.0


class Plan(Struct, frozen=True):
    """Of the times that have come, those to fire at; `missed` is the last of those left out."""

    times: tuple[float, ...] = ()
    missed: float | None = None


class Timetable:
    """`timezone` holds where none is named; `min_interval` is how close two times may be."""

    def __init__(self, calendar: Calendar, timezone: str, min_interval: float) -> None:
        self._calendar = calendar
        self._timezone = calendar.zone(timezone)
        self._min_interval = min_interval

    def zone(self, name: str | None) -> str:
        """Raises BadRequest for what is no time zone."""
        return self._timezone if name is None else self._calendar.zone(name)

    def moment(self, text: str, zone: str, param: str) -> float:
        """Of a day and time. Raises BadRequest for anything else."""
        schedule = parse(text, param)
        if not isinstance(schedule, Once):
            raise refused("a day and a time are wanted here", param)
        return self._once(schedule, zone)

    def following(self, job: Job, after: float) -> float | None:
        """The first time later than `after`, if there is one before the job's end."""
        schedule = parse(job.schedule)
        match schedule:
            case Cron(fields=fields):
                moment = self._calendar.following(fields, job.timezone, after)
            case Every():
                moment = following(schedule, job.anchor, after)
            case Once():
                moment = self._once(schedule, job.timezone)
            case After(seconds=seconds):
                moment = job.anchor + seconds
            case _:
                assert_never(schedule)
        ends = job.until is not None and moment is not None and moment > job.until
        return None if moment is None or ends or moment <= after else moment

    def shown(self, job: Job, count: int) -> tuple[str, ...]:
        """The next times, as the clocks of the job's zone show them."""
        if job.next_at is None:
            return ()
        most = count if job.left is None else min(count, job.left)
        times = islice(self._from(job, job.next_at), most)
        return tuple(self._calendar.shown(moment, job.timezone) for moment in times)

    def check(self, job: Job, now: float) -> None:
        """Raises BadRequest for a schedule that never comes, or too often."""
        first = self.following(job, now)
        if first is None:
            ended = job.until is not None and job.until <= now
            raise refused("'until' has passed" if ended else "this time never comes again")
        times = list(islice(self._from(job, first), _LOOKAHEAD))
        gaps = (later - earlier for earlier, later in pairwise(times))
        if min(gaps, default=self._min_interval) < self._min_interval:
            raise refused(f"there must be {self._min_interval:g} s between two times")

    def plan(self, job: Job, now: float) -> Plan:
        """What to do about the times from `next_at` to `now`."""
        times = self._passed(job, now, MOST_CAUGHT_UP if job.catch_up == "all" else 1)
        match job.catch_up:
            case "once" | "all":
                return Plan(times if job.left is None else times[-job.left :])
            case "skip":
                late = now - times[-1] > GRACE
                return Plan((), times[-1]) if late else Plan(times)
            case _:
                assert_never(job.catch_up)

    def _passed(self, job: Job, now: float, most: int) -> tuple[float, ...]:
        """The last of them; nobody walks through the times of a year to find those of an hour."""
        first = now if job.next_at is None else job.next_at
        last = now if job.until is None else min(now, job.until)
        span = _HOUR
        while last - span > first:
            start = self.following(job, last - span)
            found = deque(self._until(job, start or math.inf, last), maxlen=most)
            if len(found) == most:
                return tuple(found)
            span *= 24
        return tuple(deque(self._until(job, first, last), maxlen=most))

    def _until(self, job: Job, first: float, now: float) -> Iterator[float]:
        for moment in self._from(job, first):
            if moment > now:
                return
            yield moment

    def _from(self, job: Job, first: float) -> Iterator[float]:
        moment: float | None = first
        while moment is not None:
            yield moment
            moment = self.following(job, moment)

    def _once(self, once: Once, zone: str) -> float:
        return float(once.at) if once.fixed else self._calendar.moment(once.at, zone)
