"""Parts of the work in runs of their own: side by side, followed, stopped, found again."""

import asyncio
import json
from pathlib import Path
from typing import Any

from tests.stories.test_runs import check, events
from tests.support.following import ended, eventually, reached, run_of, started
from tests.support.http import Client
from tests.support.scripted import scripted


def delegating(*goals: str, **more: Any) -> str:
    tasks = [{"goal": goal, **more} for goal in goals]
    return "call delegate " + json.dumps({"tasks": tasks})


def only(seen: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    return [event for event in seen if event["event"] == name]


async def test_children_are_runs_that_can_be_followed_and_their_reports_come_back(client) -> None:
    run_id = await started(client, {"input": delegating("Run `echo first`", "Run `echo second`")})
    seen = await events(client, run_id)
    check(seen)
    begun, done = only(seen, "subagent.started"), only(seen, "subagent.completed")
    assert {e["child_run_id"] for e in begun} == {e["child_run_id"] for e in done}
    assert len(begun) == 2
    assert {e["status"] for e in done} == {"completed"}
    (call,) = only(seen, "tool.completed")
    assert call["outcome"] == "ok"
    assert "first" in call["output"]
    assert "second" in call["output"]
    for event in begun:
        child = await events(client, event["child_run_id"])
        check(child)
        assert len(only(child, "tool.started")) == len(only(child, "tool.completed")) == 1
        record = (await client.get(f"/v1/runs/{event['child_run_id']}")).json
        by = {"run_id": run_id, "tool_call_id": event["tool_call_id"]}
        assert (record["delegated_by"], record["surface"]) == (by, "delegate")
    # What children do is live output of the call.
    assert "echo first" in "".join(e["delta"] for e in only(seen, "tool.output"))


async def test_children_work_side_by_side(client, demo_server) -> None:
    """Each waits for what the other one writes."""
    workspace = demo_server.home / "workspace"
    (workspace / "left").unlink(missing_ok=True)
    (workspace / "right").unlink(missing_ok=True)
    waits = "until [ -e {} ]; do sleep 0.02; done"
    left = f"Run `touch left; {waits.format('right')}; echo met`"
    right = f"Run `touch right; {waits.format('left')}; echo met`"
    run_id = await started(client, {"input": delegating(left, right)})
    run = await ended(client, run_id)
    assert run["status"] == "completed"


async def test_a_stop_reaches_the_children(client) -> None:
    run_id = await started(client, {"input": delegating("sleep 60")})
    child = (await reached(client, run_id, "subagent.started"))["child_run_id"]
    await reached(client, child, "tool.started")
    await client.post(f"/v1/runs/{run_id}/stop", {})
    assert (await ended(client, run_id))["status"] == "cancelled"
    assert (await run_of(client, child))["status"] == "cancelled"
    last = (await events(client, child))[-1]
    assert (last["event"], last["by"]) == ("run.cancelled", "parent")


async def test_a_chat_client_that_leaves_does_not_lose_the_report(client) -> None:
    body = {"messages": [{"role": "user", "content": delegating("sleep 0.5")}], "stream": True}
    headers = {"X-Angelia-On-Disconnect": "continue"}
    async with client.open("POST", "/v1/chat/completions", body, headers=headers) as reader:
        run_id = reader.headers["X-Angelia-Run-Id"]
        async for frame in reader.frames():
            if frame.event == "hermes.tool.progress":
                break
    run = await ended(client, run_id)
    assert run["status"] == "completed"
    (call,) = only(await events(client, run_id), "tool.completed")
    assert "completed" in call["output"]


async def test_delegation_goes_only_so_deep(client) -> None:
    inner = delegating("Run `echo deep`")
    run_id = await started(client, {"input": delegating(delegating(inner))})
    seen = await events(client, run_id)
    check(seen)
    (first,) = only(seen, "subagent.started")
    (second,) = only(await events(client, first["child_run_id"]), "subagent.started")
    # The last one in line has no such tool.
    deepest = await events(client, second["child_run_id"])
    assert not only(deepest, "subagent.started")
    assert not only(deepest, "tool.started")
    check(deepest)


async def test_children_have_the_tools_they_are_given_and_no_more(client) -> None:
    goal = "list and `echo no`"
    run_id = await started(client, {"input": delegating(goal, toolsets=["files"])})
    (event,) = only(await events(client, run_id), "subagent.started")
    outcomes = {
        call["tool"]: call["outcome"]
        for call in only(await events(client, event["child_run_id"]), "tool.completed")
    }
    # The demo model calls no tool that it was not told of.
    assert outcomes == {"list_files": "ok"}


async def test_a_child_cannot_ask_and_says_so(start_server) -> None:
    server = start_server(ANGELIA_APPROVALS="ask")
    async with Client(server.url, server.key) as client:
        run_id = await started(client, {"input": delegating("Run `touch x`")})
        seen = await events(client, run_id)
        check(seen)
        (event,) = only(seen, "subagent.started")
        (call,) = only(await events(client, event["child_run_id"]), "tool.completed")
        assert call["outcome"] == "denied"
        assert not (server.home / "workspace" / "x").exists()


async def test_a_crash_in_the_middle_finds_the_child_again(server) -> None:
    goal = "Run `echo x >> deed; sleep 1` and then say so"
    async with Client(server.url, server.key) as client:
        run_id = await started(client, {"input": delegating(goal)})
        child = (await reached(client, run_id, "subagent.started"))["child_run_id"]
        await reached(client, child, "tool.started")
    server.restart()
    async with Client(server.url, server.key) as client:
        run = await ended(client, run_id)
        assert run["status"] == "completed"
        seen = await events(client, run_id)
        check(seen)
        assert {e["child_run_id"] for e in only(seen, "subagent.started")} == {child}
        assert len(only(seen, "tool.started")) == len(only(seen, "tool.completed")) == 1
        (deed,) = only(await events(client, child), "tool.completed")
        assert deed["outcome"] == "in_doubt"


async def test_a_stop_of_the_server_lets_children_wait_for_the_next_start(server) -> None:
    (server.home / "angelia.toml").write_text("[server]\ndrain = 0.1\n")
    server.restart()
    async with Client(server.url, server.key) as client:
        run_id = await started(client, {"input": delegating("think and long 400")})
        child = (await reached(client, run_id, "subagent.started"))["child_run_id"]
    server.stop()
    server.start()
    async with Client(server.url, server.key) as client:
        assert (await ended(client, run_id))["status"] == "completed"
        assert (await run_of(client, child))["status"] == "completed"


async def test_the_model_reads_the_reports(tmp_path: Path) -> None:
    tasks = {"tasks": [{"goal": "Find the colour.", "context": "It is on the wall."}]}
    with scripted(tmp_path) as stage:
        stage.script(
            {"when": "Paint it.", "calls": [{"name": "delegate", "arguments": tasks}]},
            {"when": "Find the colour.", "text": "It is blue."},
            {"text": "Painted."},
        )
        async with stage.client() as client:
            run = await ended(client, await started(client, {"input": "Paint it."}))
        assert run["output"] == "Painted."
        (child,) = stage.asked_about("Find the colour.")
        assert "It is on the wall." in str(child["messages"][-1])
        assert "Nobody can be asked" in str(child["messages"][0])
        last = stage.asked[-1]["messages"][-1]
        assert last["role"] == "tool"
        assert "It is blue." in last["content"]


async def test_many_delegations_at_once_all_end(client) -> None:
    goals = [f"Run `echo {n}`" for n in range(8)]
    runs = [await started(client, {"input": delegating(*goals)}) for _ in range(3)]
    for run in await asyncio.gather(*(ended(client, run_id) for run_id in runs)):
        assert run["status"] == "completed"

    async def none_under_way() -> bool:
        return not (await client.get("/v1/runs?status=running")).json["data"]

    await eventually(none_under_way)
