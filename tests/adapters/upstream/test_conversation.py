"""One question over HTTP: its connection, its silence and its end."""

import asyncio
import contextlib
import itertools
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from msgspec.structs import replace

from angelia.adapters.upstream.endpoint import ProtocolName
from angelia.errors import UpstreamGarbled, UpstreamRefused, UpstreamStalled, UpstreamUnreachable
from angelia.surfaces.upstream.script import Fault, Script, Step
from angelia.surfaces.upstream.server import UpstreamServer
from tests.adapters.upstream.asking import (
    ANSWER,
    FOREVER,
    PROTOCOLS,
    SOON_GONE_ON,
    Seen,
    endpoint,
    names,
    patience,
    prompt,
    upstream,
)

STREAM_HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
)
HELLO = b'data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


@asynccontextmanager
async def saying(answer: Callable[[int], AsyncIterator[bytes]]) -> AsyncIterator[str]:
    """A server that answers every request with these bytes; it is told which connection asks."""
    numbers = itertools.count(1)
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = next(numbers)
        while head := await reader.readuntil(b"\r\n\r\n"):
            length = re.search(rb"(?i)content-length: (\d+)", head)
            await reader.readexactly(int(length[1]) if length else 0)
            async for data in answer(number):
                writer.write(data)

    async def host(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        with contextlib.suppress(asyncio.IncompleteReadError, asyncio.CancelledError):
            await serve(reader, writer)
        writer.close()

    server = await asyncio.start_server(host, "127.0.0.1", 0)
    yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    server.close()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks)


@pytest.fixture(params=PROTOCOLS)
def protocol(request: pytest.FixtureRequest) -> ProtocolName:
    return request.param


async def test_two_questions_share_one_connection(protocol: ProtocolName):
    async with UpstreamServer(Script((ANSWER,))) as server, upstream() as pool:
        model = pool.model(endpoint(server.base_url, protocol))
        await model.ask(prompt(), Seen().emit)
        await model.ask(prompt(), Seen().emit)
        assert (len(server.requests), server.connections) == (2, 1)


async def test_a_refused_question_leaves_its_connection_to_the_next(protocol: ProtocolName):
    script = Script((replace(ANSWER, fault=Fault(status=500, times=1)),))
    async with UpstreamServer(script) as server, upstream() as pool:
        await pool.model(endpoint(server.base_url, protocol)).ask(prompt(), Seen().emit)
        assert (len(server.requests), server.connections) == (2, 1)


@pytest.mark.parametrize("stream", [True, False], ids=["streamed", "whole"])
@pytest.mark.parametrize("step", [Step(delay=FOREVER), Step(text="a b", fault=Fault(stall="text"))])
async def test_a_cancelled_question_closes_its_connection(
    protocol: ProtocolName, step: Step, stream: bool
):
    async with UpstreamServer(Script((step,))) as server, upstream() as pool:
        model = pool.model(endpoint(server.base_url, protocol, stream=stream))
        task = asyncio.create_task(model.ask(prompt(), Seen().emit))
        await server.asked()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await server.departed()
        assert server.requests[0].left


@pytest.mark.parametrize("fault", [Fault(stall="text"), Fault(delay_first=FOREVER)], ids=names)
async def test_a_stalled_question_closes_its_connection(protocol: ProtocolName, fault: Fault):
    script = Script((replace(ANSWER, fault=fault),))
    async with UpstreamServer(script) as server, upstream() as pool:
        there = endpoint(server.base_url, protocol, timeouts=patience(fault), retries=0)
        with pytest.raises(UpstreamStalled) as stalled:
            await pool.model(there).ask(prompt(), Seen().emit)
        assert stalled.value.retryable
        await server.departed()


async def test_a_slow_listener_is_not_taken_for_a_silent_provider():
    script = Script((Step(text="one two", pace=0.01),))

    async def dawdle(_: object) -> None:
        await asyncio.sleep(SOON_GONE_ON.between_chunks * 2)

    async with UpstreamServer(script) as server, upstream() as pool:
        model = pool.model(endpoint(server.base_url, timeouts=SOON_GONE_ON))
        reply = await model.ask(prompt(), dawdle)
    assert reply.message.text == "one two"


