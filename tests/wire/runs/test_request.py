"""Requests of the run API: what is read, and a 400 that names what is wrong."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, Raw, json

from angelia.core.messages import Assistant, Image, System, Text, ToolSpec, User, user
from angelia.core.policy import Limits
from angelia.errors import BadRequest
from angelia.wire.runs.request import (
    Approval,
    CreateRun,
    parse_approval,
    parse_create,
    parse_steer,
)

PNG = "data:image/png;base64,AA=="


def create(**fields: object) -> CreateRun:
    return parse_create(json.encode({"input": "go", **fields}))


def refused(**fields: object) -> BadRequest:
    with pytest.raises(BadRequest) as caught:
        create(**fields)
    return caught.value


def test_the_least_that_a_client_can_say() -> None:
    assert create() == CreateRun(
        messages=(user("go"),),
        history=(),
        instructions="",
        session_id=None,
        previous_response_id=None,
        model=None,
        tools=None,
        limits=Limits(),
        metadata=UNSET,
        user=None,
        webhook=None,
    )


def test_everything_a_client_can_say() -> None:
    got = create(
        instructions="be kind",
        session_id="s",
        previous_response_id="resp_1",
        model="angelia",
        metadata={"a": 1},
        limits={"max_steps": 3, "max_tokens": 1000, "max_seconds": 1.5, "max_cost": None},
        conversation_history=[
            {"role": "system", "content": "s"},
            {"role": "user", "content": "q"},
            {"role": "assistant", "content": [{"type": "output_text", "text": "a"}]},
        ],
        webhook=None,
        unknown=1,
    )
    assert got.history == (System("s"), user("q"), Assistant((Text("a"),)))
    assert got.limits == Limits(3, 1000, 1.5)
    assert (got.instructions, got.session_id, got.model) == ("be kind", "s", "angelia")
    assert got.previous_response_id == "resp_1"
    assert isinstance(got.metadata, Raw)
    assert bytes(got.metadata) == b'{"a":1}'


@pytest.mark.parametrize("parent", ["run_1", None])
def test_a_parent_may_be_named_or_none(parent: str | None) -> None:
    assert create(session_id="s", parent_run_id=parent).parent == parent
    assert create(session_id="s").parent is UNSET


def test_input_as_messages_with_images_of_both_forms() -> None:
    content = [
        {"type": "text", "text": "a"},
        {"type": "input_text", "text": "b"},
        {"type": "image_url", "image_url": {"url": PNG, "detail": "low"}},
        {"type": "image_url", "image_url": "https://a/b"},
        {"type": "input_image", "image_url": PNG, "detail": "high"},
    ]
    got = create(
        input=[{"role": "user", "content": content}, {"role": "developer", "content": "d"}]
    )
    parts = (
        *(Text("a"), Text("b")),
        *(Image(PNG, "low"), Image("https://a/b"), Image(PNG, "high")),
    )
    assert got.messages == (User(parts), System("d"))


def test_tools_of_both_forms_belong_to_the_client() -> None:
    got = create(
        tools=[
            {"type": "function", "function": {"name": "f", "description": "d", "strict": True}},
            {"type": "function", "name": "g", "parameters": {"type": "object"}},
        ]
    )
    assert got.tools is not None
    f, g = got.tools
    assert f == ToolSpec("f", "d", owner="client", strict=True)
    assert (g.name, g.owner, bytes(g.parameters)) == ("g", "client", b'{"type":"object"}')
    assert create(tools=[]).tools == ()


@pytest.mark.parametrize(
    ("fields", "param", "code"),
    [
        ({"input": ""}, "input", "invalid_value"),
        ({"input": []}, "input", "invalid_value"),
        ({"input": 3}, "input", "invalid_type"),
        ({"input": None}, "input", "invalid_type"),
        ({"input": [{"role": "robot", "content": ""}]}, "input[0].role", "invalid_value"),
        ({"input": [{"role": "user"}]}, "input[0].content", "missing_required_parameter"),
        (
            {"input": [{"role": "user", "content": [{"type": "video"}]}]},
            "input[0].content[0].type",
            "invalid_value",
        ),
        (
            {"input": [{"role": "user", "content": [{"type": "input_image", "image_url": "x"}]}]},
            "input[0].content[0].image_url",
            "invalid_image_url",
        ),
        (
            {
                "input": [
                    {"role": "user", "content": [{"type": "image_url", "image_url": {"url": ""}}]}
                ]
            },
            "input[0].content[0].image_url.url",
            "invalid_image_url",
        ),
        (
            {
                "conversation_history": [
                    {"role": "assistant", "content": [{"type": "input_image", "image_url": PNG}]}
                ]
            },
            "conversation_history[0].content",
            "invalid_value",
        ),
        ({"session_id": ""}, "session_id", "invalid_value"),
        ({"session_id": 1}, "session_id", "invalid_type"),
        ({"limits": {"max_steps": 0}}, "limits.max_steps", "invalid_value"),
        ({"limits": {"max_steps": 1.5}}, "limits.max_steps", "invalid_type"),
        ({"limits": {"max_tokens": -1}}, "limits.max_tokens", "invalid_value"),
        ({"limits": {"max_seconds": 0}}, "limits.max_seconds", "invalid_value"),
        ({"limits": {"max_cost": 0}}, "limits.max_cost", "invalid_value"),
        ({"webhook": "a"}, "webhook", "invalid_value"),
        ({"metadata": "x"}, "metadata", "invalid_type"),
        ({"tools": [{"type": "function"}]}, "tools[0].name", "missing_required_parameter"),
        ({"tools": [{"type": "mcp"}]}, "tools[0].type", "invalid_value"),
        ({"tools": [{"type": "function", "name": "f"}] * 2}, "tools[1].name", "invalid_value"),
        (
            {"tools": [{"type": "function", "function": {"name": "f", "parameters": 1}}]},
            "tools[0].function.parameters",
            "invalid_type",
        ),
    ],
)
def test_what_is_wrong_is_named(fields: dict, param: str, code: str) -> None:
    error = refused(**fields)
    assert (error.param, error.code) == (param, code)


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b"\xff", b'{"input":' + b"[" * 100_000])
@pytest.mark.parametrize("parse", [parse_create, parse_approval, parse_steer])
def test_what_is_no_request_is_refused(body: bytes, parse) -> None:
    with pytest.raises(BadRequest):
        parse(body)


def test_approvals() -> None:
    assert parse_approval(b'{"choice":"once"}') == Approval("once")
    whole = b'{"choice":"deny","approval_id":"a1","reason":"no"}'
    assert parse_approval(whole) == Approval("deny", "a1", "no")
    with pytest.raises(BadRequest) as caught:
        parse_approval(b'{"choice":"perhaps"}')
    assert caught.value.param == "choice"


def test_steering() -> None:
    assert parse_steer(b'{"input":"faster"}') == (user("faster"),)
    listed = b'{"input":[{"role":"user","content":"faster"}]}'
    assert parse_steer(listed) == (user("faster"),)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["role", "content", "type", "name"]), inner, max_size=4)
    ),
    max_leaves=10,
)
NAMES = ["input", "tools", "limits", "metadata", "conversation_history", "model"]


@given(st.dictionaries(st.sampled_from(NAMES), JUNK))
def test_any_json_is_read_or_refused(fields: dict) -> None:
    with contextlib.suppress(BadRequest):
        assert create(**fields).messages


@pytest.mark.parametrize("text", ["sn☃", "x\r\nX-Evil: 1", "a b", "end\n", "\x7f", "", "x" * 257])
def test_a_session_id_must_fit_in_a_header(text: str) -> None:
    assert refused(session_id=text).param == "session_id"


@pytest.mark.parametrize("text", ["!", "~", "user|1/a", "x" * 256])
def test_any_visible_sign_makes_a_session_id(text: str) -> None:
    assert create(session_id=text).session_id == text
