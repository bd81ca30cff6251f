"""HTTP as uvicorn speaks it, ended when a request takes too long to arrive or its head is too long.

Above is the ASGI application, which sees a request once its head is whole; below is the transport.
"""

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from angelia.surfaces.http.stream import TRANSPORT

# More than any client sends; the parser itself would keep whatever comes.
HEAD_LIMIT = 64 * 1024
TOO_LONG = b"The head of the request is too long."
REFUSAL = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-type: text/plain; charset=utf-8\r\n"
    b"content-length: %d\r\nconnection: close\r\n\r\n%b" % (len(TOO_LONG), TOO_LONG)
)


class Arriving(HttpToolsProtocol):
    """A head has `patience` seconds from its first byte on, each piece of a body as many."""

    patience = 30.0
    _timer: asyncio.TimerHandle | None = None
    # A connection is opened to ask something.
    _under_way = True
    _head_here = False
    _head_size = 0
    _heard = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        super().connection_made(transport)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._rest()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self._under_way or self.transport.is_closing():
            self._rest()
            return
        self._heard = self.loop.time()
        if self._timer is None:
            self._watch()
        if not self._head_here:
            self._head_size += len(data)
            if self._head_size > HEAD_LIMIT:
                self.transport.write(REFUSAL)
                self.transport.close()

    def on_message_begin(self) -> None:
        self._under_way, self._head_here, self._head_size = True, False, 0
        super().on_message_begin()
        self.scope[TRANSPORT] = self.transport  # pyright: ignore[reportGeneralTypeIssues]

    def on_headers_complete(self) -> None:
        self._head_here = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._under_way = False
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._under_way = False
        super().handle_websocket_upgrade()

    def _watch(self) -> None:
        self._heard = self.loop.time()
        self._timer = self.loop.call_later(self.patience, self._look)

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        """A body that we do not take at the moment is not its sender's silence."""
        if self.flow.read_paused:
            self._watch()
            return
        left = self._heard + self.patience - self.loop.time()
        if self._head_here and left > 0:
            self._timer = self.loop.call_later(left, self._look)
        else:
            self.transport.abort()


def arriving(patience: float) -> type[Arriving]:
    """The protocol for a server that waits so many seconds."""
    return type("Arriving", (Arriving,), {"patience": patience})
