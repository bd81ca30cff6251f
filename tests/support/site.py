"""A small web site on a real socket: answers by path, and counts who connects."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

from aiohttp import web

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Site:
    """`asked` holds every path that was asked for, `connections` everybody who came."""

    def __init__(self, answers: Mapping[str, web.Response | bytes]) -> None:
        self.answers = dict(answers)
        self.asked: list[str] = []
        self.headers: list[Mapping[str, str]] = []
        self.bodies: list[bytes] = []
        self.connections = 0
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(request.path_qs)
        self.headers.append({name.lower(): value for name, value in request.headers.items()})
        self.bodies.append(await request.read())
        given = self.answers.get(request.path)
        if given is None:
            return web.Response(status=404, text="nothing here")
        if isinstance(given, bytes):
            return web.Response(body=given, content_type="text/html")
        return web.Response(status=given.status, body=given.body, headers=given.headers)


@asynccontextmanager
async def site(
    answers: Mapping[str, web.Response | bytes] | None = None, host: str = "127.0.0.1"
) -> AsyncIterator[Site]:
    place = Site(answers or {})

    class Counting(web.Server):
        def __call__(self):  # pyright: ignore[reportIncompatibleMethodOverride]
            place.connections += 1
            return super().__call__()

    runner = web.ServerRunner(Counting(place.answer))
    await runner.setup()
    await web.TCPSite(runner, host, 0).start()
    place.port = runner.addresses[0][1]
    try:
        yield place
    finally:
        await runner.cleanup()


def moved(location: str, status: int = 302) -> web.Response:
    return web.Response(status=status, headers={"Location": location})


@asynccontextmanager
async def raw_server(said: bytes, *, hang: bool = False) -> AsyncIterator[int]:
    """A port whose server says the same to everybody, whatever they ask."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(said)
        if hang:
            await reader.read()

    async with tcp_server(serve) as port:
        yield port


@asynccontextmanager
async def tcp_server(serve: Serve) -> AsyncIterator[int]:
    """Whatever a client is told, its connection is closed behind it, and none is left open."""
    serving: set[asyncio.Task[None]] = set()

    async def closing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        serving.add(task)
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await serve(reader, writer)
        with contextlib.suppress(OSError):
            writer.close()
            await writer.wait_closed()

    server = await asyncio.start_server(closing, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await asyncio.gather(*serving)
        await server.wait_closed()
