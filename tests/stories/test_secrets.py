"""What is secret is seen by nobody: not in events, answers or log lines, and not on the disk."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.support.http import Client
from tests.support.server import AngeliaServer, UpstreamProcess

# Nothing of these has the shape of a key.
OWN = "Tr0mb|one of the~9th"
PROVIDERS = "Gl0ckenspiel~und+Harfe"
PIECES = "`printf sk-ab; sleep .2; printf cdefghijklmnop1234`"
CONFIG = """
[model]
base_url = "{url}"
name = "scripted"
key = "{key}"
retries = 1
"""
SCRIPT = [
    {
        "when": "refuse",
        "repeat": True,
        "fault": {
            "status": 401,
            "body": {"error": {"message": f"The key {PROVIDERS} is not ours."}},
        },
    },
    {
        "when": "overload",
        "repeat": True,
        "fault": {
            "status": 503,
            "retry_after": 0,
            "body": {"error": {"message": f"Busy with {PROVIDERS}."}},
        },
    },
]


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[AngeliaServer]:
    """A server with two secrets of no known shape, and a provider that repeats the one it got."""
    script = tmp_path / "script.json"
    script.write_text(json.dumps(SCRIPT))
    upstream = UpstreamProcess(tmp_path, script)
    # In a sandbox there would be nothing to read.
    env = {"ANGELIA_API_KEY": OWN, "ANGELIA_LOG_LEVEL": "debug", "ANGELIA_SANDBOX": "none"}
    server = AngeliaServer(tmp_path / "server", env)
    try:
        upstream.start()
        config = CONFIG.format(url=upstream.url, key=PROVIDERS)
        (server.home / "angelia.toml").write_text(config)
        server.start()
        yield server
    finally:
        server.kill()
        upstream.kill()


async def events_of(client: Client, text: str) -> list[dict[str, Any]]:
    run = await client.post("/v1/runs", {"input": text})
    frames = client.stream(f"/v1/runs/{run.json['run_id']}/events")
    return [frame.json async for frame in frames if frame.comment is None]


def output(events: list[dict[str, Any]], kind: str, field: str) -> str:
    return "".join(event[field] for event in events if event["event"] == kind)


def rests(server: AngeliaServer) -> bytes:
    """All that the server has written, but for the files that are meant to hold its keys."""
    server.stop()
    with sqlite3.connect(server.home / "angelia.db") as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    paths = [path for path in server.home.rglob("*") if path.is_file()]
    kept = [path.read_bytes() for path in paths if path.name not in ("key", "angelia.toml")]
    assert any(b"run.started" in data for data in kept)
    return b"\n".join(kept)


async def test_no_secret_of_the_server_is_seen_or_kept(keeper: AngeliaServer) -> None:
    told: list[object] = []
    async with Client(keeper.url, OWN) as client:
        for command in ("`cat ../key`", "`cat ../angelia.toml`"):
            events = await events_of(client, command)
            assert "[redacted]" in output(events, "tool.output", "delta")
            assert "[redacted]" in output(events, "tool.completed", "output")
            told.append(events)
        for text, code in (("refuse", 502), ("overload", 502)):
            body = {"model": "angelia", "messages": [{"role": "user", "content": text}]}
            answer = await client.post("/v1/chat/completions", body)
            assert answer.status == code
            assert "[redacted]" in answer.json["error"]["message"]
            told += [answer.body, await events_of(client, text)]
        told.append((await client.get(f"/v1/{quote(OWN)}")).body)
        told.append((await client.get(f"/v1/runs/{quote(OWN)}")).body)
    kept = rests(keeper)
    for secret in (OWN, PROVIDERS):
        assert secret not in str(told)
        assert secret not in keeper.stderr + keeper.stdout
        assert secret.encode() not in kept


async def test_a_key_that_is_printed_in_two_halves_is_not_seen(keeper: AngeliaServer) -> None:
    """The halves stand in the command, which is the model's own; the key stands nowhere."""
    async with Client(keeper.url, OWN) as client:
        events = await events_of(client, PIECES)
    assert output(events, "tool.output", "delta") == "[redacted]"
    assert output(events, "tool.completed", "output") == "[redacted]"
    key = "sk-abcdefghijklmnop1234"
    assert key not in str(events)
    assert key not in keeper.stderr + keeper.stdout
    assert key.encode() not in rests(keeper)
