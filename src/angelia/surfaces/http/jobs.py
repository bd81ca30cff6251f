"""/api/jobs: work for later, made, listed, read, changed, paused, resumed, run now, removed."""

import hashlib
from typing import TypeVar, get_args

import msgspec
from msgspec import UNSET, Raw, UnsetType
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from angelia.errors import BadRequest, NotFound
from angelia.ports import ApiKey, Scope
from angelia.ports.jobs import (
    Draft,
    Errand,
    Firing,
    FiringFilter,
    Job,
    JobFilter,
    JobStatus,
    Planned,
)
from angelia.runtime.ids import fresh
from angelia.runtime.runs import Started
from angelia.runtime.services import Services
from angelia.surfaces.http.requests import (
    body,
    caller,
    services,
    session_key,
    shortened,
    whole_number,
)
from angelia.surfaces.http.serving import headers_of
from angelia.surfaces.http.users import end_user
from angelia.wire.jobs import shapes as wire
from angelia.wire.jobs.request import limits_of, parse_change, parse_create
from angelia.wire.runs import webhooks

WRITE: tuple[Scope, ...] = ("runs",)
READ: tuple[Scope, ...] = ("runs", "read")
STATUSES: tuple[JobStatus, ...] = get_args(JobStatus)
MOST = 100

T = TypeVar("T")


async def find(request: Request) -> Response:
    key = await caller(request, *READ)
    query = request.query_params
    limit = whole_number(query.get("limit", "20"), "limit", most=MOST)
    status = query.get("status")
    if status is not None and status not in STATUSES:
        known = ", ".join(STATUSES)
        raise BadRequest(
            f"status is {shortened(status)!r}; it can be {known}.",
            param="status",
            code="invalid_value",
        )
    wanted = JobFilter(key.id, query.get("user"), status, query.get("after"), limit + 1)
    found = await services(request).jobs.find(wanted)
    page = [await _job(services(request), planned) for planned in found[:limit]]
    return _json(wire.JobsOut(page, has_more=len(found) > limit))


async def create(request: Request) -> Response:
    key = await caller(request, *WRITE)
    asked = parse_create(await body(request))
    given = services(request)
    _refuse_model(given, key, asked.model)
    draft = Draft(
        tenant=key.id,
        schedule=asked.schedule,
        errand=replace(
            _errand(given, asked),
            user=end_user(request, asked.user),
            session_key=session_key(request),
        ),
        name=asked.name or "",
        timezone=asked.timezone,
        catch_up=asked.catch_up or "once",
        overlap=asked.overlap or "skip",
        until=asked.until,
        left=asked.max_firings,
    )
    return _json(await _job(given, await given.jobs.create(draft)), 201)


async def get(request: Request) -> Response:
    key = await caller(request, *READ)
    given = services(request)
    return _json(await _job(given, await given.jobs.get(key.id, _id(request))))


async def change(request: Request) -> Response:
    key = await caller(request, *WRITE)
    given = services(request)
    await given.jobs.get(key.id, _id(request))
    asked = parse_change(await body(request))
    _refuse_model(given, key, None if asked.model is UNSET else asked.model)
    webhook = UNSET if asked.webhook is UNSET else _webhook(given, asked.webhook)

    def changed(job: Job) -> Job:
        return _changed(given, job, asked, webhook)

    return _json(await _job(given, await given.jobs.change(key.id, _id(request), changed)))


async def delete(request: Request) -> Response:
    key = await caller(request, *WRITE)
    await services(request).jobs.remove(key.id, _id(request))
    return _json(wire.JobDeletedOut(_id(request), deleted=True))


async def pause(request: Request) -> Response:
    key = await caller(request, *WRITE)
    given = services(request)
    return _json(await _job(given, await given.jobs.pause(key.id, _id(request))))


async def resume(request: Request) -> Response:
    key = await caller(request, *WRITE)
    given = services(request)
    return _json(await _job(given, await given.jobs.resume(key.id, _id(request))))


async def run_now(request: Request) -> Response:
    """The same `Idempotency-Key` leads to the same run."""
    key = await caller(request, *WRITE)
    given = services(request)
    mark = _mark(request, given.clock.now())
    run, replayed = await given.jobs.run_now(key.id, _id(request), mark)
    shown = wire.FiredOut(run.id, "started", run.session_id)
    return _json(shown, 202, headers_of(Started(run, replayed=replayed)))


async def firings(request: Request) -> Response:
    key = await caller(request, *READ)
    given = services(request)
    query = request.query_params
    limit = whole_number(query.get("limit", "20"), "limit", most=MOST)
    job = (await given.jobs.get(key.id, _id(request))).job
    wanted = FiringFilter(job.id, before=query.get("after"), limit=limit + 1)
    found = await given.jobs.firings(wanted)
    page = [await _firing(given, firing) for firing in found[:limit]]
    return _json(wire.FiringsOut(page, has_more=len(found) > limit))


