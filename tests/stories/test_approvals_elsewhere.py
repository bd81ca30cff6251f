"""Approvals outside of chat boxes: one of two, after a crash, and too late, on every surface."""

from pathlib import Path
from typing import Any

import pytest

from tests.stories.test_approvals import (
    MCP,
    agreed,
    angelia,
    events_of,
    items,
    run_of,
    touch,
    waiting,
)
from tests.support.following import reached
from tests.support.http import Client
from tests.support.scripted import Scripted, scripted
from tests.support.talk import talking


async def answered_by_runs(stage: Scripted, client: Client, asked: Any) -> tuple[bool, str]:
    body = {"choice": "once", "approval_id": asked["approval_id"]}
    answer = await client.post(f"/v1/runs/{asked['run_id']}/approval", body)
    return answer.status == 200, answer.body.decode()


async def answered_by_command(stage: Scripted, client: Client, asked: Any) -> tuple[bool, str]:
    ran = angelia(stage, "approve", asked["run_id"])
    return ran.returncode == 0, ran.stderr


async def answered_by_items(stage: Scripted, client: Client, asked: Any) -> tuple[bool, str]:
    body = answering(asked)
    answer = await client.post("/v1/responses", body, **MCP)
    return answer.status == 200, answer.body.decode()


async def answered_by_socket(stage: Scripted, client: Client, asked: Any) -> tuple[bool, str]:
    async with talking(stage.server.url, stage.server.key, **MCP) as socket:
        turn = await socket.ask(**answering(asked))
    return turn[-1]["type"] == "response.completed", str(turn[-1])


def answering(asked: Any) -> dict[str, Any]:
    return {"input": [agreed(asked["request"])], "previous_response_id": asked["response"]}


SURFACES = (answered_by_runs, answered_by_command, answered_by_items, answered_by_socket)
each_surface = pytest.mark.parametrize("answered", SURFACES, ids=lambda each: each.__name__)


async def asking(client: Client) -> dict[str, Any]:
    """A response that asks, with all that its answer may name."""
    answer = await client.post("/v1/responses", {"input": "make x"}, **MCP)
    (request,) = items(answer.json, "mcp_approval_request")
    run_id = answer.headers["X-Angelia-Run-Id"]
    asked = await reached(client, run_id, "approval.requested")
    return {**asked, "request": request, "response": answer.json["id"]}


@each_surface
async def test_an_answer_after_a_crash_lets_the_run_go_on(tmp_path: Path, answered: Any) -> None:
    with scripted(tmp_path, ANGELIA_APPROVALS="ask") as stage:
        stage.script(touch("x"), {"text": "After the crash."})
        async with stage.client() as client:
            asked = await asking(client)
        stage.server.restart()
        async with stage.client() as client:
            went, said = await answered(stage, client, asked)
            assert went, said
            seen = await events_of(client, asked["run_id"])
        assert [e["outcome"] for e in seen if e["event"] == "tool.completed"] == ["ok"]
        assert [e["event"] for e in seen].count("tool.started") == 1
        assert seen[-1]["output"] == "After the crash."
        assert (stage.server.home / "workspace" / "x").exists()


@each_surface
async def test_an_answer_that_comes_too_late_changes_nothing(tmp_path: Path, answered: Any) -> None:
    settings = "[approvals]\nexpires_after = 0.5\n"
    with scripted(tmp_path, settings, ANGELIA_APPROVALS="ask") as stage:
        stage.script(touch("x"), {"text": "Never said."})
        async with stage.client() as client:
            asked = await asking(client)
            seen = await events_of(client, asked["run_id"])
            assert [e["by"] for e in seen if e["event"] == "approval.resolved"] == ["expired"]
            assert seen[-1]["error"]["code"] == "approval_expired"
            went, said = await answered(stage, client, asked)
            assert not went, said
            assert await events_of(client, asked["run_id"]) == seen
        assert not (stage.server.home / "workspace" / "x").exists()
        assert len(stage.asked) == 1


async def test_one_of_two_is_approved_at_its_run_and_the_other_denied(tmp_path: Path) -> None:
    with scripted(tmp_path, ANGELIA_APPROVALS="ask") as stage:
        stage.script(touch("x", "y"), {"text": "One of them."})
        async with stage.client() as client:
            run_id, _ = await waiting(client, "make both")
            one, two = (await run_of(client, run_id))["pending_approvals"]
            path = f"/v1/runs/{run_id}/approval"
            for pending, choice in ((one, "once"), (two, "deny")):
                body = {"approval_id": pending["approval_id"], "choice": choice}
                assert (await client.post(path, body)).status == 200
            seen = await events_of(client, run_id)
        done = {e["tool_call_id"]: e["outcome"] for e in seen if e["event"] == "tool.completed"}
        assert done == {one["tool_call_id"]: "ok", two["tool_call_id"]: "denied"}
        assert (stage.server.home / "workspace" / "x").exists()
        assert not (stage.server.home / "workspace" / "y").exists()
