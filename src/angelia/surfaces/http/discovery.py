"""What tells a client where it is: health, models, skills, capabilities."""

import shutil

import msgspec
from msgspec.structs import astuple
from starlette.requests import Request
from starlette.responses import Response

from angelia import __version__
from angelia.core.toolsets import admits
from angelia.errors import LogUnavailable, NotFound
from angelia.ports import RunFilter
from angelia.runtime.admission import in_force
from angelia.runtime.agents import Agent
from angelia.runtime.services import Services
from angelia.surfaces.http.errors import unwritten
from angelia.surfaces.http.requests import caller, services
from angelia.wire import discovery as wire
from angelia.wire.chat.dialects import DIALECTS
from angelia.wire.responses.dialects import DIALECTS as ITEM_DIALECTS

LOW_DISK = 64 * 1024 * 1024
PREVIEW_BYTES = 2048
ENDPOINTS = (
    "/v1/chat/completions",
    "/v1/responses",
    "/v1/conversations",
    "/v1/runs",
    "/v1/models",
    "/v1/tools",
    "/v1/skills",
    "/v1/mcp",
    "/v1/capabilities",
    "/api/sessions",
    "/api/grants",
    "/api/memory",
    "/api/jobs",
    "/api/tools",
    "/api/mcp",
    "/api/keys",
    "/api/usage",
    "/openapi.json",
)


async def health(_: Request) -> Response:
    return _json(wire.Health("ok", __version__))


async def ready(request: Request) -> Response:
    """503 when new work would fail. Names parts, never what is in them."""
    given = services(request)
    free = shutil.disk_usage(given.settings.home).free
    runs = given.runs
    store = await _store(given)
    # While nothing can be written, every run waits.
    paused = runs.paused if store.ok else max(runs.paused, runs.under_way)
    checks = wire.Checks(
        store=store,
        engine=wire.EngineCheck(paused == 0, runs.under_way, paused),
        disk=wire.DiskCheck(free > LOW_DISK, free),
        upstream=wire.UpstreamCheck(given.settings.model_line, _providers(given)),
        sandbox=wire.SandboxCheck(given.sandbox_level, given.sandbox_reason or None),
        mcp=tuple(wire.McpCheck(each.name, each.health) for each in given.mcp.statuses()),
    )
    status = "ready" if checks.fine else "not_ready"
    return _json(wire.Readiness(status, checks), 200 if checks.fine else 503)


async def models(request: Request) -> Response:
    """What the key may not use does not exist for it."""
    key = await caller(request, "chat", "runs", "read")
    agents = services(request).runs.agents.visible(key.rules.models)
    return _json(wire.Models(tuple(_model(agent) for agent in agents)))


async def model(request: Request) -> Response:
    key = await caller(request, "chat", "runs", "read")
    wanted = request.path_params["model"]
    for agent in services(request).runs.agents.visible(key.rules.models):
        if wanted in (agent.name, agent.stripped().name):
            return _json(wire.Model(id=wanted, created=0, owned_by="angelia"))
    raise NotFound(f"The model {wanted!r} does not exist.", param="model", code="model_not_found")


async def skills(request: Request) -> Response:
    """None for a key that may not load any."""
    key = await caller(request, "chat", "runs", "read")
    if not admits(key.rules.tools, "skill", "skills"):
        return _json(wire.Skills((), ()))
    shelf = await services(request).skills.shelf()
    return _json(
        wire.Skills(
            tuple(wire.Skill(*astuple(skill)) for skill in shelf.skills),
            tuple(wire.BrokenSkill(*astuple(fault)) for fault in shelf.faults),
        )
    )


async def capabilities(request: Request) -> Response:
    key = await caller(request, "chat", "runs", "read")
    settings = services(request).settings
    agents = services(request).runs.agents
    visible = agents.visible(key.rules.models)
    agent = visible[0] if visible else agents.default
    allowance = in_force(key.rules, settings.limits)
    return _json(
        wire.Capabilities(
            version=__version__,
            endpoints=ENDPOINTS,
            default_model=agent.name if visible else None,
            tool_events=DIALECTS,
            tool_items=ITEM_DIALECTS,
            features=_features(services(request)),
            limits=wire.Bounds(
                body_bytes=settings.server.body_limit,
                max_steps=agent.limits.max_steps,
                max_tokens=agent.limits.max_tokens,
                max_seconds=agent.limits.max_seconds,
                tool_output_preview_bytes=PREVIEW_BYTES,
                keep_alive_seconds=settings.server.keep_alive,
                max_cost=agent.limits.max_cost,
                requests_per_minute=allowance.requests_per_minute,
                concurrent_runs=allowance.concurrent_runs,
                daily_budget=allowance.daily_budget,
                monthly_budget=allowance.monthly_budget,
            ),
        )
    )


def _features(given: Services) -> wire.Features:
    """What is always there, and what the configuration leaves in place."""
    settings = given.settings
    return wire.Features(
        client_tools=True,
        idempotency_keys=True,
        resumable_events=True,
        steering=True,
        approvals=True,
        images=True,
        responses=True,
        websocket=True,
        conversations=True,
        sessions=True,
        session_key_header=True,
        toolsets=True,
        grants=True,
        undo=True,
        jobs=True,
        memory=settings.memory.enabled,
        skills=settings.tools.skills,
        delegation=settings.delegation.max_depth > 0,
        mcp=bool(given.mcp.statuses()),
        webhooks=True,
    )


def _providers(given: Services) -> tuple[wire.ProviderCheck, ...]:
    now = given.clock.monotonic()
    return tuple(
        wire.ProviderCheck(
            provider.name,
            provider.health(now),
            len(provider.pool),
            provider.pool.resting(now),
        )
        for provider in given.runs.agents.providers
    )


async def _store(given: Services) -> wire.StoreCheck:
    if given.storage.trouble is None:
        try:
            await given.runs.find(RunFilter(tenant="", limit=1))
        except LogUnavailable as error:
            return wire.StoreCheck(ok=False, reason=unwritten(error).code)
    trouble = given.storage.trouble
    return wire.StoreCheck(trouble is None, unwritten(trouble).code if trouble else None)


def _model(agent: Agent) -> wire.Model:
    return wire.Model(id=agent.name, created=0, owned_by="angelia")


def _json(answer: msgspec.Struct, status: int = 200) -> Response:
    return Response(msgspec.json.encode(answer), status, media_type="application/json")
