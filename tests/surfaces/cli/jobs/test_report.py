"""Jobs as people read them."""

from msgspec import json

from angelia.surfaces.cli.jobs.report import fired, listed, shown, started
from angelia.wire.jobs.shapes import FiredOut, FiringOut, FiringsOut, JobOut, JobsOut, LimitsOut

JOB = JobOut(
    id="job_1",
    name="words",
    status="paused",
    reason="The key 'ann' is revoked.",
    schedule="every 2h",
    timezone="UTC",
    next_at=None,
    next_times=("2026-12-01T09:00:00+00:00",),
    input="many\nwords " * 20,
    instructions=None,
    model=None,
    session_id=None,
    session_key=None,
    toolsets=None,
    limits=LimitsOut(None, None, None, None),
    user=None,
    webhook_host=None,
    catch_up="once",
    overlap="skip",
    until=None,
    firings_left=None,
    created_at=1.0,
    updated_at=1.0,
    last_firing=None,
)


def test_a_job_is_a_line_with_the_reason_it_rests_for() -> None:
    line = "job_1  paused: The key 'ann' is revoked.  every 2h (UTC)  words"
    assert listed(json.encode(JobsOut([JOB], has_more=False))) == line
    lines = shown(json.encode(JOB)).splitlines()
    assert (lines[0], lines[2]) == (line, "  next   2026-12-01T09:00:00+00:00")
    assert len(lines[1]) <= 110


def test_firings_are_lines_with_their_outcome_or_reason() -> None:
    ended = FiringOut("f", "job_1", 0.0, False, "started", "run_1", "completed", 0, None)
    missed = FiringOut("g", "job_1", 60.0, False, "skipped", None, None, 0, "too late")
    assert fired(json.encode(FiringsOut([missed, ended], has_more=False))).splitlines() == [
        "  fired  1970-01-01T00:01:00+00:00  skipped  too late",
        "  fired  1970-01-01T00:00:00+00:00  completed  run_1",
    ]
    assert fired(json.encode(FiringsOut([], has_more=False))) == "  fired  never"
    assert started(json.encode(FiredOut("run_1", "started", "s"))) == "started run_1"


def test_no_jobs_are_said_to_be_none() -> None:
    assert listed(json.encode(JobsOut([], has_more=False))) == "There are no jobs."
