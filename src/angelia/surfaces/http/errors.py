"""Every error as JSON of one shape, whatever went wrong and wherever."""

import logging
import math

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from angelia.core.events import Cancelled, Failed
from angelia.core.redact import SHAPES_ONLY, Redactor
from angelia.errors import DiskFull, LogDamaged, LogPaused, LogUnavailable, RequestError
from angelia.ports import Storage
from angelia.surfaces.http.guard import guarded
from angelia.surfaces.http.requests import services, shortened
from angelia.wire.blame import error_type

MESSAGE_LIMIT = 2_000
# When to come back: space may be freed at any time, a repair needs a person.
PAUSED_SECONDS = 5
DAMAGED_SECONDS = 60

logger = logging.getLogger(__name__)


class ErrorBody(msgspec.Struct, frozen=True):
    message: str
    type: str
    param: str | None = None
    code: str | None = None


class Problem(msgspec.Struct, frozen=True):
    error: ErrorBody


def problem(
    status: int,
    error: ErrorBody,
    headers: dict[str, str] | None = None,
    redact: Redactor = SHAPES_ONLY,
) -> Response:
    message = shortened(redact(error.message), MESSAGE_LIMIT)
    param = shortened(redact(error.param)) if error.param else error.param
    body = msgspec.json.encode(Problem(ErrorBody(message, error.type, param, error.code)))
    return guarded(Response(body, status, headers=headers, media_type="application/json"))


def answer_to(error: Exception, request: Request) -> Response:
    """The last resort is a 500 without details; those go to the server's log, never to a client."""
    redact = services(request).runs.toolbox.redact
    match error:
        case RequestError():
            return refusal(error, redact)
        case HTTPException():
            return _no_route(error, request, redact)
        case LogUnavailable():
            if not isinstance(error, LogPaused | LogDamaged):
                logger.error("the log did not take a write: %s", redact(str(error)))
            told = unwritten(error)
            body = ErrorBody(told.message, "server_error", None, told.code)
            return problem(told.status, body, {"Retry-After": str(told.seconds)})
        case _:
            where = shortened(request.url.path)
            logger.error("%s %s failed", request.method, where, exc_info=error)
            message = "An internal error occurred. The server's log has the details."
            return problem(500, ErrorBody(message, "server_error", None, "internal_error"))


def refuse_unwritable(storage: Storage) -> None:
    if (trouble := storage.trouble) is not None:
        raise type(trouble)(*trouble.args)


class Unwritten(msgspec.Struct, frozen=True):
    """Why nothing was begun; `seconds` is when to ask again."""

    status: int
    code: str
    message: str
    seconds: int


def unwritten(error: LogUnavailable) -> Unwritten:
    """What it says of the machine is for its log."""
    match error:
        case DiskFull():
            message = (
                "The server's disk is full; nothing was started. Runs under way wait. Try again "
                "when there is space."
            )
            return Unwritten(507, code="disk_full", message=message, seconds=PAUSED_SECONDS)
        case LogDamaged():
            message = (
                "The server's database is damaged; nothing was started. Whoever runs the server "
                "stops it and runs `angelia recover`."
            )
            return Unwritten(503, code="log_damaged", message=message, seconds=DAMAGED_SECONDS)
        case _:
            message = "The log cannot be written at the moment; nothing was started. Try again."
            return Unwritten(503, code="log_unavailable", message=message, seconds=PAUSED_SECONDS)


def refusal(error: RequestError, redact: Redactor) -> Response:
    headers: dict[str, str] = {}
    if error.retry_after is not None:
        headers["Retry-After"] = str(math.ceil(error.retry_after))
    body = ErrorBody(error.message, error.type, error.param, error.code)
    return problem(error.status, body, headers, redact)


def _no_route(error: HTTPException, request: Request, redact: Redactor) -> Response:
    # Half of a secret has no shape that tells, so it goes before the text is cut.
    where = f"{request.method} {shortened(redact(request.url.path))}"
    if error.status_code == 404:
        body = ErrorBody(f"There is no {where}.", "not_found_error", None, "not_found")
        return problem(404, body)
    allowed = (error.headers or {}).get("Allow", "")
    message = f"{where} is not a method of this route. Allowed: {allowed}."
    body = ErrorBody(message, "invalid_request_error", None, "method_not_allowed")
    return problem(error.status_code, body, {"Allow": allowed} if allowed else None)


def ended_badly(ending: Failed | Cancelled, headers: dict[str, str]) -> Response:
    """The answer to a request whose run did not complete, while an HTTP status can still say so."""
    # SDKs repeat what got a 409 or a 502 by themselves, which would do a run's work a second time.
    headers = {**headers, "X-Should-Retry": "false"}
    if isinstance(ending, Cancelled):
        message = "The run was stopped before it completed."
        return problem(409, ErrorBody(message, "conflict_error", None, "run_cancelled"), headers)
    status, kind = _blame(ending.code)
    return problem(status, ErrorBody(ending.message, kind, None, ending.code), headers)


def _blame(code: str) -> tuple[int, str]:
    kind = error_type(code)
    return {"upstream_error": 502, "invalid_request_error": 400}.get(kind, 500), kind
