"""Answering with a leg of a run: who waits for it, and what becomes of it without them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from angelia.core.events import Entry
from angelia.core.legs import ends_leg
from angelia.errors import LogUnavailable
from angelia.ports import Batch
from angelia.runtime.library import released
from angelia.runtime.runs import Started
from angelia.surfaces.http import stopping
from angelia.surfaces.http.audience import Audience
from angelia.surfaces.http.requests import OnDisconnect, services
from angelia.surfaces.http.stream import disconnected, end

# Nobody reads it; a response needs one.
HANGUP = 499

Leave = Callable[[], Awaitable[None]]


def headers_of(leg: Started) -> dict[str, str]:
    headers = {"X-Angelia-Run-Id": leg.run.id}
    if leg.run.session_id:
        headers["X-Hermes-Session-Id"] = leg.run.session_id
    if leg.run.session_key is not None:
        headers["X-Hermes-Session-Key"] = leg.run.session_key
    if leg.replayed:
        headers["Idempotency-Replayed"] = "true"
    return headers


def audience(request: HTTPConnection) -> Audience:
    return request.app.state.audience


def leaving(request: HTTPConnection, leg: Started, policy: OnDisconnect | None = None) -> Leave:
    """What happens to the run when this reader hangs up; see `Audience.leave`."""
    runs, readers = services(request).runs, audience(request)

    async def leave() -> None:
        if readers.leave(leg.run.id, policy) == "cancel":
            # A run that is paused cannot be stopped; it goes on without anybody.
            with suppress(LogUnavailable):
                await runs.stop(leg.run.id, by="disconnect")

    return leave


async def whole(request: Request, leg: Started, leave: Leave) -> list[Entry] | Response:
    """The leg's entries to its end, or an answer for nobody if the reader leaves before."""
    batches = services(request).runs.follow(leg.run.id, leg.after)
    reading = asyncio.create_task(_to_the_end(batches))
    leaving = asyncio.create_task(disconnected(request.receive))
    with audience(request).watching(leg.run.id):
        try:
            await asyncio.wait((reading, leaving), return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            return stopping.run_left(leg.run.id, headers_of(leg))
        finally:
            await end(reading, leaving)
        if reading.cancelled():
            await leave()
            return Response(status_code=HANGUP)
    return reading.result()


async def _to_the_end(batches: AsyncIterator[Batch]) -> list[Entry]:
    entries: list[Entry] = []
    async with released(batches) as following:
        async for batch in following:
            entries += batch.entries
            if any(ends_leg(entry) for entry in batch.entries):
                break
    return entries
