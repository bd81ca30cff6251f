import os
import signal
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.support.process import ANGELIA, clean_env
from tests.support.server import AngeliaServer
from tests.surfaces.mcp.talking import talk

TOOLS = ["start_run", "follow_run", "get_run", "list_runs", "approve", "stop_run"]


@pytest.fixture(params=["embedded", "remote"])
def env(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Mapping[str, str]]:
    """Runs take place in the process of the MCP server, or at a server that runs already."""
    server = AngeliaServer(tmp_path, {"ANGELIA_APPROVALS": "ask"})
    if request.param == "remote":
        server.start()
    yield server.env
    server.kill()


async def test_a_client_is_told_what_there_is(env: Mapping[str, str]) -> None:
    async with talk(env) as place:
        tools = {tool.name: tool for tool in (await place.client.list_tools()).tools}
        assert list(tools) == TOOLS
        assert all(tool.description for tool in tools.values())
        hints = {name: tool.annotations for name, tool in tools.items()}
        reading = {name for name, hint in hints.items() if hint and hint.read_only_hint}
        assert reading == {"follow_run", "get_run", "list_runs"}
        assert tools["start_run"].input_schema["required"] == ["input"]


async def test_a_run_is_started_and_waited_for(env: Mapping[str, str]) -> None:
    async with talk(env) as place:
        told = await place.ask("start_run", input="call list_files {}", wait=60)
        assert told["run"]["status"] == "completed"
        assert "I made 1 tool call" in told["run"]["output"]
        kinds = [event["event"] for event in told["events"]]
        assert kinds.count("tool.started") == kinds.count("tool.completed") == 1
        assert kinds[-1] == "run.completed"
        assert "message.delta" not in kinds
        assert "tool.started list_files ." in place.progress


async def test_a_run_is_started_and_followed_from_where_one_was(env: Mapping[str, str]) -> None:
    async with talk(env) as place:
        begun = await place.ask("start_run", input="long 5")
        run_id = begun["run"]["run_id"]
        told = await place.ask("follow_run", run_id=run_id, wait=60)
        assert told["run"]["output"] == "word1 word2 word3 word4 word5"
        seqs = [event["seq"] for event in told["events"]]
        assert seqs == sorted(seqs)
        assert told["last"] == seqs[-1]
        again = await place.ask("follow_run", run_id=run_id, after=told["last"], wait=60)
        assert (again["events"], again["last"]) == ([], told["last"])
        assert (await place.ask("get_run", run_id=run_id)) == told["run"]


async def test_a_conversation_goes_on_in_its_session(env: Mapping[str, str]) -> None:
    async with talk(env) as place:
        first = await place.ask("start_run", input="hello", session_id="talk", wait=60)
        second = await place.ask("start_run", input="hello again", session_id="talk", wait=60)
        listed = await place.ask("list_runs", session_id="talk")
        assert [run["run_id"] for run in listed["data"]] == [
            second["run"]["run_id"],
            first["run"]["run_id"],
        ]
        assert (await place.ask("list_runs", status="failed"))["data"] == []


@pytest.mark.parametrize(("choice", "outcome"), [("once", "ok"), ("deny", "denied")])
async def test_a_run_that_asks_is_answered(
    env: Mapping[str, str], choice: str, outcome: str
) -> None:
    async with talk(env) as place:
        told = await place.ask("start_run", input='call terminal {"command":"touch x"}', wait=60)
        assert told["run"]["status"] == "waiting_for_approval"
        (pending,) = told["run"]["pending_approvals"]
        run_id = told["run"]["run_id"]
        await place.ask(
            "approve", run_id=run_id, approval_id=pending["approval_id"], choice=choice, reason="no"
        )
        rest = await place.ask("follow_run", run_id=run_id, after=told["last"], wait=60)
        assert [e["outcome"] for e in rest["events"] if e["event"] == "tool.completed"] == [outcome]


async def test_a_run_is_stopped(env: Mapping[str, str]) -> None:
    async with talk(env) as place:
        told = await place.ask("start_run", input='call terminal {"command":"touch x"}', wait=60)
        run_id = told["run"]["run_id"]
        await place.ask("stop_run", run_id=run_id)
        ended = await place.ask("follow_run", run_id=run_id, after=told["last"], wait=60)
        assert ended["run"]["status"] == "cancelled"


async def test_waiting_ends_when_the_time_is_over(env: Mapping[str, str]) -> None:
    async with talk(env) as place:
        begun = await place.ask("start_run", input='call terminal {"command":"sleep 100"}')
        run_id = begun["run"]["run_id"]
        told = await place.ask("follow_run", run_id=run_id, wait=0.1)
        assert told["run"]["status"] == "running"
        await place.ask("stop_run", run_id=run_id)


async def test_what_is_wrong_is_said(env: Mapping[str, str]) -> None:
    async with talk(env) as place:
        assert "no run 'run_0'" in await place.refused("get_run", run_id="run_0")
        assert "no run '../keys'" in await place.refused("get_run", run_id="../keys")
        assert "unknown field `inptu`" in await place.refused("start_run", inptu="x")
        assert "there are: start_run" in await place.refused("begin_run")
        assert "it can be" in await place.refused("list_runs", status="sleeping")
        assert "No such approval" in await place.refused(
            "approve",
            run_id=(await place.ask("start_run", input="hello", wait=60))["run"]["run_id"],
            choice="once",
        )


def test_a_signal_ends_it_in_order(tmp_path: Path) -> None:
    env = clean_env(tmp_path, {"ANGELIA_HOME": str(tmp_path / "home")})
    process = subprocess.Popen(
        [*ANGELIA, "mcp"], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        process.stdin.flush()
        assert b'"id":1' in process.stdout.readline()
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait(20) == 0


async def test_a_home_in_use_without_a_server_is_named(tmp_path: Path) -> None:
    server = AngeliaServer(tmp_path)
    async with talk(server.env) as first:
        await first.ask("start_run", input="hello", wait=60)
        async with talk(server.env) as second:
            assert "no server answers" in await second.refused("list_runs")
