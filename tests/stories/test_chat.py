"""Chat completions over a real socket: what a client sees, byte for byte."""

import asyncio
from typing import Any

import pytest

from tests.support.http import Client, Frame

CHAT = "/v1/chat/completions"
NAMED = {"X-Angelia-Tool-Events": "named"}


def ask(text: str, **more: Any) -> dict[str, Any]:
    return {"model": "angelia", "messages": [{"role": "user", "content": text}], **more}


async def streamed(client: Client, text: str, headers=NAMED, **more: Any) -> list[Frame]:
    body = ask(text, stream=True, **more)
    async with client.open("POST", CHAT, body, headers) as reader:
        assert reader.status == 200
        assert reader.headers["Content-Type"] == "text/event-stream; charset=utf-8"
        assert reader.headers["X-Accel-Buffering"] == "no"
        assert reader.headers["X-Angelia-Run-Id"].startswith("run_")
        return [frame async for frame in reader.frames() if frame.comment is None]


def progress(frames: list[Frame]) -> list[dict[str, Any]]:
    return [frame.json for frame in frames if frame.event == "hermes.tool.progress"]


def chunks(frames: list[Frame]) -> list[dict[str, Any]]:
    return [frame.json for frame in frames if frame.event is None and frame.data != "[DONE]"]


def content(frames: list[Frame]) -> str:
    deltas = [c["choices"][0]["delta"] for c in chunks(frames) if c.get("choices")]
    return "".join(delta.get("content") or "" for delta in deltas)


def finish(frames: list[Frame]) -> list[str]:
    reasons = [c["choices"][0]["finish_reason"] for c in chunks(frames) if c.get("choices")]
    return [reason for reason in reasons if reason]


async def test_a_command_gives_one_running_and_one_completed_with_the_same_id(client) -> None:
    frames = await streamed(client, "`echo hello there`")
    running, completed = progress(frames)
    assert (running["status"], completed["status"]) == ("running", "completed")
    assert running["toolCallId"] == completed["toolCallId"]
    assert running["tool"] == "terminal"
    assert running["input"] == {"command": "echo hello there"}
    assert running["label"] == "echo hello there"
    assert running["emoji"] == "💻"
    assert (completed["outcome"], completed["failed"]) == ("ok", False)
    assert "hello there" in completed["output"]
    assert completed["duration"] > 0
    assert completed["truncated"] is False
    assert running["choices"] == completed["choices"] == []


async def test_the_stream_keeps_its_order(client) -> None:
    frames = await streamed(client, "think, `echo x`", stream_options={"include_usage": True})
    assert frames[0].json["choices"][0]["delta"] == {"role": "assistant", "content": ""}
    assert frames[-1].data == "[DONE]"
    usage = frames[-2].json
    assert usage["choices"] == []
    assert usage["usage"]["total_tokens"] > 0
    assert frames[-3].json["choices"][0]["finish_reason"] == "stop"
    assert finish(frames) == ["stop"]
    kinds = [set(c["choices"][0]["delta"]) for c in chunks(frames)[1:] if c["choices"]]
    assert {"reasoning_content"} in kinds
    assert all(len(kind) <= 1 for kind in kinds)
    assert not any(frame.id for frame in frames)


async def test_no_marker_of_a_tool_is_in_the_text_and_no_call_is_the_clients(client) -> None:
    frames = await streamed(client, "`echo hello`")
    assert "hermes" not in content(frames)
    assert "💻" not in content(frames)
    assert not any("tool_calls" in c["choices"][0]["delta"] for c in chunks(frames) if c["choices"])


async def test_parallel_tools_complete_each_in_its_own_time(client) -> None:
    events = progress(await streamed(client, "`sleep 0.6; echo slow` and `echo quick`"))
    assert [event["status"] for event in events] == ["running"] * 2 + ["completed"] * 2
    slow, quick = (event["toolCallId"] for event in events[:2])
    assert slow != quick
    assert [event["toolCallId"] for event in events[2:]] == [quick, slow]


