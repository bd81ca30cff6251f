"""A conversation made short, and gone on with."""

import pytest
from msgspec import Raw, json

from angelia.core.messages import (
    Assistant,
    Image,
    Reasoning,
    Refusal,
    System,
    Text,
    ToolCall,
    ToolResult,
    Usage,
    User,
    user,
)
from angelia.errors import BadRequest
from angelia.wire.responses import items_in
from angelia.wire.responses.compaction import Compact, compacted, parse_compact
from tests.wire.responses import spec

TRANSCRIPT = (
    System("Be brief."),
    User((Text("What is in a.txt?"), Image("https://example.org/a.png"))),
    Assistant((Reasoning("hm"), Text("Let me look."), ToolCall("c", "read", '{"path":"a.txt"}'))),
    ToolResult("c", "nothing there", failed=True),
    Assistant((Refusal("I cannot say."), Text(""))),
)


def window(*messages, summary: str = "They looked.") -> dict:
    made = compacted(
        messages, summary, compaction_id="cmpn_9", created_at=3, usage=Usage(5, 6, 1, 0, 2)
    )
    return json.decode(made)


def test_the_window_is_valid_and_ends_with_the_summary() -> None:
    got = window(*TRANSCRIPT)
    spec.check("CompactResource", got)
    assert (got["id"], got["object"], got["created_at"]) == ("cmpn_9", "response.compaction", 3)
    assert [item["type"] for item in got["output"]] == ["message", "message", "compaction"]
    assert [item["id"] for item in got["output"]] == ["msg_9_i0", "msg_9_i1", "cmp_9_i2"]
    assert got["usage"]["total_tokens"] == 11


def test_the_window_is_an_input_that_tells_the_summary() -> None:
    items = [Raw(json.encode(item)) for item in window(*TRANSCRIPT)["output"]]
    system, person, told = items_in.assemble(items_in.read(items, "input"), {})
    assert system == TRANSCRIPT[0]
    assert person.parts[0] == TRANSCRIPT[1].parts[0]
    assert told == items_in.recalled("They looked.")


def test_an_older_summary_is_not_kept_beside_the_new_one() -> None:
    got = window(items_in.recalled("Long ago."), user("And now?"))
    assert [item["type"] for item in got["output"]] == ["message", "compaction"]
    assert got["output"][0]["content"][0]["text"] == "And now?"


def test_a_request_is_read() -> None:
    body = {"model": "m", "input": "hi", "previous_response_id": "resp_1", "instructions": "i"}
    assert parse_compact(json.encode(body)) == Compact("m", (user("hi"),), (), "resp_1", "i")
    referring = {"model": "m", "input": [{"type": "item_reference", "id": "msg_1_o2"}]}
    assert parse_compact(json.encode(referring)).references == ("msg_1_o2",)
    assert parse_compact(b'{"model":"m","previous_response_id":"resp_1"}').input == ()


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({"input": "hi"}, "model"),
        ({"model": None, "input": "hi"}, "model"),
        ({"model": "m"}, "input"),
        ({"model": "m", "input": []}, "input"),
        ({"model": "m", "input": [{"type": "x"}]}, "input[0].type"),
    ],
)
def test_a_request_that_lacks_something_is_refused_by_its_path(body: dict, param: str) -> None:
    with pytest.raises(BadRequest) as caught:
        parse_compact(json.encode(body))
    assert caught.value.param == param
