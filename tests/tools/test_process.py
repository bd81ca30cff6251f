import asyncio
import json
from pathlib import Path

import pytest

from angelia.adapters.local_workspace import LocalWorkspace
from angelia.adapters.memory.sandbox import Script
from angelia.adapters.processes import PlainProcesses
from angelia.core.policy import Policy, Touched, judge
from angelia.errors import ToolError
from angelia.ports import Caller
from angelia.tools.live import LIVE_END
from angelia.tools.ring import KEPT
from tests.tools.watching import Watcher
from tests.tools.workshop import Workshop, ended, printed

SERVE = Script(((b"ready\n", "stdout"),), hangs=True, echoes=True)
FAILS = Script(((b"no such port", "stderr"),), code=3)


@pytest.fixture
async def shop():
    shop = Workshop({"serve": SERVE, "fails": FAILS, "quiet": Script(hangs=True)})
    yield shop
    await shop.background.close()


async def test_a_command_in_the_background_is_told_of_at_once(shop: Workshop):
    await shop.known("run_1")
    watcher = Watcher()
    output = await shop.run("serve", watcher, background=True)
    assert output.text == "ready\n[p1 has been running for 0 s; next offset 6]"
    assert (output.outcome, output.sandbox) == ("ok", "memory")
    assert watcher.text() == "ready\n"
    assert shop.scripted.running == ["serve"]


async def test_one_that_ends_at_once_says_how(shop: Workshop):
    await shop.known("run_1")
    output = await shop.run("fails", background=True)
    assert output.text == "no such port\n[p1 has ended with exit code 3; next offset 12]"


async def test_a_list_has_a_line_for_each(shop: Workshop):
    assert await shop.ask("list") == "[no background processes]"
    await shop.begin("serve")
    await shop.begin("fails")
    shop.clock.advance(61)
    assert await shop.ask("list") == (
        "p1 has been running for 61 s: serve\np2 has ended with exit code 3: fails"
    )


async def test_a_poll_gives_what_is_new(shop: Workshop):
    child = await shop.begin()
    assert (await shop.ask("poll", "p1")).startswith("[p1 has been running")
    process = shop.scripted.processes[0]
    process.print("one €\n".encode())
    await printed(child, b"one")
    process.print(b"two")
    await printed(child, b"two")
    assert await shop.ask("poll", "p1") == (
        "one €\ntwo\n[p1 has been running for 0 s; next offset 17]"
    )
    assert (await shop.ask("poll", "p1")).startswith("[p1")
    assert (await shop.ask("poll", "p1", offset=6)).startswith("one €\ntwo\n[p1")
    assert (await shop.ask("poll", "p1", offset=999)).startswith("[p1")


async def test_a_poll_says_what_is_lost(shop: Workshop):
    child = await shop.begin()
    process = shop.scripted.processes[0]
    process.print(b"x" * 3 * KEPT)
    process.print(b"last")
    await shop.clock.sleepers(2)
    shop.clock.advance(1)
    await printed(child, b"last")
    text = await shop.ask("poll", "p1")
    gone = child.output.start - 6
    assert gone > 0
    assert text.startswith(f"[{gone:,} bytes before this are no longer kept]\nx")
    assert "xlast\n[p1" in text


async def test_who_prints_without_end_has_to_pause(shop: Workshop):
    child = await shop.begin()
    process = shop.scripted.processes[0]
    for _ in range(9):
        process.print(b"x" * (KEPT // 4))
    # The lifetime of the process and the pause of its reader.
    await shop.clock.sleepers(2)
    assert child.output.end < 2 * KEPT


async def test_a_wait_shows_what_comes_and_tells_the_end(shop: Workshop):
    await shop.begin()
    watcher = Watcher()
    waiting = asyncio.create_task(shop.ask("wait", "p1", watcher))
    while not shop.scripted.running:
        await asyncio.sleep(0)
    process = shop.scripted.processes[0]
    process.print(b"more")
    async with asyncio.timeout(20):
        while watcher.text() != "more":
            await asyncio.sleep(0)
    await process.kill()
    assert await waiting == "more\n[p1 has ended with exit code 137; next offset 10]"


async def test_a_wait_has_its_own_end_and_leaves_the_process(shop: Workshop):
    await shop.begin("quiet")
    assert (await shop.ask("wait", "p1", timeout=0.02)).startswith("[p1 has been running")
    assert shop.scripted.running == ["quiet"]


async def test_what_a_wait_shows_is_bounded(shop: Workshop):
    child = await shop.begin()
    process = shop.scripted.processes[0]
    process.print(b"x" * (KEPT + 1))
    await printed(child, b"xx")
    watcher = Watcher()
    await shop.ask("wait", "p1", watcher, timeout=0.02)
    assert watcher.text() == "x" * KEPT + LIVE_END


async def test_what_is_written_arrives_and_is_answered(shop: Workshop):
    await shop.begin()
    answer = await shop.ask("write", "p1", data="hällo", enter=True)
    assert answer.startswith("hällo\n[p1 has been running")
    await shop.ask("write", "p1", data="\x03")
    assert shop.scripted.processes[0].written == "hällo\n\x03".encode()


async def test_a_kill_tells_the_end_and_may_be_said_twice(shop: Workshop):
    await shop.begin()
    killed = "[p1 was ended: it was killed; exit code 137; next offset 6]"
    assert await shop.ask("kill", "p1") == killed
    assert await shop.ask("kill", "p1") == killed
    assert shop.scripted.running == []


async def test_the_limit_that_ended_a_process_is_named():
    shop = Workshop({"it": Script(code=137, limit="more than 1 GiB of memory")})
    child = await shop.begin("it")
    await ended(child)
    expected = "[p1 was ended: more than 1 GiB of memory; exit code 137; next offset 0]"
    assert await shop.ask("poll", "p1") == expected


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        ({"action": "poll"}, "'id' is missing"),
        ({"action": "poll", "id": "p9"}, "no process 'p9'.*there are: p1, p2.*with the server"),
        ({"action": "write", "id": "p1"}, "'data' is missing"),
        ({"action": "write", "id": "p2", "data": "x"}, "p2 has ended"),
        ({"action": "wait", "id": "p1", "timeout": 601}, "'timeout'"),
        ({"action": "poll", "id": "p1", "offset": -1}, "'offset'"),
        ({"action": "dance", "id": "p1"}, "'action'"),
        ({"id": "p1"}, "'action' is missing"),
    ],
)
async def test_impossible_calls_say_what_is_wrong(shop: Workshop, call: object, fault: str):
    await shop.begin("serve")
    await ended(await shop.begin("fails"))
    with pytest.raises(ToolError, match=fault):
        await shop.process.call(json.dumps(call), Watcher())