async def test_a_failing_tool_completes_once_as_failed(client) -> None:
    frames = await streamed(client, "fail")
    running, completed = progress(frames)
    assert (completed["outcome"], completed["failed"]) == ("error", True)
    assert completed["toolCallId"] == running["toolCallId"]
    assert not any("error" in frame.json for frame in frames[:-1])
    assert finish(frames) == ["stop"]


async def test_a_tool_that_runs_out_of_time_completes_once(start_server) -> None:
    server = start_server()
    async with Client(server.url, server.key) as client:
        text = 'call terminal {"command": "sleep 30", "timeout": 1}'
        running, completed = progress(await streamed(client, text))
    assert running["status"] == "running"
    assert completed["outcome"] == "timeout"


async def test_a_stopped_tool_completes_once_and_the_stream_says_that_it_was_stopped(
    client,
) -> None:
    body = ask("sleep 60", stream=True)
    frames: list[Frame] = []
    async with client.open("POST", CHAT, body, NAMED) as reader:
        run_id = reader.headers["X-Angelia-Run-Id"]
        async for frame in reader.frames():
            frames.append(frame)
            if frame.event and frame.json["status"] == "running":
                answer = await client.post(f"/v1/runs/{run_id}/stop")
                assert answer.status == 200
    running, completed = progress(frames)
    assert completed["outcome"] == "cancelled"
    assert running["toolCallId"] == completed["toolCallId"]
    assert frames[-2].json["error"]["code"] == "run_cancelled"
    assert frames[-1].data == "[DONE]"


@pytest.mark.parametrize("dialect", ["carrier", "openwebui"])
async def test_nameless_dialects_carry_the_same_facts_in_valid_chunks(client, dialect) -> None:
    frames = await streamed(client, "`echo hi`", {"X-Angelia-Tool-Events": dialect})
    assert not any(frame.event for frame in frames)
    carried = [c for c in chunks(frames) if "hermes.tool.progress" in c]
    assert [c["hermes.tool.progress"]["status"] for c in carried] == ["running", "completed"]
    assert all(c["choices"][0]["delta"] == {} for c in carried)
    if dialect == "openwebui":
        assert [c["event"]["data"]["done"] for c in carried] == [False, True]


async def test_the_dialect_follows_the_client_and_can_be_turned_off(client) -> None:
    agent = {"User-Agent": "OpenAI/Python 2.0"}
    assert not any(frame.event for frame in await streamed(client, "`true`", agent))
    frames = await streamed(client, "`true`", {"X-Angelia-Tool-Events": "off"})
    assert "progress" not in "".join(frame.data for frame in frames)


async def test_the_whole_answer_says_what_the_stream_says(client) -> None:
    frames = await streamed(client, "`echo one`")
    answer = await client.post(CHAT, ask("`echo one`"))
    assert answer.status == 200
    assert answer.json["object"] == "chat.completion"
    message = answer.json["choices"][0]["message"]
    assert message["content"] == content(frames)
    assert "tool_calls" not in message
    assert answer.json["usage"]["total_tokens"] > 0
    assert answer.headers["X-Angelia-Run-Id"].startswith("run_")


WEATHER = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather in a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    },
}


@pytest.mark.parametrize("stream", [True, False])
async def test_a_clients_tool_is_the_clients_to_run_and_the_run_goes_on(client, stream) -> None:
    text = 'call weather {"city": "Athens"} and `echo hello`'
    asked = ask(text, tools=[WEATHER])
    first = await handed_over(client, asked, stream=stream)
    call = first["tool_calls"][0]
    assert call["function"] == {"name": "weather", "arguments": '{"city": "Athens"}'}
    messages = [
        *asked["messages"],
        {"role": "assistant", "content": None, "tool_calls": first["tool_calls"]},
        {"role": "tool", "tool_call_id": call["id"], "content": "sunny and 24 degrees"},
    ]
    answer = await client.post(CHAT, {**asked, "messages": messages})
    assert answer.status == 200
    said = answer.json["choices"][0]["message"]["content"]
    assert "sunny and 24 degrees" in said
    # The server's own call of the same turn is part of what the model knows.
    assert "hello" in said
    assert answer.headers["X-Angelia-Run-Id"] == first["run_id"]
    run = (await client.get(f"/v1/runs/{first['run_id']}")).json
    assert run["status"] == "completed"


