"""A response that writes itself: what is followed as server-sent events, to one reader.

The log pushes nothing: the reader's cursor moves as fast as its socket takes bytes. Silence is
filled with comments, and a reader that has taken nothing for too long is let go; it comes back by
its cursor.
"""

import asyncio
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Mapping,
)
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Generic, Protocol, TypeVar

from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from angelia.core.events import Cancelled, Failed, RunEnded
from angelia.core.legs import ends_leg
from angelia.ports import Batch
from angelia.runtime.library import released
from angelia.wire import sse

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)
KEEP_ALIVE = sse.comment("keep-alive")
# In the scope of a request whose answer is under way, so that nobody begins another one.
STARTED = "angelia.started"
# In the scope of every request that a route answers: its template, and the status of the answer.
ROUTE = "angelia.route"
STATUS = "angelia.status"
# The transport copies what it is given: a long event must not be there once for every reader.
PIECE = 64 * 1024
# In the scope of a request, where its server tells it: the transport to the reader's socket.
TRANSPORT = "angelia.transport"
HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
}


class Shows(Protocol[T_contra]):
    """How what is followed looks on the wire."""

    @property
    def done(self) -> bool: ...

    def open(self) -> bytes: ...

    def write(self, batch: T_contra, /) -> bytes: ...


class View(Shows[Batch], Protocol):
    """How a run looks in one protocol."""

    def farewell(self, message: str, /) -> bytes:
        """The end of a stream whose server stops, as the protocol can say it."""
        ...


class Pulse:
    """Looks after all streams at once: one timer, however many readers."""

    def __init__(self, keep_alive: float, patience: float) -> None:
        self._keep_alive = keep_alive
        self._patience = patience
        self._streams: set[EventStream[Any]] = set()
        self._task: asyncio.Task[None] | None = None

    def add(self, stream: "EventStream[Any]") -> None:
        self._streams.add(stream)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._beat())

    def __len__(self) -> int:
        return len(self._streams)

    def discard(self, stream: "EventStream[Any]") -> None:
        self._streams.discard(stream)

    async def _beat(self) -> None:
        loop = asyncio.get_running_loop()
        while self._streams:
            await asyncio.sleep(min(1.0, self._keep_alive / 4))
            self._check(loop.time())

    def _check(self, now: float) -> None:
        """Behind it no stream is known any more: the last one would stay until the next beat."""
        for stream in tuple(self._streams):
            stream.check(now, self._keep_alive, self._patience)


