"""Requests that arrive slowly, in part, or with a head that has no end."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.server import AngeliaServer

HEAD = b"POST /v1/runs HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\n"


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AngeliaServer]:
    folder: Path = tmp_path_factory.mktemp("impatient")
    server = AngeliaServer(folder)
    (server.home / "angelia.toml").write_text("[server]\nrequest_patience = 0.5\n")
    server.start()
    yield server
    server.kill()


async def told(server: AngeliaServer, *pieces: bytes, pause: float = 0.0) -> bytes:
    """All that the server says to these pieces until it closes the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        for piece in pieces:
            writer.write(piece)
            await asyncio.sleep(pause)
        return await asyncio.wait_for(reader.read(), 20)
    except ConnectionError:
        return b""
    finally:
        writer.close()


@pytest.mark.parametrize("start", [b"", b"GET /hea", b"GET /health HTTP/1.1\r\nHost: he"])
async def test_a_connection_that_asks_nothing_whole_is_closed(
    impatient: AngeliaServer, start: bytes
) -> None:
    assert await told(impatient, start) == b""


async def test_a_head_does_not_live_longer_for_another_byte_now_and_then(
    impatient: AngeliaServer,
) -> None:
    assert await told(impatient, HEAD, *[b"X-More: 1\r\n"] * 8, pause=0.1) == b""


async def test_a_body_that_stops_in_the_middle_is_not_waited_for(impatient: AngeliaServer) -> None:
    key = f"Authorization: Bearer {impatient.key}\r\n\r\n".encode()
    assert b" 202 " not in await told(impatient, HEAD + key + b'{"input": ')


async def test_a_body_may_take_its_time_as_long_as_it_goes_on(impatient: AngeliaServer) -> None:
    key = f"Connection: close\r\nAuthorization: Bearer {impatient.key}\r\n\r\n".encode()
    body = b'{"input": "hello"}'.ljust(100)
    pieces = [body[at : at + 10] for at in range(0, 100, 10)]
    assert b" 202 " in await told(impatient, HEAD + key, *pieces, pause=0.1)


async def test_a_head_without_an_end_is_refused(impatient: AngeliaServer) -> None:
    assert b" 431 " in await told(impatient, HEAD, *[b"X-More: 1\r\n" * 1000] * 7)


async def test_an_idle_connection_is_kept_between_two_requests(impatient: AngeliaServer) -> None:
    ask = b"GET /health HTTP/1.1\r\nHost: here\r\n"
    said = await told(impatient, ask + b"\r\n", ask + b"Connection: close\r\n\r\n", pause=0.8)
    assert said.count(b" 200 OK") == 2