async def handed_over(client: Client, asked: dict[str, Any], *, stream: bool) -> dict[str, Any]:
    if not stream:
        answer = await client.post(CHAT, asked)
        choice = answer.json["choices"][0]
        assert choice["finish_reason"] == "tool_calls"
        calls = choice["message"]["tool_calls"]
        return {"tool_calls": calls, "run_id": answer.headers["X-Angelia-Run-Id"]}
    async with client.open("POST", CHAT, {**asked, "stream": True}, NAMED) as reader:
        frames = [frame async for frame in reader.frames() if frame.comment is None]
        run_id = reader.headers["X-Angelia-Run-Id"]
    assert finish(frames) == ["tool_calls"]
    deltas = [c["choices"][0]["delta"] for c in chunks(frames) if c["choices"]]
    calls = [call for delta in deltas for call in delta.get("tool_calls", ())]
    assert [event["tool"] for event in progress(frames)] == ["terminal", "terminal"]
    return {
        "tool_calls": [{k: v for k, v in c.items() if k != "index"} for c in calls],
        "run_id": run_id,
    }


async def test_the_same_idempotency_key_joins_the_same_run(client) -> None:
    headers = {"Idempotency-Key": "story-1"}
    body = ask("`date +%s%N`")
    first = await client.send("POST", CHAT, body, headers)
    second = await client.send("POST", CHAT, body, headers)
    assert second.headers["Idempotency-Replayed"] == "true"
    assert second.body == first.body
    other = await client.send("POST", CHAT, ask("another"), headers)
    assert other.status == 409
    assert other.json["error"]["code"] == "idempotency_key_conflict"


async def test_a_client_that_hangs_up_stops_its_run(client) -> None:
    async with client.open("POST", CHAT, ask("sleep 60", stream=True), NAMED) as reader:
        run_id = reader.headers["X-Angelia-Run-Id"]
        async for frame in reader.frames():
            if frame.event:
                break
    assert await settled(client, run_id) == "cancelled"


async def test_a_client_that_hangs_up_may_leave_its_run_to_go_on(client) -> None:
    headers = {**NAMED, "X-Angelia-On-Disconnect": "continue"}
    async with client.open("POST", CHAT, ask("`sleep 0.5`", stream=True), headers) as reader:
        run_id = reader.headers["X-Angelia-Run-Id"]
    assert await settled(client, run_id) == "completed"


async def settled(client: Client, run_id: str) -> str:
    """The status a run ends with."""
    async for frame in client.stream(f"/v1/runs/{run_id}/events"):
        last = frame
    assert last.json["event"].startswith("run.")
    return (await client.get(f"/v1/runs/{run_id}")).json["status"]


async def test_fifty_streams_at_once_each_get_their_own_answer(client) -> None:
    async def one(number: int) -> None:
        assert f"number {number}." in content(await streamed(client, f"`echo number {number}.`"))

    await asyncio.gather(*(one(number) for number in range(50)))


async def test_a_client_that_hangs_up_on_a_whole_answer_stops_its_run_without_a_word_in_the_log(
    server,
) -> None:
    async with Client(server.url, server.key) as client:
        asking = asyncio.create_task(client.post(CHAT, ask("sleep 60")))
        run_id = await under_way(client)
        asking.cancel()
        assert await settled(client, run_id) == "cancelled"
    assert server.stop() == 0
    assert "Exception" not in server.stderr


