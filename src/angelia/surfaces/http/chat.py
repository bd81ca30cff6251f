"""/v1/chat/completions: a run, or the next leg of one, seen as a chat completion."""

import re

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from angelia.core.auxiliary import is_auxiliary
from angelia.core.events import Cancelled, Entry, Failed
from angelia.core.legs import leg_after
from angelia.core.messages import User
from angelia.errors import Conflict, NotFound
from angelia.ports import ApiKey, Batch, Claim, Scope
from angelia.runtime.agents import BARE
from angelia.runtime.approvals import Said
from angelia.runtime.orders import Order
from angelia.runtime.replies import Reply, go_on
from angelia.runtime.runs import Started
from angelia.runtime.sessions import Continuation
from angelia.surfaces.http import stopping
from angelia.surfaces.http.claims import chat_session, claim
from angelia.surfaces.http.errors import ended_badly
from angelia.surfaces.http.off_loop import off_loop
from angelia.surfaces.http.ordering import order_of
from angelia.surfaces.http.requests import (
    body,
    caller,
    flag,
    on_disconnect,
    services,
    session_id,
)
from angelia.surfaces.http.serving import Leave, audience, headers_of, leaving, whole
from angelia.surfaces.http.stream import EventStream
from angelia.wire.chat import server as wire
from angelia.wire.chat.dialects import Dialect, choose_dialect

# Long enough for a provider that refuses at once, too short for a person to notice.
HEAD_GRACE = 0.3

_COMPLETION = re.compile(r"chatcmpl-([^-]+)(?:-(\d{1,18}))?")


def completion_id(leg: Started) -> str:
    name = f"chatcmpl-{leg.run.id.removeprefix('run_')}"
    return f"{name}-{leg.after}" if leg.after else name


async def create(request: Request) -> Response:
    key = await caller(request, "chat")
    content = await body(request)
    asked = await off_loop(wire.parse, content)
    given = services(request)
    dialect = _dialect(request, key)
    usual = key.rules.on_disconnect or given.settings.chat.on_disconnect
    policy = on_disconnect(request, usual)
    leg = await _leg(request, key, asked, claim(request, content, given.clock.now()))
    leave = leaving(request, leg, policy)
    if asked.stream:
        return _stream(request, leg, dialect, include_usage=asked.include_usage, leave=leave)
    entries = await whole(request, leg, leave)
    return entries if isinstance(entries, Response) else _completion(request, leg, entries)


async def get(request: Request) -> Response:
    """The completion of an earlier request, whole, or streamed again from its start."""
    leg = await _stored(request, "chat", "read")
    dialect = _dialect(request, await caller(request, "chat", "read"))
    include_usage = flag(request, "include_usage")
    if flag(request, "stream"):
        leave = leaving(request, leg)
        return _stream(request, leg, dialect, include_usage=include_usage, leave=leave)
    facts = await services(request).runs.facts(leg.run.id)
    found = leg_after(facts, leg.after)
    if found is None or found.end is None:
        raise Conflict(
            "The completion is under way. Follow it with '?stream=true', or at "
            f"/v1/runs/{leg.run.id}.",
            code="run_not_finished",
        )
    entries = await services(request).runs.read(leg.run.id, leg.after)
    return _completion(request, leg, [entry for entry in entries if entry.seq <= found.end])


async def delete(request: Request) -> Response:
    """Takes the run with it."""
    leg = await _stored(request, "chat")
    await services(request).runs.delete(leg.run)
    named = request.path_params["completion_id"]
    return JSONResponse({"object": "chat.completion.deleted", "id": named, "deleted": True})


class ChatView:
    """The writer of one completion, as a stream wants it; `last` is the seq it has come to."""

    def __init__(self, writer: wire.Writer, after: int) -> None:
        self.last = after
        self._writer = writer

    @property
    def done(self) -> bool:
        return self._writer.done

    def open(self) -> bytes:
        return self._writer.open()

    def write(self, batch: Batch) -> bytes:
        self.last = batch.entries[-1].seq
        return self._writer.write(batch.entries)

    def farewell(self, message: str) -> bytes:
        return self._writer.fail(message, stopping.CODE)


def view(request: Request, key: ApiKey, leg: Started, dialect: Dialect | None = None) -> ChatView:
    """A run as a completion, whatever surface began it."""
    shown = dialect or _dialect(request, key)
    return ChatView(_writer(request, leg, shown, include_usage=True), leg.after)


def _writer(
    request: Request, leg: Started, dialect: Dialect, *, include_usage: bool
) -> wire.Writer:
    return wire.Writer(
        completion_id=completion_id(leg),
        model=leg.run.model,
        created=int(leg.run.created_at),
        dialect=dialect,
        include_usage=include_usage,
        reasoning=services(request).settings.chat.reasoning,
    )


