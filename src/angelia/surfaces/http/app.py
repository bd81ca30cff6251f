"""The routes, and the ASGI application that has them: mountable in anybody's own app."""

from collections.abc import Awaitable, Callable

from starlette.datastructures import State
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from angelia.runtime.services import Services
from angelia.surfaces.http import chat, discovery, runs
from angelia.surfaces.http.errors import answer_to
from angelia.surfaces.http.stream import STARTED, Pulse

OWN_HEADERS = [
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "Last-Event-ID",
    "X-Api-Key",
    "X-Angelia-On-Disconnect",
    "X-Angelia-Tool-Events",
    "X-Hermes-Session-Id",
]
EXPOSED_HEADERS = [
    "Idempotency-Replayed",
    "Retry-After",
    "X-Angelia-Run-Id",
    "X-Hermes-Session-Id",
]


class Endpoint:
    """A function from request to response, as a route wants it."""

    def __init__(self, answer: Callable[[Request], Awaitable[Response]]) -> None:
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self._answer(Request(scope, receive, send))
        await response(scope, receive, send)


def _route(
    path: str, answer: Callable[[Request], Awaitable[Response]], method: str = "GET"
) -> Route:
    return Route(path, Endpoint(answer), methods=[method])


ROUTES = [
    _route("/health", discovery.health),
    _route("/health/ready", discovery.ready),
    _route("/v1/models", discovery.models),
    _route("/v1/models/{model:path}", discovery.model),
    _route("/v1/tools", discovery.tools),
    _route("/v1/capabilities", discovery.capabilities),
    _route("/v1/chat/completions", chat.create, "POST"),
    _route("/v1/runs", runs.create, "POST"),
    _route("/v1/runs", runs.find),
    _route("/v1/runs/{run_id}", runs.get),
    _route("/v1/runs/{run_id}", runs.delete, "DELETE"),
    _route("/v1/runs/{run_id}/events", runs.events),
    _route("/v1/runs/{run_id}/stop", runs.stop, "POST"),
    _route("/v1/runs/{run_id}/approval", runs.approve, "POST"),
    _route("/v1/runs/{run_id}/steer", runs.steer, "POST"),
    _route("/v1/runs/{run_id}/tools/{call_id}/output", runs.tool_output),
]


class Application:
    """Routes, and an answer to whatever goes wrong in them.

    Starlette's own application would put three layers between a stream and its socket, which every
    delta has to pass.
    """

    def __init__(self, services: Services) -> None:
        self.state = State({"services": services})
        self.state.pulse = Pulse(services.settings.server.keep_alive)
        self._router = Router(ROUTES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["app"] = self
        try:
            await self._router(scope, receive, send)
        # Nothing that goes wrong may leave a client without an answer in JSON.
        except Exception as error:
            if scope["type"] != "http" or STARTED in scope:
                raise
            response = answer_to(error, Request(scope))
            await response(scope, receive, send)


def application(services: Services) -> ASGIApp:
    app = Application(services)
    origins = services.settings.server.cors_origins
    if not origins:
        return app
    return CORSMiddleware(
        app,
        allow_origins=list(origins),
        allow_methods=["GET", "POST", "PATCH", "DELETE", "OPTIONS"],
        allow_headers=OWN_HEADERS,
        expose_headers=EXPOSED_HEADERS,
    )
