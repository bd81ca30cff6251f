"""Every fault of a model provider has an outcome: none hangs, none is reported as success."""

import asyncio
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.http import Client
from tests.support.server import AngeliaServer, UpstreamProcess

PROTOCOLS = ("chat", "responses", "anthropic")
CONFIG = """
[model]
base_url = "{url}"
protocol = "{protocol}"
name = "scripted"
key = "{key}"
retries = 1

[model.timeouts]
connect = 2
first_token = 1
between_chunks = 1
whole = 1
"""

# What was asked, and the words that say what goes wrong with the answer.
TEXT = "long 20"
TOOL = "`echo hi`"
THOUGHT = "think"
SECRET = "sk-test-0123456789abcdef"
RECOVERED = [
    (TEXT, "status=500 times=1"),
    (TEXT, "status=529 times=1"),
    (TEXT, "status=429 retry_after=0 times=1"),
    (TEXT, "cut=start times=1"),
    (TEXT, "stall=start times=1"),
    (TEXT, "empty times=1"),
    (TEXT, "error_event=overloaded_error times=1"),
    (TEXT, "malformed times=1"),
    (TEXT, "no_stream=ignore"),
    (TEXT, "delay_first=0.3"),
    (TEXT, "no_usage"),
    (TEXT, "trickle=7"),
    (TOOL, "trickle=7"),
    (TOOL, "status=503 times=1"),
]
CUT_OFF = [
    (TEXT, "stall=text"),
    (TOOL, "stall=arguments"),
    (TEXT, "cut=text"),
    (TOOL, "cut=arguments"),
    (TEXT, "no_finish"),
]
FAILED = [
    (TEXT, "status=500", "upstream_refused"),
    (TEXT, "status=429 retry_after=0", "upstream_refused"),
    (TEXT, "status=400", "upstream_refused"),
    (TEXT, "status=401", "upstream_refused"),
    (TEXT, "status=404", "upstream_refused"),
    (TEXT, "delay_first=30", "upstream_stalled"),
    (TEXT, "cut=start", "upstream_unreachable"),
    (TEXT, "error_event=overloaded_error", "upstream_refused"),
    (TEXT, "error_event=overloaded_error after=text", "upstream_refused"),
    (TEXT, "malformed", "upstream_garbled"),
    (TEXT, "empty", "upstream_garbled"),
    (THOUGHT, "stall=reasoning", "upstream_stalled"),
    (THOUGHT, "cut=reasoning", "upstream_unreachable"),
    (TEXT, f"status=400 body={SECRET}", "upstream_refused"),
]


@pytest.fixture(scope="module", params=PROTOCOLS)
def faulty(request: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AngeliaServer]:
    """A server whose provider does as it is told in each message."""
    with provided(tmp_path_factory.mktemp(request.param), request.param) as server:
        yield server


@contextmanager
def provided(folder: Path, protocol: str) -> Iterator[AngeliaServer]:
    upstream = UpstreamProcess(folder)
    server = AngeliaServer(folder / "server")
    try:
        upstream.start()
        config = CONFIG.format(url=upstream.url, protocol=protocol, key=SECRET)
        (server.home / "angelia.toml").write_text(config)
        server.start()
        yield server
    finally:
        server.kill()
        upstream.kill()


def prompt(text: str, fault: str) -> str:
    """Never the same twice, since a fault that passes is counted by request."""
    return f"{text} [[fault {fault}]] {secrets.token_hex(4)}"


def ask(text: str, fault: str, **more: Any) -> dict[str, Any]:
    message = {"role": "user", "content": prompt(text, fault)}
    return {"model": "angelia", "messages": [message], **more}


async def outcomes(server: AngeliaServer, text: str, fault: str) -> tuple[Any, Any, Any]:
    """The whole answer, the frames of a stream, and the end of a run: three views of one fault."""
    async with Client(server.url, server.key) as client:
        return await asyncio.gather(
            client.post("/v1/chat/completions", ask(text, fault)),
            frames_of(client, ask(text, fault, stream=True)),
            end_of(client, prompt(text, fault)),
        )


async def frames_of(client: Client, body: dict[str, Any]) -> list[str]:
    async with client.open("POST", "/v1/chat/completions", body) as reader:
        if reader.status != 200:
            return [(await reader.read()).decode()]
        return [frame.data async for frame in reader.frames() if not frame.comment]


async def end_of(client: Client, text: str) -> Any:
    run = await client.post("/v1/runs", {"input": text})
    last = None
    async for frame in client.stream(f"/v1/runs/{run.json['run_id']}/events"):
        last = frame.json if frame.comment is None else last
    return last


@pytest.mark.parametrize(("text", "fault"), RECOVERED)
async def test_a_fault_that_passes_is_survived(faulty, text: str, fault: str) -> None:
    whole, frames, last = await outcomes(faulty, text, fault)
    assert whole.status == 200, whole.body
    assert whole.json["choices"][0]["message"]["content"]
    assert whole.json["choices"][0]["finish_reason"] == "stop"
    assert frames[-1] == "[DONE]"
    assert '"finish_reason":"stop"' in frames[-2]
    assert not any('"error"' in frame for frame in frames)
    assert last["event"] == "run.completed"


@pytest.mark.parametrize(("text", "fault", "code"), FAILED)
async def test_a_fault_that_stays_is_told_on_every_surface(
    faulty, text: str, fault: str, code: str
) -> None:
    whole, frames, last = await outcomes(faulty, text, fault)
    assert whole.status == 502
    assert whole.json["error"]["type"] == "upstream_error"
    assert whole.json["error"]["code"] == code
    assert whole.headers["X-Angelia-Run-Id"].startswith("run_")
    failure = [frame for frame in frames if '"error"' in frame]
    assert len(failure) == 1
    assert f'"{code}"' in failure[0]
    assert "finish_reason" not in failure[0]
    assert last["event"] == "run.failed"
    assert last["error"]["code"] == code
    told = str((whole.body, frames, last))
    assert SECRET not in told


@pytest.mark.parametrize(("text", "fault"), CUT_OFF)
async def test_an_answer_that_nobody_completes_is_delivered_as_far_as_it_came(
    faulty, text: str, fault: str
) -> None:
    whole, frames, last = await outcomes(faulty, text, fault)
    assert whole.status == 200
    choice = whole.json["choices"][0]
    assert choice["finish_reason"] == "length"
    assert choice["message"]["content"]
    assert ("terminal" in choice["message"]["content"]) == (text == TOOL)
    assert '"finish_reason":"length"' in frames[-2]
    assert (last["event"], last["finish_reason"]) == ("run.completed", "length")


async def test_a_failed_upstream_stream_never_says_that_it_finished(faulty) -> None:
    _, frames, _ = await outcomes(faulty, TEXT, "cut=text")
    assert not any('"finish_reason":"stop"' in frame for frame in frames)


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_provider_that_cannot_stream_is_asked_without(tmp_path, protocol: str) -> None:
    with provided(tmp_path, protocol) as server:
        whole, frames, last = await outcomes(server, TEXT, "no_stream=refuse")
        assert whole.status == 200
        assert frames[-1] == "[DONE]"
        assert last["event"] == "run.completed"
        whole, _, last = await outcomes(server, TEXT, "stall=text")
        assert whole.json["error"]["code"] == last["error"]["code"] == "upstream_stalled"
