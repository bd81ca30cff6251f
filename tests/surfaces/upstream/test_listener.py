import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp

from angelia.surfaces.upstream.listener import Connection, Exchange, Request, Serve


@asynccontextmanager
async def listening(serve: Serve) -> AsyncIterator[int]:
    tasks: set[asyncio.Task[None]] = set()
    numbers = iter(range(1, 100))
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: Connection(serve, next(numbers), tasks), "127.0.0.1", 0
    )
    async with server:
        yield server.sockets[0].getsockname()[1]
        server.close()
        for task in tasks:
            task.cancel()


async def echo(exchange: Exchange) -> None:
    exchange.head(201, {"X-Path": exchange.request.path})
    await exchange.send(exchange.request.body, b"", b"!")
    exchange.end()


async def raw(port: int, data: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    answer = await reader.read()
    writer.close()
    return answer


async def test_an_answer_goes_back_in_pieces():
    async with listening(echo) as port, aiohttp.ClientSession() as client:
        url = f"http://127.0.0.1:{port}/some/path?x=1"
        async with client.post(url, data=b"hello") as response:
            assert (response.status, response.headers["X-Path"]) == (201, "/some/path")
            assert await response.read() == b"hello!"


async def test_requests_of_one_connection_are_answered_one_after_another():
    def request(body: bytes, more: bytes = b"") -> bytes:
        return b"POST /a HTTP/1.1\r\n%bContent-Length: 5\r\n\r\n%b" % (more, body)

    asked = request(b"first") + request(b"other") + request(b"third", b"Connection: close\r\n")
    async with listening(echo) as port:
        answer = await raw(port, asked)
    assert re.findall(b"first|other|third", answer) == [b"first", b"other", b"third"]
    assert answer.count(b"HTTP/1.1 201 Created") == 3


async def test_requests_say_which_connection_they_came_by():
    seen: list[Request] = []

    async def note(exchange: Exchange) -> None:
        seen.append(exchange.request)
        await echo(exchange)

    async with listening(note) as port:
        for _ in range(2):
            await raw(port, b"GET / HTTP/1.1\r\nConnection: close\r\nX-Odd: Yes\r\n\r\n")
    assert [request.connection for request in seen] == [1, 2]
    assert seen[0].headers == {"connection": "close", "x-odd": "Yes"}


async def test_what_is_not_http_is_refused():
    async with listening(echo) as port:
        assert (await raw(port, b"mumble mumble\r\n\r\n")).startswith(b"HTTP/1.1 400 ")


async def test_a_cut_answer_arrives_up_to_the_cut():
    async def cut(exchange: Exchange) -> None:
        exchange.head(200, {})
        await exchange.send(b"half")
        exchange.cut()

    async with listening(cut) as port:
        answer = await raw(port, b"GET / HTTP/1.1\r\n\r\n")
    assert answer.endswith(b"4\r\nhalf\r\n")


async def test_a_client_that_leaves_ends_the_answer():
    begun, ended = asyncio.Event(), asyncio.Event()

    async def hang(exchange: Exchange) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with listening(hang) as port:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\n\r\n")
        await begun.wait()
        writer.close()
        await ended.wait()


async def test_a_client_that_does_not_read_holds_the_answer_up():
    sent = 0

    async def pour(exchange: Exchange) -> None:
        nonlocal sent
        exchange.head(200, {})
        for _ in range(400):
            await exchange.send(b"x" * 100_000)
            sent += 1
        exchange.end()

    async with (
        listening(pour) as port,
        aiohttp.ClientSession() as client,
        client.get(f"http://127.0.0.1:{port}/") as response,
    ):
        # The loop turns often enough for the whole to be sent, were nothing in its way.
        for _ in range(1_000):
            await asyncio.sleep(0)
        assert sent < 400
        assert len(await response.read()) == 40_000_000
    assert sent == 400


async def test_an_answer_that_fails_closes_the_connection():
    async def fail(exchange: Exchange) -> None:
        raise LookupError("a defect")

    complaints: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, about: complaints.append(about))
    async with listening(fail) as port:
        assert await raw(port, b"GET / HTTP/1.1\r\n\r\n") == b""