class EventStream(Response, Generic[T]):
    """`grace` is how long the head waits for the run's first word.

    A run that fails within it is answered with an HTTP status instead of a stream. `farewell` is
    what the reader hears last from a server that stops; `watching` is open as long as the stream.
    """

    def __init__(
        self,
        view: Shows[T],
        batches: AsyncIterator[T],
        *,
        pulse: Pulse,
        headers: Mapping[str, str],
        grace: float = 0.0,
        failure: Callable[[Failed | Cancelled], Response] | None = None,
        on_leave: Callable[[], Awaitable[None]] | None = None,
        farewell: Callable[[], bytes] = bytes,
        watching: AbstractContextManager[None] | None = None,
    ) -> None:
        super().__init__(None, 200, {**HEADERS, **headers})
        # Nobody knows the length of a stream.
        del self.headers["content-length"]
        self._view = view
        self._batches = batches
        self._pulse = pulse
        self._grace = grace
        self._failure = failure
        self._on_leave = on_leave
        self._farewell = farewell
        self._watching = watching or nullcontext()
        self._opening = asyncio.Lock()
        # The head is decided, it is out, the last byte is on its way.
        self._begun = self._opened = self._closed = False
        self._beats: set[asyncio.Task[None]] = set()
        self._sent = 0
        self._seen = (0, 0)
        self._since = 0.0
        # The pump may be in the middle of an event while a comment is on its way.
        self._sending = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._scope = scope
        self._send = send
        self._since = asyncio.get_running_loop().time()
        if scope.get("method") == "HEAD":
            await self._show_head()
            return
        with self._watching:
            try:
                await self._play(scope, receive)
            except asyncio.CancelledError:
                await self._part()

    async def _show_head(self) -> None:
        async with released(self._batches):
            self._scope[STARTED] = True
            await self._send(self._head)
            await self._close()

    async def _play(self, scope: Scope, receive: Receive) -> None:
        pump = self._pumping = asyncio.create_task(self._pump(scope, receive))
        leaving = asyncio.create_task(disconnected(receive))
        self._pulse.add(self)
        try:
            await asyncio.wait((pump, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._pulse.discard(self)
            await end(pump, leaving, *self._beats)
            # A task that was cancelled knows where: what it was about to send would stay with us.
            del self._pumping
        if not pump.cancelled():
            pump.result()
        elif self._on_leave is not None:
            await self._on_leave()

    async def _part(self) -> None:
        """The server stops. A reader that takes nothing is cut off instead of waited for."""
        if self._sending or self._closed:
            return
        await self._body(self._farewell())
        await self._close()

    async def _pump(self, scope: Scope, receive: Receive) -> None:
        timer = None
        if self._grace > 0:
            timer = asyncio.get_running_loop().call_later(self._grace, self._open_late)
        else:
            await self._open()
        try:
            async with released(self._batches) as batches:
                async for batch in batches:
                    if not self._begun and (bad := self._fails(batch)) is not None:
                        self._scope[STARTED] = self._begun = self._opened = self._closed = True
                        scope[STATUS] = bad.status_code
                        await bad(scope, receive, self._send)
                        return
                    data = self._view.write(batch)
                    # As `_body` does with one piece, but that would be one more call for each.
                    if data and self._opened and len(data) <= PIECE:
                        self._sending += 1
                        await self._send(
                            {"type": "http.response.body", "body": data, "more_body": True}
                        )
                        self._sending -= 1
                        self._sent += 1
                    elif data:
                        await self._body(data)
                    if self._view.done:
                        break
            await self._open()
            await self._close()
        finally:
            if timer is not None:
                timer.cancel()

    def _fails(self, batch: T) -> Response | None:
        if self._failure is None or not isinstance(batch, Batch):
            return None
        last = next((entry.event for entry in batch.entries if ends_leg(entry)), None)
        if not isinstance(last, RunEnded):
            return None
        ending = last.ending
        return self._failure(ending) if isinstance(ending, Failed | Cancelled) else None

    async def _open(self) -> None:
        """Whoever comes while the head is on its way waits until it is out."""
        async with self._opening:
            if self._opened:
                return
            self._scope[STARTED] = self._begun = True
            self._sending += 1
            await self._send(self._head)
            opening = self._view.open()
            await self._send({"type": "http.response.body", "body": opening, "more_body": True})
            self._sending -= 1
            self._sent += 1
            self._opened = True

    @property
    def _head(self) -> Message:
        return {"type": "http.response.start", "status": 200, "headers": self.raw_headers}

    async def _close(self) -> None:
        self._closed = True
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    def _open_late(self) -> None:
        self._beat(self._open())

    async def _body(self, data: bytes) -> None:
        if not self._opened:
            await self._open()
        self._sending += 1
        for start in range(0, len(data), PIECE):
            piece = data[start : start + PIECE]
            await self._send({"type": "http.response.body", "body": piece, "more_body": True})
            self._sent += 1
        self._sending -= 1

    def check(self, now: float, keep_alive: float, patience: float) -> None:
        """Called about once a second: fills silence, lets go of a reader that takes nothing."""
        transport: asyncio.Transport | None = self._scope.get(TRANSPORT)
        # What is sent at once may be more than a slow reader takes in all its time.
        taken = (self._sent, transport.get_write_buffer_size() if transport is not None else 0)
        if taken != self._seen:
            self._seen, self._since = taken, now
        silent = now - self._since
        if self._sending and silent > patience:
            self._pumping.cancel()
            if transport is not None:
                # To close it would be to wait until the reader has taken what is on its way.
                transport.abort()
        elif self._opened and not self._sending and silent > keep_alive:
            self._beat(self._fill())

    async def _fill(self) -> None:
        """Nothing, if an event is on its way by now: a comment must not come between its pieces."""
        if not self._sending:
            await self._body(KEEP_ALIVE)

    def _beat(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._beats.add(task)
        task.add_done_callback(self._beats.discard)


async def disconnected(receive: Receive) -> None:
    message: Message = {"type": ""}
    while message["type"] != "http.disconnect":
        message = await receive()


async def end(*tasks: asyncio.Task[Any]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
