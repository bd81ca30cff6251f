"""Readers over bare sockets that take little, or nothing at all, and the rest in the end."""

import asyncio
import socket
from contextlib import suppress

import httptools
import msgspec

from tests.chaos.fast import request
from tests.chaos.readers import ENDS
from tests.support.server import AngeliaServer

# The system doubles it; what a reader has not taken stays with the server.
BUFFER = 4096
# How often one that takes little takes it.
EVERY = 0.25


class Dawdler:
    """One reader of one run. `ids` are those of all whole events it has taken."""

    def __init__(self, server: AngeliaServer, run_id: str) -> None:
        self.ids: list[int] = []
        self.connections = 0
        self._server = server
        self._run_id = run_id
        self._ended = False
        self._rest = b""
        self._parser = httptools.HttpResponseParser(self)
        self._socket = socket.socket()

    async def open(self) -> None:
        """From behind the last event that it has."""
        self.connections += 1
        self._rest = b""
        self._parser = httptools.HttpResponseParser(self)
        self._socket.close()
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
        self._socket.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(self._socket, ("127.0.0.1", self._server.port))
        last = self.ids[-1] if self.ids else 0
        await loop.sock_sendall(self._socket, request(self._run_id, self._server.key, last))

    async def dawdle(self, rate: int, over: asyncio.Event) -> None:
        """Takes `rate` bytes a second until somebody says that it is over."""
        while not over.is_set() and await self._take(int(rate * EVERY)):
            with suppress(TimeoutError):
                await asyncio.wait_for(over.wait(), EVERY)

    async def finish(self) -> None:
        """Takes all the rest at once, over as many connections as that needs."""
        while not self._ended:
            while await self._take(1 << 16):
                pass
            if not self._ended:
                await self.open()
        self._socket.close()

    async def _take(self, most: int) -> bool:
        """False at the end of a connection."""
        try:
            data = await asyncio.get_running_loop().sock_recv(self._socket, most)
        except ConnectionError:
            return False
        if data:
            self._parser.feed_data(data)
        return bool(data)

    def on_body(self, body: bytes) -> None:
        *frames, self._rest = (self._rest + body).split(b"\n\n")
        for frame in frames:
            place, _, event = frame.partition(b"\ndata: ")
            if event:
                self.ids.append(int(place.removeprefix(b"id: ")))
                self._ended = msgspec.json.decode(event)["event"] in ENDS
