"""/v1/responses: a run, or the next leg of one, seen as a response."""

import asyncio
from contextlib import suppress

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from angelia.core.condense import INSTRUCTIONS, question
from angelia.core.events import Cancelled, Entry, Failed, Notice, RunEnded
from angelia.core.legs import ends_leg, leg_after
from angelia.core.messages import Message, Usage
from angelia.core.tokens import estimate
from angelia.errors import Conflict, NotFound, UpstreamCutOff
from angelia.ports import ApiKey, Batch, Scope
from angelia.runtime.agents import BARE
from angelia.runtime.library import ENDED, released
from angelia.runtime.runs import Runs, Started
from angelia.surfaces.http import stopping
from angelia.surfaces.http.claims import claim
from angelia.surfaces.http.errors import ended_badly
from angelia.surfaces.http.items import asked_items, subject_of
from angelia.surfaces.http.off_loop import off_loop
from angelia.surfaces.http.ordering import order_of
from angelia.surfaces.http.previous import previous
from angelia.surfaces.http.requests import (
    body,
    caller,
    flag,
    on_disconnect,
    services,
    whole_number,
)
from angelia.surfaces.http.responding import Asking, begin, dialect, prompt_of, referred
from angelia.surfaces.http.serving import Leave, audience, headers_of, leaving, whole
from angelia.surfaces.http.stream import EventStream
from angelia.wire.responses.compaction import Compact, compacted, parse_compact
from angelia.wire.responses.dialects import Dialect
from angelia.wire.responses.ids import leg_of, response_id
from angelia.wire.responses.items_in import assemble
from angelia.wire.responses.listing import Page, listed, page
from angelia.wire.responses.request import counted, parse, parse_count
from angelia.wire.responses.response import deleted
from angelia.wire.responses.server import DONE, Writer, broken_off, sse

JSON = "application/json"
# How long an answer to a cancellation waits for the work to really end.
END_GRACE = 5.0


async def create(request: Request) -> Response:
    key = await caller(request, "chat")
    content = await body(request)
    asked = await off_loop(parse, content)
    given = services(request)
    usual = key.rules.on_disconnect or given.settings.responses.on_disconnect
    policy = on_disconnect(request, "continue" if asked.background else usual)
    held = claim(request, content, given.clock.now())
    leg = await begin(Asking(request, key, asked, held))
    leave = leaving(request, leg, policy)
    if asked.stream:
        return _stream(request, leg, leave=leave)
    if asked.background:
        return await _as_it_stands(request, leg)
    entries = await whole(request, leg, leave)
    if isinstance(entries, Response):
        return entries
    return _answer(request, leg, entries)


async def get(request: Request) -> Response:
    leg = await _stored(request, "chat", "read")
    behind = request.query_params.get("starting_after")
    after = -1 if behind is None else whole_number(behind, "starting_after")
    if not flag(request, "stream"):
        return await _as_it_stands(request, leg)
    return _stream(request, leg, behind=after, leave=leaving(request, leg))


async def cancel(request: Request) -> Response:
    """Answers when the work has ended, or after a while with what is known then."""
    leg = await _stored(request, "chat")
    await _stop(services(request).runs, leg)
    return await _as_it_stands(request, leg)


async def delete(request: Request) -> Response:
    """Takes the run with it, which may have had other legs."""
    leg = await _stored(request, "chat")
    named, runs = request.path_params["response_id"], services(request).runs
    if leg.run.status in ("waiting_for_client", "waiting_for_approval"):
        # The response has ended; without it nobody can bring what the run waits for.
        await _stop(runs, leg)
    run = await runs.get(leg.run.tenant, leg.run.id)
    if run.status not in ENDED:
        raise Conflict(
            f"The response {named!r} is under way. Cancel it with "
            f"POST /v1/responses/{named}/cancel before deleting it.",
            code="run_not_finished",
        )
    await runs.delete(run)
    return Response(deleted(named), media_type=JSON)


async def _stop(runs: Runs, leg: Started) -> None:
    """Returns when the work has ended, or after a while."""
    await runs.stop(leg.run.id)
    with suppress(TimeoutError):
        async with asyncio.timeout(END_GRACE), released(runs.follow(leg.run.id)) as batches:
            async for batch in batches:
                if any(isinstance(entry.event, RunEnded) for entry in batch.entries):
                    break


async def items(request: Request) -> Response:
    """What came in for this response, and nothing of what was said before."""
    leg = await _stored(request, "chat", "read")
    facts = await services(request).runs.facts(leg.run.id)
    return Response(listed(asked_items(facts, leg), wanted_page(request)), media_type=JSON)


async def count_tokens(request: Request) -> Response:
    key = await caller(request, "chat")
    asked = await off_loop(parse_count, await body(request))
    prompt = await prompt_of(Asking(request, key, asked))
    return Response(counted(await asyncio.to_thread(estimate, prompt)), media_type=JSON)


async def compact(request: Request) -> Response:
    """One plain call of the model, which is not stored."""
    key = await caller(request, "chat")
    content = await body(request)
    asked = await off_loop(parse_compact, content)
    said = await _to_compact(request, key, asked)
    given = services(request)
    held = claim(request, content, given.clock.now())
    order = replace(
        order_of(request, key, "responses", (question(said, asked.instructions),), claim=held),
        model=asked.model.removesuffix(BARE) + BARE,
        instructions=INSTRUCTIONS,
        stored=False,
    )
    async with given.runs.claiming(key.id, held):
        leg = await given.runs.claimed(key.id, held) if held is not None else None
        if leg is None:
            with await given.admission.admit(key):
                leg = await given.runs.start(order)
    policy = on_disconnect(request, "cancel")
    entries = await whole(request, leg, leaving(request, leg, policy))
    if isinstance(entries, Response):
        return entries
    return _compacted(request, leg, said, entries)


