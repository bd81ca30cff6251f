"""What tells a client where it is: health, models, tools, capabilities."""

import shutil

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from angelia import __version__
from angelia.errors import LogUnavailable, NotFound
from angelia.ports import RunFilter
from angelia.runtime.agents import Agent
from angelia.runtime.services import Services
from angelia.surfaces.http.requests import caller, services
from angelia.wire.chat.dialects import DIALECTS

LOW_DISK = 64 * 1024 * 1024


async def health(_: Request) -> Response:
    return JSONResponse({"status": "ok", "version": __version__})


async def ready(request: Request) -> Response:
    """503 when new work would fail. Names parts, never what is in them."""
    given = services(request)
    free = shutil.disk_usage(given.settings.home).free
    checks = {
        "store": {"ok": await _store_answers(given)},
        "engine": {
            "ok": given.runs.paused == 0,
            "runs_under_way": given.runs.under_way,
            "runs_paused": given.runs.paused,
        },
        "disk": {"ok": free > LOW_DISK, "free_bytes": free},
        "upstream": {"model": given.settings.model_line},
        "sandbox": {"level": given.sandbox_level},
    }
    fine = all(check.get("ok", True) for check in checks.values())
    body = {"status": "ready" if fine else "not_ready", "checks": checks}
    return JSONResponse(body, 200 if fine else 503)


async def models(request: Request) -> Response:
    await caller(request, "chat", "runs", "read")
    agents = services(request).runs.agents
    return JSONResponse({"object": "list", "data": [_model(agent) for agent in agents]})


async def model(request: Request) -> Response:
    await caller(request, "chat", "runs", "read")
    wanted = request.path_params["model"]
    for agent in services(request).runs.agents:
        if agent.name == wanted:
            return JSONResponse(_model(agent))
    raise NotFound(f"The model {wanted!r} does not exist.", param="model", code="model_not_found")


async def tools(request: Request) -> Response:
    await caller(request, "chat", "runs", "read")
    shown = [
        {
            "name": tool.spec.name,
            "description": tool.spec.description,
            "emoji": tool.emoji,
            "effect": tool.spec.effect,
            "parameters": msgspec.json.decode(tool.spec.parameters),
        }
        for tool in services(request).runs.toolbox
    ]
    return JSONResponse({"object": "list", "data": shown})


async def capabilities(request: Request) -> Response:
    await caller(request, "chat", "runs", "read")
    settings = services(request).settings
    agent = services(request).runs.agents.default
    return JSONResponse(
        {
            "object": "hermes.capabilities",
            "version": __version__,
            "endpoints": ["/v1/chat/completions", "/v1/runs", "/v1/models", "/v1/tools"],
            "default_model": agent.name,
            "tool_events": list(DIALECTS),
            "features": {
                "client_tools": True,
                "idempotency_keys": True,
                "resumable_events": True,
                "steering": True,
                "approvals": True,
                "images": True,
            },
            "limits": {
                "body_bytes": settings.server.body_limit,
                "max_steps": agent.limits.max_steps,
                "max_tokens": agent.limits.max_tokens,
                "max_seconds": agent.limits.max_seconds,
                "tool_output_preview_bytes": 2048,
                "keep_alive_seconds": settings.server.keep_alive,
            },
        }
    )


async def _store_answers(given: Services) -> bool:
    try:
        await given.runs.find(RunFilter(tenant="", limit=1))
    except LogUnavailable:
        return False
    return True


def _model(agent: Agent) -> dict[str, str | int]:
    return {"id": agent.name, "object": "model", "created": 0, "owned_by": "angelia"}
