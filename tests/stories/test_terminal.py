"""Commands as a model gives them: side by side, in their session's folder, in the background."""

import asyncio
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.stories.test_chat import CHAT, NAMED, progress, streamed
from tests.stories.test_responses import PATH as RESPONSES
from tests.stories.test_runs import check, events, start
from tests.support.following import eventually, reached
from tests.support.http import Client
from tests.support.living import living, naps, until_living
from tests.support.process import free_port
from tests.support.scripted import scripted
from tests.support.server import AngeliaServer

Event = dict[str, Any]


def call(tool: str, **arguments: Any) -> str:
    """What makes the demo model call this tool."""
    return f"call {tool} {json.dumps(arguments)}"


def background(command: str, **more: Any) -> str:
    return call("terminal", command=command, background=True, **more)


async def told(client: Client, text: str, session: str, **more: Any) -> list[Event]:
    """All events of a run that does what the text says, to its end."""
    seen = await events(client, await start(client, text, session_id=session, **more))
    check(seen)
    check_calls(seen)
    return seen


async def output(client: Client, text: str, session: str) -> str:
    """What the one call came to."""
    (done,) = [e for e in await told(client, text, session) if e["event"] == "tool.completed"]
    return done["output"]


def check_calls(seen: list[Event]) -> None:
    """Every call has one start and, behind it, one end; live output lies between them."""
    begun: set[str] = set()
    over: set[str] = set()
    offsets: dict[str, int] = {}
    for event in seen:
        call_id = event.get("tool_call_id", "")
        match event["event"]:
            case "tool.started":
                assert call_id not in begun
                begun.add(call_id)
            case "tool.output":
                assert call_id in begun - over
                assert event["offset"] == offsets.get(call_id, 0)
                offsets[call_id] = event["offset"] + len(event["delta"].encode())
            case "tool.completed":
                assert call_id in begun - over
                over.add(call_id)
            case _:
                pass
    assert begun == over


# ── side by side ────────────────────────────────────────────────────────────────────────────


async def test_eight_commands_run_at_once(server: AngeliaServer) -> None:
    """Each waits for the next one: were they to run one after another, none would end."""
    count = 8
    for number in range(count):
        os.mkfifo(server.home / "workspace" / f"f{number}")
    lines = [
        f"echo here > f{number} & read x < f{(number + 1) % count}; wait; echo {number} $x"
        for number in range(count)
    ]
    text = ", ".join(call("terminal", command=line, timeout=60) for line in lines)
    async with Client(server.url, server.key) as client:
        seen = await told(client, text, "parallel")
    names = [e["event"] for e in seen]
    first_end = names.index("tool.completed")
    assert names[:first_end].count("tool.started") == names.count("tool.completed") == count
    done = {e["output"] for e in seen if e["event"] == "tool.completed"}
    assert done == {f"{number} here\n" for number in range(count)}


# ── the folder of a session ─────────────────────────────────────────────────────────────────


async def test_a_session_keeps_its_folder_across_runs_and_a_restart(server: AngeliaServer) -> None:
    place = server.home / "workspace" / "deep" / "er"
    place.mkdir(parents=True)
    async with Client(server.url, server.key) as client:
        moved = await output(client, "`cd deep && cd er`", "walk")
        assert moved == "[no output]\n[folder: deep/er]"
        assert await where(client, "walk") == "deep/er"
        assert await where(client, "another") == "."
    server.restart()
    async with Client(server.url, server.key) as client:
        assert await where(client, "walk") == "deep/er"
        told_elsewhere = call("terminal", command="touch here", folder="deep")
        await output(client, told_elsewhere, "walk")
        assert (place.parent / "here").exists()
        assert await where(client, "walk") == "deep/er"
        place.rmdir()
        text = await output(client, "`pwd`", "walk")
        assert "[the folder 'deep/er' is gone" in text
        assert await where(client, "walk") == "."


