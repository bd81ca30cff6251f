"""What is told beyond the types is about fields that exist, and the readers agree with it."""

from collections.abc import Iterable
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from angelia.errors import BadRequest
from angelia.surfaces.http.openapi.items import ITEMS, CountTokensIn, FunctionTool
from angelia.surfaces.http.openapi.precise import FIELDS, REFUSED, WHOLE
from angelia.wire.chat.request import parse as parse_chat
from angelia.wire.keys.request import parse_create as parse_key
from angelia.wire.responses.compaction import parse_compact
from angelia.wire.responses.conversations import parse_create as parse_conversation
from angelia.wire.responses.request import parse as parse_response
from angelia.wire.responses.request import parse_count
from angelia.wire.runs.request import parse_create as parse_run
from angelia.wire.sessions.request import parse_create as parse_session
from tests.surfaces.http.openapi.reading import document, faults

# They stand in the document in place of what they inherit from.
OURS = (*ITEMS, FunctionTool)


def test_every_field_exists() -> None:
    unknown = [(cls, name) for cls, name in FIELDS if name not in cls.__struct_fields__]
    assert unknown == []


def names(classes: Iterable[type[Struct]]) -> set[str]:
    return {_name(cls) for cls in classes}


def _name(cls: type[Struct]) -> str:
    """Under its protocol, or by itself if it belongs to none."""
    _, _, *protocol, _ = cls.__module__.split(".")
    return ".".join((*protocol[:1], cls.__name__))


def test_everything_told_is_in_the_document() -> None:
    described = set(document()["components"]["schemas"])
    told = {cls for cls, _ in FIELDS} | set(WHOLE)
    inherited = {cls for cls in told if any(issubclass(each, cls) for each in OURS)}
    assert names(told - inherited) - described == set()


def test_what_is_refused_is_not_in_the_document() -> None:
    assert names(REFUSED) & set(document()["components"]["schemas"]) == set()


