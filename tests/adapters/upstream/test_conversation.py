"""One question over HTTP: its connection, its silence and its end."""

import asyncio
import contextlib
import gc
import ssl
import weakref
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import json
from msgspec.structs import replace

from angelia.adapters.upstream import Timeouts
from angelia.adapters.upstream.conversation import _apart  # pyright: ignore[reportPrivateUsage]
from angelia.adapters.upstream.endpoint import ProtocolName
from angelia.errors import (
    UpstreamError,
    UpstreamGarbled,
    UpstreamRefused,
    UpstreamStalled,
    UpstreamUnreachable,
    UpstreamUnusable,
)
from angelia.surfaces.upstream.script import Fault, Script, Step
from angelia.surfaces.upstream.server import UpstreamServer
from tests.adapters.upstream.asking import (
    ANSWER,
    FOREVER,
    PATIENT,
    PROTOCOLS,
    SOON_GONE_ON,
    Seen,
    endpoint,
    names,
    patience,
    prompt,
    upstream,
)
from tests.adapters.upstream.serving import STREAM_HEAD, Answer, Request, chunk, saying
from tests.wire.noise import bytes_of, cut

HELLO = b'data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'


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
        model = pool.model(endpoint(server.base_url, protocol))
        with pytest.raises(UpstreamRefused):
            await model.ask(prompt(), Seen().emit)
        await model.ask(prompt(), Seen().emit)
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
        there = endpoint(server.base_url, protocol, timeouts=patience(fault))
        with pytest.raises(UpstreamStalled):
            await pool.model(there).ask(prompt(), Seen().emit)
        await server.departed()


async def test_a_slow_listener_is_not_taken_for_a_silent_provider():
    script = Script((Step(text="one two", pace=0.01),))

    async def dawdle(_: object) -> None:
        await asyncio.sleep(SOON_GONE_ON.between_chunks * 2)

    async with UpstreamServer(script) as server, upstream() as pool:
        model = pool.model(endpoint(server.base_url, timeouts=SOON_GONE_ON))
        reply = await model.ask(prompt(), dawdle)
    assert reply.message.text == "one two"


@pytest.mark.parametrize(
    "fault",
    [
        Fault(cut="text"),
        Fault(no_finish="text"),
        Fault(malformed="text"),
        Fault(error_event="overloaded_error", after="text"),
    ],
    ids=names,
)
async def test_what_came_before_a_fault_is_shown_though_both_came_at_once(
    protocol: ProtocolName, fault: Fault
):
    step = Step("one two three four", fault=fault)
    async with UpstreamServer(Script((step,))) as server, upstream() as pool:
        seen = Seen()
        with pytest.raises(UpstreamError):
            await pool.model(endpoint(server.base_url, protocol)).ask(prompt(), seen.emit)
    assert "".join(delta.text for delta in seen.deltas) == "one two"


async def test_what_arrives_together_is_shown_together():
    async with UpstreamServer(Script((Step(text="word " * 200),))) as server, upstream() as pool:
        seen = Seen()
        await pool.model(endpoint(server.base_url)).ask(prompt(), seen.emit)
    assert "".join(delta.text for delta in seen.deltas) == "word " * 200
    assert len(seen.deltas) == len(seen.batches) < 50


async def test_nobody_listening_is_unreachable():
    async with UpstreamServer() as server:
        gone = server.base_url
    async with upstream() as pool:
        with pytest.raises(UpstreamUnreachable) as unreachable:
            await pool.model(endpoint(gone)).ask(prompt(), Seen().emit)
    assert type(unreachable.value) is UpstreamUnreachable