async def where(client: Client, session: str) -> str:
    """The folder that a command of the session starts in, relative to the workspace."""
    mark = f"mark-{session}"
    await output(client, f"`touch {mark}`", session)
    text = await output(client, f"`echo; pwd; rm {mark}`", session)
    shown = text.strip().splitlines()[0]
    _, _, below = shown.partition("/workspace")
    return below.lstrip("/") or "."


# ── in the background ───────────────────────────────────────────────────────────────────────


async def test_a_process_is_begun_polled_written_to_and_killed(client: Client) -> None:
    nap = naps()
    line = f"echo ready; while read x; do echo got $x; done; {nap}"
    begun = await output(client, background(line), "talk")
    assert begun.startswith("ready\n[p1 has been running for ")

    async def answered() -> bool:
        text = await output(client, call("process", action="poll", id="p1", offset=0), "talk")
        return "got you & me\n" in text

    await output(client, call("process", action="write", id="p1", data="you & me\n"), "talk")
    await eventually(answered)
    assert "while read x" in await output(client, call("process", action="list"), "talk")
    elsewhere = await output(client, call("process", action="poll", id="p1"), "eavesdropper")
    assert "There is no process 'p1'" in elsewhere
    killed = await output(client, call("process", action="kill", id="p1"), "talk")
    assert "[p1 was ended: it was killed; exit code 137" in killed
    again = await output(client, call("process", action="write", id="p1", data="x"), "talk")
    assert "p1 has ended" in again


async def test_a_server_in_the_background_serves_the_commands_of_its_session(
    client: Client,
) -> None:
    port = free_port()
    serve = f"python3 -u -m http.server {port} --bind 127.0.0.1"
    await output(client, background(serve), "web")

    async def ready() -> bool:
        text = await output(client, call("process", action="poll", id="p1", offset=0), "web")
        return "Serving HTTP" in text

    await eventually(ready)
    ask = f"exec 3<>/dev/tcp/127.0.0.1/{port}; printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3; cat <&3"
    assert "200 OK" in await output(client, call("terminal", command=ask), "web")
    assert "was ended" in await output(client, call("process", action="kill", id="p1"), "web")


async def test_a_wait_shows_what_comes_while_it_waits(server: AngeliaServer) -> None:
    """The process goes on when it finds a file; whoever waits sees what it says then."""
    until = "while [ ! -e {} ]; do sleep 0.02; done"
    line = f"{until.format('go')}; echo here I go; {until.format('end')}"
    async with Client(server.url, server.key) as client:
        await told(client, background(line), "waiting")
        waiting = call("process", action="wait", id="p1", timeout=60)
        run_id = await start(client, waiting, session_id="waiting")
        await reached(client, run_id, "tool.started")
        (server.home / "workspace" / "go").touch()
        assert (await reached(client, run_id, "tool.output"))["delta"] == "here I go\n"
        (server.home / "workspace" / "end").touch()
        seen = await events(client, run_id)
    check_calls(seen)
    (done,) = [e for e in seen if e["event"] == "tool.completed"]
    assert done["output"] == "here I go\n[p1 has ended with exit code 0; next offset 10]"


async def test_a_program_with_a_screen_hears_ctrl_c(client: Client) -> None:
    look = "test -t 1 && echo yes || echo no"
    assert await output(client, call("terminal", command=look, screen=True), "tty") == "yes\n"
    assert await output(client, call("terminal", command=look), "tty") == "no\n"
    # Without noflsh a terminal may throw away what is printed right behind an interrupt.
    line = "stty noflsh; trap 'echo caught; exit 5' INT; echo ready; while :; do sleep 0.02; done"
    await output(client, background(line, screen=True), "tty")

    async def ready() -> bool:
        text = await output(client, call("process", action="poll", id="p1", offset=0), "tty")
        return text.startswith("ready\n")

    await eventually(ready)
    await output(client, call("process", action="write", id="p1", data="\x03"), "tty")
    await output(client, call("process", action="wait", id="p1"), "tty")
    text = await output(client, call("process", action="poll", id="p1", offset=0), "tty")
    assert "caught\n[p1 has ended with exit code 5" in text