def chat(**change: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": "hi"}], **change}


def part(**fields: Any) -> dict[str, Any]:
    return chat(messages=[{"role": "user", "content": [fields]}])


def tool(**fields: Any) -> dict[str, Any]:
    return {"input": "hi", "tools": [{"type": "function", **fields}]}


CHAT = [
    (chat(), True),
    (chat(n=1), True),
    (chat(n=2), False),
    (chat(metadata={"a": 1}), True),
    (chat(metadata=None), True),
    (chat(metadata=[]), False),
    (chat(response_format={"type": "text"}), True),
    (chat(response_format="text"), False),
    (chat(tools=[{"type": "function", "function": {"name": "f", "parameters": {}}}]), True),
    (chat(tools=[{"type": "function", "function": {"name": "f", "parameters": 1}}]), False),
    (chat(stop=["a"], seed=1, temperature=2), True),
    (chat(temperature=2.5), False),
    (part(type="text", text="x"), True),
    (part(type="image_url", image_url="https://x.example/a.png"), True),
    (part(type="image_url", image_url={"url": "data:image/png;base64,AA"}), True),
    (part(type="image_url", image_url={"url": "ftp://x.example/a.png"}), False),
    (part(type="image_url", image_url="a.png"), False),
    (part(type="input_audio"), False),
    (part(type="file"), False),
]
RUNS = [
    ({"input": "hi"}, True),
    ({"input": ""}, False),
    ({"input": []}, False),
    ({"input": "hi", "session_id": "s"}, True),
    ({"input": "hi", "session_id": "two words"}, False),
    ({"input": "hi", "session_id": "x" * 257}, False),
    ({"input": "hi", "metadata": {}}, True),
    ({"input": "hi", "metadata": "x"}, False),
    ({"input": "hi", "webhook": None}, True),
    ({"input": "hi", "webhook": {"url": "https://x.example/a?b=c"}}, True),
    ({"input": "hi", "webhook": "HTTP://[::1]:80/"}, True),
    ({"input": "hi", "webhook": "https://me@x.example/"}, False),
    ({"input": "hi", "webhook": "https://x.example/#a"}, False),
    ({"input": "hi", "webhook": "ftp://x.example/"}, False),
    ({"input": "hi", "webhook": {"url": "https://x.example", "events": []}}, False),
    (tool(name="f"), True),
    (tool(function={"name": "f"}), True),
    (tool(), False),
    (tool(name=None, function=None), False),
    (tool(name="f", parameters=[]), False),
]


MESSAGE = {"role": "user", "content": "hi"}
FORMAT = {"type": "json_schema", "name": "x", "schema": {}}


def said(**fields: Any) -> dict[str, Any]:
    return {"input": [fields]}


ITEM_CASES = [
    (said(**MESSAGE), True),
    (said(type="message", **MESSAGE), True),
    (said(type=None, **MESSAGE), True),
    (said(type="letter", **MESSAGE), False),
    (said(role="king", content="hi"), False),
    (said(role="user", content=[]), False),
    (said(role="user", content=[{"type": "input_text", "text": "x"}]), True),
    (said(role="user", content=[{"type": "input_image", "image_url": "https://a.b/c"}]), True),
    (said(role="user", content=[{"type": "input_image", "image_url": "c.png"}]), False),
    (said(role="user", content=[{"type": "input_image", "image_url": None}]), False),
    (said(role="user", content=[{"type": "input_image", "file_id": "f"}]), False),
    (said(role="user", content=[{"type": "input_file"}]), False),
    (said(role="assistant", content=[{"type": "refusal", "refusal": "no"}]), True),
    (said(role="system", content=[{"type": "output_text", "text": "x"}]), False),
    (said(type="function_call", call_id="c", name="f", arguments="{}"), True),
    (said(type="function_call", call_id="", name="f", arguments="{}"), False),
    (said(type="function_call_output", call_id="c", output="x"), True),
    (
        said(
            type="function_call_output", call_id="c", output=[{"type": "input_text", "text": "x"}]
        ),
        True,
    ),
    (said(type="function_call_output", call_id="c", output=[{"type": "input_file"}]), False),
    (said(type="reasoning", summary=[]), True),
    (said(type="reasoning", summary=[{"text": "x"}]), True),
    (said(role="user", content=[{"text": "x"}]), False),
    (said(type="reasoning", content=[{"type": "summary_text", "text": "x"}]), False),
    (said(type="mcp_call", id="m", server_label="angelia", name="f", arguments="{}"), True),
    (said(type="mcp_call", id="m", server_label="else", name="f", arguments="{}"), False),
    (said(type="item_reference", id="msg_1"), True),
    (said(type="item_reference", id=""), False),
    (said(type="web_search_call"), False),
]
RESPONSES = [
    *ITEM_CASES,
    ({"input": "hi"}, True),
    ({"input": ""}, True),
    ({"input": []}, False),
    ({}, False),
    ({"previous_response_id": "resp_1"}, True),
    ({"previous_response_id": None}, False),
    ({"conversation": "c"}, True),
    ({"conversation": {"id": "c"}}, True),
    ({"conversation": "two words"}, False),
    ({"conversation": {"id": ""}}, False),
    ({"input": "hi", "metadata": {"a": "b"}}, True),
    ({"input": "hi", "metadata": {"a" * 65: "b"}}, False),
    ({"input": "hi", "metadata": {"a": "b" * 513}}, False),
    ({"input": "hi", "metadata": {str(n): "" for n in range(17)}}, False),
    ({"input": "hi", "metadata": {"a": 1}}, False),
    ({"input": "hi", "prompt": None}, True),
    ({"input": "hi", "prompt": {"id": "p"}}, False),
    ({"input": "hi", "tools": [{"type": "function", "name": "f"}]}, True),
    ({"input": "hi", "tools": [{"type": "function", "name": ""}]}, False),
    ({"input": "hi", "tools": [{"name": "f"}]}, False),
    ({"input": "hi", "tools": [{"type": "web_search"}]}, False),
    ({"input": "hi", "tools": [{"type": "function", "name": "f", "parameters": 1}]}, False),
    ({"input": "hi", "tool_choice": "required"}, True),
    ({"input": "hi", "tool_choice": "never"}, False),
    ({"input": "hi", "tool_choice": {"type": "function", "name": "f"}}, True),
    ({"input": "hi", "tool_choice": {"type": "allowed_tools", "tools": []}}, False),
    ({"input": "hi", "text": {"format": FORMAT}}, True),
    ({"input": "hi", "text": {"format": {**FORMAT, "name": None}}}, False),
    ({"input": "hi", "text": {"format": {"type": "json_schema", "name": "x"}}}, False),
    ({"input": "hi", "text": {"format": {"type": "text"}}}, True),
    ({"input": "hi", "text": {"format": {"type": "json_object"}}}, True),
]
COUNTS = [*ITEM_CASES, ({}, True), ({"input": []}, True), ({"prompt": "x"}, False)]
COMPACTIONS = [
    ({"model": "m", "input": "hi"}, True),
    ({"model": "m", "previous_response_id": "resp_1"}, True),
    ({"model": "m"}, False),
    ({"model": "m", "input": []}, False),
    ({"input": "hi"}, False),
]
CONVERSATIONS = [
    ({}, True),
    ({"items": [MESSAGE], "metadata": {}}, True),
    ({"items": [MESSAGE] * 20}, True),
    ({"items": [MESSAGE] * 21}, False),
    ({"items": ["hi"]}, False),
]
SESSIONS = [
    ({}, True),
    ({"id": "s", "metadata": {"a": [1]}}, True),
    ({"id": "two words"}, False),
    ({"metadata": []}, False),
    ({"title": "x" * 201}, False),
    ({"messages": [MESSAGE]}, True),
    ({"messages": [{"role": "assistant", "tool_calls": [{"id": "c"}]}]}, False),
    (
        {"messages": [{"role": "assistant", "tool_calls": [{"id": "c", "name": "f"}]}]},
        False,
    ),
    (
        {
            "messages": [
                {
                    "role": "assistant",
                    "tool_calls": [
                        {"id": "c", "name": "f", "arguments": "{}"},
                        {"id": "d", "function": {"name": "f", "arguments": "{}"}},
                    ],
                }
            ]
        },
        True,
    ),
]
KEYS = [
    ({"name": "x"}, True),
    ({"name": ""}, False),
    ({"name": "x", "scopes": []}, False),
    ({"name": "x", "rules": {"requests_per_minute": 0}}, False),
    ({"name": "x", "rules": {"models": ["m"], "policy": None}}, True),
]


def is_read(parse: Any, body: dict[str, Any]) -> bool:
    try:
        parse(msgspec.json.encode(body))
    except BadRequest:
        return False
    return True


@pytest.mark.parametrize(
    ("name", "parse", "body", "good"),
    [
        (name, parse, body, good)
        for name, parse, cases in (
            ("chat.RequestIn", parse_chat, CHAT),
            ("runs.CreateRunIn", parse_run, RUNS),
            ("responses.CreateIn", parse_response, RESPONSES),
            (CountTokensIn.__name__, parse_count, COUNTS),
            ("responses.CompactIn", parse_compact, COMPACTIONS),
            ("responses.CreateConversationIn", parse_conversation, CONVERSATIONS),
            ("sessions.CreateIn", parse_session, SESSIONS),
            ("keys.CreateKeyIn", lambda body: parse_key(body, 0.0), KEYS),
        )
        for body, good in cases
    ],
)
def test_the_document_and_the_reader_are_of_one_mind(
    name: str, parse: Any, body: dict[str, Any], good: bool
) -> None:
    assert (faults(name, body) == []) is good
    assert is_read(parse, body) is good
