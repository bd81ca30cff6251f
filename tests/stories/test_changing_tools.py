"""Tools and MCP servers that an admin switches, adds and removes while the server runs."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import StartServer
from tests.support.following import ended, eventually, reached, started
from tests.support.http import Client
from tests.support.mcp import everything, odd, pids
from tests.support.server import AngeliaServer

ECHO = 'call mcp__everything__echo {"message":"over the sea"}'
ODD = "call mcp__odd__echo {}"


@asynccontextmanager
async def at(server: AngeliaServer) -> AsyncIterator[Client]:
    async with Client(server.url, server.key) as client:
        yield client


async def said(client: Client, words: str) -> str:
    """What the run says to these words."""
    run_id = await started(client, {"input": words})
    return (await ended(client, run_id))["output"]


async def outputs(client: Client, words: str) -> list[str]:
    """What the tools that a run calls come to."""
    run_id = await started(client, {"input": words})
    frames = [frame async for frame in client.stream(f"/v1/runs/{run_id}/events")]
    events = [frame.json for frame in frames if frame.comment is None]
    return [each["output"] for each in events if each["event"] == "tool.completed"]


async def switch(client: Client, path: str, *, on: bool) -> dict[str, Any]:
    answer = await client.send("PATCH", path, {"enabled": on})
    assert answer.status == 200, answer.body
    assert answer.json["enabled"] is on
    return answer.json


async def tools(client: Client) -> dict[str, bool]:
    listed = (await client.get("/v1/tools")).json["data"]
    return {tool["name"]: tool["enabled"] for tool in listed}


async def server_line(client: Client, name: str) -> dict[str, Any] | None:
    listed = (await client.get("/v1/mcp")).json["data"]
    return next((line for line in listed if line["name"] == name), None)


# ── tools ───────────────────────────────────────────────────────────────────────────────────


async def test_a_tool_that_is_switched_off_is_not_offered_until_it_is_on_again(
    start_server: StartServer,
) -> None:
    server = start_server()
    async with at(server) as client:
        assert (await tools(client))["list_files"] is True
        assert len(await outputs(client, "call list_files {}")) == 1
        line = await switch(client, "/api/tools/list_files", on=False)
        assert (line["name"], line["toolset"]) == ("list_files", "files")
        assert (await tools(client))["list_files"] is False
        assert "cannot call list_files" in await said(client, "call list_files {}")
    server.restart()
    async with at(server) as client:
        assert (await tools(client))["list_files"] is False
        assert "cannot call list_files" in await said(client, "call list_files {}")
        await switch(client, "/api/tools/list_files", on=True)
        assert len(await outputs(client, "call list_files {}")) == 1


async def test_a_delegated_run_and_a_job_go_without_it_too(start_server: StartServer) -> None:
    server = start_server()
    async with at(server) as client:
        await switch(client, "/api/tools/list_files", on=False)
        task = json.dumps({"tasks": [{"goal": "call list_files {}"}]})
        (told,) = await outputs(client, f"call delegate {task}")
        assert "cannot call list_files" in told
        job = {"schedule": "2199-01-01T00:00Z", "input": "call list_files {}"}
        job_id = (await client.post("/api/jobs", job)).json["id"]
        fired = await client.post(f"/api/jobs/{job_id}/run", {})
        assert fired.status in (200, 202), fired.body

        async def done() -> bool:
            listed = (await client.get("/v1/runs?status=completed")).json["data"]
            return any("cannot call list_files" in (run["output"] or "") for run in listed[:1])

        await eventually(done)


async def test_a_run_that_began_before_keeps_the_tool(start_server: StartServer) -> None:
    server = start_server(ANGELIA_APPROVALS="ask")
    async with at(server) as client:
        run_id = await started(client, {"input": 'call terminal {"command":"rm -rf nothing"}'})
        asked = await reached(client, run_id, "approval.requested")
        await switch(client, "/api/tools/terminal", on=False)
        answer = {"approval_id": asked["approval_id"], "choice": "once"}
        await client.post(f"/v1/runs/{run_id}/approval", answer)
        frames = [frame async for frame in client.stream(f"/v1/runs/{run_id}/events")]
        done = [f.json for f in frames if f.comment is None and f.json["event"] == "tool.completed"]
        assert [each["tool"] for each in done] == ["terminal"]
        assert "no tool" not in done[0]["output"].lower()


async def test_only_an_admin_switches_and_unknown_tools_are_named(
    start_server: StartServer,
) -> None:
    server = start_server()
    async with at(server) as client:
        refused = await client.send("PATCH", "/api/tools/list_fils", {"enabled": False})
        assert (refused.status, refused.json["error"]["code"]) == (404, "tool_not_found")
        assert "'list_fils'" in refused.json["error"]["message"]
        assert (await client.send("PATCH", "/api/tools/list_files", {})).status == 400
        made = (await client.post("/api/keys", {"name": "plain"})).json
        async with Client(server.url, made["secret"]) as plain:
            for method, path, body in (
                ("PATCH", "/api/tools/list_files", {"enabled": False}),
                ("POST", "/api/mcp", {"name": "x", "command": "true"}),
                ("PATCH", "/api/mcp/x", {"enabled": False}),
                ("POST", "/api/mcp/x/reconnect", None),
                ("DELETE", "/api/mcp/x", None),
            ):
                answer = await plain.send(method, path, body)
                assert answer.status == 403, path
        assert (await tools(client))["list_files"] is True


# ── MCP servers ─────────────────────────────────────────────────────────────────────────────


async def test_the_life_of_a_server_that_is_added(start_server: StartServer) -> None:
    server = start_server()
    async with at(server) as client:
        added = await client.post("/api/mcp", {"name": "everything", **everything()})
        assert added.status == 201, added.body
        line = added.json
        assert (line["source"], line["enabled"], line["health"]) == ("added", True, "connected")
        assert "mcp__everything__echo" in line["tools"]
        assert await outputs(client, ECHO) == ["Echo: over the sea"]

        off = await switch(client, "/api/mcp/everything", on=False)
        assert (off["health"], off["tools"]) == ("idle", [])
        assert "mcp__everything__echo" not in await tools(client)
        assert "cannot call mcp__everything__echo" in await said(client, ECHO)

        on = await switch(client, "/api/mcp/everything", on=True)
        assert on["health"] == "connected"
        assert await outputs(client, ECHO) == ["Echo: over the sea"]
    server.restart()
    async with at(server) as client:
        kept = await server_line(client, "everything")
        assert kept is not None
        assert (kept["source"], kept["enabled"]) == ("added", True)
        assert await outputs(client, ECHO) == ["Echo: over the sea"]

        gone = await client.send("DELETE", "/api/mcp/everything")
        assert gone.json == {"object": "mcp.server", "name": "everything", "deleted": True}
        assert await server_line(client, "everything") is None
        assert "cannot call mcp__everything__echo" in await said(client, ECHO)
    server.restart()
    async with at(server) as client:
        assert await server_line(client, "everything") is None
        assert (await client.send("DELETE", "/api/mcp/everything")).status == 404


async def test_a_server_of_a_file_is_switched_off_but_not_removed(
    tmp_path: Path, start_server: StartServer
) -> None:
    file = tmp_path / "mcp.json"
    file.write_text(json.dumps({"mcpServers": {"odd": odd(tmp_path / "odd")}}))
    server = start_server(ANGELIA_MCP_CONFIG=str(file))
    async with at(server) as client:
        line = await server_line(client, "odd")
        assert line is not None
        assert (line["source"], line["enabled"]) == ("file", True)
        refused = await client.send("DELETE", "/api/mcp/odd")
        assert (refused.status, refused.json["error"]["code"]) == (409, "mcp_server_in_file")
        assert str(file) in refused.json["error"]["message"]
        taken = await client.post("/api/mcp", {"name": "odd", "command": "true"})
        assert (taken.status, taken.json["error"]["code"]) == (409, "mcp_server_exists")
        await switch(client, "/api/mcp/odd", on=False)
        assert "cannot call" in await said(client, ODD)
    server.restart()
    async with at(server) as client:
        line = await server_line(client, "odd")
        assert line is not None
        assert (line["enabled"], line["health"]) == (False, "idle")
        assert len(pids(tmp_path / "odd")) == 1
        off = await client.post("/api/mcp/odd/reconnect", None)
        assert (off.status, off.json["error"]["code"]) == (409, "mcp_server_off")
        await switch(client, "/api/mcp/odd", on=True)
        assert await outputs(client, ODD) != []


async def test_a_reconnect_is_another_process_for_the_same_tools(
    tmp_path: Path, start_server: StartServer
) -> None:
    server = start_server()
    async with at(server) as client:
        assert (await client.post("/api/mcp", {"name": "odd", **odd(tmp_path)})).status == 201
        again = await client.post("/api/mcp/odd/reconnect", None)
        assert (again.status, again.json["health"]) == (200, "connected")
        assert len(set(pids(tmp_path))) == 2
        assert await outputs(client, ODD) != []
        missing = await client.post("/api/mcp/even/reconnect", None)
        assert (missing.status, missing.json["error"]["code"]) == (404, "mcp_server_not_found")


async def test_secrets_of_an_added_server_are_never_seen_again(
    tmp_path: Path, start_server: StartServer
) -> None:
    server = start_server(ANGELIA_LOG="debug", FAR_TOKEN="zephyr.42.anemoi")
    secrets = {"DB_PASSWORD": "open-sesame-123456", "API_TOKEN": "${FAR_TOKEN}"}
    told: list[str] = []
    for turn in range(2):
        async with at(server) as client:
            if turn == 0:
                body = {"name": "everything", **everything(), "env": secrets}
                told.append((await client.post("/api/mcp", body)).body.decode())
            told += await outputs(client, "call mcp__everything__get-env {}")
            assert "[redacted]" in told[-1]
            told.append((await client.get("/v1/mcp")).body.decode())
            told.append((await client.get("/v1/tools")).body.decode())
            told.append((await client.post("/api/mcp/everything/reconnect", None)).body.decode())
        server.restart()
    assert server.stop() == 0
    everywhere = "\n".join(told) + server.stderr + server.stdout
    assert "sesame" not in everywhere
    assert "zephyr" not in everywhere


async def test_the_approval_of_an_added_server_holds_from_the_first_run_on(
    tmp_path: Path, start_server: StartServer
) -> None:
    server = start_server(ANGELIA_APPROVALS="ask")
    async with at(server) as client:
        for name, approval in (("free", "allow"), ("shut", "deny"), ("asks", "ask")):
            body = {"name": name, **odd(tmp_path / name), "approval": approval}
            assert (await client.post("/api/mcp", body)).status == 201
        assert await outputs(client, "call mcp__free__post {}") == ["{}"]
        (refused,) = await outputs(client, "call mcp__shut__echo {}")
        assert "not allowed" in refused
    server.restart()
    async with at(server) as client:
        (refused,) = await outputs(client, "call mcp__shut__echo {}")
        assert "not allowed" in refused
        run_id = await started(client, {"input": "call mcp__asks__echo {}"})
        await reached(client, run_id, "approval.requested")
        await client.send("DELETE", "/api/mcp/shut")
        await client.post("/api/mcp", {"name": "shut", **odd(tmp_path / "again")})
        assert await outputs(client, "call mcp__shut__echo {}") != []


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"name": "x"}, 'mcp."x".command and mcp."x".url are both missing; give one.'),
        (
            {"name": "x", "command": "a", "url": "http://b"},
            'mcp."x".command and mcp."x".url exclude each other; keep one.',
        ),
        ({"name": "x", "command": "a", "aproval": "deny"}, "did you mean 'approval'?"),
        ({"name": "x", "url": "ftp://b"}, 'mcp."x".url: expected an address'),
        ({"name": "x", "command": "a", "args": ["${NO_SUCH}"]}, "names NO_SUCH, which is not set"),
        ({"name": "x y", "command": "a"}, "'name'"),
        ({"name": "x", "command": 1}, "'command'"),
        ({"command": "a"}, "'name'"),
    ],
)
async def test_what_cannot_be_used_is_refused_in_the_words_of_the_configuration(
    house: AngeliaServer, body: dict[str, Any], words: str
) -> None:
    async with at(house) as client:
        refused = await client.post("/api/mcp", body)
        assert refused.status == 400
        assert words in refused.json["error"]["message"]
        assert (await client.get("/v1/mcp")).json["data"] == []


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Any:
    server = AngeliaServer(tmp_path_factory.mktemp("adding"))
    server.start()
    yield server
    server.kill()


async def test_one_that_lacks_a_variable_after_a_restart_says_so_and_stops_nothing(
    tmp_path: Path,
) -> None:
    server = AngeliaServer(tmp_path / "first", {"ODD_MANNER": "x"})
    server.start()
    try:
        async with at(server) as client:
            body = {"name": "odd", **odd(tmp_path / "odd"), "env": {"MANNER": "${ODD_MANNER}"}}
            assert (await client.post("/api/mcp", body)).status == 201
        server.stop()
        bare = AngeliaServer(tmp_path / "first", {})
        bare.start()
        async with at(bare) as client:
            line = await server_line(client, "odd")
            assert line is not None
            assert line["health"] == "failing"
            assert "names ODD_MANNER, which is not set" in line["detail"]
            assert (await client.send("DELETE", "/api/mcp/odd")).status == 200
        bare.kill()
    finally:
        server.kill()


async def test_one_that_is_added_disabled_waits_to_be_switched_on(
    tmp_path: Path, start_server: StartServer
) -> None:
    server = start_server()
    async with at(server) as client:
        body = {"name": "odd", **odd(tmp_path), "disabled": True}
        line = (await client.post("/api/mcp", body)).json
        assert (line["enabled"], line["health"]) == (False, "idle")
        assert "cannot call" in await said(client, ODD)
        assert pids(tmp_path) == []
        await switch(client, "/api/mcp/odd", on=True)
        assert await outputs(client, ODD) != []


async def test_of_two_that_come_at_once_under_one_name_one_is_added(
    tmp_path: Path, start_server: StartServer
) -> None:
    server = start_server()
    async with at(server) as client:
        body = {"name": "odd", **odd(tmp_path)}
        answers = await asyncio.gather(*(client.post("/api/mcp", body) for _ in range(4)))
        assert sorted(answer.status for answer in answers) == [201, 409, 409, 409]
        assert len((await client.get("/v1/mcp")).json["data"]) == 1
