import pytest
from msgspec import json

from angelia.surfaces.cli.doctor.clients.responses import (
    LATE_CARDS,
    read_as_ai_sdk,
    read_as_openai,
)
from angelia.surfaces.cli.doctor.shown import Card, Errand, Said, Thought, Tokens, Trouble

BOTH = pytest.mark.parametrize("read", [read_as_ai_sdk, read_as_openai])
DONE = b"data: [DONE]\n\n"


def event(kind: str, **fields: object) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (kind.encode(), json.encode({"type": kind, **fields}))


def item(moment: str, **fields: object) -> bytes:
    return event(f"response.output_item.{moment}", output_index=0, item=fields)


def text(words: str) -> bytes:
    part = event("response.content_part.added", item_id="m")
    return part + event("response.output_text.delta", item_id="m", delta=words)


def end(status: str = "completed", **fields: object) -> bytes:
    usage = {"input_tokens": 1, "output_tokens": 2}
    response = {"status": status, "usage": usage, **fields}
    return event(f"response.{status}", response=response) + DONE


@BOTH
def test_text_end_and_usage_are_shown(read):
    shown = read(item("added", type="message", id="m") + text("hi") + end())
    assert (shown.pieces, shown.finish, shown.tokens) == ((Said("hi"),), "completed", Tokens(1, 2))


@BOTH
def test_a_function_without_output_is_for_the_client(read):
    call = {"type": "function_call", "id": "fc", "name": "f", "arguments": "{}"}
    shown = read(item("added", **call) + item("done", **call) + end())
    assert shown.errands == [Errand("f", "{}")]


@BOTH
def test_a_failure_is_an_error(read):
    shown = read(text("half") + end("failed", error={"code": "x", "message": "no"}))
    assert shown.troubles == [Trouble("no")]


@BOTH
@pytest.mark.parametrize("frame", [event("error", message="no"), b"data: {\n\n"])
def test_an_error_event_is_an_error(read, frame: bytes):
    assert len(read(text("half") + frame).troubles) == 1


@BOTH
def test_an_answer_cut_off_says_why(read):
    shown = read(text("half") + end("incomplete", incomplete_details={"reason": "max_output"}))
    assert (shown.finish, shown.troubles) == ("max_output", [])


MCP = {"type": "mcp_call", "id": "mcp_1", "name": "terminal", "arguments": "{}"}
FAULT = {"type": "mcp_tool_execution_error", "code": "timeout", "message": "late"}


def test_the_ai_sdk_shows_a_tool_when_it_is_done():
    stream = item("added", **MCP, status="in_progress") + item("done", **MCP, error=FAULT)
    shown = read_as_ai_sdk(stream + end())
    assert shown.cards == [Card("mcp.terminal", ("timeout",))]
    assert shown.remarks == (LATE_CARDS,)


def test_the_openai_packages_tell_of_a_tool_while_it_runs():
    stream = item("added", **MCP, status="in_progress") + item("done", **MCP, status="completed")
    assert read_as_openai(stream + end()).cards == [Card("terminal", ("running", "ok"))]


def test_the_ai_sdk_rejects_items_outside_its_schema():
    output = {"type": "function_call_output", "id": "o", "call_id": "c", "output": []}
    shown = read_as_ai_sdk(item("added", **output) + end())
    assert shown.troubles == [Trouble("an item does not fit the schema: function_call_output")]


def test_the_ai_sdk_shows_summaries_but_no_reasoning():
    reasoning = event("response.reasoning_text.delta", delta="secret")
    summary = event("response.reasoning_summary_text.delta", delta="in short")
    assert read_as_ai_sdk(reasoning + summary + end()).pieces == (Thought("in short"),)
    assert read_as_openai(reasoning + end()).pieces == (Thought("secret"),)


def test_the_helpers_raise_for_text_without_a_part():
    shown = read_as_openai(event("response.output_text.delta", item_id="m", delta="x") + end())
    assert "helpers raise" in shown.troubles[0].message
