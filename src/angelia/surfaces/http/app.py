"""The routes, and the ASGI application that has them: mountable in anybody's own app."""

import asyncio
from collections.abc import Awaitable, Callable

from starlette.datastructures import State
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from angelia.runtime.services import Services
from angelia.surfaces.http import (
    chat,
    conversations,
    discovery,
    feed,
    grants,
    jobs,
    keys,
    mcp,
    memory,
    metrics,
    responses,
    runs,
    sessions,
    signin,
    socket,
    stopping,
    tools,
    turns,
    undo,
    usage,
    views,
)
from angelia.surfaces.http.audience import Audience
from angelia.surfaces.http.cors import Browsers
from angelia.surfaces.http.errors import answer_to, refuse_unwritable
from angelia.surfaces.http.guard import guarded
from angelia.surfaces.http.openapi import endpoint as openapi
from angelia.surfaces.http.serving import HANGUP
from angelia.surfaces.http.stream import ROUTE, STARTED, STATUS, Pulse
from angelia.surfaces.http.waiting import Sockets

Answer = Callable[[Request], Awaitable[Response]]
# What requests are counted under whose path has no route.
UNMATCHED = "unmatched"
# What is sent there changes nothing that is kept.
KEPT_NOWHERE = ("/v1/responses/input_tokens", "/api/signin")


class Endpoint:
    """The functions from request to response of one path, by method, as a route wants them."""

    def __init__(self, path: str, answers: dict[str, Answer]) -> None:
        self._path = path
        self._answers = answers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[ROUTE] = self._path
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        if method != "GET" and self._path not in KEPT_NOWHERE:
            # Runs under way wait for a disk that is full; who asks is told at once.
            refuse_unwritable(scope["app"].state.services.storage)
        response = guarded(await self._answers[method](Request(scope, receive, send)))
        scope[STATUS] = response.status_code
        await response(scope, receive, send)


def _route(path: str, **answers: Answer) -> Route:
    """One route for all methods of a path, so that it knows which there are."""
    return Route(path, Endpoint(path, answers), methods=list(answers))


