"""Tool calls among the items of a response."""

import pytest
from hypothesis import given
from msgspec import json

from angelia.core.events import ToolFinished, ToolStarted
from angelia.core.messages import ToolCall
from angelia.wire.responses.dialects import Dialect
from angelia.wire.responses.output.calls import ABANDONED
from tests.wire.chat.runs import CLIENT_CALLS, STARTED, WAITING, step
from tests.wire.responses.legs import (
    DIALECTS,
    ENDED,
    FEW,
    Leg,
    any_leg,
    dialects,
    entries,
    output,
    stream,
    told,
    types,
    writer,
    written,
)


def test_parallel_tools_are_opened_as_they_start_and_closed_as_they_end() -> None:
    calls = (ToolCall("a", "look", "{}"), ToolCall("b", "look", '{"x":1}'))
    log = (
        STARTED,
        *step([], (), calls),
        ToolStarted("a", "look", "{}", "pure"),
        ToolStarted("b", "look", '{"x":1}', "pure"),
        ToolFinished("b", "look", "timeout", "too slow"),
        ToolFinished("a", "look", "ok", "here"),
        *step(["ok"]),
        ENDED,
    )
    response, frames = stream(*log)
    done = [e["output_index"] for e in told(frames) if e["type"].endswith("output_item.done")]
    assert done == [1, 0, 2]
    first, second, _ = response["output"]
    assert (first["status"], first["output"], first["error"]) == ("completed", "here", None)
    assert (second["status"], second["output"]) == ("failed", None)
    assert second["error"]["code"] == "timeout"
    assert second["error"]["content"] == [{"type": "text", "text": "too slow"}]
    assert "mcp_call.failed" in types(frames)
    results = [i for i in output(*log, dialect="pair") if i["type"] == "function_call_output"]
    assert [(i["call_id"], i["status"]) for i in results] == [
        ("b", "incomplete"),
        ("a", "completed"),
    ]


def test_functions_of_the_client_end_the_response_for_it_to_run_them() -> None:
    response, frames = stream(STARTED, *step(["One moment."], (), CLIENT_CALLS), WAITING)
    assert response["status"] == "completed"
    assert [
        (item["call_id"], item["name"], item["arguments"], item["status"])
        for item in response["output"][1:]
    ] == [(call.id, call.name, call.arguments, "completed") for call in CLIENT_CALLS]
    arguments = [e for e in told(frames) if "function_call_arguments" in e["type"]]
    assert [e.get("delta") or e["arguments"] for e in arguments] == [
        '{"x": 1}',
        '{"x": 1}',
        "{}",
        "{}",
    ]


@pytest.mark.parametrize(
    ("dialect", "last", "status"),
    [("pair", "function_call_output", "incomplete"), ("mcp", "mcp_call", "failed")],
)
def test_a_tool_that_the_server_leaves_behind_is_ended(
    dialect: Dialect, last: str, status: str
) -> None:
    made = writer(dialect)
    made.write(
        entries(
            STARTED,
            *step([], (), (ToolCall("a", "look", "{}"),)),
            ToolStarted("a", "look", "{}", "pure"),
        )
    )
    assert json.decode(made.response())["output"][-1]["type"] != "function_call_output"
    frames = made.fail("The server is stopping.", "server_stopping")
    assert types(frames)[-2:] == ["output_item.done", "failed"]
    item = json.decode(made.response())["output"][-1]
    assert (item["type"], item["status"]) == (last, status)
    assert ABANDONED in json.encode(item).decode()


def test_internal_tools_never_appear() -> None:
    log = (
        STARTED,
        *step([], (), (ToolCall("a", "_inner", "{}"),)),
        ToolStarted("a", "_inner", "{}", "pure"),
        ToolFinished("a", "_inner", "ok", "x"),
        *step(["ok"]),
        ENDED,
    )
    for dialect in DIALECTS:
        assert [item["type"] for item in output(*log, dialect=dialect)] == ["message"]


@given(any_leg, dialects)
@FEW
def test_a_tool_that_is_shown_starts_once_and_ends_once(leg: Leg, dialect: Dialect) -> None:
    _, frames = written(leg, dialect)
    events = [entry.event for entry in leg.entries]
    begun = [e.call_id for e in events if isinstance(e, ToolStarted) and e.name[0] != "_"]
    items = [e["item"] for e in told(frames) if e["type"] == "response.output_item.done"]
    results = [item["call_id"] for item in items if item["type"] == "function_call_output"]
    if dialect == "pair":
        assert sorted(results) == sorted(begun)
        calls = [item["call_id"] for item in items if item["type"] == "function_call"]
        assert calls[: len(begun)] == begun
    else:
        assert results == []
        ran = [item for item in items if item["type"] == "mcp_call"]
        assert len(ran) == (len(begun) if dialect == "mcp" else 0)
        assert all(item["status"] in ("completed", "failed") for item in ran)
