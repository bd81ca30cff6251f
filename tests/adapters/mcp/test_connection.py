import asyncio
import json
import os
import signal
from pathlib import Path

import pytest

from angelia.adapters.mcp import connection, link
from angelia.errors import ToolError
from tests.adapters.mcp.world import by_name, opened
from tests.support.following import eventually
from tests.support.mcp import odd, pids
from tests.tools.watching import Watcher


def is_alive(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in ("Z", "X")


async def gone(*processes: int) -> None:
    async def none_left() -> bool:
        return not any(map(is_alive, processes))

    await eventually(none_left)


async def test_nothing_is_started_before_tools_are_asked_for(tmp_path: Path) -> None:
    async with opened(tmp_path, odd=odd(tmp_path / "odd")) as servers:
        assert [status.health for status in servers.statuses()] == ["idle"]
    assert pids(tmp_path / "odd") == []


async def test_a_server_is_started_once_and_ends_with_us(tmp_path: Path) -> None:
    async with opened(tmp_path, odd=odd(tmp_path / "odd")) as servers:
        tools = await by_name(servers)
        await servers.tools()
        for word in ("one", "two"):
            answer = await tools["mcp__odd__echo"].call(json.dumps({"word": word}), Watcher())
            assert json.loads(answer.text) == {"word": word}
        (pid,) = pids(tmp_path / "odd")
        assert is_alive(pid)
    assert not is_alive(pid)


async def test_what_a_server_started_ends_with_it(tmp_path: Path) -> None:
    async with opened(tmp_path, odd=odd(tmp_path / "odd")) as servers:
        tools = await by_name(servers)
        child = int((await tools["mcp__odd__child"].call("{}", Watcher())).text)
        os.kill(pids(tmp_path / "odd")[0], signal.SIGKILL)
        await gone(child)


async def test_a_server_that_was_killed_is_started_again(tmp_path: Path) -> None:
    async with opened(tmp_path, odd=odd(tmp_path / "odd")) as servers:
        tools = await by_name(servers)
        for number in (1, 2, 3):
            os.kill(pids(tmp_path / "odd")[-1], signal.SIGKILL)
            # It may not have been noticed yet: what can be repeated is.
            assert (await tools["mcp__odd__echo"].call("{}", Watcher())).outcome == "ok"
            assert len(pids(tmp_path / "odd")) == number + 1


@pytest.mark.parametrize(("tool", "deaths"), [("die", 2), ("die_for_good", 1)])
async def test_a_call_that_its_server_does_not_survive_is_an_error_that_says_so(
    tmp_path: Path, tool: str, deaths: int
) -> None:
    async with opened(tmp_path, odd=odd(tmp_path / "odd")) as servers:
        tools = await by_name(servers)
        with pytest.raises(ToolError, match="may or may not have taken effect"):
            await tools[f"mcp__odd__{tool}"].call("{}", Watcher())
        assert json.loads((await tools["mcp__odd__echo"].call("{}", Watcher())).text) == {}
        assert len(pids(tmp_path / "odd")) == deaths + 1


async def test_a_dead_server_tells_why_without_secrets(tmp_path: Path) -> None:
    given = odd(tmp_path / "odd", "dying", env={"DB_PASSWORD": "sesame-open-123456"})
    async with opened(tmp_path, odd=given) as servers:
        assert await servers.tools() == []
        (status,) = servers.statuses()
        assert status.health == "failing"
        assert "there is no database at [redacted]" in status.detail


async def test_a_command_that_does_not_exist_is_named(tmp_path: Path) -> None:
    async with opened(tmp_path, no={"command": "no-such-command-anywhere"}) as servers:
        assert await servers.tools() == []
        assert "no-such-command-anywhere" in servers.statuses()[0].detail


async def test_a_server_that_starts_late_is_not_waited_for_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "FIRST_WAIT", 0.05)
    async with opened(tmp_path, odd=odd(tmp_path / "odd", "late")) as servers:
        assert await servers.tools() == []
        (tmp_path / "odd" / "go").touch()

        async def offered() -> object:
            return await servers.tools()

        assert await eventually(offered)
    (tmp_path / "odd" / "go").unlink()
    # What it offers is known from before; a call waits for it.
    async with opened(tmp_path, odd=odd(tmp_path / "odd", "late")) as servers:
        tools = await by_name(servers)
        assert servers.statuses()[0].health == "connecting"
        calling = asyncio.create_task(tools["mcp__odd__echo"].call("{}", Watcher()))
        (tmp_path / "odd" / "go").touch()
        assert (await calling).outcome == "ok"


