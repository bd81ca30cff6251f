"""/v1/runs: start, list, read, follow, stop, steer runs, and read what their tools said."""

import msgspec
from msgspec import Raw, UnsetType
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from angelia.core.events import ToolFinished, ToolStarted
from angelia.errors import BadRequest, Conflict, NotFound
from angelia.ports import ApiKey, Batch, Claim, RunRecord, Scope
from angelia.runtime.approvals import Decision
from angelia.runtime.facing import facing, is_summed_up
from angelia.runtime.library import ENDED
from angelia.runtime.orders import Order
from angelia.runtime.runs import Runs, Started
from angelia.surfaces.http import stopping
from angelia.surfaces.http.branching import branch
from angelia.surfaces.http.claims import claim
from angelia.surfaces.http.filters import run_filter
from angelia.surfaces.http.off_loop import off_loop
from angelia.surfaces.http.ordering import order_of
from angelia.surfaces.http.previous import previous
from angelia.surfaces.http.ranges import ranged
from angelia.surfaces.http.rendered import rendered
from angelia.surfaces.http.requests import (
    body,
    caller,
    flag,
    services,
    session_id,
    whole_number,
)
from angelia.surfaces.http.serving import headers_of
from angelia.surfaces.http.stream import EventStream
from angelia.wire import sse
from angelia.wire.runs.request import CreateRun, parse_approval, parse_create, parse_steer
from angelia.wire.runs.server import outline, render, run_json

OPENING = sse.comment("ok")
JSON = "application/json"


class Page(msgspec.Struct, frozen=True):
    """One page of a list, newest first; the last id is the cursor of the next page."""

    object: str
    data: list[Raw]
    has_more: bool


class RunsView:
    """Every reader of a batch shares its bytes; `last` is the seq behind which this one goes on."""

    done = False

    def __init__(self, after: int = 0, *, pieces: bool = True) -> None:
        self.last = after
        self._dialect, self._render = ("runs", render) if pieces else ("outline", outline)

    def open(self) -> bytes:
        return OPENING

    def write(self, batch: Batch) -> bytes:
        self.last = batch.last
        return batch.frames(self._dialect, self._render)


async def create(request: Request) -> Response:
    key = await caller(request, "runs")
    content = await body(request)
    asked = await off_loop(parse_create, content)
    given = services(request)
    held = claim(request, content, given.clock.now())
    async with given.runs.claiming(key.id, held):
        leg = await given.runs.claimed(key.id, held) if held is not None else None
        leg = leg or await _start(request, key, asked, held)
    run = leg.run
    answer = {"run_id": run.id, "status": "started", "session_id": run.session_id}
    return JSONResponse(answer, 202, headers_of(leg))


async def _start(request: Request, key: ApiKey, asked: CreateRun, held: Claim | None) -> Started:
    given = services(request)
    order = await _order(request, key, asked, held)
    with await given.admission.admit(key):
        return await given.runs.start(order)


async def _order(request: Request, key: ApiKey, asked: CreateRun, held: Claim | None) -> Order:
    given = services(request)
    named = asked.session_id or session_id(request)
    order = replace(
        order_of(request, key, "runs", asked.messages, user=asked.user, claim=held),
        model=asked.model,
        instructions=asked.instructions,
        tools=asked.tools,
        limits=asked.limits,
        session_id=named,
        metadata=asked.metadata,
        history=asked.history,
        follows=named is not None and not asked.history,
        webhook=given.webhooks.accept(asked.webhook),
    )
    if not isinstance(asked.parent, UnsetType):
        return await branch(given, key, order, asked)
    if asked.previous_response_id is None:
        return order
    if asked.history:
        raise BadRequest(
            "'previous_response_id' and 'conversation_history' exclude each other.",
            param="previous_response_id",
        )
    before = await previous(given, key, asked.previous_response_id)
    return replace(
        order,
        history=before.messages,
        parent=before.run.id,
        session_id=named or before.run.session_id or None,
        follows=False,
        yields=named is None,
    )


async def find(request: Request) -> Response:
    key = await caller(request, "runs", "read")
    given = services(request)
    wanted = run_filter(request, key)
    if wanted.before is not None:
        await given.runs.get(key.id, wanted.before)
    records = await given.runs.find(replace(wanted, limit=wanted.limit + 1))
    shown = [Raw(await _run(given.runs, run)) for run in records[: wanted.limit]]
    page = Page("list", shown, has_more=len(records) > wanted.limit)
    return Response(msgspec.json.encode(page), media_type=JSON)


async def get(request: Request) -> Response:
    run = await _owned(request, "runs", "read")
    return Response(await _run(services(request).runs, run), media_type=JSON)


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
    asked = await off_loop(parse_approval, await body(request))
    runs = services(request).runs
    decision = Decision(asked.choice, asked.approval_id, asked.code, asked.reason)
    await services(request).approvals.answer(run, decision)
    return JSONResponse({"run_id": run.id, "status": (await runs.state(run.id)).status})


async def steer(request: Request) -> Response:
    run = await _owned(request, "runs")
    messages = await off_loop(parse_steer, await body(request))
    runs = services(request).runs
    await runs.steer(run.id, messages)
    return JSONResponse({"run_id": run.id, "status": (await runs.state(run.id)).status})


async def events(request: Request) -> Response:
    key = await caller(request, "runs", "read")
    run = await services(request).runs.get(key.id, request.path_params["run_id"])
    after, pieces = _cursor(request), flag(request, "deltas", usual=True)
    latest = (await services(request).runs.get(run.tenant, run.id)).last_seq
    if after > latest:
        raise BadRequest(f"The run has {latest} events; none follows {after}.", param="after")
    if after == latest and run.status in ENDED:
        # EventSource reconnects after every end of a stream; this status tells it to stop.
        return Response(status_code=204)
    if (protocol := request.query_params.get("as")) is not None:
        return await rendered(request, key, run, protocol, after)
    view = RunsView(after, pieces=pieces)
    return EventStream(
        view,
        services(request).runs.follow(run.id, after),
        pulse=request.app.state.pulse,
        headers=headers_of(Started(run)),
        farewell=lambda: stopping.last_of_run(run.id, view.last),
    )


def _cursor(request: Request) -> int:
    """A browser that reconnects sends both: the header is where it got to, the query is older."""
    after = whole_number(request.query_params.get("after", "0"), "after")
    header = request.headers.get("last-event-id")
    return whole_number(header, "Last-Event-ID") if header else after


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


async def _run(runs: Runs, run: RunRecord) -> bytes:
    return run_json(facing(run, None if is_summed_up(run) else await runs.state(run.id)))
