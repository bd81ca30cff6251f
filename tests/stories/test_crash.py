"""kill -9 at every entry of a run: after the restart it reaches its one end."""

import contextlib
from typing import Any

import aiohttp
import pytest

from tests.stories.test_runs import check, events, start
from tests.support.http import Client
from tests.support.server import AngeliaServer

CUT_SHORT = (aiohttp.ClientError, ConnectionError)


def prompt(number: int) -> str:
    """Two deeds of different length and a harmless look, side by side."""
    return (
        f"think, `echo x >> deed-{number}-a`, "
        f"`sleep 0.1; echo x >> deed-{number}-b` and read notes.txt"
    )


@pytest.mark.timeout(300)
async def test_a_server_killed_at_any_entry_brings_every_run_to_its_one_end(
    start_server: Any,
) -> None:
    server = start_server()
    workspace = server.home / "workspace"
    (workspace / "notes.txt").write_text("remember the milk")
    async with Client(server.url, server.key) as client:
        length = len(await events(client, await start(client, prompt(0))))
    assert length > 20
    killed = {}
    for cut in range(1, length):
        run_id, seen = await killed_at(server, cut)
        killed[run_id] = (cut, seen)
        server.start()
    async with Client(server.url, server.key) as client:
        for run_id, (cut, before) in killed.items():
            after = await events(client, run_id)
            check(after)
            # What a reader was given before the crash is what the log still says.
            assert after[: len(before)] == before
            check_tools(after, workspace, cut)


async def killed_at(server: AngeliaServer, cut: int) -> tuple[str, list[dict[str, Any]]]:
    """Starts a run and kills the server as soon as a reader has its entry number `cut`."""
    seen: list[dict[str, Any]] = []
    async with Client(server.url, server.key) as client:
        run_id = await start(client, prompt(cut))
        with contextlib.suppress(*CUT_SHORT):
            async for frame in client.stream(f"/v1/runs/{run_id}/events"):
                if frame.comment is None:
                    seen.append(frame.json)
                if len(seen) == cut:
                    server.kill()
                    break
        server.kill()
    return run_id, seen


def check_tools(seen: list[dict[str, Any]], workspace: Any, cut: int) -> None:
    started = [e["tool_call_id"] for e in seen if e["event"] == "tool.started"]
    completed = {e["tool_call_id"]: e for e in seen if e["event"] == "tool.completed"}
    assert sorted(started) == sorted(completed)
    assert len(set(started)) == len(started) == 3
    for deed in ("a", "b"):
        path = workspace / f"deed-{cut}-{deed}"
        times = path.read_text().count("x") if path.exists() else 0
        outcome = next(
            completed[e["tool_call_id"]]["outcome"]
            for e in seen
            if e["event"] == "tool.started" and path.name in str(e["args"])
        )
        if outcome == "ok":
            assert times == 1
        else:
            assert outcome == "in_doubt"
            assert times <= 1
    assert {e["outcome"] for e in completed.values() if e["tool"] != "terminal"} == {"ok"}
