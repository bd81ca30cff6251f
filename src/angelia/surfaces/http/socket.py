"""WebSocket on /v1/responses: turns of one client, one after another, as the events of SSE."""

import asyncio
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from angelia.core.state import Status
from angelia.errors import LogUnavailable, NotFound, RateLimited, RequestError
from angelia.ports import ApiKey
from angelia.runtime.library import released
from angelia.runtime.runs import Started
from angelia.surfaces.http import stopping
from angelia.surfaces.http.errors import MESSAGE_LIMIT, refusal, unwritten
from angelia.surfaces.http.items import subject_of
from angelia.surfaces.http.off_loop import off_loop
from angelia.surfaces.http.requests import caller, on_disconnect, services, shortened
from angelia.surfaces.http.responding import Asking, Kept, begin
from angelia.surfaces.http.serving import Leave, audience, leaving
from angelia.surfaces.http.stream import end
from angelia.surfaces.http.upgraded import SERVER_STOPS
from angelia.surfaces.http.waiting import Sockets, Waiting
from angelia.wire.blame import error_type
from angelia.wire.responses import socket as wire
from angelia.wire.responses.ids import response_id
from angelia.wire.responses.request import Asked
from angelia.wire.responses.server import Writer

LIFETIME = wire.LONGEST_MINUTES * 60.0
# A client that takes nothing for this long is let go.
PATIENCE = 30.0
BROKEN = 1011
UNUSABLE: tuple[Status, ...] = ("failed", "cancelled")
GONE = (asyncio.CancelledError, TimeoutError, WebSocketDisconnect)


async def converse(
    websocket: WebSocket, lifetime: float = LIFETIME, patience: float = PATIENCE
) -> None:
    sockets: Sockets = websocket.app.state.sockets
    try:
        place = sockets.admit(await caller(websocket, "chat"))
    except RequestError as error:
        await _deny(websocket, error)
        return
    with place:
        await websocket.accept()
        await Talk(websocket, lifetime, patience).go()


async def nowhere(websocket: WebSocket) -> None:
    """A path that has no socket."""
    # Half of a secret has no shape that tells, so it goes before the text is cut.
    path = shortened(services(websocket).runs.toolbox.redact(websocket.url.path))
    await _deny(websocket, NotFound(f"There is no WebSocket at {path}.", code="not_found"))


async def _deny(websocket: WebSocket, error: RequestError) -> None:
    """Not every server can say why an upgrade is refused."""
    if "websocket.http.response" in websocket.scope.get("extensions", {}):
        redact = services(websocket).runs.toolbox.redact
        await websocket.send_denial_response(refusal(error, redact))
    else:
        await websocket.close()


class Shown:
    """How far a client has come with a leg: to which event, and to which entry of the log."""

    def __init__(self, leg: Started) -> None:
        self.leg = leg
        self.number = -1
        self.after = leg.after


