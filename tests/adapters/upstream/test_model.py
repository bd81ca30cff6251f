"""Every fault of a provider, in every protocol, has one defined outcome."""

import subprocess
import sys
from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from angelia.adapters.upstream.endpoint import ProtocolName
from angelia.core.messages import Reasoning, Reply, ToolCall, ToolResult
from angelia.core.providers.verdict import GiveUp, judge
from angelia.core.redact import MASK
from angelia.errors import (
    UpstreamCutOff,
    UpstreamEmpty,
    UpstreamError,
    UpstreamGarbled,
    UpstreamLost,
    UpstreamRefused,
    UpstreamStalled,
)
from angelia.surfaces.upstream.script import ErrorEvent, Fault, Script, Step
from angelia.surfaces.upstream.server import UpstreamServer
from tests.adapters.upstream.asking import (
    ANSWER,
    FOREVER,
    PROTOCOLS,
    Seen,
    calls_of,
    endpoint,
    names,
    patience,
    prompt,
    upstream,
)
from tests.adapters.upstream.serving import Request, passed_on, plain, saying

CALL = ToolCall("call_a", "terminal", '{"command": "ls -la"}')
BAD_REQUEST = ErrorEvent("This is wrong.", "invalid_request_error")

Outcome = type[UpstreamError] | None  # None is a good answer


@pytest.fixture(params=PROTOCOLS)
def protocol(request: pytest.FixtureRequest) -> ProtocolName:
    return request.param


async def ask(fault: Fault, protocol: ProtocolName, *, stream: bool) -> tuple[Outcome, Seen]:
    """What came of one request, and what was seen of it."""
    script = Script((replace(ANSWER, fault=fault),))
    seen = Seen()
    async with UpstreamServer(script) as server, upstream() as pool:
        there = endpoint(server.base_url, protocol, timeouts=patience(fault), stream=stream)
        try:
            reply = await pool.model(there).ask(prompt(), seen.emit)
        except UpstreamError as error:
            failed = error
        else:
            assert reply.message.text == seen.text == ANSWER.text
            assert calls_of(reply) == seen.calls == [CALL]
            assert (reply.usage is None) == fault.no_usage
            return None, seen
        assert (failed.protocol, failed.streamed) == (protocol, stream)
        assert len(server.requests) == 1
        return type(failed), seen


REFUSED = [307, 400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 503, 529]

STREAMED: list[tuple[Fault, Outcome]] = [
    *((Fault(status=status), UpstreamRefused) for status in REFUSED),
    (Fault(error_event=ErrorEvent()), UpstreamRefused),
    (Fault(error_event=BAD_REQUEST), UpstreamRefused),
    # Silent.
    (Fault(delay_first=FOREVER), UpstreamStalled),
    (Fault(stall="start"), UpstreamStalled),
    (Fault(stall="reasoning"), UpstreamStalled),
    (Fault(stall="text"), UpstreamStalled),
    (Fault(stall="arguments"), UpstreamStalled),
    # Gone.
    (Fault(cut="start"), UpstreamLost),
    (Fault(cut="reasoning"), UpstreamLost),
    (Fault(cut="text"), UpstreamLost),
    (Fault(cut="arguments"), UpstreamLost),
    # Broken off.
    (Fault(error_event=ErrorEvent(), after="text"), UpstreamRefused),
    (Fault(error_event=ErrorEvent(), after="arguments"), UpstreamRefused),
    (Fault(malformed=True), UpstreamGarbled),
    (Fault(no_finish=True), UpstreamCutOff),
    # Odd, but no fault.
    (Fault(no_usage=True), None),
    (Fault(trickle=61), None),
    (Fault(no_stream="ignore"), None),
]

WHOLE: list[tuple[Fault, Outcome]] = [
    *((Fault(status=status), UpstreamRefused) for status in REFUSED),
    (Fault(error_event=ErrorEvent()), UpstreamRefused),
    (Fault(error_event=BAD_REQUEST), UpstreamRefused),
    (Fault(delay_first=FOREVER), UpstreamStalled),
    (Fault(stall="text"), UpstreamStalled),
    (Fault(cut="start"), UpstreamLost),
    (Fault(cut="text"), UpstreamLost),
    (Fault(malformed=True), UpstreamGarbled),
    (Fault(empty=True), UpstreamGarbled),
    (Fault(no_usage=True), None),
    (Fault(trickle=61), None),
]


@pytest.mark.parametrize(("fault", "outcome"), STREAMED, ids=names)
async def test_a_fault_in_a_stream_has_its_outcome(
    protocol: ProtocolName, fault: Fault, outcome: Outcome
):
    came, _ = await ask(fault, protocol, stream=True)
    assert came == outcome


@pytest.mark.parametrize(("fault", "outcome"), WHOLE, ids=names)
async def test_a_fault_in_a_whole_answer_has_its_outcome(
    protocol: ProtocolName, fault: Fault, outcome: Outcome
):
    came, _ = await ask(fault, protocol, stream=False)
    assert came == outcome


