"""aimock, a mock of many providers: whole runs with tools on each protocol, and faults survived."""

from typing import Any

import pytest
from msgspec import json

from tests.providers.running import AimockServer
from tests.support.following import ended, started
from tests.support.http import Client, Frame

CHAT = "/v1/chat/completions"
PATHS = {"chat": CHAT, "responses": "/v1/responses", "anthropic": "/v1/messages"}
QUESTION = "How many are there?"
COMMAND = {"command": "echo $((6 * 7))"}
THOUGHT = "I must count."
BEGINNING, ANSWER = "Let me look.", "There are forty-two, as the machine says."

CALLS = [
    {"id": "call_files", "name": "list_files", "arguments": "{}"},
    {"id": "call_count", "name": "terminal", "arguments": json.encode(COMMAND).decode()},
]
LOOKS = {
    "match": {"userMessage": QUESTION, "hasToolResult": False},
    "response": {"reasoning": THOUGHT, "content": BEGINNING, "toolCalls": CALLS},
}
# It knows the answer only from the output of the tool.
ANSWERS = {
    "match": {"userMessage": QUESTION, "toolResultContains": "42"},
    "response": {"content": ANSWER},
}


async def frames_of(client: Client, path: str, body: Any = None, **headers: str) -> list[Frame]:
    stream = client.stream(path, body, **headers)
    return [frame async for frame in stream if frame.comment is None]


def asked(text: str = QUESTION) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text}], "stream": True}


async def test_a_run_with_tools_as_chat(aimock: AimockServer, mocked: Client) -> None:
    await aimock.play(LOOKS, ANSWERS)
    *frames, last = await frames_of(mocked, CHAT, asked())
    progress = [frame.json for frame in frames if frame.event == "hermes.tool.progress"]
    told = [(step["toolCallId"], step["status"]) for step in progress]
    assert sorted(told) == sorted(
        (call["id"], status) for call in CALLS for status in ("running", "completed")
    )
    chunks = [frame.json["choices"][0] for frame in frames if frame.event is None]
    text = "".join(chunk["delta"].get("content") or "" for chunk in chunks)
    assert text == f"{BEGINNING}\n\n{ANSWER}"
    assert chunks[-1]["finish_reason"] == "stop"
    assert last.data == "[DONE]"


async def test_a_run_with_tools_as_a_response(aimock: AimockServer, mocked: Client) -> None:
    await aimock.play(LOOKS, ANSWERS)
    body = {"input": QUESTION, "stream": True}
    frames = await frames_of(mocked, "/v1/responses", body, X_Angelia_Tool_Items="pair")
    events = [frame.json for frame in frames if frame.data != "[DONE]"]
    assert events[-1]["type"] == "response.completed"
    output = events[-1]["response"]["output"]
    for kind in ("function_call", "function_call_output"):
        told = [item["call_id"] for item in output if item["type"] == kind]
        assert sorted(told) == sorted(call["id"] for call in CALLS)
    texts = [item["content"][0]["text"] for item in output if item["type"] == "message"]
    assert texts == [BEGINNING, ANSWER]


async def test_a_run_with_tools_as_a_run(aimock: AimockServer, mocked: Client) -> None:
    await aimock.play(LOOKS, ANSWERS)
    run_id = await started(mocked, {"input": QUESTION})
    events = [frame.json for frame in await frames_of(mocked, f"/v1/runs/{run_id}/events")]
    for kind in ("tool.started", "tool.completed"):
        told = [event["tool_call_id"] for event in events if event["event"] == kind]
        assert sorted(told) == sorted(call["id"] for call in CALLS)
    assert [e["text"] for e in events if e["event"] == "reasoning.available"] == [THOUGHT]
    assert events[-1]["event"] == "run.completed"
    assert (await ended(mocked, run_id))["output"] == ANSWER


async def test_what_it_was_asked_is_well_formed(
    aimock: AimockServer, mocked: Client, protocol: str
) -> None:
    await aimock.play(LOOKS, ANSWERS)
    await frames_of(mocked, CHAT, asked())
    first, second = await aimock.journal()
    for entry in (first, second):
        assert (entry["path"], entry["response"]["status"]) == (PATHS[protocol], 200)
        assert {"terminal", "list_files"} <= {t["function"]["name"] for t in entry["body"]["tools"]}
    assert first["body"]["messages"] == [{"role": "user", "content": QUESTION}]
    assert calls_of(second) == [(c["id"], c["name"], json.decode(c["arguments"])) for c in CALLS]
    results = [said for said in second["body"]["messages"] if said["role"] == "tool"]
    assert [said["tool_call_id"] for said in results] == [call["id"] for call in CALLS]
    assert results[-1]["content"].strip() == "42"


def calls_of(entry: dict[str, Any]) -> list[tuple[str, str, Any]]:
    """The calls in the history that it was sent; it shows every protocol's as those of chat."""
    calls = [c for said in entry["body"]["messages"] for c in said.get("tool_calls") or ()]
    functions = [(call["id"], call["function"]) for call in calls]
    return [(id_, call["name"], json.decode(call["arguments"])) for id_, call in functions]


# ── faults, before anything was shown ───────────────────────────────────────────────────────

ANSWERS_FIRST = {"match": {"userMessage": QUESTION}, "response": {"content": ANSWER}}
FAULTS = {
    "the connection is dropped": {"chaos": {"disconnectRate": 1}},
    "what comes is not JSON": {"chaos": {"malformedRate": 1}},
    "the stream breaks off": {"truncateAfterChunks": 1},
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_broken_answer_is_asked_for_again(
    aimock: AimockServer, mocked: Client, fault: str
) -> None:
    once = {**ANSWERS_FIRST, "match": {"userMessage": QUESTION, "sequenceIndex": 0}}
    await aimock.play({**once, **FAULTS[fault]}, ANSWERS_FIRST)
    assert await answer_of(mocked) == ANSWER
    assert len(await aimock.journal()) == 2


@pytest.mark.parametrize("status", [429, 500, 529])
async def test_a_refusal_that_passes_is_survived(
    aimock: AimockServer, mocked: Client, status: int
) -> None:
    await aimock.play(ANSWERS_FIRST)
    await aimock.fail_once(status)
    assert await answer_of(mocked) == ANSWER
    assert [entry["response"]["status"] for entry in await aimock.journal()] == [status, 200]


async def answer_of(client: Client) -> str:
    answer = await client.post(CHAT, {**asked(), "stream": False})
    assert answer.status == 200, answer.body
    return answer.json["choices"][0]["message"]["content"]
