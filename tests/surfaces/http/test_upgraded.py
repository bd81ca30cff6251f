"""Sockets that say nothing in too many frames, and those that have nothing to fear."""

import asyncio
from contextlib import suppress
from random import Random

import pytest
from starlette.types import Receive, Scope, Send
from websockets.exceptions import ConnectionClosedError

from angelia.surfaces.http.upgraded import EMPTY, MOST_EMPTY
from tests.support.listening import listening
from tests.support.talk import Talk, talking


async def pinged(one: Talk) -> None:
    for _ in range(MOST_EMPTY + 1):
        await one.socket.ping()


async def ponged(one: Talk) -> None:
    for _ in range(MOST_EMPTY + 1):
        await one.socket.pong()


async def crumbled(one: Talk) -> None:
    await one.socket.send("x" * (EMPTY - 1) for _ in range(MOST_EMPTY + 1))


@pytest.mark.parametrize("flood", [pinged, ponged, crumbled])
async def test_a_flood_of_frames_that_say_nothing_ends_the_socket(demo_server, flood) -> None:
    async with talking(demo_server.url, demo_server.key) as one:
        with suppress(ConnectionClosedError):
            await flood(one)
        with pytest.raises(ConnectionClosedError) as closed:
            await one.hear()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1008


async def test_a_client_that_asks_whether_we_are_there_is_answered(demo_server) -> None:
    async with talking(demo_server.url, demo_server.key) as one:
        for _ in range(MOST_EMPTY // 4):
            await (await one.socket.ping())
        assert (await one.ask(input="long 1"))[-1]["type"] == "response.completed"


async def test_a_large_message_is_read_whole_in_one_frame_or_many(demo_server) -> None:
    noise = Random(1).randbytes(250_000).hex()
    text = f'{{"type": "response.create", "input": "long 2", "instructions": "{noise}"}}'
    async with talking(demo_server.url, demo_server.key) as one:
        for message in (text, (text[at : at + 700] for at in range(0, len(text), 700))):
            await one.socket.send(message)
            assert (await one.turn())[-1]["type"] == "response.completed"


HEAD = (
    "GET /v1/responses HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
PING = b"\x89\x80\0\0\0\0"


class Hesitant:
    """An application that neither takes nor refuses a socket until its client is gone."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.left = asyncio.Event()

    async def __call__(self, _scope: Scope, receive: Receive, _send: Send) -> None:
        self.asked.set()
        while (await receive())["type"] != "websocket.disconnect":
            pass
        self.left.set()


async def test_a_flood_in_front_of_the_upgrade_ends_the_connection(caplog) -> None:
    hesitant = Hesitant()
    async with listening(hesitant) as url, asyncio.timeout(10):
        _, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
        writer.write(HEAD.encode())
        await hesitant.asked.wait()
        writer.write(PING * (MOST_EMPTY + 1))
        await hesitant.left.wait()
        writer.close()
    assert "Traceback" not in caplog.text
