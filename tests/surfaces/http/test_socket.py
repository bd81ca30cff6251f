"""How long a socket lives, and what becomes of a client that takes nothing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

import msgspec
import pytest
from starlette.websockets import WebSocket
from websockets.exceptions import ConnectionClosedOK, InvalidStatus

from angelia.assembly.services import open_services
from angelia.config import load
from angelia.ports import RunFilter
from angelia.runtime.services import Services
from angelia.surfaces.http.app import Application
from angelia.surfaces.http.socket import converse
from angelia.surfaces.http.waiting import MOST_MESSAGES, MOST_SOCKETS
from tests.support.listening import listening
from tests.support.talk import talking

KEY = "test-key-of-the-socket"


@pytest.fixture
async def services(tmp_path) -> AsyncIterator[Services]:
    env = {"ANGELIA_LOG": "error", "ANGELIA_API_KEY": KEY}
    async with open_services(load(env, home=tmp_path)) as services:
        yield services


class Here:
    """The socket's route and nothing else, with what `converse` is told here."""

    def __init__(self, services: Services, **told: float) -> None:
        self._app = Application(services)
        self._converse = partial(converse, **told)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        scope["app"] = self._app
        await self._converse(WebSocket(scope, receive, send))


async def test_a_socket_that_is_too_old_is_told_so_and_closed(services) -> None:
    async with listening(Here(services, lifetime=0.3)) as url, talking(url, KEY) as one:
        assert (await one.ask(input="long 2"))[-1]["type"] == "response.completed"
        event = await one.hear()
        with pytest.raises(ConnectionClosedOK):
            await one.hear()
    assert event["status"] == 400
    assert event["error"]["code"] == "websocket_connection_limit_reached"
    assert "60 minutes" in event["error"]["message"]


async def test_a_turn_under_way_is_not_cut_off_by_the_age_of_its_socket(services) -> None:
    async with listening(Here(services, lifetime=0.1)) as url, talking(url, KEY) as one:
        await one.say(input="`sleep 0.4` and long 2")
        await one.say(input="long 3")
        assert (await one.turn())[-1]["type"] == "response.completed"
        (event,) = await one.turn()
        assert event["error"]["code"] == "websocket_connection_limit_reached"


DEAF_FROM = ("function_call_arguments.done", "too_many_messages")


class Deaf:
    """A client that asks, takes the first words of the answer, and then nothing."""

    def __init__(self, *messages: str) -> None:
        said = [{"type": "websocket.receive", "text": message} for message in messages]
        self._said = iter([{"type": "websocket.connect"}, *said])
        self._forever = asyncio.Event()
        self.scope = {
            "type": "websocket",
            "path": "/v1/responses",
            "headers": [(b"authorization", f"Bearer {KEY}".encode())],
        }

    async def receive(self) -> Any:
        try:
            return next(self._said)
        except StopIteration:
            await self._forever.wait()

    async def send(self, message: Any) -> None:
        if any(mark in message.get("text", "") for mark in DEAF_FROM):
            await self._forever.wait()


async def test_a_client_that_takes_nothing_is_let_go_with_its_run(services) -> None:
    client = Deaf('{"type": "response.create", "input": "`sleep 30`"}')
    async with asyncio.timeout(10):
        await Here(services, patience=0.1)(client.scope, client.receive, client.send)
    (run,) = await services.runs.find(RunFilter("key_first"))
    async with asyncio.timeout(10):
        async for _ in services.runs.follow(run.id):
            pass
    assert (await services.runs.get(run.tenant, run.id)).status == "cancelled"


async def test_who_sends_more_than_can_wait_is_told_and_seen_to_leave(services) -> None:
    async with listening(Here(services)) as url:
        async with talking(url, KEY) as one:
            await one.say(input="`sleep 30`")
            assert (await one.hear())["type"] == "response.created"
            for _ in range(MOST_MESSAGES + 3):
                await one.say(input="long 1")
            for _ in range(3):
                event = (await one.turn())[-1]
                assert (event["status"], event["error"]["code"]) == (429, "too_many_messages")
            one.socket.transport.abort()
        (run,) = await services.runs.find(RunFilter("key_first"))
        async with asyncio.timeout(10):
            async for _ in services.runs.follow(run.id):
                pass
    (run,) = await services.runs.find(RunFilter("key_first"))
    assert run.status == "cancelled"


async def test_what_could_wait_is_answered_after_a_refusal(services) -> None:
    async with listening(Here(services)) as url, talking(url, KEY) as one:
        await one.say(input="`sleep 0.5`")
        assert (await one.hear())["type"] == "response.created"
        for count in range(MOST_MESSAGES + 1):
            await one.say(input=f"long {count + 1}", store=False)
        assert (await one.turn())[-1]["error"]["code"] == "too_many_messages"
        ends = [(await one.turn())[-1]["type"] for _ in range(MOST_MESSAGES + 1)]
    assert set(ends) == {"response.completed"}


async def test_a_client_that_does_not_hear_its_refusals_is_let_go(services) -> None:
    said = '{"type": "response.create", "input": "`sleep 30`"}'
    client = Deaf(*[said] * (MOST_MESSAGES + 3))
    async with asyncio.timeout(10):
        await Here(services, patience=0.1)(client.scope, client.receive, client.send)


async def test_a_key_with_too_many_sockets_gets_no_other_one(services) -> None:
    async with listening(Here(services)) as url:
        async with AsyncExitStack() as held:
            for _ in range(MOST_SOCKETS):
                await held.enter_async_context(talking(url, KEY))
            with pytest.raises(InvalidStatus) as refused:
                await held.enter_async_context(talking(url, KEY))
        answer = refused.value.response
        assert (answer.status_code, answer.headers["Retry-After"]) == (429, "5")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert msgspec.json.decode(answer.body)["error"]["code"] == "too_many_sockets"
        async with talking(url, KEY) as one:
            assert (await one.ask(input="long 1"))[-1]["type"] == "response.completed"


async def test_a_server_that_cannot_say_why_refuses_all_the_same(services) -> None:
    client = Stumbling("")
    client.scope["headers"] = []
    await Here(services)(client.scope, client.receive, client.send)
    assert [message["type"] for message in client.heard] == ["websocket.close"]


class Stumbling(Deaf):
    """A client that something unforeseen happens to, once."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.heard: list[Any] = []

    async def send(self, message: Any) -> None:
        self.heard.append(message)
        if len(self.heard) == 2:
            raise KeyError("nobody foresaw this")


async def test_what_nobody_foresaw_is_told_without_details(services) -> None:
    client = Stumbling('{"type": "response.create", "input": "long 2"}')
    with pytest.raises(KeyError, match="foresaw"):
        await Here(services)(client.scope, client.receive, client.send)
    *_, told, closed = client.heard
    event = msgspec.json.decode(told["text"])
    assert (event["status"], event["error"]["code"]) == (500, "internal_error")
    assert "foresaw" not in told["text"]
    assert (closed["type"], closed["code"]) == ("websocket.close", 1011)
