"""POST /v1/chat/completions: a run, or the next leg of one, seen as a chat completion."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from angelia.core.events import (
    Cancelled,
    ClientReplied,
    Entry,
    Failed,
    RunEnded,
    RunWaited,
)
from angelia.core.identity import run_of_call
from angelia.core.messages import Message, ToolResult
from angelia.core.state import Waiting
from angelia.errors import BadRequest, LogUnavailable, NotFound
from angelia.ports import ApiKey, Batch, RunRecord
from angelia.runtime.runs import Order, tools_for
from angelia.runtime.services import Services
from angelia.surfaces.http import stopping
from angelia.surfaces.http.audience import Audience
from angelia.surfaces.http.errors import ended_badly
from angelia.surfaces.http.requests import (
    body,
    caller,
    claim,
    on_disconnect,
    services,
    session_id,
)
from angelia.surfaces.http.stream import EventStream, Pulse, disconnected, end, released
from angelia.wire.chat import server as wire
from angelia.wire.chat.dialects import choose_dialect

# Long enough for a provider that refuses at once, too short for a person to notice.
HEAD_GRACE = 0.3
# Nobody reads it; a response needs one.
HANGUP = 499


class Leg(Struct, frozen=True):
    """The part of a run that one completion shows: everything behind `after`."""

    run: RunRecord
    after: int = 0
    replayed: bool = False

    @property
    def completion_id(self) -> str:
        name = f"chatcmpl-{self.run.id.removeprefix('run_')}"
        return f"{name}-{self.after}" if self.after else name

    @property
    def headers(self) -> dict[str, str]:
        headers = {"X-Angelia-Run-Id": self.run.id, "X-Hermes-Session-Id": self.run.session_id}
        return {**headers, "Idempotency-Replayed": "true"} if self.replayed else headers


async def create(request: Request) -> Response:
    key = await caller(request, "chat")
    content = await body(request)
    asked = wire.parse(content)
    given = services(request)
    dialect = choose_dialect(
        requested=request.headers.get("x-angelia-tool-events"),
        key_setting=key.tool_events or given.settings.chat.tool_events,
        user_agent=request.headers.get("user-agent", ""),
        headers=request.headers.keys(),
    )
    policy = on_disconnect(request, key, given.settings.chat.on_disconnect)
    leg = await _next_leg(given, key, asked) or await _first_leg(request, key, asked, content)

    audience: Audience = request.app.state.audience

    async def leave() -> None:
        if policy == "cancel" and audience.alone(leg.run.id):
            # A run that is paused cannot be stopped; it goes on without anybody.
            with suppress(LogUnavailable):
                await given.runs.stop(leg.run.id, by="disconnect")

    batches = given.runs.follow(leg.run.id, leg.after)
    watching = audience.watching(leg.run.id)
    if not asked.stream:
        with watching:
            return await _whole(request, leg, batches, leave)
    writer = wire.Writer(
        completion_id=leg.completion_id,
        model=leg.run.model,
        created=int(leg.run.created_at),
        dialect=dialect,
        include_usage=asked.include_usage,
        reasoning=given.settings.chat.reasoning,
    )
    pulse: Pulse = request.app.state.pulse
    return EventStream(
        ChatView(writer),
        batches,
        pulse=pulse,
        headers=leg.headers,
        grace=HEAD_GRACE,
        failure=lambda ending: ended_badly(ending, leg.headers),
        on_leave=leave,
        farewell=lambda: writer.fail(stopping.run_goes_on(leg.run.id), stopping.CODE),
        watching=watching,
    )


class ChatView:
    """The writer of one completion, as a stream wants it."""

    def __init__(self, writer: wire.Writer) -> None:
        self._writer = writer

    @property
    def done(self) -> bool:
        return self._writer.done

    def open(self) -> bytes:
        return self._writer.open()

    def write(self, batch: Batch) -> bytes:
        return self._writer.write(batch.entries)


async def _first_leg(request: Request, key: ApiKey, asked: wire.Request, content: bytes) -> Leg:
    given = services(request)
    started = await given.runs.start(
        Order(
            tenant=key.id,
            messages=asked.messages,
            surface="chat",
            model=asked.model,
            instructions=asked.instructions,
            tools=asked.tools,
            sampling=asked.sampling,
            session_id=session_id(request),
            user=asked.user,
            metadata=asked.metadata,
            claim=claim(request, content, given.clock.now()),
        )
    )
    return Leg(started.run, replayed=started.replayed)


async def _next_leg(given: Services, key: ApiKey, asked: wire.Request) -> Leg | None:
    """The run that waits for exactly these results, going on; None if there is no such run."""
    results, said = _brought(asked.messages)
    run_id = run_of_call(results[0].call_id) if results else None
    if run_id is None:
        return None
    try:
        run = await given.runs.get(key.id, run_id)
    except NotFound:
        return None
    state = await given.runs.state(run_id)
    awaited = [call.call.id for call in state.calls if call.status == "client"]
    brought = {result.call_id for result in results}
    if not isinstance(state.phase, Waiting) or not brought <= set(awaited):
        return None
    if missing := [call_id for call_id in awaited if call_id not in brought]:
        raise BadRequest(
            f"The run waits for the results of all its calls. Missing: {', '.join(missing)}.",
            param="messages",
            code="missing_tool_results",
        )
    agent = given.runs.agents.named(run.model)
    fact = ClientReplied(results, said, tools_for(agent, asked.tools), asked.sampling)
    return Leg(run, await given.runs.reply(run_id, fact))


def _brought(
    messages: tuple[Message, ...],
) -> tuple[tuple[ToolResult, ...], tuple[Message, ...]]:
    """The results at the end of a conversation that a run may wait for, and what follows them."""
    places = [place for place, said in enumerate(messages) if isinstance(said, ToolResult)]
    if not places:
        return (), ()
    last = first = places[-1]
    while first > 0 and isinstance(messages[first - 1], ToolResult):
        first -= 1
    tail = (said for said in messages[first : last + 1] if isinstance(said, ToolResult))
    return tuple(tail), messages[last + 1 :]


async def _whole(
    request: Request,
    leg: Leg,
    batches: AsyncIterator[Batch],
    leave: Callable[[], Awaitable[None]],
) -> Response:
    """The same follower, folded to its end."""
    reading = asyncio.create_task(_to_the_end(batches))
    leaving = asyncio.create_task(disconnected(request.receive))
    try:
        await asyncio.wait((reading, leaving), return_when=asyncio.FIRST_COMPLETED)
    except asyncio.CancelledError:
        return stopping.run_left(leg.run.id, leg.headers)
    finally:
        await end(reading, leaving)
    if reading.cancelled():
        await leave()
        return Response(status_code=HANGUP)
    answer = wire.complete(
        reading.result(),
        completion_id=leg.completion_id,
        model=leg.run.model,
        created=int(leg.run.created_at),
        reasoning=services(request).settings.chat.reasoning,
    )
    if isinstance(answer, Failed | Cancelled):
        return ended_badly(answer, leg.headers)
    return Response(answer, headers=leg.headers, media_type="application/json")


async def _to_the_end(batches: AsyncIterator[Batch]) -> list[Entry]:
    entries: list[Entry] = []
    async with released(batches) as following:
        async for batch in following:
            entries += batch.entries
            if any(_is_end(entry) for entry in batch.entries):
                break
    return entries


def _is_end(entry: Entry) -> bool:
    event = entry.event
    return isinstance(event, RunEnded) or (
        isinstance(event, RunWaited) and event.on == "client_tools"
    )