class Talk:
    """One socket. `_kept` is its last response if that is not stored."""

    def __init__(self, websocket: WebSocket, lifetime: float, patience: float) -> None:
        self._socket = websocket
        self._patience = patience
        self._until = asyncio.get_running_loop().time() + lifetime
        self._kept: Kept | None = None
        self._waiting = Waiting()
        self._server_stops = False
        self._in_turn = False
        self._shown: Shown | None = None

    async def go(self) -> None:
        reading = asyncio.create_task(self._read())
        working = asyncio.create_task(self._work())
        try:
            await asyncio.wait((reading, working), return_when=asyncio.FIRST_COMPLETED)
            if self._server_stops and self._in_turn:
                await asyncio.wait((working,))
        except asyncio.CancelledError:
            # The server cannot wait any longer. It takes a request that ends so for a defect.
            self._server_stops = True
        finally:
            await end(reading, working)
        fault = _unforeseen(reading) or _unforeseen(working)
        if fault is not None:
            message = "An internal error occurred. The server's log has the details."
            await self._send(wire.event(500, "server_error", "internal_error", message))
            await self._socket.close(BROKEN)
            raise fault
        if self._server_stops:
            await self._part()

    async def _part(self) -> None:
        """The last word of a server that stops; a client that has left does not hear it."""
        shown = self._shown
        message = stopping.nothing_under_way()
        if shown is not None:
            message = stopping.rest_of_response(shown.leg, shown.number, shown.after)
        with suppress(*GONE):
            await self._send(
                wire.event(stopping.STATUS, error_type(stopping.CODE), stopping.CODE, message)
            )
            await self._socket.close(SERVER_STOPS)

    async def _read(self) -> None:
        """Takes what the client sends also while a turn is under way, to see it leave."""
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                self._server_stops = message.get("code") == SERVER_STOPS
                return
            text: str | None = message.get("text")
            try:
                self._waiting.put(message.get("bytes") or b"" if text is None else text)
            except RateLimited as error:
                await self._refuse(error)

    async def _work(self) -> None:
        """A turn that is under way when the time is over comes to its end."""
        while (message := await self._next()) is not None:
            self._in_turn = True
            await self._answer(message)
            self._in_turn = False
            if self._server_stops:
                return
        await self._refuse(wire.connection_too_old())
        await self._socket.close()

    async def _next(self) -> str | bytes | None:
        if asyncio.get_running_loop().time() >= self._until:
            return None
        try:
            async with asyncio.timeout_at(self._until):
                return await self._waiting.get()
        except TimeoutError:
            return None

    # ── a turn ──────────────────────────────────────────────────────────────────────────

    async def _answer(self, message: str | bytes) -> None:
        asked: Asked | None = None
        try:
            # Keys change while a socket is open.
            key = await caller(self._socket, "chat")
            asked = await off_loop(wire.parse, message)
            usual = services(self._socket).settings.responses.on_disconnect
            policy = on_disconnect(self._socket, key.rules.on_disconnect or usual)
            leg = await begin(Asking(self._socket, key, asked, kept=self._kept))
        except RequestError as error:
            self._drop_after(asked)
            await self._refuse(_as_told_here(error, asked))
        except LogUnavailable as error:
            told = unwritten(error)
            await self._send(wire.event(told.status, "server_error", told.code, told.message))
        else:
            await self._watch(leg, leaving(self._socket, leg, policy))
            self._shown = None
            await self._keep(key, leg, asked)

    async def _watch(self, leg: Started, leave: Leave) -> None:
        """Shows the leg to its end; a client that goes away may take the run with it."""
        with audience(self._socket).watching(leg.run.id):
            try:
                await self._play(leg)
            except GONE:
                if not self._server_stops:
                    await leave()
                raise

    async def _play(self, leg: Started) -> None:
        writer: Writer | None = None
        shown = self._shown = Shown(leg)
        async with released(services(self._socket).runs.follow(leg.run.id, leg.after)) as batches:
            async for batch in batches:
                # What began the leg is its first entry.
                writer = writer or Writer(subject_of(batch.entries, leg))
                for frame in writer.write(batch.entries):
                    await self._send(frame.data)
                    shown.number = frame.number
                shown.after = batch.last
                if writer.done:
                    break

    async def _keep(self, key: ApiKey, leg: Started, asked: Asked) -> None:
        given = services(self._socket)
        run, said = await given.sessions.behind(key.id, leg.run.id, leg.after)
        if run.status in UNUSABLE:
            self._drop_after(asked)
        else:
            name = response_id(run.id, leg.after)
            self._kept = None if run.stored else Kept(name, said)

    def _drop_after(self, asked: Asked | None) -> None:
        """A continuation that failed leaves nothing to go on from."""
        if self._kept and asked and asked.previous_response_id == self._kept.response_id:
            self._kept = None

    # ── words ───────────────────────────────────────────────────────────────────────────

    async def _refuse(self, error: RequestError) -> None:
        await self._send(wire.error(error, self._told))

    def _told(self, text: str) -> str:
        return shortened(services(self._socket).runs.toolbox.redact(text), MESSAGE_LIMIT)

    async def _send(self, data: bytes) -> None:
        async with asyncio.timeout(self._patience):
            await self._socket.send_text(data.decode())


def _unforeseen(task: asyncio.Task[None]) -> BaseException | None:
    fault = None if task.cancelled() else task.exception()
    return None if isinstance(fault, GONE) else fault


def _as_told_here(error: RequestError, asked: Asked | None) -> RequestError:
    """On a socket a response that cannot be gone on from is a mistake in the message."""
    named = None if asked is None else asked.previous_response_id
    if named is None or error.code != "previous_response_not_found":
        return error
    return wire.previous_not_found(named)
