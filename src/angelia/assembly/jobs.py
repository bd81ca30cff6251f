"""The desk of jobs, and the scheduler that fires them."""

from angelia.adapters.sqlite.database import Database
from angelia.adapters.sqlite.jobs import SqliteJobs
from angelia.adapters.sqlite.log import SqliteLog
from angelia.adapters.system_clock import SystemClock
from angelia.adapters.zone_calendar import ZoneCalendar
from angelia.config import FILE, ConfigError, Settings
from angelia.errors import BadRequest
from angelia.runtime.admission import Admission
from angelia.runtime.errands import Starter
from angelia.runtime.jobs import Jobs
from angelia.runtime.keyring import Keyring
from angelia.runtime.runs import Runs
from angelia.runtime.scheduler import Scheduler
from angelia.runtime.timetable import Timetable


def jobs_of(settings: Settings, database: Database) -> Jobs:
    """Raises ConfigError for a time zone that there is none of."""
    given = settings.schedule
    try:
        timetable = Timetable(ZoneCalendar(), given.timezone, given.min_interval)
    except BadRequest as error:
        raise ConfigError(f"{settings.home / FILE}: schedule.timezone: {error.message}") from error
    store, log = SqliteJobs(database), SqliteLog(database)
    return Jobs(store, timetable, log, database.clock, given.max_jobs)


def scheduler_of(
    settings: Settings, jobs: Jobs, runs: Runs, keyring: Keyring, admission: Admission
) -> Scheduler:
    """From here on jobs can be run now; they fire by themselves while the scheduler runs."""
    clock = SystemClock()
    starter = Starter(jobs.store, runs, keyring, admission, clock)
    jobs.employ(starter)
    return Scheduler(jobs, starter, runs, clock, settings.schedule.concurrent)