async def test_a_server_that_never_answers_blocks_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "FIRST_WAIT", 0.05)
    async with opened(
        tmp_path, mute=odd(tmp_path / "mute", "mute"), odd=odd(tmp_path / "odd")
    ) as servers:

        async def offered() -> bool:
            return "mcp__odd__echo" in await by_name(servers)

        await eventually(offered)
        assert [status.health for status in servers.statuses()] == ["connecting", "connected"]

        async def begun() -> list[int]:
            return pids(tmp_path / "mute")

        (pid,) = await eventually(begun)
    assert not is_alive(pid)


async def test_a_server_that_never_answers_is_given_up_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "STARTUP_SECONDS", 0.3)
    async with opened(tmp_path, mute=odd(tmp_path / "mute", "mute")) as servers:
        assert await servers.tools() == []
        assert "did not answer within 0.3 s" in servers.statuses()[0].detail

        async def tried_again() -> bool:
            return len(pids(tmp_path / "mute")) > 1

        await eventually(tried_again)


async def test_a_call_of_a_server_that_rests_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_FIRST_PAUSE", 50.0)
    async with opened(tmp_path, odd=odd(tmp_path / "odd")) as servers:
        await servers.tools()
    (tmp_path / "odd" / "dead").touch()
    async with opened(tmp_path, odd=odd(tmp_path / "odd")) as servers:
        tools = await by_name(servers)

        async def resting() -> bool:
            return servers.statuses()[0].health == "failing"

        await eventually(resting)
        with pytest.raises(ToolError, match="there is no database") as refused:
            await tools["mcp__odd__echo"].call("{}", Watcher())
        assert "tried again in 50 s" in str(refused.value)
        assert "Go on without it" in str(refused.value)
    assert len(pids(tmp_path / "odd")) == 2


async def test_a_list_that_changed_is_read_again(tmp_path: Path) -> None:
    async with opened(tmp_path, odd=odd(tmp_path / "odd")) as servers:
        tools = await by_name(servers)
        assert "mcp__odd__grown" not in tools
        for call, is_there in (("mcp__odd__grow", True), ("mcp__odd__shrink", False)):
            await tools[call].call("{}", Watcher())

            async def changed(expected: bool = is_there) -> bool:
                return ("mcp__odd__grown" in await by_name(servers)) is expected

            await eventually(changed)


@pytest.mark.parametrize("manner", ["", "shouting"])
async def test_what_is_no_message_is_skipped(tmp_path: Path, manner: str) -> None:
    async with opened(tmp_path, odd=odd(tmp_path / "odd", manner)) as servers:
        tools = await by_name(servers)
        for name in ("garble", "echo"):
            assert (await tools[f"mcp__odd__{name}"].call("{}", Watcher())).outcome == "ok"
        assert len(pids(tmp_path / "odd")) == 1


async def test_a_call_that_takes_too_long_is_cancelled_there_too(tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    async with opened(tmp_path, odd=odd(folder, timeout=0.2)) as servers:
        tools = await by_name(servers)
        with pytest.raises(TimeoutError, match=r"did not answer within 0\.2 s"):
            await tools["mcp__odd__hang"].call("{}", Watcher())
        await cancelled(folder)


async def test_a_call_that_is_cancelled_here_is_cancelled_there(tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    async with opened(tmp_path, odd=odd(folder)) as servers:
        tools = await by_name(servers)
        calling = asyncio.create_task(tools["mcp__odd__hang"].call("{}", Watcher()))

        async def hanging() -> bool:
            return (folder / "hanging").exists()

        await eventually(hanging)
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
        await cancelled(folder)
        assert (await tools["mcp__odd__echo"].call("{}", Watcher())).outcome == "ok"


async def cancelled(folder: Path) -> None:
    """Until the server has been told that nobody waits for its answer."""

    async def told() -> bool:
        file = folder / "cancelled"
        return file.exists() and file.read_text() == (folder / "hanging").read_text()

    await eventually(told)
