"""Jobs as people read them in a terminal."""

from datetime import UTC, datetime

from msgspec import json

from angelia.wire.jobs.shapes import FiredOut, FiringOut, FiringsOut, JobOut, JobsOut

_jobs = json.Decoder(JobsOut).decode
_job = json.Decoder(JobOut).decode
_firings = json.Decoder(FiringsOut).decode
_fired = json.Decoder(FiredOut).decode


def listed(answer: bytes) -> str:
    """One line for each job."""
    jobs = _jobs(answer).data
    return "\n".join(map(_line, jobs)) or "There are no jobs."


def shown(answer: bytes) -> str:
    job = _job(answer)
    lines = [_line(job), f"  asks   {_short(job.input)}"]
    lines += [f"  next   {moment}" for moment in job.next_times]
    return "\n".join(lines)


def fired(answer: bytes) -> str:
    """One line for each firing, newest first."""
    return "\n".join(map(_firing_line, _firings(answer).data)) or "  fired  never"


def started(answer: bytes) -> str:
    return f"started {_fired(answer).run_id}"


def _line(job: JobOut) -> str:
    state = job.status if job.reason is None else f"{job.status}: {job.reason}"
    return f"{job.id}  {state}  {job.schedule} ({job.timezone})  {job.name}"


def _firing_line(firing: FiringOut) -> str:
    moment = datetime.fromtimestamp(firing.planned_at, UTC).isoformat("T", "seconds")
    said = (firing.outcome or firing.status, firing.run_id, firing.reason)
    return "  ".join(("  fired", moment, *(word for word in said if word)))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else line[:99] + "…"
