"""Webhook messages over real sockets."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest
from aiohttp import web

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.webhook_poster import WebhookPoster
from angelia.ports.deliveries import Answered, Barred, Unreached
from tests.support.process import free_port
from tests.support.receiver import receiving


@pytest.fixture
async def poster() -> AsyncIterator[WebhookPoster]:
    poster = WebhookPoster(ManualClock(0), allow_private=True)
    yield poster
    await poster.close()


async def test_a_message_arrives_as_it_was_given(poster: WebhookPoster) -> None:
    async with receiving(200) as receiver:
        url = f"{receiver.url}?a=b%20c"
        assert await poster.post(url, {"webhook-id": "1"}, b'{"a": 1}') == Answered(200)
    (got,) = receiver.received
    assert (got.path, got.body) == ("/hook?a=b%20c", b'{"a": 1}')
    assert got.headers["webhook-id"] == "1"


async def test_a_redirect_is_not_followed(poster: WebhookPoster) -> None:
    async with receiving() as target:
        away = web.Response(status=307, headers={"Location": target.url})
        async with receiving(away) as receiver:
            assert await poster.post(receiver.url, {}, b"{}") == Answered(307)
    assert target.received == []


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("7", 7.0), ("Thu, 01 Jan 1970 00:01:00 GMT", 60.0), ("soon", None)],
)
async def test_a_wish_to_be_left_alone_is_heard(
    poster: WebhookPoster, header: str, seconds: float | None
) -> None:
    busy = web.Response(status=429, headers={"Retry-After": header})
    async with receiving(busy) as receiver:
        assert await poster.post(receiver.url, {}, b"{}") == Answered(429, seconds)


async def test_an_endless_answer_holds_nobody_up(poster: WebhookPoster) -> None:
    async def endless(request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse()
        await answer.prepare(request)
        with contextlib.suppress(OSError):
            while True:
                await answer.write(b"x" * 65536)
        cut_off.set()
        return answer

    cut_off = asyncio.Event()
    application = web.Application()
    application.router.add_post("/", endless)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        answer = await poster.post(f"http://127.0.0.1:{runner.addresses[0][1]}/", {}, b"{}")
        assert answer == Answered(200)
        await cut_off.wait()
    finally:
        await runner.cleanup()


async def test_nobody_there_is_unreached_and_the_address_stays_unsaid(
    poster: WebhookPoster,
) -> None:
    answer = await poster.post(f"http://127.0.0.1:{free_port()}/secret", {}, b"{}")
    assert isinstance(answer, Unreached)
    assert "secret" not in answer.reason


async def test_a_receiver_that_says_nothing_is_given_up_in_time() -> None:
    async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()
        await writer.wait_closed()
        left.set()

    left = asyncio.Event()
    server = await asyncio.start_server(hang, "127.0.0.1", 0)
    poster = WebhookPoster(ManualClock(), allow_private=True, seconds=0.05)
    port = server.sockets[0].getsockname()[1]
    assert isinstance(await poster.post(f"http://127.0.0.1:{port}/", {}, b"{}"), Unreached)
    await left.wait()
    await poster.close()
    server.close()
    await server.wait_closed()


async def test_private_addresses_are_barred_unless_they_are_allowed() -> None:
    poster = WebhookPoster(ManualClock(), allow_private=False)
    async with receiving() as receiver:
        assert await poster.post(receiver.url, {}, b"{}") == Barred()
        named = receiver.url.replace("127.0.0.1", "localhost")
        assert await poster.post(named, {}, b"{}") == Barred()
    await poster.close()
    assert receiver.received == []
