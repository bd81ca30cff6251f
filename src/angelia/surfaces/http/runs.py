"""/v1/runs: start, list, read, follow, stop, steer runs, and read what their tools said."""

from typing import get_args

import msgspec
from msgspec import Raw
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from angelia.core.events import ToolFinished, ToolStarted
from angelia.core.state import RunState, Status
from angelia.errors import BadRequest, Conflict, NotFound
from angelia.ports import Batch, RunFilter, RunRecord, Scope
from angelia.runtime.runs import Order, Runs
from angelia.runtime.sessions import last_transcript
from angelia.surfaces.http.ranges import ranged
from angelia.surfaces.http.requests import body, caller, claim, services, whole_number
from angelia.surfaces.http.stream import EventStream
from angelia.wire import sse
from angelia.wire.runs.request import parse_approval, parse_create, parse_steer
from angelia.wire.runs.server import render, run_json

OPENING = sse.comment("ok")
JSON = "application/json"
STATUSES: tuple[Status, ...] = get_args(Status)
ENDED: tuple[Status, ...] = ("completed", "failed", "cancelled")


class Page(msgspec.Struct, frozen=True):
    """One page of a list, newest first; the last id is the cursor of the next page."""

    object: str
    data: list[Raw]
    has_more: bool


class RunsView:
    """Stateless: every reader of a batch shares its bytes."""

    done = False

    def open(self) -> bytes:
        return OPENING

    def write(self, batch: Batch) -> bytes:
        return batch.frames("runs", render)


async def create(request: Request) -> Response:
    key = await caller(request, "runs")
    content = await body(request)
    asked = parse_create(content)
    given = services(request)
    if asked.previous_response_id is not None:
        raise NotFound(
            f"There is no response {asked.previous_response_id!r}.",
            param="previous_response_id",
            code="previous_response_not_found",
        )
    before = asked.history
    if not before and asked.session_id:
        before = await last_transcript(given.runs, key.id, asked.session_id)
    started = await given.runs.start(
        Order(
            tenant=key.id,
            messages=before + asked.messages,
            surface="runs",
            model=asked.model,
            instructions=asked.instructions,
            tools=asked.tools,
            limits=asked.limits,
            session_id=asked.session_id,
            metadata=asked.metadata,
            claim=claim(request, content, given.clock.now()),
        )
    )
    run = started.run
    headers = {"X-Angelia-Run-Id": run.id, "X-Hermes-Session-Id": run.session_id}
    if started.replayed:
        headers["Idempotency-Replayed"] = "true"
    answer = {"run_id": run.id, "status": "started", "session_id": run.session_id}
    return JSONResponse(answer, 202, headers)


async def find(request: Request) -> Response:
    key = await caller(request, "runs", "read")
    given = services(request)
    query = request.query_params
    limit = whole_number(query.get("limit", "20"), "limit", most=100)
    status = query.get("status")
    if status is not None and status not in STATUSES:
        raise BadRequest(f"status is {status!r}; it can be {', '.join(STATUSES)}.", param="status")
    wanted = RunFilter(
        tenant=key.id,
        session_id=query.get("session_id"),
        status=status,
        before=query.get("after"),
        limit=limit + 1,
    )
    if wanted.before is not None:
        await given.runs.get(key.id, wanted.before)
    records = await given.runs.find(wanted)
    shown = [Raw(_run(run, await given.runs.state(run.id))) for run in records[:limit]]
    page = Page("list", shown, has_more=len(records) > limit)
    return Response(msgspec.json.encode(page), media_type=JSON)


async def get(request: Request) -> Response:
    run = await _owned(request, "runs", "read")
    state = await services(request).runs.state(run.id)
    return Response(_run(run, state), media_type=JSON)


async def delete(request: Request) -> Response:
    run = await _owned(request, "runs")
    await services(request).runs.delete(run)
    return JSONResponse({"run_id": run.id, "object": "hermes.run", "deleted": True})


async def stop(request: Request) -> Response:
    """Answers at once; the run is `stopping` until its work has really ended."""
    run = await _owned(request, "runs")
    runs = services(request).runs
    await runs.stop(run.id)
    return JSONResponse({"run_id": run.id, "status": (await runs.state(run.id)).status})


async def approve(request: Request) -> Response:
    run = await _owned(request, "runs")
    asked = parse_approval(await body(request))
    runs = services(request).runs
    await runs.approve(run.id, asked.approval_id, asked.choice, asked.reason)
    return JSONResponse({"run_id": run.id, "status": (await runs.state(run.id)).status})


async def steer(request: Request) -> Response:
    run = await _owned(request, "runs")
    messages = parse_steer(await body(request))
    runs = services(request).runs
    await runs.steer(run.id, messages)
    return JSONResponse({"run_id": run.id, "status": (await runs.state(run.id)).status})


async def events(request: Request) -> Response:
    run = await _owned(request, "runs", "read")
    if "as" in request.query_params:
        raise BadRequest(
            "This server renders run events in their own form only; leave out 'as'.", param="as"
        )
    after = _cursor(request)
    latest = (await services(request).runs.get(run.tenant, run.id)).last_seq
    if after > latest:
        raise BadRequest(f"The run has {latest} events; none follows {after}.", param="after")
    if after == latest and run.status in ENDED:
        # EventSource reconnects after every end of a stream; this status tells it to stop.
        return Response(status_code=204)
    return EventStream(
        RunsView(),
        services(request).runs.follow(run.id, after),
        pulse=request.app.state.pulse,
        headers={"X-Angelia-Run-Id": run.id, "X-Hermes-Session-Id": run.session_id},
    )


def _cursor(request: Request) -> int:
    """A browser that reconnects sends both: the header is where it got to, the query is older."""
    header = request.headers.get("last-event-id")
    if header:
        return whole_number(header, "Last-Event-ID")
    return whole_number(request.query_params.get("after", "0"), "after")


async def tool_output(request: Request) -> Response:
    """The whole output of a call, or the part that a Range header names."""
    run = await _owned(request, "runs", "read")
    given = services(request)
    call_id = request.path_params["call_id"]
    finished = await _finished(given.runs, run, call_id)
    data = finished.output.encode()
    if finished.truncated:
        kept = await given.outputs.get(run.id, call_id, 0, finished.size)
        data = kept if kept is not None else data
    return ranged(data, request.headers.get("range"), "text/plain; charset=utf-8")


async def _finished(runs: Runs, run: RunRecord, call_id: str) -> ToolFinished:
    started = False
    for entry in await runs.facts(run.id):
        event = entry.event
        if isinstance(event, ToolFinished) and event.call_id == call_id:
            return event
        started = started or (isinstance(event, ToolStarted) and event.call_id == call_id)
    if started:
        raise Conflict(
            f"The call {call_id!r} is under way; follow its tool.output events.",
            code="tool_running",
        )
    raise NotFound(f"There is no call {call_id!r}.", param="call_id", code="call_not_found")


async def _owned(request: Request, *scopes: Scope) -> RunRecord:
    key = await caller(request, *scopes)
    return await services(request).runs.get(key.id, request.path_params["run_id"])


def _run(run: RunRecord, state: RunState) -> bytes:
    return run_json(
        state,
        run_id=run.id,
        created_at=run.created_at,
        updated_at=run.updated_at,
        last_seq=run.last_seq,
    )