async def test_a_person_is_asked_before_something_is_written_and_not_before_a_look(
    start_server: Any,
) -> None:
    server = start_server(ANGELIA_APPROVALS="ask")
    async with Client(server.url, server.key) as client:
        for action in ("list", "poll", "wait", "kill"):
            seen = await told(client, call("process", action=action, id="p1"), "asking")
            assert "approval.requested" not in [e["event"] for e in seen]
        write = call("process", action="write", id="p1", data="rm -rf /", enter=True)
        run_id = await start(client, write, session_id="asking")
        asked = await reached(client, run_id, "approval.requested")
        assert (asked["tool"], asked["preview"]) == ("process", "rm -rf /")
        await client.post(f"/v1/runs/{run_id}/stop")


async def test_every_call_has_one_start_and_one_end_on_every_surface(client: Client) -> None:
    story = ", ".join(
        (
            background("echo up"),
            call("terminal", command="echo out; echo err >&2; exit 3"),
            call("process", action="list"),
            call("process", action="poll", id="p77"),
        )
    )
    seen = await told(client, story, "surfaces")
    outcomes = [e["outcome"] for e in seen if e["event"] == "tool.completed"]
    assert sorted(outcomes) == ["error", "error", "ok", "ok"]
    live = "".join(e["delta"] for e in seen if e["event"] == "tool.output")
    assert {"up", "out", "err"} <= set(live.split())
    frames = await streamed(client, story)
    shown = progress(frames)
    for status in ("running", "completed"):
        ids = [event["toolCallId"] for event in shown if event["status"] == status]
        assert len(ids) == len(set(ids)) == 4
    body = {"model": "angelia", "input": story, "stream": True}
    pair = {"X-Angelia-Tool-Items": "pair"}
    async with client.open("POST", RESPONSES, body, pair) as reader:
        items = [
            frame.json["item"]
            async for frame in reader.frames()
            if frame.event == "response.output_item.done"
        ]
    for kind in ("function_call", "function_call_output"):
        ids = [item["call_id"] for item in items if item["type"] == kind]
        assert len(ids) == len(set(ids)) == 4


async def test_no_secret_of_the_server_is_in_any_output(start_server: Any) -> None:
    server = start_server(ANGELIA_API_KEY="very-secret-0123456789", MY_TOKEN="hidden-98765")
    async with Client(server.url, server.key) as client:
        look = "env; cat /proc/self/environ; set"
        seen = await told(client, call("terminal", command=look), "env")
        seen += await told(client, background(f"{look}; echo over"), "env")
        seen += await told(client, call("process", action="wait", id="p1"), "env")
    assert "PATH=" in str(seen)
    assert "very-secret" not in str(seen)
    assert "hidden-98765" not in str(seen)


# ── the end of what they belong to ──────────────────────────────────────────────────────────


async def test_a_stop_kills_the_whole_tree_and_what_the_run_has_begun(client: Client) -> None:
    near, far, behind, apart = naps(), naps(), naps(), naps()
    tree = call("terminal", command=f"{near} & setsid {far} & wait")
    kept = background(f"setsid {behind} & {apart}")
    run_id = await start(client, f"{tree}, {kept}", session_id="stopped")
    for nap in (near, far, behind, apart):
        await asyncio.to_thread(until_living, nap)
    await client.post(f"/v1/runs/{run_id}/stop")
    seen = await events(client, run_id)
    check(seen)
    check_calls(seen)
    assert seen[-1]["event"] == "run.cancelled"
    assert living(near) == living(far) == []
    for nap in (behind, apart):
        await asyncio.to_thread(until_living, nap, wanted=False)


async def test_what_another_run_has_begun_outlives_a_stop(client: Client) -> None:
    nap = naps()
    await told(client, background(nap), "two-runs")
    run_id = await start(client, "sleep 60", session_id="two-runs")
    await reached(client, run_id, "tool.started")
    await client.post(f"/v1/runs/{run_id}/stop")
    await events(client, run_id)
    listed = await output(client, call("process", action="list"), "two-runs")
    assert listed.startswith("p1 has been running")
    assert living(nap)
    await output(client, call("process", action="kill", id="p1"), "two-runs")
    assert not living(nap)


