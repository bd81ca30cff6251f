"""The routes, and the ASGI application that has them: mountable in anybody's own app."""

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Route

from angelia.runtime.services import Services
from angelia.surfaces.http import chat, discovery, runs
from angelia.surfaces.http.errors import EXCEPTION_RESPONSES
from angelia.surfaces.http.stream import Pulse

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

ROUTES = [
    Route("/health", discovery.health),
    Route("/health/ready", discovery.ready),
    Route("/v1/models", discovery.models),
    Route("/v1/models/{model:path}", discovery.model),
    Route("/v1/tools", discovery.tools),
    Route("/v1/capabilities", discovery.capabilities),
    Route("/v1/chat/completions", chat.create, methods=["POST"]),
    Route("/v1/runs", runs.create, methods=["POST"]),
    Route("/v1/runs", runs.find),
    Route("/v1/runs/{run_id}", runs.get),
    Route("/v1/runs/{run_id}", runs.delete, methods=["DELETE"]),
    Route("/v1/runs/{run_id}/events", runs.events),
    Route("/v1/runs/{run_id}/stop", runs.stop, methods=["POST"]),
    Route("/v1/runs/{run_id}/approval", runs.approve, methods=["POST"]),
    Route("/v1/runs/{run_id}/steer", runs.steer, methods=["POST"]),
    Route("/v1/runs/{run_id}/tools/{call_id}/output", runs.tool_output),
]


def application(services: Services) -> Starlette:
    app = Starlette(
        routes=ROUTES,
        middleware=_cross_origin(services.settings.server.cors_origins),
        exception_handlers=EXCEPTION_RESPONSES,
    )
    app.state.services = services
    app.state.pulse = Pulse(services.settings.server.keep_alive)
    return app


def _cross_origin(origins: tuple[str, ...]) -> list[Middleware]:
    if not origins:
        return []
    return [
        Middleware(
            CORSMiddleware,
            allow_origins=list(origins),
            allow_methods=["GET", "POST", "PATCH", "DELETE", "OPTIONS"],
            allow_headers=OWN_HEADERS,
            expose_headers=EXPOSED_HEADERS,
        )
    ]
