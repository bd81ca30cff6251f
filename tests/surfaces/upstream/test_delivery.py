"""What faults look like from the other end of the wire, in every protocol."""

import asyncio
import re
from typing import Any

import aiohttp
import pytest

from angelia.surfaces.upstream.script import Call, Fault, Script, Step
from angelia.surfaces.upstream.server import UpstreamServer

HELLO = {"role": "user", "content": "hello"}
CHAT = {"model": "m", "messages": [HELLO]}
BODIES: dict[str, dict[str, Any]] = {
    "/chat/completions": CHAT,
    "/responses": {"model": "m", "input": [HELLO]},
    "/messages": {**CHAT, "max_tokens": 99},
}
VERSION = {"anthropic-version": "2023-06-01"}
ANSWER = Step("one two three four", calls=(Call("terminal", {"command": "ls -la"}),), repeat=True)
SIGNS = {
    "/chat/completions": ": still at it\n\n",
    "/responses": "event: keepalive\n",
    "/messages": "event: ping\n",
}
every_protocol = pytest.mark.parametrize("path", list(BODIES))


class Seen:
    """What arrived of an answer, and why no more of it did."""

    def __init__(self) -> None:
        self.status = 0
        self.kind = ""
        self.body = b""
        self.broken: type[Exception] | None = None


async def seen(path: str, fault: Fault, *, stream: bool = True, enough: str = "") -> Seen:
    """Leaves once `enough` has come, a pattern."""
    script = Script((Step(ANSWER.text, calls=ANSWER.calls, repeat=True, fault=fault),))
    asked = {**BODIES[path], "stream": stream}
    found = Seen()
    async with UpstreamServer(script) as server, aiohttp.ClientSession(headers=VERSION) as client:
        try:
            async with client.post(server.base_url + path, json=asked) as response:
                found.status, found.kind = response.status, response.content_type
                while piece := await response.content.readany():
                    found.body += piece
                    if enough and re.search(enough.encode(), found.body, re.DOTALL):
                        break
        except aiohttp.ClientError as error:
            found.broken = type(error)
    return found


@every_protocol
async def test_an_answer_without_a_head(path: str):
    assert (await seen(path, Fault(reset=True))).broken is aiohttp.ClientOSError
    assert (await seen(path, Fault(cut="start"))).broken is aiohttp.ServerDisconnectedError
    garbled = (await seen(path, Fault(garbage=True))).broken
    assert garbled is not None
    assert issubclass(garbled, aiohttp.ClientResponseError)


async def test_a_server_that_hangs_says_nothing_until_its_client_leaves():
    async with (
        UpstreamServer(Script((Step(fault=Fault(hang=True)),))) as server,
        aiohttp.ClientSession() as client,
    ):
        url = server.base_url + "/chat/completions"
        asking = asyncio.create_task(client.post(url, json=CHAT).__aenter__())
        await server.asked()
        asking.cancel()
        await server.departed()
    assert asking.cancelled()


@every_protocol
@pytest.mark.parametrize("stream", [True, False])
async def test_signs_of_life_go_on_without_an_answer(path: str, stream: bool):
    sign = SIGNS[path] if stream else "\n"
    found = await seen(path, Fault(comments="start"), stream=stream, enough=f"{sign}.*{sign}")
    assert found.status == 200
    assert b"one" not in found.body


@every_protocol
async def test_signs_of_life_may_begin_in_the_middle(path: str):
    found = await seen(path, Fault(comments="text"), enough=f"two.*{SIGNS[path]}")
    assert b"three" not in found.body


@every_protocol
async def test_an_answer_may_break_off_as_if_it_were_whole(path: str):
    found = await seen(path, Fault(no_finish="arguments"))
    assert found.broken is None
    assert b"four" in found.body
    assert b"la" not in found.body.split(b"four")[-1].replace(b"delta", b"")


@every_protocol
@pytest.mark.parametrize(
    ("how", "status", "kind"),
    [
        ("refuse", 400, "application/json"),
        ("error", 200, "application/json"),
        ("event", 200, "text/event-stream"),
    ],
)
async def test_there_are_three_ways_not_to_stream(path: str, how: Any, status: int, kind: str):
    found = await seen(path, Fault(no_stream=how))
    assert (found.status, found.kind) == (status, kind)
    assert b"Streaming is not supported" in found.body
    whole = await seen(path, Fault(no_stream=how), stream=False)
    assert whole.status == 200
    assert b"one two three four" in whole.body


@every_protocol
@pytest.mark.parametrize("stream", [True, False])
async def test_a_giant_piece_is_one_piece(path: str, stream: bool):
    found = await seen(path, Fault(giant=300_000), stream=stream)
    assert max(len(line) for line in found.body.split(b"\n")) > 300_000


@every_protocol
async def test_lines_may_end_otherwise(path: str):
    found = await seen(path, Fault(crlf=True, bom=True))
    assert found.body.startswith(b"\xef\xbb\xbf")
    assert found.body.count(b"\r\n") == found.body.count(b"\n") > 9


@every_protocol
async def test_a_prompt_that_is_too_long_is_refused_in_the_words_of_its_protocol(path: str):
    words = {
        "/chat/completions": b"maximum context length is 5 tokens",
        "/responses": b"exceeds the context window",
        "/messages": b"tokens > 5 maximum",
    }
    found = await seen(path, Fault(overflow=5))
    assert found.status == 400
    assert words[path] in found.body
    assert (await seen(path, Fault(overflow=500))).status == 200


async def test_headers_go_with_a_fault():
    fault = Fault(status=429, headers={"x-ratelimit-reset-requests": "1s"})
    async with (
        UpstreamServer(Script((Step(fault=fault),))) as server,
        aiohttp.ClientSession() as client,
        client.post(server.base_url + "/chat/completions", json=CHAT) as response,
    ):
        assert response.headers["x-ratelimit-reset-requests"] == "1s"


async def test_a_failure_of_the_model_ends_a_response():
    found = await seen("/responses", Fault(error_event="server_error", after="text"))
    assert b"two" in found.body
    assert b"event: response.failed\n" in found.body
    found = await seen("/responses", Fault(error_event="lost", after="text"))
    assert b"event: error\n" in found.body
    assert b'"code":null' in found.body
