"""Tools of MCP servers in runs, over every surface; servers that die, and dead ones."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.conftest import StartServer
from tests.support.following import ended, eventually, reached, run_of, started
from tests.support.http import Client
from tests.support.mcp import HttpServer, everything, filesystem, odd, pids
from tests.support.process import NotReady, free_port
from tests.support.server import AngeliaServer

ECHO = 'call mcp__everything__echo {"message":"over the sea"}'


def config(folder: Path, **servers: dict[str, Any]) -> str:
    file = folder / "mcp.json"
    file.write_bytes(msgspec.json.encode({"mcpServers": servers}))
    return str(file)


@asynccontextmanager
async def at(server: AngeliaServer) -> AsyncIterator[Client]:
    async with Client(server.url, server.key) as client:
        yield client


async def events_of(client: Client, run_id: str) -> list[dict[str, Any]]:
    frames = [frame async for frame in client.stream(f"/v1/runs/{run_id}/events")]
    return [frame.json for frame in frames if frame.comment is None]


async def seen(client: Client, words: str) -> list[dict[str, Any]]:
    return await events_of(client, await started(client, {"input": words}))


def of_kind(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event for event in events if event["event"] == kind]


async def test_a_run_calls_tools_of_a_server_with_one_start_and_one_end(
    tmp_path: Path, start_server: StartServer
) -> None:
    server = start_server(ANGELIA_MCP_CONFIG=config(tmp_path, everything=everything()))
    async with at(server) as client:
        events = await seen(client, ECHO)
        (begun,) = of_kind(events, "tool.started")
        (done,) = of_kind(events, "tool.completed")
        assert (begun["tool"], begun["effect"]) == ("mcp__everything__echo", "pure")
        assert (done["outcome"], done["output"]) == ("ok", "Echo: over the sea")
        long = 'call mcp__everything__trigger-long-running-operation {"duration":0.2,"steps":2}'
        events = await seen(client, long)
        shown = "".join(event["delta"] for event in of_kind(events, "tool.output"))
        assert shown.splitlines() == ["1/2", "2/2"]
        assert len(of_kind(events, "tool.completed")) == 1
        events = await seen(client, "call mcp__everything__get-tiny-image {}")
        (done,) = of_kind(events, "tool.completed")
        assert "[image: image/png, 4033 bytes, not shown]" in done["output"]


async def test_chat_and_responses_show_the_same_call_once(
    tmp_path: Path, start_server: StartServer
) -> None:
    server = start_server(ANGELIA_MCP_CONFIG=config(tmp_path, everything=everything()))
    async with at(server) as client:
        chat = {"model": "angelia", "messages": [{"role": "user", "content": ECHO}], "stream": True}
        frames = [
            frame
            async for frame in client.stream("/v1/chat/completions", chat, X_Tool_Events="named")
        ]
        told = [frame.json for frame in frames if frame.event == "hermes.tool.progress"]
        assert [event["status"] for event in told] == ["running", "completed"]
        asked = {"model": "angelia", "input": ECHO}
        answer = await client.post("/v1/responses", asked)
        items = [item["type"] for item in answer.json["output"]]
        calls = [kind for kind in items if kind.endswith("call")]
        assert len(calls) == 1
        assert "over the sea" in answer.body.decode()


async def test_a_server_behind_an_address_is_used_and_its_secret_kept(
    tmp_path: Path, start_server: StartServer
) -> None:
    port = free_port()
    far = {
        "url": f"http://127.0.0.1:{port}/mcp?apiKey=open-sesame-7890",
        "headers": {"Authorization": "Bearer ${FAR_TOKEN}"},
    }
    with HttpServer("streamableHttp", port):
        server = start_server(
            ANGELIA_MCP_CONFIG=config(tmp_path, everything=far),
            ANGELIA_LOG="debug",
            FAR_TOKEN="zephyr.42.anemoi",
        )
        async with at(server) as client:
            events = await seen(client, ECHO)
            assert of_kind(events, "tool.completed")[0]["output"] == "Echo: over the sea"
            events = await seen(client, "call mcp__everything__get-env {}")
            shown = await client.get("/v1/mcp")
        assert server.stop() == 0
    told = json.dumps(events) + shown.body.decode() + server.stderr + server.stdout
    assert "zephyr" not in told
    assert "sesame" not in told


async def test_a_server_that_is_killed_between_two_calls_is_started_again(
    tmp_path: Path, start_server: StartServer
) -> None:
    server = start_server(ANGELIA_MCP_CONFIG=config(tmp_path, odd=odd(tmp_path / "odd")))
    async with at(server) as client:
        first = await seen(client, "call mcp__odd__echo {}")
        assert of_kind(first, "tool.completed")[0]["outcome"] == "ok"
        os.kill(pids(tmp_path / "odd")[0], signal.SIGKILL)

        async def started_again() -> bool:
            return len(pids(tmp_path / "odd")) == 2

        await eventually(started_again)
        second = await seen(client, "call mcp__odd__echo {}")
        assert of_kind(second, "tool.completed")[0]["outcome"] == "ok"


async def test_a_server_that_dies_in_a_call_costs_that_call_only(
    tmp_path: Path, start_server: StartServer
) -> None:
    server = start_server(ANGELIA_MCP_CONFIG=config(tmp_path, odd=odd(tmp_path / "odd")))
    async with at(server) as client:
        run_id = await started(client, {"input": "call mcp__odd__die {}"})
        events = await events_of(client, run_id)
        (done,) = of_kind(events, "tool.completed")
        assert done["outcome"] == "error"
        assert "went away during this call" in done["output"]
        assert (await run_of(client, run_id))["status"] == "completed"
        events = await seen(client, "call mcp__odd__echo {}")
        assert of_kind(events, "tool.completed")[0]["outcome"] == "ok"


async def test_a_dead_server_blocks_nothing(tmp_path: Path, start_server: StartServer) -> None:
    servers = config(
        tmp_path,
        dead=odd(tmp_path / "dead", "dying", env={"DB_PASSWORD": "sesame-open-123456"}),
        missing={"command": "no-such-command-anywhere"},
        odd=odd(tmp_path / "odd"),
    )
    server = start_server(ANGELIA_MCP_CONFIG=servers, ANGELIA_LOG="debug")
    async with at(server) as client:
        events = await seen(client, "call mcp__odd__echo {}")
        assert of_kind(events, "tool.completed")[0]["outcome"] == "ok"
        ready = await client.get("/health/ready")
        assert ready.status == 200
        health = {each["name"]: each["health"] for each in ready.json["checks"]["mcp"]}
        assert health.pop("dead") in ("failing", "connecting")
        assert health.pop("missing") in ("failing", "connecting")
        assert health == {"odd": "connected"}
        listed = await client.get("/v1/mcp")
        assert "no-such-command-anywhere" in listed.body.decode()
        assert "sesame" not in listed.body.decode() + server.stderr
        assert "there is no database at [redacted]" in server.stderr


async def test_a_stop_ends_the_call_there_too(tmp_path: Path, start_server: StartServer) -> None:
    folder = tmp_path / "odd"
    server = start_server(ANGELIA_MCP_CONFIG=config(tmp_path, odd=odd(folder)))
    async with at(server) as client:
        run_id = await started(client, {"input": "call mcp__odd__hang {}"})
        await reached(client, run_id, "tool.started")

        async def hanging() -> bool:
            return (folder / "hanging").exists()

        await eventually(hanging)
        await client.post(f"/v1/runs/{run_id}/stop", {})
        assert (await ended(client, run_id))["status"] == "cancelled"

        async def told() -> bool:
            return (folder / "cancelled").exists()

        await eventually(told)


async def test_servers_end_with_the_server_even_if_it_is_killed(
    tmp_path: Path, start_server: StartServer
) -> None:
    for ending in ("stop", "kill"):
        folder = tmp_path / ending
        folder.mkdir()
        stubborn = odd(folder / "odd", "stubborn")
        server = start_server(ANGELIA_MCP_CONFIG=config(folder, odd=stubborn))
        async with at(server) as client:
            events = await seen(client, "call mcp__odd__child {}")
        child = int(of_kind(events, "tool.completed")[0]["output"])
        (pid,) = pids(folder / "odd")
        if ending == "stop":
            server.stop()
        else:
            os.kill(server.pid, signal.SIGKILL)

        async def both_gone(processes: tuple[int, ...] = (pid, child)) -> bool:
            return not any(map(is_alive, processes))

        await eventually(both_gone)


def is_alive(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in ("Z", "X")


async def test_a_call_under_way_is_made_again_after_a_crash(
    tmp_path: Path, start_server: StartServer
) -> None:
    folder = tmp_path / "odd"
    server = start_server(ANGELIA_MCP_CONFIG=config(tmp_path, odd=odd(folder)))
    async with at(server) as client:
        run_id = await started(client, {"input": "call mcp__odd__hang {}"})

        async def hanging() -> bool:
            return (folder / "hanging").exists()

        await eventually(hanging)
    server.kill()
    (folder / "hanging").unlink()
    server.start()
    async with at(server) as client:
        await eventually(hanging)
        await client.post(f"/v1/runs/{run_id}/stop", {})
        assert (await ended(client, run_id))["status"] == "cancelled"
        events = await events_of(client, run_id)
        assert len(of_kind(events, "tool.started")) == 1
        assert len(of_kind(events, "tool.completed")) == 1


async def test_an_approval_after_a_restart_leads_to_the_tool(
    tmp_path: Path, start_server: StartServer
) -> None:
    servers = config(tmp_path, odd=odd(tmp_path / "odd"))
    server = start_server(ANGELIA_MCP_CONFIG=servers, ANGELIA_APPROVALS="ask")
    async with at(server) as client:
        run_id = await started(client, {"input": "call mcp__odd__post {}"})
        await reached(client, run_id, "approval.requested")
    server.restart()
    async with at(server) as client:
        await client.post(f"/v1/runs/{run_id}/approval", {"choice": "once"})
        events = await events_of(client, run_id)
        (done,) = of_kind(events, "tool.completed")
        assert (done["outcome"], done["output"]) == ("ok", "{}")


async def test_the_approval_of_a_server_holds(tmp_path: Path, start_server: StartServer) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    server = start_server(
        ANGELIA_APPROVALS="ask",
        ANGELIA_MCP_CONFIG=config(
            tmp_path,
            files=filesystem(inside),
            free={**odd(tmp_path / "free"), "approval": "allow"},
            shut={**odd(tmp_path / "shut"), "approval": "deny"},
        ),
    )
    async with at(server) as client:
        written = json.dumps({"path": str(inside / "a.txt"), "content": "agreed"})
        run_id = await started(client, {"input": f"call mcp__files__write_file {written}"})
        asked = await reached(client, run_id, "approval.requested")
        assert not (inside / "a.txt").exists()
        answer = {"approval_id": asked["approval_id"], "choice": "once"}
        await client.post(f"/v1/runs/{run_id}/approval", answer)
        await ended(client, run_id)
        assert (inside / "a.txt").read_text() == "agreed"
        read = await seen(
            client, f"call mcp__files__list_directory {json.dumps({'path': str(inside)})}"
        )
        assert "a.txt" in of_kind(read, "tool.completed")[0]["output"]
        freely = await seen(client, "call mcp__free__post {}")
        assert of_kind(freely, "tool.completed")[0]["outcome"] == "ok"
        refused = await seen(client, "call mcp__shut__echo {}")
        assert of_kind(refused, "tool.completed")[0]["outcome"] == "denied"


async def test_long_results_are_kept_whole(tmp_path: Path, start_server: StartServer) -> None:
    server = start_server(ANGELIA_MCP_CONFIG=config(tmp_path, odd=odd(tmp_path / "odd")))
    async with at(server) as client:
        run_id = await started(client, {"input": "call mcp__odd__big {}"})
        events = await events_of(client, run_id)
        (done,) = of_kind(events, "tool.completed")
        assert done["truncated"]
        whole = await client.get(f"/v1/runs/{run_id}/tools/{done['tool_call_id']}/output")
        assert whole.body == b"long " * 40_000


async def test_keys_see_and_use_what_they_may(tmp_path: Path, start_server: StartServer) -> None:
    servers = config(tmp_path, one=odd(tmp_path / "one"), two=odd(tmp_path / "two"))
    server = start_server(ANGELIA_MCP_CONFIG=servers)
    async with at(server) as client:
        made = await client.post("/api/keys", {"name": "narrow", "rules": {"tools": ["mcp__one"]}})
        assert made.status in (200, 201), made.body
        async with Client(server.url, made.json["secret"]) as narrow:
            listed = (await narrow.get("/v1/mcp")).json["data"]
            assert [each["name"] for each in listed] == ["one"]
            tools = (await narrow.get("/v1/tools")).json["data"]
            assert {tool["toolset"] for tool in tools} == {"mcp__one"}
            allowed = await seen(narrow, "call mcp__one__echo {}")
            assert of_kind(allowed, "tool.completed")[0]["outcome"] == "ok"
            refused = await seen(narrow, "call mcp__two__echo {}")
            assert "ok" not in [each["outcome"] for each in of_kind(refused, "tool.completed")]
        both = (await client.get("/v1/mcp")).json["data"]
        assert [each["name"] for each in both] == ["one", "two"]
    async with Client(server.url) as nobody:
        assert (await nobody.get("/v1/mcp")).status == 401


async def test_many_runs_at_once_start_a_server_once(
    tmp_path: Path, start_server: StartServer
) -> None:
    server = start_server(ANGELIA_MCP_CONFIG=config(tmp_path, odd=odd(tmp_path / "odd")))
    async with at(server) as client:
        runs = await asyncio.gather(*(seen(client, "call mcp__odd__echo {}") for _ in range(8)))
        assert all(of_kind(events, "tool.completed")[0]["outcome"] == "ok" for events in runs)
    assert len(pids(tmp_path / "odd")) == 1


def test_a_bad_file_stops_the_start(tmp_path: Path) -> None:
    file = config(tmp_path, bad={"command": "c", "approval": "perhaps"})
    server = AngeliaServer(tmp_path / "server", {"ANGELIA_MCP_CONFIG": file})
    with pytest.raises(NotReady, match=r'mcpServers\."bad"\.approval must be one of'):
        server.start()
