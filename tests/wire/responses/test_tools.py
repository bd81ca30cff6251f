"""A client's functions and which of them may be called."""

import pytest
from msgspec import Raw, json

from angelia.core.messages import ToolChoice, ToolSpec
from angelia.errors import BadRequest
from angelia.wire.responses.tools import (
    allowed_names,
    permitted,
    read_choice,
    read_tools,
    tool_choice,
)


def raw(value: object) -> Raw:
    return Raw(json.encode(value))


def test_a_function_is_a_tool_of_the_client_with_its_schema_as_it_came() -> None:
    given = Raw(
        b'{"type":"function","name":"f","description":"d","parameters":{ "a" : 1.0 },"strict":true}'
    )
    (tool,) = read_tools([given])
    assert tool == ToolSpec("f", "d", Raw(b'{ "a" : 1.0 }'), owner="client", strict=True)
    assert read_tools([raw({"type": "function", "name": "g", "parameters": None})]) == (
        ToolSpec("g", owner="client"),
    )


@pytest.mark.parametrize(
    ("tools", "param", "code"),
    [
        ([{"type": "web_search"}], "tools[0].type", "unsupported_parameter"),
        ([{"type": "mcp", "server_label": "x"}], "tools[0].type", "unsupported_parameter"),
        ([{"name": "f"}], "tools[0].type", "missing_required_parameter"),
        ([{"type": "function"}], "tools[0].name", "missing_required_parameter"),
        ([{"type": "function", "name": ""}], "tools[0].name", "invalid_value"),
        ([{"type": "function", "name": 1}], "tools[0].name", "invalid_type"),
        (
            [{"type": "function", "name": "f", "parameters": []}],
            "tools[0].parameters",
            "invalid_type",
        ),
        (
            [{"type": "function", "name": "f"}, {"type": "function", "name": "f"}],
            "tools[1].name",
            "invalid_value",
        ),
        (["f"], "tools[0]", "invalid_type"),
    ],
)
def test_a_tool_that_cannot_be_offered_is_refused_by_its_path(tools, param, code) -> None:
    with pytest.raises(BadRequest) as caught:
        read_tools([raw(tool) for tool in tools])
    assert (caught.value.param, caught.value.code) == (param, code)


@pytest.mark.parametrize(
    ("given", "choice", "allowed"),
    [
        (None, ToolChoice(), None),
        ("auto", ToolChoice(), None),
        ("none", ToolChoice("none"), None),
        ("required", ToolChoice("required"), None),
        ({"type": "function", "name": "f"}, ToolChoice("named", "f"), None),
        (
            {"type": "allowed_tools", "tools": [{"type": "function", "name": "f"}]},
            ToolChoice(),
            ("f",),
        ),
        (
            {
                "type": "allowed_tools",
                "mode": "required",
                "tools": [{"type": "function", "name": "f"}],
            },
            ToolChoice("required"),
            ("f",),
        ),
    ],
)
def test_every_form_of_choice_is_read(given, choice, allowed) -> None:
    read = read_choice(raw(given))
    assert tool_choice(read) == choice
    assert allowed_names(read) == allowed


@pytest.mark.parametrize(
    ("given", "param"),
    [
        ("any", "tool_choice"),
        (1, "tool_choice"),
        ({"type": "web_search"}, "tool_choice.type"),
        ({"type": "function"}, "tool_choice.name"),
        ({}, "tool_choice.type"),
        ({"type": "allowed_tools", "tools": []}, "tool_choice.tools"),
        ({"type": "allowed_tools", "tools": [{"type": "mcp"}]}, "tool_choice.tools[0].type"),
    ],
)
def test_a_choice_that_is_none_is_refused_by_its_path(given, param) -> None:
    with pytest.raises(BadRequest) as caught:
        read_choice(raw(given))
    assert caught.value.param == param


def test_only_allowed_tools_are_permitted() -> None:
    tools = (ToolSpec("f"), ToolSpec("g"))
    assert permitted(tools, ("g", "h")) == (ToolSpec("g"),)
    assert permitted(tools, None) == tools
    assert permitted(None, ("g",)) is None
