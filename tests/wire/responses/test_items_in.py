"""Items that clients bring, as messages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw, json

from angelia.core.messages import (
    Assistant,
    Image,
    Reasoning,
    Refusal,
    Seal,
    System,
    Text,
    ToolCall,
    ToolResult,
    User,
    user,
)
from angelia.errors import BadRequest
from angelia.wire.responses.items_in import assemble, is_recalled, read, recalled, references
from angelia.wire.responses.sealed import seal_token, summary_token

SEAL = Seal("anthropic", '{"type":"thinking","thinking":"hm","signature":"x"}')
IMAGE = "data:image/png;base64,iVBORw0KGgo="


def said(*items: object, known: dict | None = None):
    return assemble(read([Raw(json.encode(item)) for item in items], "input"), known or {})


def refusal(*items: object) -> BadRequest | None:
    try:
        said(*items)
    except BadRequest as refused:
        return refused
    return None


def text(kind: str, words: str) -> dict:
    return {"type": kind, "text": words}


def call(call_id: str = "c") -> dict:
    return {"type": "function_call", "call_id": call_id, "name": "f", "arguments": '{"a": 1}'}


def result(output: object, call_id: str = "c") -> dict:
    return {"type": "function_call_output", "call_id": call_id, "output": output}


def message(role: str, content: object, **more: object) -> dict:
    return {"type": "message", "role": role, "content": content, **more}


def reasoning(words: str = "", **more: object) -> dict:
    content = [text("reasoning_text", words)] if words else []
    return {"type": "reasoning", "id": "rs_1", "summary": [], "content": content, **more}


def mcp(**more: object) -> dict:
    called = {"id": "mcp_1", "server_label": "angelia", "name": "f", "arguments": "{}"}
    return {"type": "mcp_call", **called, **more}


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ({"role": "user", "content": "hi"}, user("hi")),
        (message("user", "hi", id="msg_1", status="completed"), user("hi")),
        (message("user", [text("input_text", "hi")]), user("hi")),
        (
            message("user", [{"type": "input_image", "image_url": IMAGE, "detail": "low"}]),
            User((Image(IMAGE, "low"),)),
        ),
        ({"role": "system", "content": "s"}, System("s")),
        (
            message("developer", [text("input_text", "a"), text("input_text", "b")]),
            System("a\nb"),
        ),
        (message("assistant", "yes"), Assistant((Text("yes"),))),
        (
            message(
                "assistant",
                [
                    {"type": "output_text", "text": "a", "annotations": [], "logprobs": []},
                    {"type": "refusal", "refusal": "b"},
                ],
            ),
            Assistant((Text("a"), Refusal("b"))),
        ),
        (call(), Assistant((ToolCall("c", "f", '{"a": 1}'),))),
        (result("done"), ToolResult("c", "done")),
        (result([text("input_text", "a"), text("input_text", "b")]), ToolResult("c", "a\nb")),
        (reasoning("hm"), Assistant((Reasoning("hm"),))),
        (
            {
                "type": "reasoning",
                "summary": [text("summary_text", "a"), text("summary_text", "b")],
            },
            Assistant((Reasoning("a\n\nb"),)),
        ),
        (
            reasoning("hm", encrypted_content=seal_token(SEAL)),
            Assistant((Reasoning("hm", SEAL),)),
        ),
        (reasoning("hm", encrypted_content="gAAA"), Assistant((Reasoning("hm"),))),
        ({"type": "compaction", "encrypted_content": summary_token("so far")}, recalled("so far")),
    ],
)
def test_an_item_is_a_message(item: dict, expected: object) -> None:
    assert said(item) == (expected,)


def test_reasoning_that_says_nothing_we_can_read_is_left_out() -> None:
    assert said(reasoning(), reasoning(encrypted_content="gAAA")) == ()


def test_a_call_of_the_server_is_a_call_and_its_result() -> None:
    made = Assistant((ToolCall("mcp_1", "f", "{}"),))
    failed = {"type": "mcp_tool_execution_error", "content": [text("text", "no")], "code": "error"}
    assert said(mcp(output="yes")) == (made, ToolResult("mcp_1", "yes"))
    assert said(mcp(error=failed)) == (made, ToolResult("mcp_1", "no", failed=True))
    assert said(mcp(error="broken"))[1] == ToolResult("mcp_1", "broken", failed=True)
    assert said(mcp(error={"message": "gone"}))[1] == ToolResult("mcp_1", "gone", failed=True)
    assert said(mcp()) == (made, ToolResult("mcp_1", "(no output)"))


# ── what belongs together ───────────────────────────────────────────────────────────────────


def test_reasoning_text_and_calls_of_one_reply_are_one_message() -> None:
    items = (reasoning("hm"), message("assistant", "Wait."), call("a"), call("b"))
    assert said(*items, result("x", "a"), result("y", "b")) == (
        Assistant(
            (
                Reasoning("hm"),
                Text("Wait."),
                ToolCall("a", "f", '{"a": 1}'),
                ToolCall("b", "f", '{"a": 1}'),
            )
        ),
        ToolResult("a", "x"),
        ToolResult("b", "y"),
    )


def test_two_messages_of_the_assistant_stay_two() -> None:
    items = (message("assistant", "a"), message("assistant", "b"), reasoning("hm"))
    assert [len(m.parts) for m in said(*items)] == [1, 1, 1]


def test_a_seal_that_comes_behind_its_reply_is_put_before_it() -> None:
    sealed = reasoning(encrypted_content=seal_token(SEAL))
    items = (message("user", "?"), reasoning("hm"), message("assistant", "Wait."), sealed, call())
    assert said(*items)[1] == Assistant(
        (Reasoning("hm"), Reasoning("", SEAL), Text("Wait."), ToolCall("c", "f", '{"a": 1}'))
    )
    assert said(message("user", "?"), sealed, call())[1].parts[0] == Reasoning("", SEAL)


# ── references ──────────────────────────────────────────────────────────────────────────────


def test_a_reference_stands_for_what_is_known_of_it() -> None:
    known = {"msg_1": (Assistant((Text("yes"),)),), "rs_1": (Assistant((Reasoning("hm"),)),)}
    items = (
        {"type": "item_reference", "id": "rs_1"},
        {"id": "msg_1"},
        {"role": "user", "content": "?"},
    )
    pieces = read([Raw(json.encode(item)) for item in items], "input")
    assert references(pieces) == ("rs_1", "msg_1")
    assert assemble(pieces, known) == (Assistant((Reasoning("hm"), Text("yes"))), user("?"))


def test_the_same_reference_twice_says_nothing_more() -> None:
    known = {"msg_1": (user("hi"),)}
    assert said({"id": "msg_1"}, {"id": "msg_1", "type": None}, known=known) == (user("hi"),)


def test_a_reference_to_nothing_is_refused_by_its_path() -> None:
    with pytest.raises(BadRequest) as caught:
        said({"role": "user", "content": "?"}, {"type": "item_reference", "id": "msg_1"})
    assert (caught.value.param, caught.value.code) == ("input[1].id", "item_not_found")


# ── what is wrong ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("item", "param", "code"),
    [
        (1, "input[0]", "invalid_type"),
        ([], "input[0]", "invalid_type"),
        ({}, "input[0].role", "missing_required_parameter"),
        ({"type": 1}, "input[0].type", "invalid_type"),
        ({"type": "web_search_call", "id": "x"}, "input[0].type", "unsupported_parameter"),
        ({"role": "bob", "content": "x"}, "input[0].role", "invalid_value"),
        ({"role": "user"}, "input[0].content", "missing_required_parameter"),
        ({"role": "user", "content": []}, "input[0].content", "invalid_value"),
        ({"role": "user", "content": None}, "input[0].content", "invalid_type"),
        (message("user", [text("text", "x")]), "input[0].content[0].type", "invalid_value"),
        (
            message("system", [text("input_image", "x")]),
            "input[0].content[0].type",
            "invalid_value",
        ),
        (
            message("user", [text("input_text", "x"), {"type": "input_text"}]),
            "input[0].content[1].text",
            "missing_required_parameter",
        ),
        (
            message("user", [{"type": "input_file", "file_data": "x"}]),
            "input[0].content[0].type",
            "unsupported_parameter",
        ),
        (
            message("user", [{"type": "input_audio"}]),
            "input[0].content[0].type",
            "unsupported_parameter",
        ),
        (
            message("user", [{"type": "input_video"}]),
            "input[0].content[0].type",
            "unsupported_parameter",
        ),
        (
            message("user", [{"type": "input_image", "file_id": "file_1"}]),
            "input[0].content[0].file_id",
            "unsupported_parameter",
        ),
        (
            message("user", [{"type": "input_image"}]),
            "input[0].content[0].image_url",
            "missing_required_parameter",
        ),
        (
            message("user", [{"type": "input_image", "image_url": "file:///etc/passwd"}]),
            "input[0].content[0].image_url",
            "invalid_image_url",
        ),
        ({"type": "function_call", "name": "f"}, "input[0].call_id", "missing_required_parameter"),
        (result({"a": 1}), "input[0].output", "invalid_type"),
        (
            result([text("input_text", "x"), {"type": "input_image", "image_url": IMAGE}]),
            "input[0].output[1].type",
            "unsupported_parameter",
        ),
        (mcp(server_label="theirs"), "input[0].server_label", "unsupported_parameter"),
        (
            {"type": "compaction", "encrypted_content": "gAAA"},
            "input[0].encrypted_content",
            "invalid_encrypted_content",
        ),
        ({"type": "item_reference"}, "input[0].id", "missing_required_parameter"),
    ],
)
def test_what_cannot_be_read_is_refused_by_its_path(item, param, code) -> None:
    with pytest.raises(BadRequest) as caught:
        said(item)
    assert (caught.value.param, caught.value.code) == (param, code)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["type", "role", "content", "text", "id", "output", "summary"]), inner
        )
    ),
    max_leaves=6,
)
kinds = st.sampled_from(
    ["message", "function_call", "function_call_output", "reasoning", "mcp_call", "compaction"]
)


@given(st.lists(values | st.fixed_dictionaries({"type": kinds}, optional={"content": values})))
def test_whatever_comes_is_read_or_refused_below_its_path(items: list) -> None:
    refused = refusal(*items)
    assert refused is None or (refused.code and refused.param.startswith("input["))


def test_a_summary_is_told_from_what_people_say() -> None:
    assert is_recalled(recalled("x"))
    assert not is_recalled(user("x"))
    assert not is_recalled(System("x"))
    assert not is_recalled(User(()))
