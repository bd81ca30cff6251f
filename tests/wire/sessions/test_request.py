"""Requests of the session API: what is read, and a 400 that names what is wrong."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, json

from angelia.core.messages import (
    Assistant,
    Image,
    Reasoning,
    Refusal,
    System,
    Text,
    ToolCall,
    ToolResult,
    User,
    user,
)
from angelia.errors import BadRequest
from angelia.wire.sessions.request import (
    METADATA_LIMIT,
    Change,
    Create,
    Fork,
    parse_change,
    parse_create,
    parse_fork,
)

PNG = "data:image/png;base64,AA=="


def create(**fields: object) -> Create:
    return parse_create(json.encode(fields))


def refused(**fields: object) -> BadRequest:
    with pytest.raises(BadRequest) as caught:
        create(**fields)
    return caught.value


def test_nothing_need_be_said_of_a_new_session() -> None:
    for body in (b"", b"{}", b'{"id":null,"title":null,"metadata":null,"messages":null}'):
        got = parse_create(body)
        assert (got.id, got.title, got.user, got.messages) == (None, "", None, ())
        assert bytes(got.metadata) == b"{}"


def test_a_title_is_one_line() -> None:
    assert create(title=" Two\n lines\t").title == "Two lines"


def test_metadata_is_kept_verbatim() -> None:
    assert bytes(parse_create(b'{"metadata": {"b" : 1, "a":[]}}').metadata) == b'{"b" : 1, "a":[]}'


def test_messages_of_every_role() -> None:
    call = {"id": "c1", "name": "look", "arguments": '{"a": 1}'}
    nested = {"id": "c2", "type": "function", "function": {"name": "see", "arguments": ""}}
    parts = [{"type": "text", "text": "o"}, {"type": "output_text", "text": "k"}]
    got = create(
        messages=[
            {"role": "system", "content": "s"},
            {"role": "developer", "content": [{"type": "text", "text": "d"}]},
            {"role": "user", "content": "q", "name": "ann"},
            {"role": "assistant", "content": None, "reasoning": "hm", "tool_calls": [call, nested]},
            {"role": "tool", "tool_call_id": "c1", "content": "no", "failed": True},
            {"role": "tool", "tool_call_id": "c2", "content": parts},
            {"role": "assistant", "content": parts, "refusal": "no"},
        ]
    )
    assert got.messages == (
        System("s"),
        System("d"),
        User((Text("q"),), "ann"),
        Assistant((Reasoning("hm"), ToolCall("c1", "look", '{"a": 1}'), ToolCall("c2", "see", ""))),
        ToolResult("c1", "no", failed=True),
        ToolResult("c2", "o\nk"),
        Assistant((Text("o"), Text("k"), Refusal("no"))),
    )


def test_images_of_both_forms() -> None:
    content = [
        {"type": "input_text", "text": "a"},
        {"type": "image_url", "image_url": {"url": PNG, "detail": "low"}},
        {"type": "image_url", "image_url": "https://a/b"},
        {"type": "input_image", "image_url": PNG, "detail": "high"},
    ]
    got = create(messages=[{"role": "user", "content": content}])
    parts = (Text("a"), Image(PNG, "low"), Image("https://a/b"), Image(PNG, "high"))
    assert got.messages == (User(parts),)


def one(**message: object) -> dict[str, object]:
    return {"messages": [message]}


@pytest.mark.parametrize(
    ("fields", "param", "code"),
    [
        ({"id": ""}, "id", "invalid_value"),
        ({"id": "a b"}, "id", "invalid_value"),
        ({"id": "search"}, "id", "invalid_value"),
        ({"id": "a/messages"}, "id", "invalid_value"),
        ({"id": 1}, "id", "invalid_type"),
        ({"title": "x" * 201}, "title", "invalid_value"),
        ({"title": []}, "title", "invalid_type"),
        ({"user": ""}, "user", "invalid_value"),
        ({"metadata": []}, "metadata", "invalid_type"),
        ({"metadata": {"a": "x" * METADATA_LIMIT}}, "metadata", "invalid_value"),
        ({"messages": {}}, "messages", "invalid_type"),
        (one(content=""), "messages[0].role", "missing_required_parameter"),
        (one(role="robot", content=""), "messages[0].role", "invalid_value"),
        (one(role="user"), "messages[0].content", "missing_required_parameter"),
        (one(role="user", content=None), "messages[0].content", "invalid_type"),
        (one(role="assistant", content=[PNG]), "messages[0].content[0]", "invalid_type"),
        (
            one(role="assistant", content=[{"type": "image_url", "image_url": PNG}]),
            "messages[0].content[0].type",
            "invalid_value",
        ),
        (
            one(role="user", content=[{"type": "image_url", "image_url": {"url": "file:///x"}}]),
            "messages[0].content[0].image_url.url",
            "invalid_image_url",
        ),
        (
            one(role="tool", tool_call_id="c", content=""),
            "messages[0].tool_call_id",
            "invalid_value",
        ),
        (
            one(role="assistant", tool_calls=[{"id": "c"}]),
            "messages[0].tool_calls[0].name",
            "missing_required_parameter",
        ),
        (
            one(role="assistant", tool_calls=[{"id": "c", "name": "f"}]),
            "messages[0].tool_calls[0].arguments",
            "missing_required_parameter",
        ),
    ],
)
def test_what_is_wrong_is_named(fields: dict, param: str, code: str) -> None:
    error = refused(**fields)
    assert (error.param, error.code) == (param, code)


@pytest.mark.parametrize("body", [b"[]", b'"x"', b"\xff", b'{"title":' + b"[" * 100_000])
@pytest.mark.parametrize("parse", [parse_create, parse_change, parse_fork])
def test_what_is_no_request_is_refused(body: bytes, parse) -> None:
    with pytest.raises(BadRequest):
        parse(body)


def test_a_change_keeps_what_it_does_not_name() -> None:
    assert parse_change(b'{"title":" New  title "}') == Change("New title", UNSET)
    assert parse_change(b'{"title":null}') == Change("", UNSET)
    got = parse_change(b'{"metadata":null}')
    assert got.title is UNSET
    assert bytes(got.metadata) == b"{}"


def test_a_fork() -> None:
    assert parse_fork(b"") == parse_fork(b"{}") == Fork(None, None, None)
    body = b'{"run_id":"run_1","id":"mine","title":"Other\\nway"}'
    assert parse_fork(body) == Fork("run_1", "mine", "Other way")
    with pytest.raises(BadRequest) as caught:
        parse_fork(b'{"id":"x/fork"}')
    assert caught.value.param == "id"


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["user", "assistant", "tool", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["role", "content", "type", "name", "tool_calls", "id"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=10,
)
NAMES = ["id", "title", "user", "metadata", "messages"]


@given(st.dictionaries(st.sampled_from(NAMES), JUNK))
def test_any_json_is_read_or_refused(fields: dict) -> None:
    with contextlib.suppress(BadRequest):
        assert isinstance(create(**fields).messages, tuple)


def test_the_least_of_a_message() -> None:
    assert create(messages=[{"role": "user", "content": "q"}]).messages == (user("q"),)
    assert create(messages=[{"role": "assistant"}]).messages == (Assistant(()),)
