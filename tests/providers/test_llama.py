"""llama.cpp with a small model, over each of its protocols: answers stream, a stop stops it."""

from typing import Any

import pytest
from msgspec import json

from tests.providers.running import LlamaServer
from tests.support.following import ended, eventually, reached, started
from tests.support.http import Client

CHAT = "/v1/chat/completions"
RESPONSES = "/v1/responses"
# The same words whenever it is asked on the same machine.
SURE = {"temperature": 0, "seed": 1}


def asked(text: str, **more: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text}], "stream": True, **SURE, **more}


async def chunks_of(client: Client, body: dict[str, Any], **headers: str) -> list[dict[str, Any]]:
    frames = [frame.data async for frame in client.stream(CHAT, body, **headers)]
    assert frames.pop() == "[DONE]"
    return [json.decode(frame) for frame in frames]


async def events_of(client: Client, path: str, body: Any = None) -> list[dict[str, Any]]:
    frames = [frame async for frame in client.stream(path, body) if frame.comment is None]
    return [frame.json for frame in frames if frame.data != "[DONE]"]


def pieces_of(chunks: list[dict[str, Any]]) -> list[str]:
    said = [choice["delta"].get("content") for chunk in chunks for choice in chunk["choices"]]
    return [piece for piece in said if piece]


def finish_of(chunks: list[dict[str, Any]]) -> str:
    (finish,) = {choice["finish_reason"] for c in chunks for choice in c["choices"]} - {None}
    return finish


async def test_an_answer_streams_and_ends_with_its_usage(small: Client) -> None:
    body = asked("Tell me about the sea.", max_tokens=24, stream_options={"include_usage": True})
    chunks = await chunks_of(small, body)
    assert len(pieces_of(chunks)) > 5
    usage = chunks[-1]["usage"]
    assert 0 < usage["completion_tokens"] <= 24
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]
    assert usage["prompt_tokens"] > 0


async def test_a_run_streams_and_its_record_has_text_and_usage(small: Client) -> None:
    run_id = await started(small, {"input": "Say hello."})
    events = await events_of(small, f"/v1/runs/{run_id}/events")
    said = [event["delta"] for event in events if event["event"] == "message.delta"]
    assert said
    assert events[-1]["event"] == "run.completed"
    run = await ended(small, run_id)
    assert run["output"] == "".join(said)
    assert run["usage"]["output_tokens"] > 0


async def test_the_limit_of_an_answer_reaches_the_model(small: Client, protocol: str) -> None:
    chunks = await chunks_of(small, asked("Count from 1 to 100.", max_tokens=16))
    assert 0 < len(pieces_of(chunks)) <= 16
    # Over Responses llama.cpp calls an answer complete that its limit has cut.
    assert finish_of(chunks) == ("stop" if protocol == "responses" else "length")


async def test_a_sampling_without_chance_says_the_same_twice(small: Client) -> None:
    first, second = [
        await chunks_of(small, asked("Name a colour.", max_tokens=8)) for _ in range(2)
    ]
    # What comes together is shown together, so only the whole is the same.
    assert "".join(pieces_of(first)) == "".join(pieces_of(second)) != ""


async def test_the_second_turn_of_a_session_has_read_the_first(small: Client) -> None:
    first = asked("My name is Iris.", max_tokens=8, stream_options={"include_usage": True})
    then = asked("What is my name?", max_tokens=8, stream_options={"include_usage": True})
    session = {"X_Hermes_Session_Id": "two-turns"}
    before = await chunks_of(small, first, **session)
    after = await chunks_of(small, then, **session)
    read, wrote = (before[-1]["usage"][f"{what}_tokens"] for what in ("prompt", "completion"))
    assert after[-1]["usage"]["prompt_tokens"] > read + wrote


async def test_the_responses_surface_streams_too(small: Client) -> None:
    body = {"input": "Say hello.", "stream": True, "max_output_tokens": 16, "temperature": 0}
    events = await events_of(small, RESPONSES, body)
    said = [e["delta"] for e in events if e["type"] == "response.output_text.delta"]
    assert events[-1]["type"] in ("response.completed", "response.incomplete")
    assert events[-1]["response"]["output"][-1]["content"][0]["text"] == "".join(said) != ""


async def test_a_prompt_over_the_window_is_a_typed_error(small: Client, llama: LlamaServer) -> None:
    answer = await small.post(CHAT, {**asked("word " * 2 * llama.context), "stream": False})
    error = answer.json["error"]
    assert (answer.status, error["code"]) == (400, "context_length_exceeded")
    assert f"{llama.context:,}" in error["message"]


async def test_a_conversation_over_the_window_is_made_to_fit(small: Client) -> None:
    """Nobody has told us how much the model reads: it says so when it refuses."""
    said = []
    for turn in range(12):
        said.append({"role": "user", "content": f"Turn {turn}. " + "Tell me of the sea. " * 20})
        said.append({"role": "assistant", "content": f"Answer {turn}. " + "It is blue. " * 20})
    run_id = await started(small, {"input": "Say hello.", "conversation_history": said})
    events = await events_of(small, f"/v1/runs/{run_id}/events")
    codes = [event["code"] for event in events if event["event"] == "notice"]
    assert codes[0] == "overflow"
    assert "compaction" in codes
    assert events[-1]["event"] == "run.completed"


# ── stopping ────────────────────────────────────────────────────────────────────────────────


async def assert_it_stopped(llama: LlamaServer) -> None:
    """The slot is free, long before the window is full."""

    async def idle() -> dict[str, Any] | None:
        slot = await llama.slot()
        return None if slot["is_processing"] else slot

    slot = await eventually(idle)
    assert slot["n_prompt_tokens"] < llama.context // 2


async def test_a_stopped_run_stops_the_model(endless: Client, endless_llama: LlamaServer) -> None:
    run_id = await started(endless, {"input": "Tell me everything."})
    await reached(endless, run_id, "message.delta")
    assert (await endless_llama.slot())["is_processing"]
    assert (await endless.post(f"/v1/runs/{run_id}/stop")).status in (200, 202)
    assert (await ended(endless, run_id))["status"] == "cancelled"
    await assert_it_stopped(endless_llama)


@pytest.mark.parametrize("path", [CHAT, RESPONSES])
async def test_a_client_that_hangs_up_stops_the_model(
    endless: Client, endless_llama: LlamaServer, path: str
) -> None:
    body = asked("Tell me everything.") if path == CHAT else {"input": "Speak.", "stream": True}
    async with endless.open("POST", path, body) as reader:
        frames = reader.frames()
        for _ in range(8):
            await anext(frames)
        assert (await endless_llama.slot())["is_processing"]
    await assert_it_stopped(endless_llama)
