"""Five hundred runs at once while the provider fails every fifth request, in whatever way."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.support.http import Client
from tests.support.resilience.stage import post
from tests.support.server import AngeliaServer, UpstreamProcess

pytestmark = pytest.mark.timeout(300)

RUNS = 500
# A call and its summary, two calls side by side, thoughts, and a long text.
ASKED = ("list", "`echo one` and `echo two`", "think", "long 40")
ENDS = ("run.completed", "run.failed")
SETTINGS = """
[server]
log = "error,text"

[model]
base_url = "{url}"
protocol = "{protocol}"
name = "scripted"
retries = 3
breaker = 0
timeouts = {{ first_token = 8, between_chunks = 4, whole = 8 }}
"""


@pytest.mark.parametrize("protocol", ["chat", "responses", "anthropic"])
async def test_every_run_ends_once_and_every_log_is_valid(
    tmp_path: Path, protocol: str, capsys: pytest.CaptureFixture[str]
) -> None:
    upstream = UpstreamProcess(tmp_path, None, "--chaos", "0.2", "--seed", "7")
    server = AngeliaServer(tmp_path / "server")
    settings = SETTINGS.format(url=upstream.url, protocol=protocol)
    (server.home / "angelia.toml").write_text(settings)
    try:
        upstream.start()
        server.start()
        logs = await all_runs(server)
        calls = post(f"{upstream.url}/calls")
        assert server.stderr == ""
    finally:
        server.kill()
        upstream.kill()
    told = Counter(code for events in logs for code in check(events))
    assert told["run.completed"] + told["run.failed"] == RUNS
    # Three retries leave next to nothing to fail.
    assert told["run.completed"] > RUNS * 0.95
    assert told["notice retry"] > RUNS * 0.1
    assert told["step.reset"] > 0
    struck = sum("fault" in call for call in calls)
    assert 0.1 < struck / len(calls) < 0.3
    assert not any("refused" in call for call in calls)
    with capsys.disabled():
        print(f"\n{protocol}: {RUNS} runs, {len(calls)} requests, {struck} struck, {dict(told)}")


async def all_runs(server: AngeliaServer) -> list[list[Any]]:
    async with Client(server.url, server.key) as client:
        texts = [f"{ASKED[number % len(ASKED)]} {number}" for number in range(RUNS)]
        started = await asyncio.gather(*(client.post("/v1/runs", {"input": t}) for t in texts))
        names = [answer.json["run_id"] for answer in started]
        assert len(set(names)) == RUNS
        return await asyncio.gather(*(log_of(client, name) for name in names))


async def log_of(client: Client, run_id: str) -> list[Any]:
    path = f"/v1/runs/{run_id}"
    events = [f.json async for f in client.stream(f"{path}/events") if f.comment is None]
    record = (await client.get(path)).json
    assert record["status"] == events[-1]["event"].removeprefix("run.")
    assert record["last_seq"] == events[-1]["seq"]
    assert record["output"] == events[-1]["output"]
    return events


def check(events: list[Any]) -> list[str]:
    """The rules of a log. What happened, for those who count."""
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert [event["event"] in ENDS for event in events].index(True) == len(events) - 1
    check_words(events)
    check_calls(events)
    if events[-1]["event"] == "run.failed":
        assert events[-1]["error"]["code"].startswith("upstream_")
    return [
        f"notice {event['code']}" if event["event"] == "notice" else event["event"]
        for event in events
        if event["event"] in (*ENDS, "notice", "step.reset")
    ]


def check_words(events: list[Any]) -> None:
    """Every reply is what was shown of it; what became void is in none of them."""
    shown, replies = "", [""]
    for event in events:
        match event["event"]:
            case "message.delta":
                shown += event["delta"]
            case "step.reset":
                shown = ""
            case "message.completed":
                assert event["text"] == shown
                replies.append(shown)
                shown = ""
            case _:
                pass
    assert events[-1]["output"] == replies[-1]


def check_calls(events: list[Any]) -> None:
    """Calls of whole replies, and no others, begin once and end once."""
    made: list[str] = []
    begun: list[str] = []
    ended: list[str] = []
    for event in events:
        match event["event"]:
            case "message.completed" | "step.completed":
                made += [call["id"] for call in event.get("tool_calls") or ()]
            case "tool.started":
                assert event["tool_call_id"] in made
                begun.append(event["tool_call_id"])
            case "tool.completed":
                assert event["tool_call_id"] in begun
                ended.append(event["tool_call_id"])
            case _:
                pass
    assert sorted(made) == sorted(begun) == sorted(ended)
    assert len(set(made)) == len(made)
