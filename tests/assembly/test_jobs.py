"""The desk of jobs is on the database, in the time zone of the configuration."""

from pathlib import Path

import pytest

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.sqlite.database import Database
from angelia.assembly.jobs import jobs_of
from angelia.config import ConfigError, settle


async def test_a_time_zone_that_is_none_is_named_with_the_file(tmp_path: Path) -> None:
    database = Database.open(tmp_path / "db", clock=ManualClock())
    settings = settle('[schedule]\ntimezone = "Europe/Berln"', {}, tmp_path)
    with pytest.raises(ConfigError, match=r"angelia.toml: schedule.timezone: .*'Europe/Berlin'"):
        jobs_of(settings, database)
    known = settle('[schedule]\ntimezone = "europe/berlin"', {}, tmp_path)
    assert jobs_of(known, database).timetable.zone(None) == "Europe/Berlin"
    await database.close()