async def test_a_connection_that_never_comes_about_is_unreachable_whatever_the_other_budgets():
    silent = asyncio.Event()

    async def listen(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await silent.wait()
        writer.close()

    server = await asyncio.start_server(listen, "127.0.0.1", 0)
    # Nobody answers the greeting that a secure connection begins with.
    url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    hasty = Timeouts(connect=0.2, first_token=0.01, between_chunks=0.01, whole=0.01)
    async with upstream() as pool:
        with pytest.raises(UpstreamUnreachable, match=r"No connection to .* within 0.2 s"):
            await pool.model(endpoint(url, timeouts=hasty)).ask(prompt(), Seen().emit)
    silent.set()
    server.close()
    await server.wait_closed()


async def test_a_server_that_does_not_speak_http_is_garbled():
    async def mumble(_: Request) -> AsyncIterator[bytes]:
        yield b"mumble mumble\r\n\r\n"

    async with saying(mumble) as url, upstream() as pool:
        model = pool.model(endpoint(url))
        with pytest.raises(UpstreamGarbled):
            await model.ask(prompt(), Seen().emit)


async def test_a_key_is_not_carried_to_where_a_provider_points():
    async with UpstreamServer() as other:

        async def point(_: Request) -> AsyncIterator[bytes]:
            there = f"{other.base_url}/chat/completions".encode()
            yield b"HTTP/1.1 307 Elsewhere\r\nLocation: %b\r\nContent-Length: 0\r\n\r\n" % there

        async with saying(point) as url, upstream() as pool:
            model = pool.model(endpoint(url))
            with pytest.raises(UpstreamRefused):
                await model.ask(prompt(), Seen().emit)
        assert list(other.requests) == []


async def test_a_stream_that_ends_right_behind_its_last_line_is_whole():
    async def hurry(_: Request) -> AsyncIterator[bytes]:
        yield STREAM_HEAD + chunk(b'data: {"choices":[{"delta":{"content":"hi"}}]}\n\n')
        yield chunk(b'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}') + chunk(b"")

    async with saying(hurry) as url, upstream() as pool:
        reply = await pool.model(endpoint(url)).ask(prompt(), Seen().emit)
    assert reply.message.text == "hi"


async def test_an_answer_that_ends_a_little_late_leaves_its_connection_to_the_next():
    connections: list[int] = []

    async def linger(request: Request) -> AsyncIterator[bytes]:
        connections.append(request.connection)
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

    async def forget(request: Request) -> AsyncIterator[bytes]:
        connections.append(request.connection)
        yield STREAM_HEAD + chunk(HELLO)
        await asyncio.Event().wait()

    async with saying(forget) as url, upstream() as pool:
        model = pool.model(endpoint(url))
        replies = [await model.ask(prompt(), Seen().emit) for _ in range(2)]
    assert [reply.message.text for reply in replies] == ["hi", "hi"]
    assert connections == [1, 2]


@pytest.mark.parametrize("base_url", ["not a url", "ftp://127.0.0.1/x", "http://"])
async def test_an_address_that_is_none_is_unusable(base_url: str):
    async with upstream() as pool:
        with pytest.raises(UpstreamUnusable):
            await pool.model(endpoint(base_url)).ask(prompt(), Seen().emit)


async def test_a_certificate_that_nobody_trusts_is_unusable():
    secure = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    secure.load_cert_chain(Path(__file__).with_name("untrusted.pem"))
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0, ssl=secure)
    url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with upstream() as pool:
        with pytest.raises(UpstreamUnusable, match="certificate"):
            await pool.model(endpoint(url)).ask(prompt(), Seen().emit)
    server.close()


async def test_a_key_that_cannot_be_sent_is_unusable_and_not_told():
    async with UpstreamServer() as server, upstream() as pool:
        model = pool.model(endpoint(server.base_url, key="secret-one\r\nsecret-two"))
        with pytest.raises(UpstreamUnusable) as unusable:
            await model.ask(prompt(), Seen().emit)
    assert "secret" not in str(unusable.value)


# ── what answers are called ─────────────────────────────────────────────────────────────────

WHOLE = b'{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}'


def answering(head: str, body: bytes) -> Answer:
    async def answer(_: Request) -> AsyncIterator[bytes]:
        yield f"HTTP/1.1 200 OK\r\nConnection: close\r\n{head}\r\n".encode() + body

    return answer


@pytest.mark.parametrize(
    "head",
    [
        "",
        "Content-Type: text/plain\r\n",
        "Content-Type: text/event-stream\r\n",
        "Content-Type: application/octet-stream\r\n",
    ],
)
async def test_an_answer_in_one_piece_is_known_whatever_it_is_called(head: str):
    async with saying(answering(head, WHOLE), once=True) as url, upstream() as pool:
        reply = await pool.model(endpoint(url)).ask(prompt(), Seen().emit)
    assert reply.message.text == "hi"


@pytest.mark.parametrize(
    ("head", "body", "words"),
    [
        ("Content-Type: text/html\r\n", b"<html>Log in</html>", "page for people"),
        ("Content-Type: application/json\r\n", b"<html>Log in</html>", "page for people"),
        ("Content-Encoding: br\r\n", HELLO, "compresses"),
        ("Content-Encoding: gzip\r\n", HELLO, "compresses"),
        ("", b'{"choices": "' + b"a" * (17 << 20), "cannot be read"),
    ],
)
async def test_what_is_no_answer_is_not_called_an_empty_one(head: str, body: bytes, words: str):
    async with saying(answering(head, body), once=True) as url, upstream() as pool:
        with pytest.raises(UpstreamGarbled, match=words):
            await pool.model(endpoint(url)).ask(prompt(), Seen().emit)


async def test_an_error_with_status_200_keeps_its_words():
    body = b'{"code": 1302, "msg": "Too many requests", "success": false}'
    async with saying(answering("", body), once=True) as url, upstream() as pool:
        with pytest.raises(UpstreamRefused, match="Too many requests"):
            await pool.model(endpoint(url)).ask(prompt(), Seen().emit)


# ── silence ─────────────────────────────────────────────────────────────────────────────────


async def pinging(_: Request) -> AsyncIterator[bytes]:
    """One word, then comments for as long as somebody listens."""
    yield STREAM_HEAD + chunk(b'data: {"choices":[{"delta":{"content":"hi"}}]}\n\n')
    while True:
        yield chunk(b": ping\n\n")
        await asyncio.sleep(0.005)