# ── requests ────────────────────────────────────────────────────────────────────────────────


def _id(request: Request) -> str:
    return request.path_params["job_id"]


def _mark(request: Request, now: float) -> str:
    given = request.headers.get("idempotency-key")
    if not given:
        return fresh("now", now)
    if len(given) > 255:
        raise BadRequest(
            "The Idempotency-Key is longer than 255 characters.", param="Idempotency-Key"
        )
    return f"key_{hashlib.sha256(given.encode()).hexdigest()[:32]}"


def _refuse_model(given: Services, key: ApiKey, model: str | None) -> None:
    """Better now than at the first firing. Raises NotFound."""
    given.runs.agents.resolve(model, key.rules.models)


def _webhook(given: Services, address: str | None) -> Raw | UnsetType:
    return given.webhooks.accept(None if address is None else webhooks.parse(address))


def _errand(given: Services, asked: wire.CreateJobIn) -> Errand:
    return Errand(
        input=asked.input,
        instructions=asked.instructions or "",
        model=asked.model,
        session_id=asked.session_id,
        toolsets=asked.toolsets,
        limits=limits_of(asked.limits),
        webhook=_webhook(given, asked.webhook),
    )


def _changed(given: Services, job: Job, asked: wire.ChangeJobIn, webhook: Raw | UnsetType) -> Job:
    errand = job.errand
    zone = job.timezone if asked.timezone is UNSET else given.jobs.timetable.zone(asked.timezone)
    limits = errand.limits if asked.limits is UNSET else limits_of(asked.limits)
    return replace(
        job,
        name=_new(asked.name, job.name),
        schedule=_new(asked.schedule, job.schedule),
        timezone=zone,
        catch_up=_new(asked.catch_up, job.catch_up) or "once",
        overlap=_new(asked.overlap, job.overlap) or "skip",
        until=given.jobs.end(_new(asked.until, job.until), zone),
        left=_new(asked.max_firings, job.left),
        errand=replace(
            errand,
            input=_new(asked.input, errand.input),
            instructions=_new(asked.instructions, errand.instructions) or "",
            model=_new(asked.model, errand.model),
            session_id=_new(asked.session_id, errand.session_id),
            toolsets=_new(asked.toolsets, errand.toolsets),
            limits=limits,
            webhook=errand.webhook if asked.webhook is UNSET else webhook,
        ),
    )


def _new(given: T | UnsetType, before: T) -> T:
    return before if given is UNSET else given


# ── answers ─────────────────────────────────────────────────────────────────────────────────


async def _job(given: Services, planned: Planned) -> wire.JobOut:
    job, errand = planned.job, planned.job.errand
    last = await given.jobs.firings(FiringFilter(job.id, limit=1))
    return wire.JobOut(
        id=job.id,
        name=job.name,
        status=job.status,
        reason=job.reason or None,
        schedule=job.schedule,
        timezone=job.timezone,
        next_at=job.next_at,
        next_times=planned.times,
        input=errand.input,
        instructions=errand.instructions or None,
        model=errand.model,
        session_id=errand.session_id,
        session_key=errand.session_key,
        toolsets=errand.toolsets,
        limits=wire.LimitsOut(
            errand.limits.max_steps,
            errand.limits.max_tokens,
            errand.limits.max_seconds,
            errand.limits.max_cost,
        ),
        user=errand.user,
        webhook_host=_host(errand.webhook),
        catch_up=job.catch_up,
        overlap=job.overlap,
        until=job.until,
        firings_left=job.left,
        created_at=job.created_at,
        updated_at=job.updated_at,
        last_firing=await _firing(given, last[0]) if last else None,
    )


def _host(webhook: Raw | UnsetType) -> str | None:
    return None if webhook is UNSET else webhooks.from_raw(webhook).host


async def _firing(given: Services, firing: Firing) -> wire.FiringOut:
    return wire.FiringOut(
        id=firing.id,
        job_id=firing.job_id,
        planned_at=firing.planned_at,
        asked=firing.asked,
        status=firing.status,
        run_id=firing.run_id,
        outcome=await _outcome(given, firing),
        attempts=firing.attempts,
        reason=firing.reason or None,
    )


async def _outcome(given: Services, firing: Firing) -> str | None:
    if firing.run_id is None:
        return None
    try:
        return (await given.runs.get(firing.tenant, firing.run_id)).status
    except NotFound:
        return None


def _json(
    answer: msgspec.Struct, status: int = 200, headers: dict[str, str] | None = None
) -> Response:
    return Response(msgspec.json.encode(answer), status, headers, "application/json")
