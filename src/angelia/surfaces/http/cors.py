"""Which browsers may ask, and what one that may not is told."""

from collections.abc import Sequence

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp

from angelia.surfaces.http.errors import ErrorBody, problem
from angelia.surfaces.http.guard import guarded
from angelia.surfaces.http.requests import shortened

METHODS = ("GET", "POST", "PATCH", "DELETE", "OPTIONS")
EXPOSED_HEADERS = (
    "Accept-Ranges",
    "Content-Disposition",
    "Content-Range",
    "Idempotency-Replayed",
    "Retry-After",
    "X-Angelia-Run-Id",
    "X-Hermes-Session-Id",
    "X-Hermes-Session-Key",
    "X-Should-Retry",
)


class Browsers(CORSMiddleware):
    """Any header may be sent, since SDKs add their own; keys are what protects a route."""

    def __init__(self, app: ASGIApp, origins: Sequence[str]) -> None:
        super().__init__(
            app,
            allow_origins=origins,
            allow_methods=METHODS,
            allow_headers=["*"],
            expose_headers=EXPOSED_HEADERS,
        )

    def preflight_response(self, request_headers: Headers) -> Response:
        response = super().preflight_response(request_headers)
        if response.status_code == 200:
            return guarded(response)
        kept = {
            name: value
            for name, value in response.headers.items()
            if name.startswith(("access-control", "vary"))
        }
        message = self._reason(request_headers)
        return problem(400, ErrorBody(message, "invalid_request_error", None, "cors_refused"), kept)

    def _reason(self, asked: Headers) -> str:
        origin = asked["origin"]
        if not self.is_allowed_origin(origin):
            return f"The origin {shortened(origin)!r} is not one of those in server.cors_origins."
        method = asked["access-control-request-method"]
        if method not in METHODS:
            return f"Browsers may use {', '.join(METHODS)} here, not {shortened(method)!r}."
        return "This server answers no requests from another network's pages."
