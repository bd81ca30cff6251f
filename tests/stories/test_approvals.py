"""An approval round trip on every surface: answered, expired, answered twice, after a crash."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from openai.types.responses import Response

from tests.support.frontend import CHAT, Frontend, assistant, user
from tests.support.http import Client
from tests.support.scripted import Scripted, scripted
from tests.support.talk import talking
from tests.support.terminal import at_terminal
from tests.wire.responses.spec import check_event

MCP = {"X_Angelia_Tool_Items": "mcp"}
PAIR = {"X_Angelia_Tool_Items": "pair"}
TOOL_EVENTS_OFF = {"X-Angelia-Tool-Events": "off"}


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted(tmp_path_factory.mktemp("approvals"), ANGELIA_APPROVALS="ask") as stage:
        yield stage


def touch(*names: str) -> dict[str, Any]:
    """What cannot be undone, as far as anybody can tell."""
    return {
        "calls": [
            {"name": "terminal", "arguments": {"command": f"touch {name} && echo made {name}"}}
            for name in names
        ]
    }


def codes_in(text: str) -> list[str]:
    return list(dict.fromkeys(re.findall(r"`approve ([0-9A-Z]{3,})`", text))) or re.findall(
        r"^([0-9A-Z]{3,}): `", text, re.MULTILINE
    )


async def events_of(client: Client, run_id: str) -> list[dict[str, Any]]:
    return [
        frame.json
        async for frame in client.stream(f"/v1/runs/{run_id}/events")
        if frame.comment is None
    ]


async def run_of(client: Client, run_id: str) -> dict[str, Any]:
    return (await client.get(f"/v1/runs/{run_id}")).json


async def waiting(client: Client, prompt: str = "go", **body: Any) -> tuple[str, dict[str, Any]]:
    """A run that asks, and what it asks first."""
    run_id = (await client.post("/v1/runs", {"input": prompt, **body})).json["run_id"]
    asked = None
    async for frame in client.stream(f"/v1/runs/{run_id}/events"):
        if frame.comment is None and frame.json["event"] == "approval.requested":
            asked = asked or frame.json
        if frame.comment is None and frame.json["event"] == "run.waiting":
            break
    assert asked is not None
    return run_id, asked


# ── a plain chat box ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("stream", [True, False])
async def test_a_chat_box_asks_and_the_next_message_lets_the_run_go_on(
    stage: Scripted, stream: bool
) -> None:
    stage.play({"text": "Let me.", **touch("a")}, {"text": "It is made."}, {"text": "Welcome."})
    async with stage.client() as client:
        chat = Frontend(client, headers=TOOL_EVENTS_OFF)
        asked = await chat.say("make a", stream=stream)
        first = chat.run_id
        assert asked.startswith("Let me.\n\n**Approval needed**")
        assert "`touch a && echo made a`" in asked
        (code,) = codes_in(asked)
        assert (await run_of(client, first))["status"] == "waiting_for_approval"
        assert await chat.say(f"approve {code}", stream=stream) == "It is made."
        assert chat.run_id == first
        run = await run_of(client, first)
        assert (run["status"], run["output"]) == ("completed", "It is made.")
        seen = await events_of(client, first)
        tools = [
            e["event"]
            for e in seen
            if e["event"].startswith("tool.") and "output" not in e["event"]
        ]
        assert tools.count("tool.started") == tools.count("tool.completed") == 1
        assert await chat.say("thanks", stream=stream) == "Welcome."
        assert chat.run_id != first
    prompt = stage.asked[-1]["messages"]
    roles = [message["role"] for message in prompt if message["role"] != "system"]
    assert roles == ["user", "assistant", "tool", "assistant", "user"]
    assert "pprov" not in str(prompt)


async def test_the_stream_of_a_question_ends_as_any_other(stage: Scripted) -> None:
    stage.play(touch("b"))
    body = {
        "messages": [user("make b")],
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    async with stage.client() as client:
        frames = [f async for f in client.stream(CHAT, body) if f.comment is None]
    assert frames[-1].data == "[DONE]"
    chunks = [frame.json for frame in frames[:-1] if frame.event is None]
    assert chunks[-1]["usage"]["total_tokens"] > 0
    assert chunks[-2]["choices"][0]["finish_reason"] == "stop"
    text = "".join(c["choices"][0]["delta"].get("content") or "" for c in chunks if c["choices"])
    assert text.startswith("**Approval needed** for `terminal`")


async def test_a_no_with_other_wishes_reaches_the_model(stage: Scripted) -> None:
    stage.play(touch("c"), {"text": "Staging it is."})
    async with stage.client() as client:
        chat = Frontend(client)
        await chat.say("make c")
        assert await chat.say("no, use staging") == "Staging it is."
        seen = await events_of(client, chat.run_id)
    assert [e["outcome"] for e in seen if e["event"] == "tool.completed"] == ["denied"]
    assert "use staging" in stage.asked[-1]["messages"][-1]["content"]
    assert stage.asked[-1]["messages"][-1]["role"] == "tool"


async def test_a_chat_is_never_stuck_with_something_else_that_is_said(stage: Scripted) -> None:
    stage.play(touch("d"), {"text": "It makes a file."}, {"text": "Gladly."})
    async with stage.client() as client:
        chat = Frontend(client)
        await chat.say("make d")
        first = chat.run_id
        assert await chat.say("ok what does it do?") == "It makes a file."
        assert chat.run_id == first
        assert stage.asked[-1]["messages"][-1]["content"] == "ok what does it do?"
        assert await chat.say("thanks") == "Gladly."
        assert chat.run_id != first
    assert stage.asked[-1]["messages"][-1]["content"] == "thanks"
    assert len(stage.asked[-1]["messages"]) > 4


async def test_one_of_two_is_approved_and_the_other_asked_again(stage: Scripted) -> None:
    stage.play(touch("e", "f"), {"text": "One of them."})
    async with stage.client() as client:
        chat = Frontend(client)
        first, second = codes_in(await chat.say("make both"))
        again = await chat.say(f"approve {second}")
        assert codes_in(again) == [first]
        assert await chat.say("yes, but not now") == "One of them."
        seen = await events_of(client, chat.run_id)
    done = {e["outcome"] for e in seen if e["event"] == "tool.completed"}
    assert done == {"ok", "denied"}
    assert "made f" in str(stage.asked[-1]["messages"])


async def test_a_yes_to_two_and_a_wrong_code_are_asked_again(stage: Scripted) -> None:
    stage.play(touch("g", "h"), {"text": "Both."})
    async with stage.client() as client:
        chat = Frontend(client)
        asked = await chat.say("make both of them")
        assert codes_in(await chat.say("yes")) == codes_in(asked)
        assert codes_in(await chat.say("approve 999")) == codes_in(asked)
        assert await chat.say("approve all") == "Both."


async def test_a_crash_between_question_and_answer_changes_nothing(tmp_path: Path) -> None:
    with scripted(tmp_path, ANGELIA_APPROVALS="ask") as stage:
        stage.script(touch("i"), {"text": "After the crash."})
        async with stage.client() as client:
            chat = Frontend(client)
            (code,) = codes_in(await chat.say("make i"))
        stage.server.restart()
        async with stage.client() as client:
            chat._client = client
            assert await chat.say(f"approve {code}") == "After the crash."


async def test_what_expired_is_an_ordinary_turn_later_and_the_model_knows(tmp_path: Path) -> None:
    settings = "[approvals]\nexpires_after = 0.5\n"
    with scripted(tmp_path, settings, ANGELIA_APPROVALS="ask") as stage:
        stage.script(touch("j"), {"text": "It was too late."})
        async with stage.client() as client:
            chat = Frontend(client)
            (code,) = codes_in(await chat.say("make j"))
            first = chat.run_id
            seen = await events_of(client, first)
            assert [e["by"] for e in seen if e["event"] == "approval.resolved"] == ["expired"]
            assert not [e for e in seen if e["event"].startswith("tool.started")]
            assert seen[-1]["event"] == "run.failed"
            assert seen[-1]["error"]["code"] == "approval_expired"
            late = await client.post(f"/v1/runs/{first}/approval", {"choice": "once"})
            assert (late.status, late.json["error"]["code"]) == (409, "approval_not_pending")
            assert await chat.say(f"approve {code}") == "It was too late."
            assert chat.run_id != first
        assert "nobody agreed to it in time" in str(stage.asked[-1]["messages"])


async def test_an_answer_elsewhere_is_known_in_the_chat(stage: Scripted) -> None:
    stage.play(touch("k"), {"text": "Done elsewhere."}, {"text": "You did already."})
    async with stage.client() as client:
        chat = Frontend(client)
        (code,) = codes_in(await chat.say("make k"))
        first = chat.run_id
        answer = await client.post(f"/v1/runs/{first}/approval", {"choice": "once", "code": code})
        assert answer.status == 200
        await events_of(client, first)
        assert await chat.say(f"approve {code}") == "You did already."
        assert chat.run_id != first
    assert "Done elsewhere." in str(stage.asked[-1]["messages"])


async def test_regenerating_an_answered_question_branches(stage: Scripted) -> None:
    stage.play(touch("l"), {"text": "First."}, {"text": "Second."})
    async with stage.client() as client:
        chat = Frontend(client)
        (code,) = codes_in(await chat.say("make l"))
        first = chat.run_id
        assert await chat.say(f"approve {code}") == "First."
        assert await chat.again() == "Second."
        assert chat.run_id != first
    told = stage.asked[-1]["messages"]
    assert "made l" in str(told)
    assert "First." not in str(told)


async def test_an_edited_question_is_another_branch_and_decides_nothing(stage: Scripted) -> None:
    stage.play(touch("m"), {"text": "Something else."})
    async with stage.client() as client:
        chat = Frontend(client)
        await chat.say("make m")
        first = chat.run_id
        chat.said = []
        assert await chat.say("yes") == "Something else."
        assert (await run_of(client, first))["status"] == "waiting_for_approval"


async def test_a_title_that_a_frontend_asks_for_decides_nothing(stage: Scripted) -> None:
    stage.play(touch("n"), {"text": "A title"})
    async with stage.client() as client:
        chat = Frontend(client)
        await chat.say("make n")
        first = chat.run_id
        messages = [*chat.said, user("yes")]
        await client.post(CHAT, {"messages": messages}, X_OpenWebUI_Task="title_generation")
        assert (await run_of(client, first))["status"] == "waiting_for_approval"


async def test_only_the_same_key_and_user_answer(stage: Scripted) -> None:
    stage.play(touch("o"), {"text": "x"}, {"text": "x"}, {"text": "Yours."})
    async with stage.client() as client:
        chat = Frontend(client, user="ann")
        (code,) = codes_in(await chat.say("make o"))
        run_id = chat.run_id
        other = (await client.post("/api/keys", {"name": "other"})).json["secret"]
        messages = [*chat.said, user(f"approve {code}")]
        named = {"X_Hermes_Session_Id": chat.session_id}
        async with Client(stage.server.url, other) as stranger:
            await stranger.post(CHAT, {"messages": messages, "user": "ann"})
            answer = await stranger.post(f"/v1/runs/{run_id}/approval", {"choice": "once"})
            assert answer.status == 404
        await client.post(CHAT, {"messages": messages, "user": "bob"})
        assert (await run_of(client, run_id))["status"] == "waiting_for_approval"
        body = {"messages": [user(f"approve {code}")], "user": "ann"}
        answered = await client.post(CHAT, body, **named)
        assert answered.headers["X-Angelia-Run-Id"] == run_id
        assert answered.json["choices"][0]["message"]["content"] != ""


async def test_a_chat_that_a_header_names_is_known_by_its_code(stage: Scripted) -> None:
    stage.play(touch("p"), {"text": "Known."})
    chat_id = {"X_OpenWebUI_Chat_Id": "chat-1"}
    async with stage.client() as client:
        first = await client.post(CHAT, {"messages": [user("make p")]}, **chat_id)
        text = first.json["choices"][0]["message"]["content"]
        (code,) = codes_in(text)
        changed = assistant(f"[shortened by the frontend] {code}")
        messages = [user("make p"), changed, user("yes")]
        answer = await client.post(CHAT, {"messages": messages}, **chat_id)
        assert answer.headers["X-Angelia-Run-Id"] == first.headers["X-Angelia-Run-Id"]
        assert answer.json["choices"][0]["message"]["content"] == "Known."


async def test_a_run_that_asks_takes_no_place_from_its_own_answer(stage: Scripted) -> None:
    stage.play(touch("q"), {"text": "In place."})
    async with stage.client() as admin:
        rules = {"rules": {"concurrent_runs": 1}, "name": "one"}
        key = (await admin.post("/api/keys", rules)).json["secret"]
    async with Client(stage.server.url, key) as client:
        chat = Frontend(client)
        (code,) = codes_in(await chat.say("make q"))
        assert await chat.say(f"approve {code}") == "In place."


async def test_a_stop_ends_what_waits(stage: Scripted) -> None:
    stage.play(touch("r"), {"text": "It was stopped."})
    async with stage.client() as client:
        chat = Frontend(client)
        await chat.say("make r")
        first = chat.run_id
        await client.post(f"/v1/runs/{first}/stop")
        assert (await events_of(client, first))[-1]["event"] == "run.cancelled"
        assert await chat.say("yes") == "It was stopped."
        assert chat.run_id != first


async def test_a_completion_that_asked_can_be_read_again(stage: Scripted) -> None:
    stage.play(touch("s"), {"text": "Read again."})
    async with stage.client() as client:
        first = await client.post(CHAT, {"messages": [user("make s")]})
        text = first.json["choices"][0]["message"]["content"]
        messages = [user("make s"), assistant(text), user("yes")]
        second = await client.post(CHAT, {"messages": messages})
        for answer in (first, second):
            again = await client.get(f"{CHAT}/{answer.json['id']}")
            assert again.json == answer.json
            streamed = client.stream(f"{CHAT}/{answer.json['id']}?stream=true")
            chunks = [f.json async for f in streamed if f.data.startswith("{") and not f.event]
            said = "".join(c["choices"][0]["delta"].get("content") or "" for c in chunks)
            assert said == answer.json["choices"][0]["message"]["content"]


# ── responses ───────────────────────────────────────────────────────────────────────────────


def items(answer: Any, kind: str) -> list[dict[str, Any]]:
    return [item for item in answer["output"] if item["type"] == kind]


def agreed(request: dict[str, Any], *, approve: bool = True, reason: str | None = None) -> Any:
    item = {
        "type": "mcp_approval_response",
        "approval_request_id": request["id"],
        "approve": approve,
    }
    return item if reason is None else {**item, "reason": reason}


async def test_an_mcp_client_answers_with_items(stage: Scripted) -> None:
    stage.play({"text": "Look.", **touch("ra")}, {"text": "Item by item."})
    async with stage.client() as client:
        first = (await client.post("/v1/responses", {"input": "make ra"}, **MCP)).json
        assert first["status"] == "completed"
        Response.model_validate(first)
        (request,) = items(first, "mcp_approval_request")
        assert (request["server_label"], request["name"]) == ("angelia", "terminal")
        assert "touch ra" in request["arguments"]
        assert (await client.get(f"/v1/responses/{first['id']}")).json == first
        body = {"input": [agreed(request)], "previous_response_id": first["id"]}
        second = (await client.post("/v1/responses", body, **MCP)).json
        Response.model_validate(second)
        assert second["previous_response_id"] == first["id"]
        assert items(second, "mcp_call")[0]["status"] == "completed"
        assert items(second, "message")[0]["content"][0]["text"] == "Item by item."
        assert (await client.get(f"/v1/responses/{second['id']}")).json == second
        listed = (await client.get(f"/v1/responses/{second['id']}/input_items")).json["data"]
        assert [(i["type"], i["approval_request_id"], i["approve"]) for i in listed] == [
            ("mcp_approval_response", request["id"], True)
        ]
        twice = await client.post("/v1/responses", body, **MCP)
        assert (twice.status, twice.json["error"]["code"]) == (409, "approval_not_pending")


@pytest.mark.parametrize("stream", [True, False])
async def test_a_client_that_resends_everything_needs_no_ids_of_responses(
    stage: Scripted, stream: bool
) -> None:
    stage.play(touch("rb"), {"text": "All resent."}, {"text": "Next."})
    said: list[Any] = [{"role": "user", "content": "make rb"}]
    async with stage.client() as client:
        for answer in (None, "thanks"):
            output = await respond(client, said, stream=stream)
            said += output
            requests = [item for item in output if item["type"] == "mcp_approval_request"]
            if requests:
                said += map(agreed, requests)
                output = await respond(client, said, stream=stream)
                said += output
            assert said[-1]["type"] == "message"
            if answer:
                break
            said.append({"role": "user", "content": "thanks"})
    assert said[-1]["content"][0]["text"] == "Next."
    assert "made rb" in str(stage.asked[-1]["messages"])


async def respond(client: Client, said: list[Any], *, stream: bool) -> list[Any]:
    body = {"input": said, "stream": stream}
    if not stream:
        return (await client.post("/v1/responses", body, **MCP)).json["output"]
    frames = [f async for f in client.stream("/v1/responses", body, **MCP) if f.data[:1] == "{"]
    for frame in frames:
        check_event(frame.json)
    assert frames[-1].json["type"] == "response.completed"
    return frames[-1].json["response"]["output"]


async def test_one_of_two_requests_is_answered_and_the_other_asked_again(stage: Scripted) -> None:
    stage.play(touch("rc", "rd"), {"text": "Half of it."})
    async with stage.client() as client:
        body: dict[str, Any] = {"input": "make rc and rd", "background": True}
        first = (await client.post("/v1/responses", body, **MCP)).json
        while first["status"] in ("queued", "in_progress"):
            first = (await client.get(f"/v1/responses/{first['id']}")).json
        one, two = items(first, "mcp_approval_request")
        body = {"input": [agreed(one)], "previous_response_id": first["id"]}
        second = (await client.post("/v1/responses", body, **MCP)).json
        assert [i["status"] for i in items(second, "mcp_call")] == ["completed"]
        (left,) = items(second, "mcp_approval_request")
        assert left["arguments"] == two["arguments"]
        no = agreed(left, approve=False, reason="one is enough")
        body = {"input": [no], "previous_response_id": second["id"]}
        third = (await client.post("/v1/responses", body, **MCP)).json
        assert items(third, "message")[0]["content"][0]["text"] == "Half of it."
    assert "one is enough" in str(stage.asked[-1]["messages"])


async def test_a_pair_client_is_asked_in_words_and_answers_either_way(stage: Scripted) -> None:
    stage.play(touch("re"), {"text": "In words."}, touch("rf"), {"text": "In a conversation."})
    async with stage.client() as client:
        first = (await client.post("/v1/responses", {"input": "make re"}, **PAIR)).json
        text = items(first, "message")[-1]["content"][0]["text"]
        (code,) = codes_in(text)
        body = {"input": f"approve {code}", "previous_response_id": first["id"]}
        second = (await client.post("/v1/responses", body, **PAIR)).json
        assert items(second, "message")[-1]["content"][0]["text"] == "In words."
        assert items(second, "function_call_output")
        body = {"input": "make rf", "conversation": "talk-1"}
        third = (await client.post("/v1/responses", body, **PAIR)).json
        assert codes_in(items(third, "message")[-1]["content"][0]["text"])
        body = {"input": "yes", "conversation": "talk-1"}
        last = (await client.post("/v1/responses", body, **PAIR)).json
        assert items(last, "message")[-1]["content"][0]["text"] == "In a conversation."


async def test_an_answer_to_what_was_never_asked_is_refused(stage: Scripted) -> None:
    async with stage.client() as client:
        answer = await client.post("/v1/responses", {"input": [agreed({"id": "mcpr_x_o3"})]})
        assert answer.status == 400
        assert answer.json["error"]["code"] == "approval_request_not_found"
        assert answer.json["error"]["param"] == "input[0].approval_request_id"


@pytest.mark.parametrize("store", [True, False])
async def test_a_socket_asks_and_is_answered(stage: Scripted, store: bool) -> None:
    stage.play(touch("rg"), {"text": "On a socket."})
    async with talking(stage.server.url, stage.server.key, **MCP) as talk:
        first = (await talk.ask(input="make rg", store=store))[-1]["response"]
        (request,) = items(first, "mcp_approval_request")
        turn = await talk.ask(
            input=[agreed(request)], previous_response_id=first["id"], store=store
        )
        assert items(turn[-1]["response"], "message")[0]["content"][0]["text"] == "On a socket."


async def test_words_on_a_socket_that_keeps_nothing(stage: Scripted) -> None:
    stage.play(touch("rh"), {"text": "Kept for once."})
    async with talking(stage.server.url, stage.server.key, **PAIR) as talk:
        first = (await talk.ask(input="make rh", store=False))[-1]["response"]
        turn = await talk.ask(input="yes", previous_response_id=first["id"], store=False)
        last = items(turn[-1]["response"], "message")[-1]
        assert last["content"][0]["text"] == "Kept for once."


# ── runs, and what is kept ──────────────────────────────────────────────────────────────────


async def test_a_run_that_asks_is_the_same_in_every_protocol(stage: Scripted) -> None:
    stage.play({"text": "Hm.", **touch("sa")}, {"text": "Fine."})
    async with stage.client() as client:
        run_id, asked = await waiting(client, "make sa")
        assert re.fullmatch("[2-9A-Z]{3,}", asked["code"])
        path = f"/v1/runs/{run_id}/events?as="
        chat = [f async for f in client.stream(f"{path}chat") if f.comment is None]
        assert chat[-1].data == "[DONE]"
        assert f"approve {asked['code']}" in "".join(f.data for f in chat)
        shown = [f async for f in client.stream(f"{path}responses", X_Angelia_Tool_Items="mcp")]
        assert any("mcp_approval_request" in frame.data for frame in shown)
        waits = (await client.get("/v1/runs?status=waiting_for_approval&limit=100")).json["data"]
        pending = next(run for run in waits if run["run_id"] == run_id)["pending_approvals"]
        assert [(p["code"], p["covers"]) for p in pending] == [
            (asked["code"], ["terminal touch", "terminal echo"])
        ]
        await client.post(f"/v1/runs/{run_id}/approval", {"choice": "once"})
        assert (await events_of(client, run_id))[-1]["event"] == "run.completed"


async def test_the_second_answer_is_told_of_the_first(stage: Scripted) -> None:
    stage.play(touch("sb"), {"text": "Fine."})
    async with stage.client() as client:
        run_id, asked = await waiting(client, "make sb")
        wanted = {"choice": "deny", "approval_id": asked["approval_id"], "reason": "no"}
        path = f"/v1/runs/{run_id}/approval"
        assert (await client.post(path, wanted)).status == 200
        second = await client.post(path, {**wanted, "choice": "once"})
        assert (second.status, second.json["error"]["code"]) == (409, "approval_not_pending")
        assert "'deny'" in second.json["error"]["message"]


async def test_a_grant_holds_until_it_is_revoked(stage: Scripted) -> None:
    stage.play(touch("sc"), {"text": "1"}, touch("sd"), {"text": "2"}, touch("se"), {"text": "3"})
    async with stage.client() as client:
        key = (await client.post("/api/keys", {"name": "granting"})).json["secret"]
    async with Client(stage.server.url, key) as client:
        chat = Frontend(client)
        (code,) = codes_in(await chat.say("make sc"))
        assert await chat.say(f"approve {code} always") == "1"
        assert await Frontend(client).say("make sd") == "2"
        grants = (await client.get("/api/grants")).json["data"]
        assert sorted(grant["what"] for grant in grants) == ["terminal echo", "terminal touch"]
        for grant in grants:
            assert (await client.delete(f"/api/grants/{grant['id']}")).json["deleted"]
            assert (await client.delete(f"/api/grants/{grant['id']}")).status == 404
        assert codes_in(await Frontend(client).say("make se"))


# ── the command line ────────────────────────────────────────────────────────────────────────


def angelia(stage: Scripted, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "angelia", *arguments]
    return subprocess.run(
        command, env=stage.server.env, capture_output=True, text=True, timeout=60, check=False
    )


async def test_the_command_line_lists_answers_and_revokes(stage: Scripted) -> None:
    stage.play(touch("ta"), {"text": "Thanks."}, touch("tb"), {"text": "No then."})
    async with stage.client() as client:
        run_id, asked = await waiting(client, "make ta")
        listed = angelia(stage, "approve").stdout
        assert f"{run_id}  {asked['code']}  terminal: touch ta" in listed
        answered = angelia(stage, "approve", run_id, "--session")
        assert answered.returncode == 0, answered.stderr
        assert (await events_of(client, run_id))[-1]["output"] == "Thanks."
        again = angelia(stage, "approve", run_id)
        assert again.returncode == 2
        assert "settled before" in again.stderr
        run_id, asked = await waiting(client, "make tb")
        denied = angelia(stage, "approve", "--code", asked["code"], "--deny", "--reason", "no tb")
        assert denied.returncode == 0, denied.stderr
        assert (await events_of(client, run_id))[-1]["output"] == "No then."
    assert "no tb" in str(stage.asked[-1]["messages"])
    granted = angelia(stage, "grants").stdout
    assert "terminal touch  in session" in granted
    for line in granted.splitlines():
        assert angelia(stage, "grants", "--revoke", line.split()[0]).returncode == 0
    assert angelia(stage, "grants").stdout == "nothing is granted\n"
    assert angelia(stage, "grants", "--revoke", "grant_x").returncode == 2


@pytest.mark.parametrize(("typed", "outcome"), [("y", "ok"), ("session", "ok"), ("n", "denied")])
async def test_a_terminal_asks_inline(tmp_path: Path, typed: str, outcome: str) -> None:
    with scripted(tmp_path, ANGELIA_APPROVALS="ask") as stage:
        stage.script(touch("tc"), {"text": "Seen."})
        env = {**stage.server.env, "NO_COLOR": "1"}
        with at_terminal("run", "make tc", env=env) as terminal:
            terminal.answer("always: ", typed)
            assert terminal.end() == 0
        assert f"→ {outcome}" in terminal.shown
        assert "Seen." in terminal.shown


async def test_a_pipe_says_how_to_approve_and_waits(stage: Scripted) -> None:
    stage.play(touch("td"), {"text": "In the pipe."})
    command = [sys.executable, "-m", "angelia", "run", "make td"]
    with subprocess.Popen(
        command,
        env=stage.server.env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stderr is not None
        assert running.stdout is not None
        how = next(line for line in running.stderr if "angelia approve" in line)
        answered = angelia(stage, *how.split("angelia ")[1].split())
        assert answered.returncode == 0, answered.stderr
        assert running.stdout.read() == "In the pipe.\n"
        running.stderr.read()
        assert running.wait(30) == 0