async def under_way(client: Client) -> str:
    """The id of the only run, once its tool has started."""
    while not (found := (await client.get("/v1/runs")).json["data"]):
        await asyncio.sleep(0.01)
    run_id = found[0]["run_id"]
    async for frame in client.stream(f"/v1/runs/{run_id}/events"):
        if frame.comment is None and frame.json["event"] == "tool.started":
            break
    return run_id


async def test_a_reader_that_leaves_does_not_stop_the_run_of_another(client) -> None:
    headers = {**NAMED, "Idempotency-Key": "two-readers"}
    body = ask("`sleep 1; echo done`", stream=True)
    async with client.open("POST", CHAT, body, headers) as first:
        async with client.open("POST", CHAT, body, headers) as second:
            assert second.headers["X-Angelia-Run-Id"] == first.headers["X-Angelia-Run-Id"]
        assert finish([frame async for frame in first.frames()]) == ["stop"]


async def test_the_last_reader_that_leaves_stops_the_run(client) -> None:
    headers = {
        **NAMED,
        "Idempotency-Key": "no-reader-left",
        "X-Angelia-On-Disconnect": "cancel",
    }
    body = ask("sleep 60", stream=True)
    async with (
        client.open("POST", CHAT, body, headers) as first,
        client.open("POST", CHAT, body, headers),
    ):
        run_id = first.headers["X-Angelia-Run-Id"]
    assert await settled(client, run_id) == "cancelled"


async def test_results_for_only_some_of_the_calls_are_refused_and_the_run_waits_on(client) -> None:
    text = 'call weather {"city": "Athens"} and call weather {"city": "Sparta"}'
    asked = ask(text, tools=[WEATHER])
    first = await handed_over(client, asked, stream=False)
    athens, sparta = (call["id"] for call in first["tool_calls"])
    said = [*asked["messages"], {"role": "assistant", "tool_calls": first["tool_calls"]}]
    results = [
        {"role": "tool", "tool_call_id": call_id, "content": f"result {number}"}
        for number, call_id in enumerate((athens, sparta))
    ]
    part = await client.post(CHAT, {**asked, "messages": [*said, results[0]]})
    assert part.status == 400
    assert part.json["error"]["param"] == "messages"
    assert sparta in part.json["error"]["message"]
    assert athens not in part.json["error"]["message"]
    whole = await client.post(CHAT, {**asked, "messages": [*said, *results]})
    assert whole.status == 200
    assert whole.headers["X-Angelia-Run-Id"] == first["run_id"]
    content = whole.json["choices"][0]["message"]["content"]
    assert "result 0" in content
    assert "result 1" in content


async def test_results_that_no_run_waits_for_begin_a_new_one(client) -> None:
    function = {"name": "weather", "arguments": "{}"}
    call = {"id": "call_of_nobody", "type": "function", "function": function}
    messages = [
        *ask("hello")["messages"],
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_of_nobody", "content": "sunny"},
    ]
    assert (await client.post(CHAT, {"messages": messages})).status == 200


async def test_reasoning_can_be_kept_back_on_both_forms_of_an_answer(start_server) -> None:
    server = start_server()
    server.stop()
    (server.home / "angelia.toml").write_text("[chat]\nreasoning = false\n")
    server.start()
    async with Client(server.url, server.key) as client:
        answer = await client.post(CHAT, ask("think"))
        assert answer.json["choices"][0]["message"].get("reasoning_content") is None
        async with client.open("POST", CHAT, ask("think", stream=True)) as reader:
            assert b"reasoning_content" not in await reader.read()


async def test_a_session_id_that_cannot_be_one_is_refused(client) -> None:
    answer = await client.send("POST", CHAT, ask("hello"), {"X-Hermes-Session-Id": "x" * 5000})
    assert answer.status == 400
    assert answer.json["error"]["param"] == "X-Hermes-Session-Id"
