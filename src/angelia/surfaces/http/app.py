"""The routes, and the ASGI application that has them: mountable in anybody's own app."""

import asyncio
from collections.abc import Awaitable, Callable

from starlette.datastructures import State
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from angelia.runtime.services import Services
from angelia.surfaces.http import chat, discovery, runs, stopping
from angelia.surfaces.http.audience import Audience
from angelia.surfaces.http.cors import Browsers
from angelia.surfaces.http.errors import answer_to
from angelia.surfaces.http.stream import STARTED, Pulse

Answer = Callable[[Request], Awaitable[Response]]


class Endpoint:
    """The functions from request to response of one path, by method, as a route wants them."""

    def __init__(self, answers: dict[str, Answer]) -> None:
        self._answers = answers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        response = await self._answers[method](Request(scope, receive, send))
        await response(scope, receive, send)


def _route(path: str, **answers: Answer) -> Route:
    """One route for all methods of a path, so that it knows which there are."""
    return Route(path, Endpoint(answers), methods=list(answers))


ROUTES = [
    _route("/health", GET=discovery.health),
    _route("/health/ready", GET=discovery.ready),
    _route("/v1/models", GET=discovery.models),
    _route("/v1/models/{model:path}", GET=discovery.model),
    _route("/v1/tools", GET=discovery.tools),
    _route("/v1/capabilities", GET=discovery.capabilities),
    _route("/v1/chat/completions", POST=chat.create),
    _route("/v1/runs", GET=runs.find, POST=runs.create),
    _route("/v1/runs/{run_id}", GET=runs.get, DELETE=runs.delete),
    _route("/v1/runs/{run_id}/events", GET=runs.events),
    _route("/v1/runs/{run_id}/stop", POST=runs.stop),
    _route("/v1/runs/{run_id}/approval", POST=runs.approve),
    _route("/v1/runs/{run_id}/steer", POST=runs.steer),
    _route("/v1/runs/{run_id}/tools/{call_id}/output", GET=runs.tool_output),
]


class Application:
    """Routes, and an answer to whatever goes wrong in them.

    Starlette's own application would put three layers between a stream and its socket, which every
    delta has to pass.
    """

    def __init__(self, services: Services) -> None:
        self.state = State({"services": services})
        self.state.pulse = Pulse(services.settings.server.keep_alive)
        self.state.audience = Audience()
        self._router = Router(ROUTES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["app"] = self
        try:
            await self._router(scope, receive, send)
        except asyncio.CancelledError:
            if scope["type"] != "http" or STARTED in scope:
                raise
            await stopping.nothing_done()(scope, receive, send)
        # Nothing that goes wrong may leave a client without an answer in JSON.
        except Exception as error:
            if scope["type"] != "http" or STARTED in scope:
                raise
            response = answer_to(error, Request(scope))
            await response(scope, receive, send)


def application(services: Services) -> ASGIApp:
    app = Application(services)
    origins = services.settings.server.cors_origins
    return Browsers(app, origins) if origins else app