ROUTES = [
    _route("/health", GET=discovery.health),
    _route("/health/ready", GET=discovery.ready),
    _route("/metrics", GET=metrics.show),
    _route("/openapi.json", GET=openapi.describe),
    _route("/v1/models", GET=discovery.models),
    _route("/v1/models/{model:path}", GET=discovery.model),
    _route("/v1/tools", GET=tools.find),
    _route("/v1/skills", GET=discovery.skills),
    _route("/v1/mcp", GET=mcp.find),
    _route("/v1/capabilities", GET=discovery.capabilities),
    _route("/v1/chat/completions", POST=chat.create),
    _route("/v1/chat/completions/{completion_id}", GET=chat.get, DELETE=chat.delete),
    _route("/v1/responses", POST=responses.create),
    _route("/v1/responses/compact", POST=responses.compact),
    _route("/v1/responses/input_tokens", POST=responses.count_tokens),
    _route("/v1/responses/{response_id}", GET=responses.get, DELETE=responses.delete),
    _route("/v1/responses/{response_id}/cancel", POST=responses.cancel),
    _route("/v1/responses/{response_id}/input_items", GET=responses.items),
    _route("/v1/conversations", POST=conversations.create),
    _route(
        "/v1/conversations/{conversation_id}",
        GET=conversations.get,
        POST=conversations.change,
        DELETE=conversations.delete,
    ),
    _route(
        "/v1/conversations/{conversation_id}/items",
        GET=conversations.items,
        POST=conversations.add_items,
    ),
    _route(
        "/v1/conversations/{conversation_id}/items/{item_id}",
        GET=conversations.item,
        DELETE=conversations.remove_item,
    ),
    _route("/v1/runs", GET=runs.find, POST=runs.create),
    _route("/v1/runs/{run_id}", GET=runs.get, DELETE=runs.delete),
    _route("/v1/runs/{run_id}/events", GET=runs.events),
    _route("/v1/runs/{run_id}/views", GET=views.find),
    _route("/v1/runs/{run_id}/stop", POST=runs.stop),
    _route("/v1/runs/{run_id}/approval", POST=runs.approve),
    _route("/v1/runs/{run_id}/steer", POST=runs.steer),
    _route("/v1/runs/{run_id}/tools/{call_id}/output", GET=runs.tool_output),
    _route("/v1/runs/{run_id}/changes", GET=undo.changes),
    _route("/v1/runs/{run_id}/undo", POST=undo.undo),
    _route(feed.PATH, GET=feed.follow),
    _route("/api/grants", GET=grants.find),
    _route("/api/grants/{grant_id}", DELETE=grants.revoke),
    _route("/api/sessions", GET=sessions.find, POST=sessions.create),
    _route("/api/sessions/search", GET=sessions.search),
    # The name of a session may have slashes in it.
    _route("/api/sessions/{session_id:path}/messages", GET=sessions.messages),
    _route("/api/sessions/{session_id:path}/turns", GET=turns.find),
    _route("/api/sessions/{session_id:path}/fork", POST=sessions.fork),
    _route("/api/sessions/{session_id:path}/export", GET=sessions.export),
    _route(
        "/api/sessions/{session_id:path}",
        GET=sessions.get,
        PATCH=sessions.change,
        DELETE=sessions.delete,
    ),
    _route("/api/memory", GET=memory.find, POST=memory.add, DELETE=memory.clear),
    _route("/api/memory/{note_id}", GET=memory.get, PATCH=memory.change, DELETE=memory.forget),
    _route("/api/jobs", GET=jobs.find, POST=jobs.create),
    _route("/api/jobs/{job_id}", GET=jobs.get, PATCH=jobs.change, DELETE=jobs.delete),
    _route("/api/jobs/{job_id}/pause", POST=jobs.pause),
    _route("/api/jobs/{job_id}/resume", POST=jobs.resume),
    _route("/api/jobs/{job_id}/run", POST=jobs.run_now),
    _route("/api/jobs/{job_id}/runs", GET=jobs.firings),
    _route("/api/tools/{tool_name}", PATCH=tools.change),
    _route("/api/mcp", POST=mcp.add),
    # The name of a server in a file may have slashes in it.
    _route("/api/mcp/{server_name:path}/reconnect", POST=mcp.reconnect),
    _route("/api/mcp/{server_name:path}", PATCH=mcp.change, DELETE=mcp.remove),
    _route("/api/keys", GET=keys.find, POST=keys.create),
    _route("/api/keys/{key_id}", GET=keys.get, PATCH=keys.change, DELETE=keys.revoke),
    _route("/api/usage", GET=usage.report),
    _route("/api/signin", GET=signin.look, POST=signin.sign_in, DELETE=signin.sign_out),
]
SOCKETS = [WebSocketRoute("/v1/responses", socket.converse)]


async def _no_route(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "http":
        raise HTTPException(404)
    await socket.nowhere(WebSocket(scope, receive, send))


class Application:
    """Routes, and an answer to whatever goes wrong in them.

    Starlette's own application would put three layers between a stream and its socket, which every
    delta has to pass.
    """

    def __init__(self, services: Services) -> None:
        self.state = State({"services": services})
        server = services.settings.server
        self.state.pulse = Pulse(server.keep_alive, server.reader_patience)
        self.state.audience = Audience()
        self.state.sockets = Sockets()
        self._router = Router([*ROUTES, *SOCKETS], redirect_slashes=False, default=_no_route)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["app"] = self
        if scope["type"] != "http":
            await self._answer(scope, receive, send)
            return
        given: Services = self.state.services
        begun = given.clock.monotonic()
        try:
            await self._answer(scope, receive, send)
        finally:
            spent = given.clock.monotonic() - begun
            route, status = scope.get(ROUTE, UNMATCHED), scope.get(STATUS, HANGUP)
            given.meters.requested(route, scope["method"], status, spent)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._router(scope, receive, send)
        except asyncio.CancelledError:
            if scope["type"] != "http" or STARTED in scope:
                raise
            await self._late(stopping.nothing_done(), scope, receive, send)
        # Nothing that goes wrong may leave a client without an answer in JSON.
        except Exception as error:
            if scope["type"] != "http" or STARTED in scope:
                raise
            await self._late(answer_to(error, Request(scope)), scope, receive, send)

    async def _late(self, response: Response, scope: Scope, receive: Receive, send: Send) -> None:
        scope[STATUS] = response.status_code
        await response(scope, receive, send)


def application(services: Services) -> ASGIApp:
    app = Application(services)
    origins = services.settings.server.cors_origins
    return Browsers(app, origins) if origins else app