def _dialect(request: Request, key: ApiKey) -> Dialect:
    return choose_dialect(
        requested=request.headers.get("x-angelia-tool-events"),
        key_setting=key.rules.tool_events or services(request).settings.chat.tool_events,
        user_agent=request.headers.get("user-agent", ""),
        headers=request.headers.keys(),
    )


# ── the run behind it ───────────────────────────────────────────────────────────────────────


async def _leg(request: Request, key: ApiKey, asked: wire.Request, held: Claim | None) -> Started:
    given = services(request)
    reply = Reply(
        key.id, asked.messages, asked.tools, asked.sampling, "messages", held, key.rules.tools
    )
    async with given.runs.claiming(key.id, held):
        if held is not None and (earlier := await given.runs.claimed(key.id, held)):
            return earlier
        order = _order(request, key, asked, held)
        found: Continuation | None = None
        if asked.messages and isinstance(asked.messages[-1], User):
            found = await _continuation(request, order)
            # A run that asks is one of those under way, and needs no place among them.
            if (going_on := await given.approvals.heard(found, Said(claim=held))) is not None:
                return going_on
        with await given.admission.admit(key):
            if (going_on := await go_on(given.runs, reply)) is not None:
                return going_on
            found = found or await _continuation(request, order)
            return await given.runs.start(found.applied(order))


def _order(request: Request, key: ApiKey, asked: wire.Request, held: Claim | None) -> Order:
    order = replace(
        order_of(request, key, "chat", asked.messages, user=asked.user, claim=held),
        model=asked.model,
        instructions=asked.instructions,
        tools=asked.tools,
        sampling=asked.sampling,
        metadata=asked.metadata,
    )
    task = request.headers.get("x-openwebui-task")
    if is_auxiliary(asked.messages, task, brings_tools=bool(asked.tools)):
        order = replace(order, model=(asked.model or "").removesuffix(BARE) + BARE, tools=())
    return order


async def _continuation(request: Request, order: Order) -> Continuation:
    """What the order goes on from; a model alone goes on from nothing."""
    given = services(request)
    if given.runs.agents.resolve(order.model, order.models).bare:
        return Continuation(order.messages)
    return await given.sessions.resent(
        order.tenant,
        order.user,
        order.messages,
        named=session_id(request),
        usual=chat_session(request),
    )


async def _stored(request: Request, *scopes: Scope) -> Started:
    """The leg that an id leads to, if the key owns it."""
    key = await caller(request, *scopes)
    wanted = request.path_params["completion_id"]
    unknown = NotFound(
        f"There is no chat completion {wanted!r}.",
        param="completion_id",
        code="completion_not_found",
    )
    found = _COMPLETION.fullmatch(wanted)
    if found is None:
        raise unknown
    runs = services(request).runs
    try:
        run = await runs.get(key.id, f"run_{found[1]}")
    except NotFound:
        raise unknown from None
    after = int(found[2] or 0)
    if run.surface != "chat" or leg_after(await runs.facts(run.id), after) is None:
        raise unknown
    return Started(run, after)


# ── the answer ──────────────────────────────────────────────────────────────────────────────


def _stream(
    request: Request,
    leg: Started,
    dialect: Dialect,
    *,
    include_usage: bool,
    leave: Leave,
) -> Response:
    shown = ChatView(_writer(request, leg, dialect, include_usage=include_usage), leg.after)
    headers = headers_of(leg)
    return EventStream(
        shown,
        services(request).runs.follow(leg.run.id, leg.after),
        pulse=request.app.state.pulse,
        headers=headers,
        grace=HEAD_GRACE,
        failure=lambda ending: ended_badly(ending, headers),
        on_leave=leave,
        farewell=lambda: shown.farewell(_rest(leg, shown.last)),
        watching=audience(request).watching(leg.run.id),
    )


def _rest(leg: Started, after: int) -> str:
    """Where it goes on, and where a key may read it again that may not read runs."""
    rest = f"{stopping.events_of(leg.run.id)}?as=chat&after={after}"
    return stopping.rest_at(rest, f"/v1/chat/completions/{completion_id(leg)}?stream=true")


def _completion(request: Request, leg: Started, entries: list[Entry]) -> Response:
    answer = wire.complete(
        entries,
        completion_id=completion_id(leg),
        model=leg.run.model,
        created=int(leg.run.created_at),
        reasoning=services(request).settings.chat.reasoning,
    )
    headers = headers_of(leg)
    if isinstance(answer, Failed | Cancelled):
        return ended_badly(answer, headers)
    return Response(answer, headers=headers, media_type="application/json")
