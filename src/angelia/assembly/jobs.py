"""The desk of jobs, on one database."""

from angelia.adapters.sqlite.database import Database
from angelia.adapters.sqlite.jobs import SqliteJobs
from angelia.adapters.sqlite.log import SqliteLog
from angelia.adapters.zone_calendar import ZoneCalendar
from angelia.config import FILE, ConfigError, Settings
from angelia.errors import BadRequest
from angelia.runtime.jobs import Jobs
from angelia.runtime.timetable import Timetable


def jobs_of(settings: Settings, database: Database) -> Jobs:
    """Raises ConfigError for a time zone that there is none of."""
    given = settings.schedule
    try:
        timetable = Timetable(ZoneCalendar(), given.timezone, given.min_interval)
    except BadRequest as error:
        raise ConfigError(f"{settings.home / FILE}: schedule.timezone: {error.message}") from error
    log = SqliteLog(database)
    return Jobs(SqliteJobs(database), timetable, log, database.clock, given.max_jobs)
