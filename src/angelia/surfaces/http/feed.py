"""/api/feed: a word to whoever watches all runs of a key, whenever one of them changes."""

from collections.abc import AsyncGenerator

from msgspec import json
from starlette.requests import Request
from starlette.responses import Response

from angelia.errors import Forbidden, Unauthorized
from angelia.runtime.bulletin import Hint, Reader
from angelia.runtime.library import released
from angelia.surfaces.http import stopping
from angelia.surfaces.http.requests import caller, services
from angelia.surfaces.http.stream import EventStream
from angelia.wire import sse
from angelia.wire.runs.shapes import RunChangedOut

PATH = "/api/feed"
OPENING = sse.comment("ok")


class FeedView:
    """None stands for the end of the server."""

    done = False

    def open(self) -> bytes:
        return OPENING

    def write(self, hints: tuple[Hint, ...] | None, /) -> bytes:
        if hints is None:
            return stopping.last_of_feed(PATH)
        return b"".join(_frame(hint) for hint in hints)


async def follow(request: Request) -> Response:
    """Whoever has read the first byte misses nothing that happens from there on."""
    key = await caller(request, "runs", "read")
    reader = Reader()
    return EventStream(
        FeedView(),
        _allowed(request, reader),
        pulse=request.app.state.pulse,
        headers={},
        farewell=lambda: stopping.last_of_feed(PATH),
        watching=services(request).runs.bulletin.listening(key.id, reader),
    )


async def _allowed(request: Request, reader: Reader) -> AsyncGenerator[tuple[Hint, ...] | None]:
    """The key may have been revoked or have expired since the stream began."""
    async with released(reader.hints()) as told:
        async for hints in told:
            try:
                await caller(request, "runs", "read")
            except (Unauthorized, Forbidden):
                return
            yield hints
    if services(request).runs.bulletin.closed:
        yield None


def _frame(hint: Hint) -> bytes:
    out = RunChangedOut(
        hint.run_id, hint.session_id, hint.status, hint.model, hint.surface, hint.at
    )
    return sse.encode(json.encode(out))
