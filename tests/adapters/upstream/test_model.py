"""Every fault of a provider, in every protocol, has one defined outcome."""

import subprocess
import sys

import pytest
from msgspec.structs import replace

from angelia.adapters.upstream.endpoint import ProtocolName
from angelia.core.messages import ToolCall
from angelia.core.redact import MASK
from angelia.errors import (
    UpstreamEmpty,
    UpstreamError,
    UpstreamGarbled,
    UpstreamRefused,
    UpstreamStalled,
    UpstreamUnreachable,
)
from angelia.surfaces.upstream.script import ErrorEvent, Fault, Script, Step
from angelia.surfaces.upstream.server import UpstreamServer
from tests.adapters.upstream.asking import (
    ANSWER,
    FOREVER,
    PROTOCOLS,
    HastyClock,
    Seen,
    calls_of,
    endpoint,
    names,
    patience,
    prompt,
    upstream,
)

CALL = ToolCall("call_a", "terminal", '{"command": "ls -la"}')
BAD_REQUEST = ErrorEvent("This is wrong.", "invalid_request_error")

Outcome = type[UpstreamError] | None  # None is a good answer


@pytest.fixture(params=PROTOCOLS)
def protocol(request: pytest.FixtureRequest) -> ProtocolName:
    return request.param


async def ask(fault: Fault, protocol: ProtocolName, *, stream: bool) -> tuple[Outcome, Seen, int]:
    """What came of it, what was seen, and how many requests it took."""
    script = Script((replace(ANSWER, fault=fault),))
    seen = Seen()
    async with UpstreamServer(script) as server, upstream() as pool:
        there = endpoint(server.base_url, protocol, timeouts=patience(fault), stream=stream)
        try:
            reply = await pool.model(there).ask(prompt(), seen.emit)
        except UpstreamError as error:
            return type(error), seen, len(server.requests)
        assert reply.message.text == seen.text == ANSWER.text
        assert calls_of(reply) == seen.calls == [CALL]
        assert (reply.usage is None) == fault.no_usage
        return None, seen, len(server.requests)


STREAMED: list[tuple[Fault, Outcome, int]] = [
    # Refused: asked again if that may help.
    (Fault(status=408, times=1), None, 2),
    (Fault(status=409, times=1), None, 2),
    (Fault(status=429, retry_after=1, times=1), None, 2),
    (Fault(status=500, times=2), None, 3),
    (Fault(status=529, times=1), None, 2),
    (Fault(status=503), UpstreamRefused, 3),
    (Fault(status=400), UpstreamRefused, 1),
    (Fault(status=401), UpstreamRefused, 1),
    (Fault(status=403), UpstreamRefused, 1),
    (Fault(status=404), UpstreamRefused, 1),
    (Fault(status=422), UpstreamRefused, 1),
    (Fault(status=307), UpstreamRefused, 1),
    (Fault(error_event=ErrorEvent()), UpstreamRefused, 3),
    (Fault(error_event=ErrorEvent(), times=1), None, 2),
    (Fault(error_event=BAD_REQUEST), UpstreamRefused, 1),
    # Silent.
    (Fault(delay_first=FOREVER), UpstreamStalled, 3),
    (Fault(delay_first=FOREVER, times=1), None, 2),
    (Fault(stall="start"), UpstreamStalled, 3),
    # Gone.
    (Fault(cut="start"), UpstreamUnreachable, 3),
    (Fault(cut="start", times=2), None, 3),
    # Something was shown, so nothing is asked again.
    (Fault(stall="reasoning"), UpstreamStalled, 1),
    (Fault(stall="text"), UpstreamStalled, 1),
    (Fault(stall="arguments"), UpstreamStalled, 1),
    (Fault(cut="reasoning"), UpstreamUnreachable, 1),
    (Fault(cut="text"), UpstreamUnreachable, 1),
    (Fault(cut="arguments"), UpstreamUnreachable, 1),
    (Fault(error_event=ErrorEvent(), after="text"), UpstreamRefused, 1),
    (Fault(error_event=ErrorEvent(), after="arguments"), UpstreamRefused, 1),
    (Fault(malformed=True), UpstreamGarbled, 1),
    (Fault(no_finish=True), UpstreamGarbled, 1),
    # Empty.
    (Fault(empty=True), UpstreamEmpty, 3),
    (Fault(empty=True, times=1), None, 2),
    # Odd, but no fault.
    (Fault(no_usage=True), None, 1),
    (Fault(trickle=61), None, 1),
    (Fault(no_stream="refuse"), None, 2),
    (Fault(no_stream="ignore"), None, 1),
]