async def test_a_stream_of_nothing_is_no_answer(protocol: ProtocolName):
    came, _ = await ask(Fault(empty=True), protocol, stream=True)
    assert came is UpstreamEmpty


async def test_a_half_shown_answer_is_never_completed_by_another_one(protocol: ProtocolName):
    _, seen = await ask(Fault(cut="arguments", times=1), protocol, stream=True)
    assert seen.text == ANSWER.text
    assert CALL not in seen.calls


async def test_what_the_provider_says_about_waiting_is_kept(protocol: ProtocolName):
    script = Script((replace(ANSWER, fault=Fault(status=429, retry_after=7)),))
    async with UpstreamServer(script) as server, upstream() as pool:
        with pytest.raises(UpstreamRefused) as refused:
            await pool.model(endpoint(server.base_url, protocol)).ask(prompt(), Seen().emit)
    assert refused.value.headers == {"retry-after": "7"}


async def test_the_key_and_the_model_reach_the_provider(protocol: ProtocolName):
    async with UpstreamServer(Script((ANSWER,), key="the-secret-of-1")) as server:
        async with upstream() as pool:
            extra = {"X-Extra": "yes"}
            there = endpoint(server.base_url, protocol, headers=extra)
            await pool.model(there).ask(prompt(), Seen().emit)
            assert server.requests[0].headers["x-extra"] == "yes"
            assert b'"scripted"' in bytes(server.requests[0].body)
            other = pool.model(endpoint(server.base_url, protocol, key="another-key-2"))
            with pytest.raises(UpstreamRefused) as refused:
                await other.ask(prompt(), Seen().emit)
        assert refused.value.status == 401


async def test_each_key_has_a_model_and_all_share_what_is_learnt(protocol: ProtocolName):
    script = Script((replace(ANSWER, fault=Fault(no_stream="refuse")),), key="the-secret-of-2")
    async with UpstreamServer(script) as server, upstream() as pool:
        keys = ("the-secret-of-1", "the-secret-of-2", "the-secret-of-2")
        one, two, three = pool.models(endpoint(server.base_url, protocol), keys)
        with pytest.raises(UpstreamRefused) as refused:
            await one.ask(prompt(), Seen().emit)
        assert refused.value.status == 401
        await two.ask(prompt(), Seen().emit)
        await three.ask(prompt(), Seen().emit)
        assert streamed(server) == [True, True, False, False]


async def test_without_keys_there_is_one_model():
    async with UpstreamServer(Script((ANSWER,))) as server, upstream() as pool:
        (model,) = pool.models(endpoint(server.base_url, key=None), ())
        await model.ask(prompt(), Seen().emit)
        assert "authorization" not in server.requests[0].headers


@pytest.mark.parametrize("status", [401, 503])
async def test_no_error_carries_a_key(protocol: ProtocolName, status: int):
    told = "Bad key the-secret-of-1, sk-proj-abcdef123456, Bearer abcdef0123456789, odd-header-9"
    fault = Fault(status=status, body={"error": {"message": told, "type": told, "code": told}})
    script = Script((Step(fault=fault, repeat=True),))
    async with UpstreamServer(script) as server, upstream() as pool:
        headers = {"X-Proxy-Token": "odd-header-9"}
        model = pool.model(endpoint(server.base_url, protocol, headers=headers))
        with pytest.raises(UpstreamRefused) as refused:
            await model.ask(prompt(), Seen().emit)
    error = refused.value
    assert MASK in str(error)
    for text in (str(error), str(vars(error))):
        for secret in ("the-secret-of-1", "abcdef", "odd-header-9"):
            assert secret not in text