async def test_who_hangs_up_takes_the_background_of_the_run_with_them(client: Client) -> None:
    front, behind = naps(), naps()
    text = f"{call('terminal', command=front)}, {background(behind)}"
    body = {"model": "angelia", "messages": [{"role": "user", "content": text}], "stream": True}
    async with client.open("POST", CHAT, body, NAMED):
        for nap in (front, behind):
            await asyncio.to_thread(until_living, nap)
    for nap in (front, behind):
        await asyncio.to_thread(until_living, nap, wanted=False)


async def test_a_deleted_session_takes_its_background_with_it(client: Client) -> None:
    nap = naps()
    await told(client, background(f"setsid {nap} & wait"), "deleted")
    await asyncio.to_thread(until_living, nap)
    assert (await client.delete("/api/sessions/deleted")).status == 200
    assert not living(nap)


async def test_the_end_of_the_server_is_the_end_of_the_background(server: AngeliaServer) -> None:
    nap = naps()
    async with Client(server.url, server.key) as client:
        await told(client, background(f"setsid {nap} & wait"), "leaving")
    await asyncio.to_thread(until_living, nap)
    assert server.stop() == 0
    assert not living(nap)


# ── kill -9 ─────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def nap() -> Iterator[str]:
    """A command that is ended after the test, whoever has left it behind."""
    nap = naps()
    yield nap
    for pid in living(nap):
        os.kill(pid, signal.SIGKILL)


def tool(name: str, **arguments: Any) -> Event:
    return {"name": name, "arguments": arguments}


async def test_after_a_crash_the_process_is_gone_and_the_command_is_in_doubt(
    tmp_path: Path, nap: str
) -> None:
    deed = f"echo x >> deed; {nap}"
    with scripted(tmp_path) as stage:
        stage.script(
            {"calls": [tool("terminal", command=f"setsid {nap} & wait", background=True)]},
            {"text": "It is on its way."},
            {
                "text": "Both at once.",
                "calls": [
                    tool("terminal", command=deed),
                    tool("process", action="wait", id="p1", timeout=600),
                ],
            },
            {"text": "I see."},
        )
        deeds = stage.server.home / "workspace" / "deed"
        async with stage.client() as client:
            await told(client, "begin", "crash")
            run_id = await start(client, "go on", session_id="crash")
            await eventually(lambda: there(deeds))
        stage.server.kill()
        # With the server, not only when the next one starts.
        await asyncio.to_thread(until_living, nap, wanted=False)
        stage.server.start()
        async with stage.client() as client:
            seen = await events(client, run_id)
            check(seen)
            check_calls(seen)
            assert seen[-1]["event"] == "run.completed"
            done = {e["tool"]: e for e in seen if e["event"] == "tool.completed"}
            assert done["terminal"]["outcome"] == "in_doubt"
            assert done["process"]["outcome"] == "error"
            # What clients are told, in whatever protocol they ask.
            assert "may or may not have taken effect" in done["terminal"]["output"]
            path = f"/v1/runs/{run_id}/events?as=chat"
            frames = [frame async for frame in client.stream(path, **NAMED)]
            ends = [e for e in progress(frames) if e["status"] == "completed"]
            assert {e["tool"]: e["outcome"] for e in ends} == {
                "terminal": "in_doubt",
                "process": "error",
            }
            # What the model was told of both.
            asked = stage.asked_about("go on")[-1]
            results = [str(m["content"]) for m in asked["messages"] if m["role"] == "tool"]
            assert "may or may not have taken effect" in results[-2]
            assert "There is no process 'p1'" in results[-1]
            assert "has ended with the server" in results[-1]
            assert len(stage.asked_about("go on")) == 2
            listed = await output(client, call("process", action="list"), "crash")
            assert listed == "[no background processes]"
        assert deeds.read_text() == "x\n"
        assert living(nap) == []


async def there(path: Path) -> bool:
    return path.exists()