async def only_pinging(_: Request) -> AsyncIterator[bytes]:
    yield STREAM_HEAD
    while True:
        yield chunk(b": ping\n\n")
        await asyncio.sleep(0.005)


@pytest.mark.parametrize(
    ("answer", "words"), [(pinging, "fell silent"), (only_pinging, "no answer")]
)
async def test_pings_alone_do_not_keep_a_run_waiting_forever(answer: Answer, words: str):
    short = replace(PATIENT, first_token=0.1, between_chunks=0.05)
    async with saying(answer) as url, upstream() as pool:
        with pytest.raises(UpstreamStalled, match=words):
            await pool.model(endpoint(url, timeouts=short)).ask(prompt(), Seen().emit)


async def test_pings_bridge_a_silence_that_is_longer_than_the_budget():
    async def ponder(_: Request) -> AsyncIterator[bytes]:
        yield STREAM_HEAD + chunk(b'data: {"choices":[{"delta":{"content":"hm "}}]}\n\n')
        for _ in range(10):
            yield chunk(b": ping\n\n")
            await asyncio.sleep(0.05)
        yield chunk(HELLO) + chunk(b"")

    short = replace(PATIENT, between_chunks=0.3)
    async with saying(ponder) as url, upstream() as pool:
        reply = await pool.model(endpoint(url, timeouts=short)).ask(prompt(), Seen().emit)
    assert reply.message.text == "hm hi"


async def test_a_call_that_is_held_back_while_it_is_written_is_no_silence():
    words = ['{"name": "terminal", "arguments": {"command": "', *["ls "] * 12, '"}}']

    async def write(_: Request) -> AsyncIterator[bytes]:
        yield STREAM_HEAD
        for word in words:
            said = json.encode({"choices": [{"delta": {"content": word}}]})
            yield chunk(b"data: %b\n\n" % said)
            await asyncio.sleep(0.05)
        end = b'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
        yield chunk(end) + chunk(b"")

    short = replace(PATIENT, first_token=0.3, between_chunks=0.1)
    async with saying(write) as url, upstream() as pool:
        model = pool.model(endpoint(url, timeouts=short, text_calls=True))
        reply = await model.ask(prompt(), Seen().emit)
    assert [call.arguments for call in reply.message.calls] == ['{"command": "%s"}' % ("ls " * 12)]


async def test_a_whole_answer_may_take_longer_than_the_first_token_of_a_stream():
    async def whole(_: Request) -> AsyncIterator[bytes]:
        body = b'{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}'
        yield b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % (
            len(body)
        )
        await asyncio.sleep(0.3)
        yield body

    short = replace(PATIENT, first_token=0.15, between_chunks=0.05)
    async with saying(whole) as url, upstream() as pool:
        reply = await pool.model(endpoint(url, timeouts=short)).ask(prompt(), Seen().emit)
    assert reply.message.text == "hi"


# ── any bytes ───────────────────────────────────────────────────────────────────────────────

HEADS = (
    STREAM_HEAD,
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n",
    b"HTTP/1.1 500 No\r\nConnection: close\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nSet-Cookie: \xff=;;=\r\nContent-Type: x/\xff; charset=nope\r\n\r\n",
    b"HTTP/1.1 ",
    b"",
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    protocol=st.sampled_from(PROTOCOLS),
    head=st.sampled_from(HEADS),
    data=st.data(),
    stream=st.booleans(),
)
def test_whatever_bytes_come_they_are_a_reply_or_an_upstream_error(
    protocol: ProtocolName, head: bytes, data: st.DataObject, stream: bool
):
    sent = head + data.draw(bytes_of(protocol))
    pieces = cut(sent, data.draw(st.lists(st.integers(1, 200), max_size=4)))

    async def blurt(_: Request) -> AsyncIterator[bytes]:
        for piece in pieces:
            yield piece
        yield b""

    async def ask() -> None:
        async with saying(blurt, once=True) as url, upstream() as pool:
            model = pool.model(endpoint(url, protocol, stream=stream))
            with contextlib.suppress(UpstreamError):
                reply = await model.ask(prompt(), Seen().emit)
                assert reply.message.parts

    asyncio.run(ask())


@pytest.mark.parametrize("fault", [None, UpstreamGarbled("noise")])
def test_what_a_stream_held_goes_with_its_end(fault: UpstreamGarbled | None) -> None:
    """Else it stays until old garbage is collected, and a provider that fails makes a lot."""

    class Held:
        """What a reader holds of an answer."""

    refs: list[weakref.ref[Held]] = []

    async def work() -> None:
        held = Held()
        refs.append(weakref.ref(held))
        await asyncio.sleep(0)
        if fault is not None:
            raise UpstreamGarbled(*fault.args)

    async def ask() -> None:
        with contextlib.suppress(UpstreamGarbled):
            await _apart(work())

    gc.disable()
    try:
        asyncio.run(ask())
        assert refs[0]() is None
    finally:
        gc.enable()
