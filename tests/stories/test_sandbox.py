"""Where the commands of a real server run, and what it says of that."""

import asyncio
import os
from pathlib import Path

import pytest

from tests.conftest import StartServer
from tests.stories.test_secrets import events_of, output
from tests.support.commands import bearing
from tests.support.http import Client
from tests.support.sandboxes import bubblewrapped


@pytest.fixture
async def works(tmp_path: Path) -> None:
    await bubblewrapped(tmp_path / "w", tmp_path / "h").close()


@pytest.mark.usefixtures("works")
async def test_commands_of_a_server_do_not_see_its_home(start_server: StartServer) -> None:
    server = start_server()
    assert "sandbox: bubblewrap" in server.stdout
    async with Client(server.url, server.key) as client:
        ready = (await client.get("/health/ready")).json
        assert ready["checks"]["sandbox"] == {"level": "bubblewrap"}
        said = output(
            await events_of(client, "`cat ../key; whoami; touch here`"), "tool.output", "delta"
        )
    assert said == "cat: ../key: No such file or directory\nangelia\n"
    assert (server.home / "workspace" / "here").exists()


@pytest.mark.usefixtures("works")
async def test_what_runs_dies_with_a_server_that_is_killed(start_server: StartServer) -> None:
    server = start_server()
    name = f"1000.{os.getpid()}"
    async with Client(server.url, server.key) as client:
        await client.post("/v1/runs", {"input": f"`setsid sleep {name} & sleep {name}`"})
        while len(bearing(f"sleep\0{name}")) < 2:
            await asyncio.sleep(0.005)
    server.kill()
    while bearing(name):
        await asyncio.sleep(0.005)


async def test_without_bubblewrap_commands_are_refused_with_the_ways_out(
    start_server: StartServer,
) -> None:
    server = start_server(PATH="/nowhere", ANGELIA_SANDBOX="auto")
    assert "sandbox: unavailable, so no command can run" in server.stdout
    async with Client(server.url, server.key) as client:
        ready = await client.get("/health/ready")
        assert ready.status == 200
        found = ready.json["checks"]["sandbox"]
        assert found["level"] == "unavailable"
        assert "bubblewrap is not installed" in found["reason"]
        events = await events_of(client, "`echo on`")
    said = output(events, "tool.completed", "output")
    assert "bubblewrap is not installed" in said
    assert 'sandbox = "none"' in said


async def test_without_a_sandbox_by_choice_commands_run(start_server: StartServer) -> None:
    server = start_server(ANGELIA_SANDBOX="none", PATH=os.environ["PATH"])
    async with Client(server.url, server.key) as client:
        ready = (await client.get("/health/ready")).json
        assert ready["checks"]["sandbox"] == {"level": "none"}
        assert output(await events_of(client, "`echo on`"), "tool.output", "delta") == "on\n"