async def test_another_session_and_another_key_see_nothing(shop: Workshop):
    await shop.begin()
    for caller in (Caller("key_1", "s2"), Caller("key_2", "s1"), Caller("key_1")):
        stranger = Watcher(caller)
        assert await shop.ask("list", watcher=stranger) == "[no background processes]"
        for action in ("poll", "wait", "write", "kill"):
            with pytest.raises(ToolError, match="There is no process 'p1'"):
                await shop.ask(action, "p1", stranger, data="x")
    assert shop.scripted.running == ["serve"]
    assert shop.scripted.processes[0].written == b""


async def test_what_is_drawn_on_a_screen_is_read_as_text(shop: Workshop):
    await shop.begin("quiet", screen=True)
    shop.scripted.processes[0].print(b"\x1b[1mbold\x1b[0m\r\n")
    await printed(shop.background.all(("key_1", "s1"))[0], b"bold")
    assert (await shop.ask("poll", "p1")).startswith("bold\n[p1")


# ── what a policy and people are told ───────────────────────────────────────────────────────


def test_only_a_write_needs_to_be_asked_about():
    tool = Workshop().process
    assert (tool.spec.effect, tool.toolset) == ("idempotent", "terminal")
    policy = Policy(irreversible="ask")
    for action in ("list", "poll", "wait", "kill"):
        touched = tool.touched(json.dumps({"action": action, "id": "p1"}))
        assert touched == Touched(harmless=True)
        assert judge(policy, "process", "idempotent", touched).verdict == "allow"
    for data in ("rm -rf x", "ls", ""):
        call = {"action": "write", "id": "p1", "data": data, "enter": True}
        touched = tool.touched(json.dumps(call))
        assert judge(policy, "process", "idempotent", touched).verdict == "ask"


def test_people_see_what_is_written():
    tool = Workshop().process
    assert tool.label('{"action": "list"}') == "list"
    assert tool.label('{"action": "kill", "id": "p1"}') == "kill p1"
    write = {"action": "write", "id": "p1", "data": "yes\x03"}
    assert tool.label(json.dumps(write)) == r"write p1: 'yes\x03'"
    assert tool.lane('{"action": "list"}') is None


# ── with real processes ─────────────────────────────────────────────────────────────────────


async def test_a_real_process_is_read_written_to_and_killed(tmp_path: Path):
    workspace = LocalWorkspace(tmp_path)
    shop = Workshop(sandbox=PlainProcesses(tmp_path), workspace=workspace)
    child = await shop.begin("echo ready; while read line; do echo got $line; done")
    await printed(child, b"ready\n")
    await shop.ask("write", child.id, data="one", enter=True)
    await printed(child, b"got one\n")
    assert "got one" in await shop.ask("poll", child.id, offset=0)
    assert "was ended: it was killed" in await shop.ask("kill", child.id)
    assert child.exit is not None


async def test_a_real_process_ends_by_itself(tmp_path: Path):
    workspace = LocalWorkspace(tmp_path)
    shop = Workshop(sandbox=PlainProcesses(tmp_path), workspace=workspace)
    child = await shop.begin("read x; echo bye $x; exit 4")
    await shop.ask("write", child.id, data="now", enter=True)
    text = await shop.ask("wait", child.id)
    assert text.endswith("[p1 has ended with exit code 4; next offset 8]")
    assert child.output.since(0) == (0, b"bye now\n")
