"""What every log and store says when it refuses."""

from angelia.errors import BadRequest, Conflict, Fenced, NotFound


def no_run(run_id: str) -> NotFound:
    return NotFound(f"There is no run {run_id!r}.")


def no_page_before(run_id: str) -> NotFound:
    return NotFound(f"There is no run {run_id!r} to page from.", param="before")


def no_sessions_before(session_id: str) -> NotFound:
    return NotFound(f"There is no session {session_id!r} to page from.", param="before")


def no_notes_after(note_id: str) -> NotFound:
    return NotFound(
        f"There is no note {note_id!r} to page from.", param="after", code="note_not_found"
    )


def no_jobs_before(job_id: str) -> NotFound:
    return NotFound(
        f"There is no job {job_id!r} to page from.", param="after", code="job_not_found"
    )


def no_firings_before(firing_id: str) -> NotFound:
    return NotFound(
        f"There is no firing {firing_id!r} to page from.", param="after", code="firing_not_found"
    )


def run_exists(run_id: str) -> Conflict:
    return Conflict(f"There is a run {run_id!r} already.", code="run_exists")


def key_exists(name: str) -> Conflict:
    return Conflict(f"There is a key like {name!r} already.", code="key_exists")


def server_exists(name: str) -> Conflict:
    return Conflict(f"There is an MCP server {name!r} already.", code="mcp_server_exists")


def session_busy(session_id: str) -> Conflict:
    return Conflict(
        f"Session {session_id!r} has runs that have not ended; stop them first.",
        code="session_busy",
    )


def search_too_broad() -> BadRequest:
    return BadRequest(
        "Too much was said with these words to look through all of it; add a word, or write the "
        "last one in full.",
        param="q",
        code="search_too_broad",
    )


def fenced(run_id: str) -> Fenced:
    return Fenced(f"Run {run_id!r} has ended, is gone, or belongs to another driver.")


def claimed_otherwise() -> Conflict:
    return Conflict(
        "This idempotency key was used for another request. Send the same request again to get "
        "its run, or choose a new key for a new run.",
        code="idempotency_key_conflict",
    )


def claim_held() -> Conflict:
    return Conflict(
        "This request is under way or was answered already. Send it again to get its run, or "
        "choose a new idempotency key.",
        code="claim_held",
    )
