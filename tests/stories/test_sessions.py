"""Sessions over a real socket: a conversation from its first word to the last trace of it."""

import asyncio
from typing import Any

import msgspec

from tests.support.http import Client
from tests.support.server import AngeliaServer

PNG = "data:image/png;base64,iVBORw0KGgo="


async def say(client: Client, session_id: str, text: Any, **more: Any) -> str:
    """One whole turn; the id of its run."""
    answer = await client.post("/v1/runs", {"input": text, "session_id": session_id, **more})
    assert answer.status == 202, answer.body
    run_id = answer.json["run_id"]
    async for _ in client.stream(f"/v1/runs/{run_id}/events"):
        pass
    return run_id


async def messages(client: Client, session_id: str) -> list[dict[str, Any]]:
    answer = await client.get(f"/api/sessions/{session_id}/messages")
    assert answer.status == 200, answer.body
    return [{k: v for k, v in m.items() if k != "index"} for m in answer.json["data"]]


async def chat(client: Client, session_id: str, text: str) -> str:
    answer = await client.post(
        "/v1/chat/completions",
        {"messages": [{"role": "user", "content": text}]},
        X_Hermes_Session_Id=session_id,
    )
    assert answer.status == 200, answer.body
    assert answer.headers["X-Hermes-Session-Id"] == session_id
    return answer.json["choices"][0]["message"]["content"]


async def test_a_conversation_on_two_surfaces_is_one_session(client) -> None:
    await chat(client, "two-surfaces", "think and `echo one`")
    last = await say(client, "two-surfaces", "fail")
    session = (await client.get("/api/sessions/two-surfaces")).json
    assert session["title"] == "think and `echo one`"
    assert (session["runs"], session["last_run_id"], session["status"]) == (2, last, "idle")
    said = await messages(client, "two-surfaces")
    assert [m["role"] for m in said].count("user") == 2
    called = [call for m in said for call in m.get("tool_calls", ())]
    results = [m for m in said if m["role"] == "tool"]
    assert [m["tool_call_id"] for m in results] == [call["id"] for call in called]
    assert msgspec.json.decode(called[0]["arguments"]) == {"command": "echo one"}
    assert "one" in results[0]["content"]
    assert [m["failed"] for m in results] == [False, True]
    assert any(m.get("reasoning") for m in said)


async def test_a_fork_goes_its_own_way_and_outlives_its_source(client) -> None:
    first = await say(client, "source", "`echo one`")
    whole = await messages(client, "source")
    await say(client, "source", "`echo two`")
    forked = await client.post("/api/sessions/source/fork", {"run_id": first, "id": "branch"})
    assert forked.status == 201
    assert (forked.json["forked_from"], forked.json["title"]) == ("source", "`echo one`")
    assert await messages(client, "branch") == whole
    assert (await client.delete("/api/sessions/source")).status == 200
    await say(client, "branch", "hello")
    said = await messages(client, "branch")
    assert said[: len(whole)] == whole
    assert said[len(whole)] == {"role": "user", "content": "hello"}


async def test_a_chat_goes_on_in_its_own_session_after_a_fork(client) -> None:
    asked = [{"role": "user", "content": "long 3 before the fork"}]
    first = await client.post("/v1/chat/completions", {"messages": asked})
    session_id = first.headers["X-Hermes-Session-Id"]
    forked = await client.post(f"/api/sessions/{session_id}/fork", {})
    assert forked.status == 201, forked.body
    answer = {"role": "assistant", "content": first.json["choices"][0]["message"]["content"]}
    asked = [*asked, answer, {"role": "user", "content": "long 1"}]
    second = await client.post("/v1/chat/completions", {"messages": asked})
    assert second.headers["X-Hermes-Session-Id"] == session_id


async def test_an_export_comes_back_as_the_same_conversation(client) -> None:
    image = {"type": "image_url", "image_url": {"url": PNG, "detail": "low"}}
    asked = [{"role": "user", "content": [{"type": "text", "text": "think, `echo hi`"}, image]}]
    await say(client, "exported", asked)
    lines = (await client.get("/api/sessions/exported/export?format=jsonl")).body.splitlines()
    session, *said = map(msgspec.json.decode, lines)
    assert session == (await client.get("/api/sessions/exported")).json
    made = await client.post("/api/sessions", {"title": session["title"], "messages": said})
    assert made.json["title"] == session["title"]
    again = made.json["id"]
    assert await messages(client, again) == await messages(client, "exported") == said
    page = (await client.get(f"/api/sessions/{again}/export?format=markdown")).body.decode()
    assert f"[image-1]: <{PNG}>" in page
    assert page.count("<summary>🔧 terminal</summary>") == 1
    await say(client, again, "hello")
    assert (await messages(client, again))[: len(said)] == said


