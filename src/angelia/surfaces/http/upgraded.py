"""A WebSocket as uvicorn speaks it, ended when its client says nothing in too many frames.

Above is the ASGI application, which never sees a ping; below is the transport.
"""

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode

# A client asks about every twenty seconds whether we are there.
MOST_EMPTY = 200
WINDOW_SECONDS = 10.0
# No message to this server is as short.
EMPTY = 16
# Frames are looked at when all that is handed over has been parsed.
PIECE = 4096
POLICY_VIOLATION = 1008
# What a server that stops tells the application, which closes its socket with it.
SERVER_STOPS = 1012
CONTROL = (Opcode.PING, Opcode.PONG)


class Upgraded(WebSocketsSansIOProtocol):
    _since = 0.0
    _empty = 0
    _leaving = False

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), PIECE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + PIECE])

    def handle_events(self) -> None:
        self._count(sum(_is_empty(event) for event in self.conn.events))
        if self._empty <= MOST_EMPTY:
            super().handle_events()
        elif not self.close_sent:
            self._end()

    def shutdown(self) -> None:
        """The application is told and closes: what is under way may end, as a stream may."""
        if not self.handshake_complete or self.close_sent:
            super().shutdown()
            return
        self._leaving = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": SERVER_STOPS})

    async def send(self, message: Any) -> None:
        await super().send(message)
        if self._leaving and self.close_sent:
            # A server that stops does not wait for the client's goodbye.
            self.transport.close()
        if self.initial_response is not None and self.close_sent:
            # An upgrade that was answered with a refusal is complete as well.
            self.handshake_complete = True

    def _count(self, empty: int) -> None:
        now = self.loop.time()
        if now - self._since > WINDOW_SECONDS:
            self._since, self._empty = now, 0
        self._empty += empty

    def _end(self) -> None:
        if not self.handshake_complete:
            self.transport.abort()
            return
        self.conn.fail(POLICY_VIOLATION, "too many empty frames")
        self.handle_parser_exception()


def _is_empty(event: object) -> bool:
    return isinstance(event, Frame) and (event.opcode in CONTROL or len(event.data) < EMPTY)
