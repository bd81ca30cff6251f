"""Local models that think in tags and write their calls as text, over real HTTP."""

import json
from collections.abc import Callable, Iterator
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
retries = 0
text_calls = {text_calls}
[approvals]
mode = "allow"
"""
THINKING = {
    "text": "<think>\nLet me see. 1 < 2\n</think>\n\nThe answer is <b>2</b>.",
    "repeat": True,
}
THOUGHT, SAID = "Let me see. 1 < 2\n", "The answer is <b>2</b>."
CALL = {"name": "terminal", "arguments": {"command": "echo from-the-tool"}}
CALLING = [
    {"text": f"<think>hm</think>I look.\n<tool_call>\n{json.dumps(CALL)}\n</tool_call>"},
    {"text": "It said so."},
]

Start = Callable[..., AngeliaServer]


@pytest.fixture(params=PROTOCOLS)
def start(request: Any, tmp_path: Path) -> Iterator[Start]:
    """A server whose model answers by a script, cut into single characters."""
    started: list[AngeliaServer | UpstreamProcess] = []

    def start(steps: list[dict[str, Any]], *, text_calls: str = "false") -> AngeliaServer:
        script = tmp_path / "script.json"
        script.write_text(json.dumps([{**step, "chunk": "char"} for step in steps]))
        upstream = UpstreamProcess(tmp_path, script)
        server = AngeliaServer(tmp_path / "server")
        started.extend((server, upstream))
        upstream.start()
        config = CONFIG.format(url=upstream.url, protocol=request.param, text_calls=text_calls)
        (server.home / "angelia.toml").write_text(config)
        server.start()
        return server

    yield start
    for process in started:
        process.kill()


async def chat_of(client: Client, text: str) -> tuple[str, str]:
    body = {"model": "angelia", "stream": True, "messages": [{"role": "user", "content": text}]}
    async with client.open("POST", "/v1/chat/completions", body) as reader:
        frames = [frame async for frame in reader.frames() if frame.data.startswith("{")]
    deltas = [choice["delta"] for frame in frames for choice in frame.json.get("choices", ())]
    return (
        "".join(delta.get("reasoning_content") or "" for delta in deltas),
        "".join(delta.get("content") or "" for delta in deltas),
    )


async def response_of(client: Client, text: str) -> tuple[str, str]:
    answer = await client.post("/v1/responses", {"model": "angelia", "input": text})
    content = [
        (item["type"], part["text"]) for item in answer.json["output"] for part in item["content"]
    ]
    return (
        "".join(text for kind, text in content if kind == "reasoning"),
        "".join(text for kind, text in content if kind == "message"),
    )


async def run_of(client: Client, text: str) -> list[dict[str, Any]]:
    run_id = (await client.post("/v1/runs", {"input": text})).json["run_id"]
    async with client.open("GET", f"/v1/runs/{run_id}/events") as reader:
        return [frame.json async for frame in reader.frames() if frame.comment is None]


def told(events: list[dict[str, Any]], name: str) -> str:
    return "".join(event["delta"] for event in events if event["event"] == name)


async def test_a_thought_in_tags_is_reasoning_on_every_surface(start: Start) -> None:
    server = start([THINKING])
    async with Client(server.url, server.key) as client:
        assert await chat_of(client, "a") == (THOUGHT, SAID)
        assert await response_of(client, "b") == (THOUGHT, SAID)
        events = await run_of(client, "c")
    assert told(events, "reasoning.delta") == THOUGHT
    assert told(events, "message.delta") == SAID
    assert events[-1]["output"] == SAID


async def test_a_call_in_the_text_of_a_marked_model_is_made(start: Start) -> None:
    server = start(CALLING, text_calls="true")
    async with Client(server.url, server.key) as client:
        events = await run_of(client, "go")
    assert [e["tool"] for e in events if e["event"] == "tool.started"] == ["terminal"]
    assert any("from-the-tool" in str(event) for event in events if "tool" in event["event"])
    assert told(events, "message.delta") == "I look.\nIt said so."
    assert "tool_call" not in told(events, "message.delta")
    assert events[-1]["event"] == "run.completed"


async def test_a_call_in_the_text_of_any_other_model_is_text(start: Start) -> None:
    server = start(CALLING)
    async with Client(server.url, server.key) as client:
        events = await run_of(client, "go")
    assert not [event for event in events if event["event"].startswith("tool.")]
    assert json.dumps(CALL) in events[-1]["output"]
