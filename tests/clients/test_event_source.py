"""EventSource and a run: what it sees is the log, also when the server dies under it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import msgspec

from tests.stories.test_runs import check, events, start
from tests.support import node
from tests.support.http import Client
from tests.support.server import AngeliaServer

SECONDS = 60
# The second tool is under way when the server is killed, and outlives it only for a while.
SLOW = "think, `echo one`, `sleep 20` and list"


@contextlib.asynccontextmanager
async def follower(command: str, server: AngeliaServer, run_id: str) -> AsyncIterator[Any]:
    """An EventSource in a process of its own; it names each event on stderr as it comes."""
    process = await asyncio.create_subprocess_exec(
        command,
        "event_source.mjs",
        cwd=node.CLIENTS,
        env=node.environment(),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        asked = {"url": f"{server.url}/v1/runs/{run_id}/events", "key": server.key}
        process.stdin.write(msgspec.json.encode(asked))
        process.stdin.close()
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def has_seen(process: Any, wanted: str) -> None:
    async for line in process.stderr:
        if line.decode().strip() == wanted:
            return
    raise AssertionError(f"the follower ended before it saw {wanted}")


async def report(process: Any) -> Any:
    """What it saw, once it has closed itself for good."""
    async with asyncio.timeout(SECONDS):
        told, _ = await process.communicate()
    assert process.returncode == 0
    return msgspec.json.decode(told)


async def test_event_source_survives_a_crash_without_a_gap_and_stops_at_the_end(
    node_command, server
) -> None:
    async with Client(server.url, server.key) as client:
        run_id = await start(client, SLOW)
    async with follower(node_command, server, run_id) as process:
        await has_seen(process, "tool.output")
        server.restart()
        seen = await report(process)
    async with Client(server.url, server.key) as client:
        log = await events(client, run_id)
    check(log)
    assert [item["event"] for item in seen["events"]] == log
    assert [item["id"] for item in seen["events"]] == [str(event["seq"]) for event in log]
    outcomes = {e["outcome"] for e in log if e["event"] == "tool.completed"}
    assert "in_doubt" in outcomes
    first, *refused, second, last = seen["connections"]
    assert first == {"after": None, "status": 200}
    assert all(connection["status"] is None for connection in refused)
    assert second["status"] == 200
    assert int(second["after"]) > 0
    assert last == {"after": str(log[-1]["seq"]), "status": 204}


async def test_event_source_reads_a_finished_run_once(node_command, demo_server) -> None:
    async with Client(demo_server.url, demo_server.key) as client:
        run_id = await start(client, "think, `echo one` and fail")
        log = await events(client, run_id)
    async with follower(node_command, demo_server, run_id) as process:
        seen = await report(process)
    assert [item["event"] for item in seen["events"]] == log
    assert [connection["status"] for connection in seen["connections"]] == [200, 204]