@pytest.mark.parametrize("start", range(460, 500, 6))
async def test_no_excerpt_of_an_error_ends_in_half_a_key(protocol: ProtocolName, start: int):
    told = "x " * (start // 2) + "the-secret-of-1 " + "y " * 500
    fault = Fault(status=500, body={"error": {"message": told}})
    async with UpstreamServer(Script((Step(fault=fault),))) as server, upstream() as pool:
        with pytest.raises(UpstreamRefused) as refused:
            await pool.model(endpoint(server.base_url, protocol)).ask(prompt(), Seen().emit)
    assert "the" not in str(refused.value)
    assert str(refused.value).endswith("…")


# ── no streaming ────────────────────────────────────────────────────────────────────────────


def streamed(server: UpstreamServer) -> list[bool]:
    """Which of the requests asked for a stream."""
    return [b'"stream":true' in bytes(sent.body) for sent in server.requests]


NO_STREAMING = "Streaming is not supported by this model."
REFUSALS = {
    "as HTTP 400": plain(400, "application/json", b'{"error":{"message":"%b"}}'),
    "as HTTP 501": plain(501, "text/plain", b"%b"),
    "in a body with 200": plain(200, "application/json", b'{"error":{"message":"%b"}}'),
    "as an event": plain(200, "text/event-stream", b'event: error\ndata: {"message":"%b"}\n\n'),
    "as an error in an event": plain(
        200, "text/event-stream", b'data: {"error":{"message":"%b"}}\n\n'
    ),
}


@pytest.mark.parametrize("refusal", REFUSALS.values(), ids=REFUSALS)
async def test_a_turn_goes_on_without_streaming_and_the_next_begins_so(
    protocol: ProtocolName, refusal: bytes
):
    asked: list[bool] = []
    async with UpstreamServer(Script((ANSWER,))) as good:

        async def answer(request: Request) -> AsyncIterator[bytes]:
            stream = b'"stream":true' in request.body
            asked.append(stream)
            yield refusal % NO_STREAMING.encode() if stream else await passed_on(request, good.port)

        async with saying(answer) as url, upstream() as pool:
            model = pool.model(endpoint(f"{url}/v1", protocol))
            for _ in range(2):
                seen = Seen()
                reply = await model.ask(prompt(), seen.emit)
                assert reply.message.text == seen.text == ANSWER.text
                assert calls_of(reply) == seen.calls == [CALL]
    assert asked == [True, False, False]


async def test_a_provider_that_answers_neither_way_is_asked_twice(protocol: ProtocolName):
    fault = Fault(status=400, body={"error": {"message": NO_STREAMING}})
    script = Script((replace(ANSWER, fault=fault),))
    async with UpstreamServer(script) as server, upstream() as pool:
        model = pool.model(endpoint(server.base_url, protocol))
        with pytest.raises(UpstreamRefused) as refused:
            await model.ask(prompt(), Seen().emit)
        assert streamed(server) == [True, False]
    assert judge(refused.value, "nothing", 0) == GiveUp()


async def test_streaming_is_not_given_up_where_the_question_is_refused_without_it_too(
    protocol: ProtocolName,
):
    fault = Fault(status=400, times=2, body={"error": {"message": NO_STREAMING}})
    async with UpstreamServer(Script((replace(ANSWER, fault=fault),))) as server:
        async with upstream() as pool:
            model = pool.model(endpoint(server.base_url, protocol))
            with pytest.raises(UpstreamRefused):
                await model.ask(prompt(), Seen().emit)
            await model.ask(prompt(), Seen().emit)
        assert streamed(server) == [True, False, True]


async def test_a_server_that_does_not_count_still_streams():
    told = {"error": {"message": "Unrecognized request argument supplied: stream_options"}}
    refused = replace(ANSWER, fault=Fault(status=400, times=1, body=told))
    async with UpstreamServer(Script((refused, ANSWER))) as server, upstream() as pool:
        model = pool.model(endpoint(server.base_url, "chat"))
        for _ in range(2):
            assert (await model.ask(prompt(), Seen().emit)).message.text == ANSWER.text
        assert streamed(server) == [True, True, True]
        asked = [b"stream_options" in bytes(seen.body) for seen in server.requests]
        assert asked == [True, False, False]


async def test_streaming_that_is_refused_in_the_middle_of_a_stream_is_an_error(
    protocol: ProtocolName,
):
    event = ErrorEvent(NO_STREAMING, "invalid_request_error")
    came, seen = await ask(Fault(error_event=event, after="text"), protocol, stream=True)
    assert came is UpstreamRefused
    assert seen.text


def test_the_http_client_is_not_imported_before_a_model_is_asked():
    program = "import sys, angelia.assembly.server; sys.exit('aiohttp' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize("second", PROTOCOLS)
async def test_what_one_provider_has_sealed_goes_back_to_it_and_to_nobody_else(
    protocol: ProtocolName, second: ProtocolName
):
    done = Step(text="done", repeat=True)
    one, other = Script((replace(ANSWER, repeat=False), done), mint="one"), Script((done,))
    async with UpstreamServer(one) as here, UpstreamServer(other) as there, upstream() as pool:
        first = pool.model(endpoint(here.base_url, protocol))
        reply = await first.ask(prompt(), Seen().emit)
        (seal,) = [p.seal for p in reply.message.parts if isinstance(p, Reasoning) and p.seal]
        results = tuple(ToolResult(call.id, "fine") for call in reply.message.calls)
        later = replace(prompt(), messages=(*prompt().messages, reply.message, *results))
        assert (await first.ask(later, Seen().emit)).message.text == "done"
        # Clients keep seals for us, and do not learn from them whom we ask.
        assert seal.mint
        assert "127.0.0.1" not in seal.mint
        elsewhere = pool.model(endpoint(there.base_url, second))
        assert (await elsewhere.ask(later, Seen().emit)).message.text == "done"


async def test_thoughts_without_an_answer_are_marked_as_well(protocol: ProtocolName):
    script = Script((Step(reasoning="hm hm"),))
    async with UpstreamServer(script) as server, upstream() as pool:
        there = endpoint(server.base_url, protocol)
        with pytest.raises(UpstreamEmpty) as empty:
            await pool.model(there).ask(prompt(), Seen().emit)
    assert isinstance(empty.value.reply, Reply)
    parts = empty.value.reply.message.parts
    assert [p.seal.mint for p in parts if isinstance(p, Reasoning) and p.seal] == [there.mint]
