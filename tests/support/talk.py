"""Responses over a WebSocket, as a client has them: messages out, turns of events in."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect

ENDS = ("response.completed", "response.failed", "response.incomplete", "error")


class Talk:
    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def ask(self, **fields: Any) -> list[dict[str, Any]]:
        """One turn, from the message to its last event."""
        await self.say(**fields)
        return await self.turn()

    async def say(self, **fields: Any) -> None:
        await self.send({"type": "response.create", **fields})

    async def send(self, message: Any) -> None:
        raw = isinstance(message, str | bytes)
        await self.socket.send(message if raw else msgspec.json.encode(message).decode())

    async def hear(self) -> dict[str, Any]:
        return msgspec.json.decode(await self.socket.recv())

    async def turn(self) -> list[dict[str, Any]]:
        events = [await self.hear()]
        while events[-1]["type"] not in ENDS:
            events.append(await self.hear())
        return events


@asynccontextmanager
async def talking(url: str, key: str | None, **headers: str) -> AsyncIterator[Talk]:
    """`url` is the server's; the socket closes at the end."""
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    if key is not None:
        given["Authorization"] = f"Bearer {key}"
    address = url.replace("http", "ws", 1) + "/v1/responses"
    async with connect(address, additional_headers=given, max_size=None) as socket:
        yield Talk(socket)