async def test_what_arrives_together_is_shown_together():
    async with UpstreamServer(Script((Step(text="word " * 200),))) as server, upstream() as pool:
        seen = Seen()
        await pool.model(endpoint(server.base_url)).ask(prompt(), seen.emit)
    assert "".join(delta.text for delta in seen.deltas) == "word " * 200
    assert len(seen.deltas) == len(seen.batches) < 50


async def test_nobody_listening_is_unreachable():
    async with UpstreamServer() as server:
        gone = server.base_url
    seen = Seen()
    async with upstream() as pool:
        with pytest.raises(UpstreamUnreachable) as unreachable:
            await pool.model(endpoint(gone)).ask(prompt(), seen.emit)
    assert unreachable.value.retryable
    assert len(seen.notices) == 2


async def test_a_server_that_does_not_speak_http_is_garbled():
    async def mumble(_: int) -> AsyncIterator[bytes]:
        yield b"mumble mumble\r\n\r\n"

    async with saying(mumble) as url, upstream() as pool:
        model = pool.model(endpoint(url, retries=0))
        with pytest.raises(UpstreamGarbled):
            await model.ask(prompt(), Seen().emit)


async def test_a_key_is_not_carried_to_where_a_provider_points():
    async with UpstreamServer() as other:

        async def point(_: int) -> AsyncIterator[bytes]:
            there = f"{other.base_url}/chat/completions".encode()
            yield b"HTTP/1.1 307 Elsewhere\r\nLocation: %b\r\nContent-Length: 0\r\n\r\n" % there

        async with saying(point) as url, upstream() as pool:
            model = pool.model(endpoint(url))
            with pytest.raises(UpstreamRefused):
                await model.ask(prompt(), Seen().emit)
        assert list(other.requests) == []


async def test_a_stream_that_ends_right_behind_its_last_line_is_whole():
    async def hurry(_: int) -> AsyncIterator[bytes]:
        yield STREAM_HEAD + chunk(b'data: {"choices":[{"delta":{"content":"hi"}}]}\n\n')
        yield chunk(b'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}') + chunk(b"")

    async with saying(hurry) as url, upstream() as pool:
        reply = await pool.model(endpoint(url, retries=0)).ask(prompt(), Seen().emit)
    assert reply.message.text == "hi"


async def test_an_answer_that_ends_a_little_late_leaves_its_connection_to_the_next():
    connections: list[int] = []

    async def linger(connection: int) -> AsyncIterator[bytes]:
        connections.append(connection)
        yield STREAM_HEAD + chunk(HELLO)
        # The client has had the last word of the answer before its end is sent.
        await asyncio.sleep(0.02)
        yield chunk(b"")

    async with saying(linger) as url, upstream() as pool:
        model = pool.model(endpoint(url))
        await model.ask(prompt(), Seen().emit)
        await model.ask(prompt(), Seen().emit)
    assert connections == [1, 1]


async def test_an_answer_whose_end_never_comes_is_taken_and_its_connection_dropped():
    connections: list[int] = []

    async def forget(connection: int) -> AsyncIterator[bytes]:
        connections.append(connection)
        yield STREAM_HEAD + chunk(HELLO)
        await asyncio.Event().wait()

    async with saying(forget) as url, upstream() as pool:
        model = pool.model(endpoint(url))
        replies = [await model.ask(prompt(), Seen().emit) for _ in range(2)]
    assert [reply.message.text for reply in replies] == ["hi", "hi"]
    assert connections == [1, 2]


@pytest.mark.parametrize("base_url", ["not a url", "ftp://127.0.0.1/x", "http://"])
async def test_an_address_that_is_none_is_not_tried_again(base_url: str):
    seen = Seen()
    async with upstream() as pool:
        with pytest.raises(UpstreamUnreachable) as unreachable:
            await pool.model(endpoint(base_url)).ask(prompt(), seen.emit)
    assert not unreachable.value.retryable
    assert seen.notices == []
