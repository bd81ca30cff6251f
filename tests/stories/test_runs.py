"""Runs and their events over a real socket: many readers, any cursor, also after a restart."""

import asyncio
from typing import Any

import pytest

from tests.support.http import Client

RICH = "think, `echo one`, `sleep 0.3; echo two` and list"


async def start(client: Client, text: str, **more: Any) -> str:
    answer = await client.post("/v1/runs", {"input": text, **more})
    assert answer.status == 202
    assert answer.json["status"] == "started"
    assert answer.json["session_id"]
    return answer.json["run_id"]


async def events(client: Client, run_id: str, after: int | None = None) -> list[dict[str, Any]]:
    headers = {} if after is None else {"Last-Event-ID": str(after)}
    seen: list[dict[str, Any]] = []
    async with client.open("GET", f"/v1/runs/{run_id}/events", headers=headers) as reader:
        if reader.status == 204:
            return []
        assert reader.status == 200
        async for frame in reader.frames():
            if frame.comment is None:
                assert frame.event is None
                assert frame.id == str(frame.json["seq"])
                seen.append(frame.json)
    return seen


def check(seen: list[dict[str, Any]]) -> None:
    assert [event["seq"] for event in seen] == list(range(1, len(seen) + 1))
    ends = [e for e in seen if e["event"] in ("run.completed", "run.failed", "run.cancelled")]
    assert len(ends) == 1
    assert seen[-1] is ends[0]


async def test_three_readers_at_once_see_the_same(client) -> None:
    run_id = await start(client, RICH)
    first, second, third = await asyncio.gather(*(events(client, run_id) for _ in range(3)))
    check(first)
    assert first == second == third
    names = [event["event"] for event in first]
    assert names[0] == "run.started"
    assert names.count("tool.started") == names.count("tool.completed") == 3
    assert {"reasoning.delta", "reasoning.available", "message.delta"} <= set(names)
    assert {"message.completed", "tool.output", "usage"} <= set(names)
    assert first[-1]["output"]


async def test_a_reader_cut_after_any_event_gets_exactly_the_rest(server) -> None:
    async with Client(server.url, server.key) as client:
        run_id = await start(client, RICH)
        live = await asyncio.gather(*(cut_and_resumed(client, run_id, n) for n in range(1, 12)))
        whole = await events(client, run_id)
        check(whole)
        assert all(seen == whole for seen in live)
        for after in range(len(whole) + 1):
            assert await events(client, run_id, after) == whole[after:]
    server.restart()
    async with Client(server.url, server.key) as client:
        for after in range(len(whole) + 1):
            assert await events(client, run_id, after) == whole[after:]


async def cut_and_resumed(client: Client, run_id: str, cut: int) -> list[dict[str, Any]]:
    seen: list[dict[str, Any]] = []
    async for frame in client.stream(f"/v1/runs/{run_id}/events"):
        if frame.comment is None:
            seen.append(frame.json)
        if len(seen) == cut:
            break
    return seen + await events(client, run_id, seen[-1]["seq"])


async def test_a_run_can_be_read_listed_and_deleted(client) -> None:
    run_id = await start(client, "`echo hi`", session_id="story")
    await events(client, run_id)
    run = (await client.get(f"/v1/runs/{run_id}")).json
    assert run["object"] == "hermes.run"
    assert (run["run_id"], run["status"], run["session_id"]) == (run_id, "completed", "story")
    assert run["usage"]["total_tokens"] > 0
    assert run["error"] is None
    listed = (await client.get("/v1/runs?session_id=story&status=completed")).json
    assert [item["run_id"] for item in listed["data"]] == [run_id]
    assert (await client.delete(f"/v1/runs/{run_id}")).json["deleted"] is True
    assert (await client.get(f"/v1/runs/{run_id}")).status == 404
    assert (await client.get(f"/v1/runs/{run_id}/events")).status == 404


async def test_runs_are_listed_in_pages(client) -> None:
    ids = [await start(client, "hello", session_id="pages") for _ in range(5)]
    page = (await client.get("/v1/runs?session_id=pages&limit=2")).json
    assert [run["run_id"] for run in page["data"]] == [ids[4], ids[3]]
    assert page["has_more"] is True
    rest = (await client.get(f"/v1/runs?session_id=pages&after={ids[3]}")).json
    assert [run["run_id"] for run in rest["data"]] == [ids[2], ids[1], ids[0]]
    assert rest["has_more"] is False


async def listed(client: Client, query: str) -> list[str]:
    answer = await client.get(f"/v1/runs?session_id=filters&{query}")
    assert answer.status == 200
    return [run["run_id"] for run in answer.json["data"]]


async def test_a_list_of_runs_is_made_smaller_by_what_is_known_of_them(client) -> None:
    old = await start(client, "100% Sea_salt", session_id="filters")
    await events(client, old)
    new = await start(client, "1000 other things", session_id="filters")
    await events(client, new)
    at = (await client.get(f"/v1/runs/{new}")).json["created_at"]
    assert await listed(client, "status=completed,failed") == [new, old]
    assert await listed(client, "status=failed,running") == []
    assert await listed(client, "q=SEA_S") == [old]
    assert await listed(client, "q=100%25") == [old]
    assert await listed(client, "q=e&limit=1") == [new]
    assert await listed(client, f"q=e&delegated=false&status=completed&after={new}") == [old]
    assert await listed(client, f"since={at!r}") == [new]
    assert await listed(client, f"until={at!r}&surface=runs") == [old]
    assert await listed(client, "surface=chat") == []
    assert await listed(client, "model=nobody") == []