WHOLE: list[tuple[Fault, Outcome, int]] = [
    (Fault(status=429, retry_after=1, times=1), None, 2),
    (Fault(status=503), UpstreamRefused, 3),
    (Fault(status=401), UpstreamRefused, 1),
    (Fault(error_event=ErrorEvent()), UpstreamRefused, 3),
    (Fault(error_event=BAD_REQUEST), UpstreamRefused, 1),
    (Fault(delay_first=FOREVER), UpstreamStalled, 3),
    (Fault(stall="text"), UpstreamStalled, 3),
    (Fault(cut="start"), UpstreamUnreachable, 3),
    (Fault(cut="text"), UpstreamUnreachable, 3),
    (Fault(cut="text", times=1), None, 2),
    (Fault(malformed=True), UpstreamGarbled, 3),
    (Fault(empty=True), UpstreamGarbled, 3),
    (Fault(no_usage=True), None, 1),
    (Fault(trickle=61), None, 1),
]


@pytest.mark.parametrize(("fault", "outcome", "requests"), STREAMED, ids=names)
async def test_a_fault_in_a_stream_has_its_outcome(
    protocol: ProtocolName, fault: Fault, outcome: Outcome, requests: int
):
    came, seen, asked = await ask(fault, protocol, stream=True)
    assert (came, asked) == (outcome, requests)
    switched = fault.no_stream == "refuse"
    assert [notice.code for notice in seen.notices] == ["retry"] * (asked - 1 - switched)


@pytest.mark.parametrize(("fault", "outcome", "requests"), WHOLE, ids=names)
async def test_a_fault_in_a_whole_answer_has_its_outcome(
    protocol: ProtocolName, fault: Fault, outcome: Outcome, requests: int
):
    came, _, asked = await ask(fault, protocol, stream=False)
    assert (came, asked) == (outcome, requests)


async def test_a_half_shown_answer_is_never_completed_by_another_one(protocol: ProtocolName):
    _, seen, _ = await ask(Fault(cut="arguments", times=1), protocol, stream=True)
    assert seen.text == ANSWER.text
    assert CALL not in seen.calls


async def test_a_provider_that_does_not_stream_is_asked_for_a_stream_only_once(
    protocol: ProtocolName,
):
    script = Script((replace(ANSWER, fault=Fault(no_stream="refuse")),))
    async with UpstreamServer(script) as server, upstream() as pool:
        model = pool.model(endpoint(server.base_url, protocol))
        await model.ask(prompt(), Seen().emit)
        await model.ask(prompt(), Seen().emit)
        assert [b'"stream":true' in bytes(sent.body) for sent in server.requests] == [
            True,
            False,
            False,
        ]


async def test_the_wait_is_the_one_the_provider_asks_for():
    script = Script((replace(ANSWER, fault=Fault(status=429, retry_after=7, times=1)),))
    async with UpstreamServer(script) as server, upstream() as pool:
        await pool.model(endpoint(server.base_url)).ask(prompt(), Seen().emit)
        assert isinstance(pool.clock, HastyClock)
        assert pool.clock.slept == [7.0]


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


@pytest.mark.parametrize("status", [401, 503])
async def test_no_error_and_no_notice_carries_a_key(protocol: ProtocolName, status: int):
    told = "Bad key the-secret-of-1, sk-proj-abcdef123456, Bearer abcdef0123456789, odd-header-9"
    fault = Fault(status=status, body={"error": {"message": told}})
    seen = Seen()
    script = Script((Step(fault=fault, repeat=True),))
    async with UpstreamServer(script) as server, upstream() as pool:
        headers = {"X-Proxy-Token": "odd-header-9"}
        model = pool.model(endpoint(server.base_url, protocol, headers=headers))
        with pytest.raises(UpstreamRefused) as refused:
            await model.ask(prompt(), seen.emit)
    shown = [str(refused.value), refused.value.message, *(n.message for n in seen.notices)]
    assert len(shown) == (2 if status == 401 else 4)
    for text in shown:
        assert MASK in text
        for secret in ("the-secret-of-1", "abcdef", "odd-header-9"):
            assert secret not in text


def test_the_http_client_is_not_imported_before_a_model_is_asked():
    program = "import sys, angelia.adapters.upstream; sys.exit('aiohttp' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