async def test_words_are_found_where_they_were_said_and_nowhere_after_deletion(client) -> None:
    run_id = await say(client, "findable", "the quetzalcoatlus flies")
    path = "/api/sessions/search?q=flies%20quetzal"
    (hit,) = (await client.get(path)).json["data"]
    assert hit["session"] == {"id": "findable", "title": "the quetzalcoatlus flies"}
    assert (hit["run_id"], hit["role"]) == (run_id, "user")
    assert "«quetzalcoatlus»" in hit["snippet"]
    for odd in ('"', "quetzal*", "NEAR(", "-", "a:b", "%E2%80%9C", "' OR 1"):
        assert (await client.get(f"/api/sessions/search?q={odd}")).status == 200
    assert (await client.delete("/api/sessions/findable")).json["deleted"] is True
    assert (await client.get(path)).json["data"] == []
    assert (await client.get(f"/v1/runs/{run_id}")).status == 404
    assert (await client.get("/api/sessions/findable")).status == 404


async def test_a_busy_session_is_not_deleted_until_it_is_stopped(client) -> None:
    started = await client.post("/v1/runs", {"input": "sleep 60", "session_id": "busy"})
    run_id = started.json["run_id"]
    assert (await client.get("/api/sessions/busy")).json["status"] == "running"
    refused = await client.delete("/api/sessions/busy")
    assert refused.status == 409
    assert refused.json["error"]["code"] == "session_busy"
    assert f"/v1/runs/{run_id}/stop" in refused.json["error"]["message"]
    await client.post(f"/v1/runs/{run_id}/stop")
    async for _ in client.stream(f"/v1/runs/{run_id}/events"):
        pass
    assert (await client.delete("/api/sessions/busy")).status == 200


async def test_turns_that_wait_hide_nothing_of_what_was_said(client) -> None:
    await say(client, "in-line", "hello")
    before = await messages(client, "in-line")
    runs = [
        (await client.post("/v1/runs", {"input": text, "session_id": "in-line"})).json["run_id"]
        for text in ("sleep 60", "later")
    ]
    assert (await messages(client, "in-line"))[: len(before)] == before
    for run_id in reversed(runs):
        await client.post(f"/v1/runs/{run_id}/stop")
        async for _ in client.stream(f"/v1/runs/{run_id}/events"):
            pass
    assert (await messages(client, "in-line"))[: len(before)] == before


async def test_sessions_are_there_after_a_crash(server: AngeliaServer) -> None:
    async with Client(server.url, server.key) as client:
        await say(client, "durable", "`echo one`")
        await client.send("PATCH", "/api/sessions/durable", {"title": "Kept"})
        await client.post("/api/sessions/durable/fork", {"id": "durable-2"})
        before = [(await client.get("/api/sessions")).json, await messages(client, "durable-2")]
    server.restart()
    async with Client(server.url, server.key) as client:
        after = [(await client.get("/api/sessions")).json, await messages(client, "durable-2")]
        assert after == before
        assert [session["title"] for session in after[0]["data"]] == ["Kept", "Kept"]


async def other_key(client: Client, scopes: list[str]) -> str:
    answer = await client.post("/api/keys", {"name": "other", "scopes": scopes})
    assert answer.status == 201, answer.body
    return answer.json["secret"]


async def test_a_key_sees_its_own_sessions_only(client, demo_server) -> None:
    await say(client, "mine", "the xylophone plays")
    run_id = (await client.get("/api/sessions/mine")).json["last_run_id"]
    secret = await other_key(client, ["chat", "runs", "read"])
    async with Client(demo_server.url, secret) as stranger:
        assert (await stranger.get("/api/sessions")).json["data"] == []
        assert (await stranger.get("/api/sessions/search?q=xylophone")).json["data"] == []
        for method, path in (
            *(("GET", ""), ("PATCH", ""), ("DELETE", ""), ("GET", "/messages")),
            *(("POST", "/fork"), ("GET", "/export?format=markdown")),
        ):
            answer = await stranger.send(method, f"/api/sessions/mine{path}", {})
            assert (answer.status, answer.json["error"]["code"]) == (404, "session_not_found")
        assert (await stranger.get("/api/sessions?after=mine")).status == 404
        own = await stranger.post("/api/sessions", {"id": "mine", "title": "Theirs"})
        assert (own.status, own.json["runs"]) == (201, 0)
        stolen = await stranger.post("/api/sessions/mine/fork", {"run_id": run_id})
        assert (stolen.status, stolen.json["error"]["code"]) == (404, "run_not_found")
        assert (await stranger.delete("/api/sessions/mine")).status == 200
    assert (await client.get("/api/sessions/mine")).json["title"] == "the xylophone plays"


async def test_a_key_that_may_read_may_not_write(client, demo_server) -> None:
    async with Client(demo_server.url, await other_key(client, ["read"])) as reader:
        assert (await reader.get("/api/sessions")).status == 200
        assert (await reader.get("/api/sessions/search?q=x")).status == 200
        refused = await reader.post("/api/sessions", {})
        assert (refused.status, refused.json["error"]["code"]) == (403, "missing_scope")


async def test_making_one_session_at_the_same_time_makes_one(client) -> None:
    body = {"id": "race", "messages": [{"role": "user", "content": "hi"}]}
    answers = await asyncio.gather(*(client.post("/api/sessions", body) for _ in range(12)))
    assert sorted(answer.status for answer in answers) == [201] + [409] * 11
    assert (await client.get("/api/sessions/race")).json["runs"] == 1