@pytest.mark.parametrize(
    "query",
    ["status=completed,", "status=", "since=yesterday", "until=-1", "since=nan", "delegated=some"],
)
async def test_a_filter_that_cannot_be_read_is_named(client, query: str) -> None:
    answer = await client.get(f"/v1/runs?{query}")
    name = query.partition("=")[0]
    assert (answer.status, answer.json["error"]["param"]) == (400, name)
    assert name in answer.json["error"]["message"]


async def test_a_session_remembers(client) -> None:
    first = await start(client, "write fact.txt: the sea is salt", session_id="memory")
    await events(client, first)
    second = await start(client, "hello again", session_id="memory")
    seen = await events(client, second)
    check(seen)


async def test_a_stop_is_final_and_may_be_said_twice(client) -> None:
    run_id = await start(client, "sleep 60")
    async for frame in client.stream(f"/v1/runs/{run_id}/events"):
        if frame.comment is None and frame.json["event"] == "tool.started":
            break
    answer = await client.post(f"/v1/runs/{run_id}/stop")
    assert answer.json["status"] in ("stopping", "cancelled")
    seen = await events(client, run_id)
    check(seen)
    assert seen[-1]["event"] == "run.cancelled"
    outcome = [e["outcome"] for e in seen if e["event"] == "tool.completed"]
    assert outcome == ["cancelled"]
    again = await client.post(f"/v1/runs/{run_id}/stop")
    assert again.json["status"] == "cancelled"


async def test_the_whole_output_of_a_tool_can_be_had(client) -> None:
    run_id = await start(client, "`seq 1 30000`")
    seen = await events(client, run_id)
    (done,) = [e for e in seen if e["event"] == "tool.completed"]
    assert done["truncated"] is True
    assert len(done["output"].encode()) <= 2048
    path = f"/v1/runs/{run_id}/tools/{done['tool_call_id']}/output"
    whole = await client.get(path)
    assert whole.body.startswith(b"1\n2\n3\n")
    assert b"\n30000" in whole.body
    part = await client.send("GET", path, headers={"Range": "bytes=2-3"})
    assert (part.status, part.body) == (206, b"2\n")
    assert (await client.send("GET", path, headers={"Range": "bytes=999999999-"})).status == 416
    assert (await client.get(f"/v1/runs/{run_id}/tools/nothing/output")).status == 404


async def test_limits_end_a_run_as_failed_and_say_which(client) -> None:
    run_id = await start(client, "`echo hi`", limits={"max_steps": 1})
    seen = await events(client, run_id)
    assert seen[-1]["event"] == "run.failed"
    assert seen[-1]["error"]["code"] == "max_steps"


async def test_a_message_steers_a_run_under_way(client) -> None:
    run_id = await start(client, "`sleep 0.5`")
    async for frame in client.stream(f"/v1/runs/{run_id}/events"):
        if frame.comment is None and frame.json["event"] == "tool.started":
            answer = await client.post(f"/v1/runs/{run_id}/steer", {"input": "`echo steered`"})
            assert answer.status == 200
            break
    seen = await events(client, run_id)
    previews = [e["preview"] for e in seen if e["event"] == "tool.started"]
    assert previews == ["sleep 0.5", "echo steered"]


async def test_an_approval_is_asked_for_and_given(start_server) -> None:
    server = start_server(ANGELIA_APPROVALS="ask")
    server.stop()
    (server.home / "angelia.toml").write_text('[approvals]\nask = ["terminal"]\n')
    server.start()
    async with Client(server.url, server.key) as client:
        run_id = await start(client, "`echo allowed`")
        async for frame in client.stream(f"/v1/runs/{run_id}/events"):
            if frame.comment is None and frame.json["event"] == "approval.requested":
                assert frame.json["preview"] == "echo allowed"
                wanted = frame.json["approval_id"]
            if frame.comment is None and frame.json["event"] == "run.waiting":
                break
        run = (await client.get(f"/v1/runs/{run_id}")).json
        assert run["status"] == "waiting_for_approval"
        assert [p["approval_id"] for p in run["pending_approvals"]] == [wanted]
        server.restart()
    async with Client(server.url, server.key) as client:
        answer = await client.post(f"/v1/runs/{run_id}/approval", {"choice": "once"})
        assert answer.status == 200
        seen = await events(client, run_id)
        check(seen)
        assert [e["outcome"] for e in seen if e["event"] == "tool.completed"] == ["ok"]


@pytest.mark.parametrize("after", ["-1", "x", "999999", "1e3", "9" * 40])
async def test_a_cursor_that_cannot_be_is_refused(client, after) -> None:
    run_id = await start(client, "hello")
    await events(client, run_id)
    answer = await client.get(f"/v1/runs/{run_id}/events?after={after}")
    assert answer.status == 400
    assert answer.json["error"]["param"] == "after"
