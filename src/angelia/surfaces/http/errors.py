"""Every error as JSON of one shape, whatever went wrong and wherever."""

import logging
import math

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from angelia.core.events import Cancelled, Failed
from angelia.core.redact import redact
from angelia.errors import LogUnavailable, RequestError

logger = logging.getLogger(__name__)


class ErrorBody(msgspec.Struct, frozen=True):
    message: str
    type: str
    param: str | None = None
    code: str | None = None


class Problem(msgspec.Struct, frozen=True):
    error: ErrorBody


def problem(status: int, error: ErrorBody, headers: dict[str, str] | None = None) -> Response:
    clean = msgspec.structs.replace(error, message=redact(error.message))
    body = msgspec.json.encode(Problem(clean))
    return Response(body, status, headers=headers, media_type="application/json")


async def on_request_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestError)  # noqa: S101 -- registered for this class only
    headers: dict[str, str] = {}
    if error.retry_after is not None:
        headers["Retry-After"] = str(math.ceil(error.retry_after))
    body = ErrorBody(error.message, error.type, error.param, error.code)
    return problem(error.status, body, headers)


async def on_http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 -- registered for this class only
    where = f"{request.method} {request.url.path}"
    if error.status_code == 404:
        return problem(
            404, ErrorBody(f"There is no {where}.", "not_found_error", None, "not_found")
        )
    if error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "")
        message = f"{where} is not a method of this route. Allowed: {allowed}."
        body = ErrorBody(message, "invalid_request_error", None, "method_not_allowed")
        return problem(405, body, {"Allow": allowed})
    return problem(error.status_code, ErrorBody(str(error.detail), "invalid_request_error"))


async def on_full_disk(_: Request, error: Exception) -> Response:
    logger.error("the log did not take a write: %s", redact(str(error)))
    message = "The log cannot be written at the moment; nothing was started. Try again later."
    return problem(503, ErrorBody(message, "server_error", None, "log_unavailable"))


async def on_defect(_: Request, error: Exception) -> Response:
    """The last resort. The traceback goes to the log of the server, never to the client."""
    message = "An internal error occurred. The server's log has the details."
    return problem(500, ErrorBody(message, "server_error", None, "internal_error"))


def ended_badly(ending: Failed | Cancelled) -> Response:
    """The answer to a request whose run did not complete, while an HTTP status can still say so."""
    if isinstance(ending, Cancelled):
        message = "The run was stopped before it completed."
        return problem(409, ErrorBody(message, "conflict_error", None, "run_cancelled"))
    upstream = ending.code.startswith("upstream")
    kind = "upstream_error" if upstream else "server_error"
    return problem(502 if upstream else 500, ErrorBody(ending.message, kind, None, ending.code))


EXCEPTION_RESPONSES = {
    RequestError: on_request_error,
    HTTPException: on_http_exception,
    LogUnavailable: on_full_disk,
    Exception: on_defect,
}
