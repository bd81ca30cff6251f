"""A webhook's receiver on a real socket: answers as a test wants and keeps what came."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from msgspec import Struct, json


class Received(Struct, frozen=True):
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.decode(self.body)


class Receiver:
    """Gives `answers` one after another, then 204 to everything."""

    def __init__(self, *answers: web.Response | int) -> None:
        self._answers = list(answers)
        self._arrivals = asyncio.Condition()
        self.received: list[Received] = []
        self.url = ""

    async def receive(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        headers = {name.lower(): value for name, value in request.headers.items()}
        async with self._arrivals:
            self.received.append(Received(request.path_qs, headers, body))
            self._arrivals.notify_all()
        answer = self._answers.pop(0) if self._answers else 204
        return web.Response(status=answer) if isinstance(answer, int) else answer

    async def messages(self, count: int) -> list[Received]:
        """Once there are so many."""
        async with self._arrivals:
            await self._arrivals.wait_for(lambda: len(self.received) >= count)
        return self.received


@asynccontextmanager
async def receiving(*answers: web.Response | int, port: int = 0) -> AsyncIterator[Receiver]:
    receiver = Receiver(*answers)
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", receiver.receive)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port)
    await site.start()
    receiver.url = f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    try:
        yield receiver
    finally:
        await runner.cleanup()
