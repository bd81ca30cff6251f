"""Frames of tool calls in four dialects, and who gets which."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from angelia.core.events import Outcome, ToolFinished, ToolStarted
from angelia.errors import BadRequest
from angelia.wire.chat.dialects import INPUT_LIMIT, Dialect, Progress, choose_dialect
from angelia.wire.sse import Decoder, Event

HEAD = (
    b'{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"angelia","choices":'
)
STARTED = ToolStarted("call_1", "terminal", '{"command": "ls -la"}', "pure", "ls -la", "💻")
FINISHED = ToolFinished("call_1", "terminal", "ok", "total 12", 0.041)
RUNNING = {
    "tool": "terminal",
    "emoji": "💻",
    "label": "ls -la",
    "toolCallId": "call_1",
    "status": "running",
    "input": {"command": "ls -la"},
}
COMPLETED = {
    "tool": "terminal",
    "toolCallId": "call_1",
    "status": "completed",
    "outcome": "ok",
    "failed": False,
    "duration": 0.041,
    "output": "total 12",
    "truncated": False,
}
CHUNK = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "angelia"}
EMPTY_CHOICE = [{"index": 0, "delta": {}, "finish_reason": None}]


def frames(dialect: Dialect, *events: ToolStarted | ToolFinished) -> list[Event]:
    progress, decoder = Progress(dialect, HEAD), Decoder()
    written = b"".join(
        progress.started(event) if isinstance(event, ToolStarted) else progress.finished(event)
        for event in events
    )
    return decoder.feed(written)


def payloads(*events: ToolStarted | ToolFinished) -> list[dict]:
    carried = [json.decode(event.data) for event in frames("carrier", *events)]
    return [chunk["hermes.tool.progress"] for chunk in carried]


def test_named_frames_are_chunks_without_choices_and_the_fields_at_the_top() -> None:
    got = frames("named", STARTED, FINISHED)
    assert [event.name for event in got] == ["hermes.tool.progress"] * 2
    assert [json.decode(event.data) for event in got] == [
        {**CHUNK, "choices": [], **RUNNING},
        {**CHUNK, "choices": [], **COMPLETED},
    ]


def test_carrier_frames_are_nameless_chunks_with_an_empty_delta() -> None:
    got = frames("carrier", STARTED, FINISHED)
    assert [event.name for event in got] == ["message"] * 2
    assert [json.decode(event.data) for event in got] == [
        {**CHUNK, "choices": EMPTY_CHOICE, "hermes.tool.progress": RUNNING},
        {**CHUNK, "choices": EMPTY_CHOICE, "hermes.tool.progress": COMPLETED},
    ]


def test_open_webui_gets_a_status_that_is_closed_with_the_call() -> None:
    got = [json.decode(event.data) for event in frames("openwebui", STARTED, FINISHED)]
    assert [chunk["hermes.tool.progress"] for chunk in got] == [RUNNING, COMPLETED]
    assert [chunk["event"] for chunk in got] == [
        {"type": "status", "data": {"description": "💻 ls -la", "done": False}},
        {"type": "status", "data": {"description": "💻 ls -la", "done": True}},
    ]


def test_off_is_off() -> None:
    assert frames("off", STARTED, FINISHED) == []


@pytest.mark.parametrize("dialect", get_args(Dialect))
def test_internal_tools_never_appear(dialect: Dialect) -> None:
    started = ToolStarted("c", "_memory", "{}", "pure", "secret", "🧠")
    assert frames(dialect, started, ToolFinished("c", "_memory", "ok", "secret")) == []


def test_an_end_without_a_start_does_not_exist() -> None:
    assert frames("named", FINISHED) == []
    assert len(frames("named", STARTED, FINISHED, FINISHED)) == 2


@pytest.mark.parametrize("outcome", get_args(Outcome))
def test_every_outcome_completes_and_none_is_a_top_level_error(outcome: Outcome) -> None:
    for dialect in ("named", "carrier", "openwebui"):
        finished = ToolFinished("call_1", "terminal", outcome, "x")
        chunk = json.decode(frames(dialect, STARTED, finished)[1].data)
        payload = chunk.get("hermes.tool.progress", chunk)
        assert (payload["status"], payload["outcome"]) == ("completed", outcome)
        assert payload["failed"] == (outcome != "ok")
        assert "error" not in chunk


def test_a_failed_call_says_so_in_its_status() -> None:
    finished = ToolFinished("call_1", "terminal", "timeout", "x")
    chunk = json.decode(frames("openwebui", STARTED, finished)[1].data)
    assert chunk["event"]["data"] == {"description": "💻 ls -la (timeout)", "done": True}


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ('{"a":\r\n 1}', {"a": 1}),
        ("[1, 2]", [1, 2]),
        ("{broken", "{broken"),
        ("", ""),
        ("[" * 5000, "[" * 5000),
    ],
)
def test_input_is_parsed_where_it_can_be(arguments: str, shown: object) -> None:
    started = ToolStarted("c", "f", arguments, "pure")
    assert payloads(started)[0]["input"] == shown
    assert "input_truncated" not in payloads(started)[0]


@given(st.text(), st.text(), st.text(), st.text())
def test_a_frame_is_one_line_of_json_whatever_is_in_it(
    name: str, arguments: str, label: str, output: str
) -> None:
    name = name.lstrip("_")
    started = ToolStarted("c", name, arguments, "pure", label)
    running, completed = payloads(started, ToolFinished("c", name, "ok", output))
    assert running["label"] == label
    assert output.startswith(completed["output"])


def test_frames_stay_far_below_what_clients_can_read() -> None:
    control = "\x01" * 100_000
    started = ToolStarted("c", "f" * 100_000, control, "pure", control)
    finished = ToolFinished("c", "f" * 100_000, "ok", control)
    for dialect in ("named", "carrier", "openwebui"):
        got = frames(dialect, started, finished)
        assert all(len(event.data) < 64 * 1024 for event in got)
    running, completed = payloads(started, finished)
    assert running["input_truncated"] is True
    assert control.startswith(running["input"])
    assert completed["truncated"] is True
    assert len(completed["output"].encode()) == 2048


def test_input_is_whole_up_to_its_limit() -> None:
    text = '"' + "x" * (INPUT_LIMIT - 2) + '"'
    assert payloads(ToolStarted("c", "f", text, "pure"))[0]["input"] == text[1:-1]
    assert "input_truncated" in payloads(ToolStarted("c", "f", text + " ", "pure"))[0]


def test_output_that_was_cut_before_is_truncated() -> None:
    finished = ToolFinished("call_1", "terminal", "ok", "x", truncated=True)
    assert payloads(STARTED, finished)[1]["truncated"] is True


@pytest.mark.parametrize(
    ("requested", "key", "agent", "headers", "expected"),
    [
        (None, None, "", [], "named"),
        (None, None, "curl/8.5", ["accept"], "named"),
        (None, None, "OpenAI/Python 1.70.0", [], "carrier"),
        (None, None, "AsyncOpenAI/Python 1.70.0", [], "carrier"),
        (None, None, "OpenAI/JS 4.1", [], "carrier"),
        (None, None, "ai-sdk/openai-compatible/1.0", [], "carrier"),
        (None, None, "ai-sdk-openai-compatible/3.0.90 node.js/22", [], "carrier"),
        (None, None, "", ["X-Stainless-Lang"], "carrier"),
        (None, None, "Python/3.11 aiohttp/3.9", ["X-OpenWebUI-User-Id"], "openwebui"),
        (None, None, "OpenAI/Python", ["x-openwebui-user-id", "x-stainless-os"], "openwebui"),
        (None, "off", "OpenAI/Python", [], "off"),
        (None, "odd", "OpenAI/Python", [], "carrier"),
        ("named", "off", "OpenAI/Python", ["x-openwebui-chat-id"], "named"),
        (" Carrier ", None, "", [], "carrier"),
        ("", "off", "", [], "off"),
    ],
)
def test_the_request_decides_then_the_key_then_the_family(
    requested: str | None, key: str | None, agent: str, headers: list[str], expected: Dialect
) -> None:
    chosen = choose_dialect(requested=requested, key_setting=key, user_agent=agent, headers=headers)
    assert chosen == expected


def test_an_unknown_dialect_is_told_the_known_ones() -> None:
    with pytest.raises(BadRequest, match="X-Angelia-Tool-Events") as caught:
        choose_dialect(requested="sparkles", key_setting=None, user_agent="", headers=[])
    assert all(word in caught.value.message for word in ("named", "carrier", "openwebui", "off"))
