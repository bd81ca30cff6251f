"""How long a socket lives, and what becomes of a client that takes nothing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import msgspec
import pytest
import uvicorn
from starlette.websockets import WebSocket
from websockets.exceptions import ConnectionClosedOK

from angelia.assembly import open_services
from angelia.config import load
from angelia.ports import RunFilter
from angelia.runtime.services import Services
from angelia.surfaces.http.app import Application
from angelia.surfaces.http.socket import converse
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


@asynccontextmanager
async def listening(application: Here) -> AsyncIterator[str]:
    config = uvicorn.Config(
        application, port=0, ws="websockets-sansio", lifespan="off", log_config=None
    )
    server = uvicorn.Server(config)
    config.load()
    server.lifespan = config.lifespan_class(config)
    await server.startup()
    ticking = asyncio.create_task(server.main_loop())
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        await ticking
        await server.shutdown()


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


class Deaf:
    """A client that asks one thing, takes the first words of the answer, and then nothing."""

    def __init__(self, message: str) -> None:
        self._said = iter(
            [
                {"type": "websocket.connect"},
                {"type": "websocket.receive", "text": message},
            ]
        )
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
        if "function_call_arguments.done" in message.get("text", ""):
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
