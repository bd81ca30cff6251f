"""What is heard of a server that can no longer wait: an answer, or the last words of a stream.

The server cancels such a request and reports one that ends as cancelled as a defect, so the
cancellation is answered here and goes no further.
"""

from msgspec import json
from starlette.responses import Response

from angelia.runtime.runs import Started
from angelia.surfaces.http.errors import ErrorBody, problem
from angelia.wire import sse
from angelia.wire.blame import error_type
from angelia.wire.responses.ids import response_id
from angelia.wire.runs.shapes import ServerStoppingOut

CODE = "server_stopping"
STATUS = 503

_STOPS = "The server is stopping."
_GOES_ON = f"{_STOPS} The run goes on at its next start;"


# ── answers ─────────────────────────────────────────────────────────────────────────────────


def run_left(run_id: str, headers: dict[str, str]) -> Response:
    message = f"{_GOES_ON} follow it at {events_of(run_id)}."
    # SDKs repeat a request that got a 503, which would begin a second run beside the first.
    return _answer(message, {**headers, "X-Should-Retry": "false"})


def nothing_done() -> Response:
    return _answer(f"{_STOPS} Try again at its next start.", {})


def _answer(message: str, headers: dict[str, str]) -> Response:
    return problem(STATUS, ErrorBody(message, error_type(CODE), None, CODE), headers)


# ── last words ──────────────────────────────────────────────────────────────────────────────


def events_of(run_id: str) -> str:
    return f"/v1/runs/{run_id}/events"


def rest_at(path: str, whole: str | None = None) -> str:
    """The words where a protocol has a place for words alone."""
    again = "" if whole is None else f", all of it at GET {whole}"
    return f"{_GOES_ON} the rest is at GET {path}{again}."


def rest_of_response(leg: Started, number: int, after: int) -> str:
    """Behind the event `number`, or behind the entry `after` where no response is kept."""
    if not leg.run.stored:
        return rest_at(f"{events_of(leg.run.id)}?as=responses&after={after}")
    path = f"/v1/responses/{response_id(leg.run.id, leg.after)}?stream=true"
    return rest_at(path if number < 0 else f"{path}&starting_after={number}")


def nothing_under_way() -> str:
    return f"{_STOPS} Connect again at its next start."


def last_of_run(run_id: str, after: int) -> bytes:
    resume = f"{events_of(run_id)}?after={after}"
    return _frame(ServerStoppingOut(resume, rest_at(resume), run_id, after))


def last_of_feed(path: str) -> bytes:
    message = f"{_STOPS} Connect again at its next start, and read the list of runs anew."
    return _frame(ServerStoppingOut(path, message))


def _frame(word: ServerStoppingOut) -> bytes:
    """It has a name, so `EventSource.onmessage` sees the events of the log and nothing else.

    Without an id it leaves the cursor where it is.
    """
    name = str(word.__struct_config__.tag)
    return sse.encode(json.encode(word), name=name)