async def _to_compact(request: Request, key: ApiKey, asked: Compact) -> tuple[Message, ...]:
    said = assemble(asked.input, await referred(request, key, asked.references))
    if asked.previous_response_id is None:
        return said
    before = await previous(services(request), key, asked.previous_response_id)
    return before.messages + said


def _compacted(
    request: Request, leg: Started, said: tuple[Message, ...], entries: list[Entry]
) -> Response:
    ended = entries[-1].event
    headers = headers_of(leg)
    if isinstance(ended, RunEnded) and isinstance(ended.ending, Failed | Cancelled):
        return ended_badly(ended.ending, headers)
    if any(isinstance(entry.event, Notice) and entry.event.code == "cut_off" for entry in entries):
        # Half a summary would pass for all that was said.
        return ended_badly(Failed("The summary was cut off.", UpstreamCutOff.code), headers)
    summary, usage = (ended.output, ended.usage) if isinstance(ended, RunEnded) else ("", Usage())
    window = compacted(
        said,
        summary,
        compaction_id=response_id(leg.run.id),
        created_at=int(leg.run.created_at),
        usage=usage,
    )
    return Response(window, headers=headers, media_type=JSON)


def wanted_page(request: Request) -> Page:
    query = request.query_params
    return page(limit=query.get("limit"), order=query.get("order"), after=query.get("after"))


class ResponsesView:
    """A leg as a response; silent up to the number `behind`.

    What began the leg is its first entry, so there is a writer once there is something to write.
    `number` is that of the last event its reader has, `last` the seq it has come to.
    """

    def __init__(self, leg: Started, behind: int = -1, dialect: Dialect | None = None) -> None:
        self._leg = leg
        self.last = leg.after
        self.number = self._behind = behind
        self._dialect: Dialect | None = dialect
        self._writer: Writer | None = None

    @property
    def done(self) -> bool:
        return self._writer is not None and self._writer.done

    def open(self) -> bytes:
        return b""

    def write(self, batch: Batch) -> bytes:
        writer = self._writer
        if writer is None:
            known = subject_of(batch.entries, self._leg)
            writer = self._writer = Writer(known, dialect=self._dialect)
        if writer.done:
            return b""
        frames = [f for f in writer.write(batch.entries) if f.number > self._behind]
        self.last = batch.last
        self.number = frames[-1].number if frames else self.number
        return sse(frames) + DONE if writer.done else sse(frames)

    def farewell(self, message: str) -> bytes:
        if self._writer is None:
            return sse([broken_off(message, stopping.CODE, self.number + 1)]) + DONE
        return sse(self._writer.fail(message, stopping.CODE)) + DONE


def view(
    request: Request, key: ApiKey, leg: Started, items: Dialect | None = None
) -> ResponsesView:
    """A run as a response, whatever surface began it."""
    return ResponsesView(leg, dialect=items or dialect(request, key, declares_tools=False))


def _stream(
    request: Request, leg: Started, *, behind: int = -1, leave: Leave | None = None
) -> Response:
    shown = ResponsesView(leg, behind)
    return EventStream(
        shown,
        services(request).runs.follow(leg.run.id, leg.after),
        pulse=request.app.state.pulse,
        headers=headers_of(leg),
        on_leave=leave,
        farewell=lambda: shown.farewell(stopping.rest_of_response(leg, shown.number, shown.last)),
        watching=audience(request).watching(leg.run.id),
    )


async def _as_it_stands(request: Request, leg: Started) -> Response:
    entries = await services(request).runs.read(leg.run.id, leg.after)
    return _response(request, leg, _of_leg(entries))


def _answer(request: Request, leg: Started, entries: list[Entry]) -> Response:
    """A response that was waited for and has failed is an error of HTTP."""
    last = entries[-1].event
    if isinstance(last, RunEnded) and isinstance(last.ending, Failed | Cancelled):
        return ended_badly(last.ending, headers_of(leg))
    return _response(request, leg, entries)


def _response(request: Request, leg: Started, entries: list[Entry]) -> Response:
    writer = Writer(subject_of(entries, leg))
    writer.write(entries)
    return Response(writer.response(), headers=headers_of(leg), media_type=JSON)


def _of_leg(entries: tuple[Entry, ...]) -> list[Entry]:
    kept: list[Entry] = []
    for entry in entries:
        kept.append(entry)
        if ends_leg(entry):
            break
    return kept


async def _stored(request: Request, *scopes: Scope) -> Started:
    """The leg that an id leads to, if the key owns it and it was to be stored."""
    key = await caller(request, *scopes)
    wanted = request.path_params["response_id"]
    unknown = NotFound(
        f"There is no response {wanted!r}.", param="response_id", code="response_not_found"
    )
    leg = leg_of(wanted)
    if leg is None:
        raise unknown
    runs = services(request).runs
    try:
        run = await runs.get(key.id, leg.run_id)
    except NotFound:
        raise unknown from None
    known = leg_after(await runs.facts(run.id), leg.after)
    if not run.stored or known is None or run.surface != "responses":
        raise unknown
    return Started(run, leg.after)
