import re

import pytest
from hypothesis import given
from msgspec import Raw, json
from openai.types.responses import EasyInputMessageParam, FunctionToolParam
from openai.types.responses.response_create_params import ResponseCreateParamsBase
from openai.types.responses.response_function_tool_call_param import ResponseFunctionToolCallParam
from openai.types.responses.response_input_item_param import FunctionCallOutput
from openai.types.responses.response_reasoning_item_param import ResponseReasoningItemParam
from pydantic import ConfigDict, TypeAdapter, with_config

from angelia.core.messages import (
    Assistant,
    Image,
    Prompt,
    Reasoning,
    Refusal,
    Sampling,
    Seal,
    System,
    Text,
    ToolCall,
    ToolChoice,
    ToolResult,
    ToolSpec,
    User,
    user,
)
from angelia.errors import BadRequest
from angelia.wire.responses.client import Quirks, request
from tests.core.transcripts import decoded, prompts

SEALED = '{ "type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gA\\u00e9" }'


def body_of(*messages, tools=(), sampling=None, instructions="", **options):
    prompt = Prompt("asked-for", instructions, messages, tools, sampling or Sampling())
    return decoded(request(prompt, model="gpt-test-1", stream=True, **options))


def test_a_plain_question_keeps_nothing_at_the_provider():
    assert body_of(user("Hi"), instructions="Be brief.") == {
        "model": "gpt-test-1",
        "input": [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi"}]}
        ],
        "store": False,
        "stream": True,
        "instructions": "Be brief.",
        "include": ["reasoning.encrypted_content"],
    }


def test_a_transcript_becomes_items_in_their_order():
    transcript = (
        System("Speak English."),
        User((Text("What is it?"), Image("data:image/png;base64,iVBO", "low"))),
        Assistant(
            (
                Reasoning("hm", Seal("responses", SEALED)),
                Text("Let me "),
                Refusal("not"),
                ToolCall("call_1", "read", '{"a" :1.0}'),
                ToolCall("call_2", "read", ""),
            )
        ),
        ToolResult("call_2", "two"),
        ToolResult("call_1", "one", failed=True),
    )
    assert body_of(*transcript)["input"] == [
        {
            "type": "message",
            "role": "system",
            "content": [{"type": "input_text", "text": "Speak English."}],
        },
        {
            "type": "message",
            "role": "user",
            "content": [
                {"type": "input_text", "text": "What is it?"},
                {
                    "type": "input_image",
                    "image_url": "data:image/png;base64,iVBO",
                    "detail": "low",
                },
            ],
        },
        json.decode(SEALED),
        {
            "type": "message",
            "role": "assistant",
            "content": [
                {"type": "output_text", "text": "Let me "},
                {"type": "refusal", "refusal": "not"},
            ],
        },
        {
            "type": "function_call",
            "call_id": "call_1",
            "name": "read",
            "arguments": '{"a" :1.0}',
        },
        {"type": "function_call", "call_id": "call_2", "name": "read", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "call_1", "output": "one"},
        {"type": "function_call_output", "call_id": "call_2", "output": "two"},
    ]


def test_a_reasoning_item_goes_back_byte_by_byte():
    thought = Assistant((Reasoning("", Seal("responses", SEALED)), Text("ok")))
    prompt = Prompt("m", "", (user("Hi"), thought, user("And?")))
    assert SEALED.encode() in request(prompt, model="m", stream=False)


@pytest.mark.parametrize(
    "seal",
    [
        Seal("anthropic", '{"type":"thinking","thinking":"","signature":"x"}'),
        Seal("chat", SEALED),
        Seal("responses", '{"type":"reasoning","id":"rs_1","summary":[]}'),
        Seal("responses", "not json"),
        None,
    ],
)
def test_reasoning_that_the_provider_could_not_read_stays_here(seal):
    items = body_of(Assistant((Reasoning("secret", seal), Text("ok"))), user("Hi"))["input"]
    assert [item["type"] for item in items] == ["message", "message"]


def test_reasoning_that_led_to_nothing_stays_here():
    items = body_of(Assistant((Text("ok"), Reasoning("", Seal("responses", SEALED)))))["input"]
    assert [item["type"] for item in items] == ["message"]


def test_tools_are_flat_and_strict_only_where_asked():
    tools = (
        ToolSpec("read", "Reads.", Raw(b'{"type":"object"}')),
        ToolSpec("write", strict=True),
    )
    body = body_of(user("Hi"), tools=tools)
    assert body["tools"] == [
        {
            "type": "function",
            "name": "read",
            "description": "Reads.",
            "parameters": {"type": "object"},
            "strict": False,
        },
        {
            "type": "function",
            "name": "write",
            "description": "",
            "parameters": {"type": "object", "properties": {}},
            "strict": True,
        },
    ]
    assert "tool_choice" not in body


@pytest.mark.parametrize(
    ("choice", "sent"),
    [
        (ToolChoice(), None),
        (ToolChoice("none"), "none"),
        (ToolChoice("required"), "required"),
        (ToolChoice("named", "read"), {"type": "function", "name": "read"}),
    ],
)
def test_the_choice_of_tools_is_passed_on(choice, sent):
    sampling = Sampling(tool_choice=choice, parallel_tool_calls=False)
    body = body_of(user("Hi"), tools=(ToolSpec("read"),), sampling=sampling)
    assert body.get("tool_choice") == sent
    assert body["parallel_tool_calls"] is False


def test_without_tools_nothing_is_said_about_their_use():
    sampling = Sampling(tool_choice=ToolChoice("required"), parallel_tool_calls=True)
    assert not body_of(user("Hi"), sampling=sampling).keys() & {
        "tools",
        "tool_choice",
        "parallel_tool_calls",
    }


def test_the_manner_asked_for_is_passed_on():
    sampling = Sampling(
        temperature=0.0, top_p=0.5, max_tokens=5, reasoning_effort="low", user="u-1"
    )
    body = body_of(user("Hi"), sampling=sampling, quirks=Quirks(summary="auto"))
    assert body["temperature"] == 0
    assert body["top_p"] == 0.5
    assert body["max_output_tokens"] == 16
    assert body["reasoning"] == {"effort": "low", "summary": "auto"}
    assert body["user"] == "u-1"


def test_what_a_model_cannot_take_is_left_out():
    sampling = Sampling(temperature=0.0, top_p=0.5)
    quirks = Quirks(encrypted_reasoning=False, sampling=False)
    body = body_of(user("Hi"), sampling=sampling, quirks=quirks)
    assert not body.keys() & {"temperature", "top_p", "include"}


@pytest.mark.parametrize(
    ("asked", "sent"),
    [
        (b'{"type":"json_object"}', {"type": "json_object"}),
        (
            b'{"type":"json_schema","json_schema":{"name":"n","schema":{"a":1},"strict":true}}',
            {"type": "json_schema", "name": "n", "schema": {"a": 1}, "strict": True},
        ),
    ],
)
def test_the_response_format_is_flattened(asked, sent):
    body = body_of(user("Hi"), sampling=Sampling(response_format=Raw(asked)))
    assert body["text"] == {"format": sent}


def test_a_response_format_that_is_none_names_the_field():
    with pytest.raises(BadRequest, match="response_format"):
        body_of(user("Hi"), sampling=Sampling(response_format=Raw(b"[]")))


def test_an_empty_transcript_still_says_something():
    assert body_of()["input"]


STRICT = ConfigDict(extra="forbid")
BODY = TypeAdapter(with_config(STRICT)(ResponseCreateParamsBase))
USER_MESSAGE = TypeAdapter(EasyInputMessageParam)
KNOWN = {
    "function_call": TypeAdapter(ResponseFunctionToolCallParam),
    "function_call_output": TypeAdapter(FunctionCallOutput),
    "reasoning": TypeAdapter(ResponseReasoningItemParam),
}
TOOL = TypeAdapter(FunctionToolParam)


@given(prompts)
def test_no_transcript_gives_the_provider_a_reason_to_object(prompt):
    body = decoded(request(prompt, model="m", stream=True))
    assert body["store"] is False
    checked_below = ("input", "tools", "stream", "reasoning")
    BODY.validate_python({k: v for k, v in body.items() if k not in checked_below})
    for tool in body.get("tools", ()):
        assert TOOL.validate_python(tool)["parameters"]
    assert body["input"]
    for item in body["input"]:
        check_item(item)
    check_pairs(body["input"])


def check_item(item):
    if item["type"] == "message" and item["role"] == "assistant":
        assert item["content"]
        assert {part["type"] for part in item["content"]} <= {"output_text", "refusal"}
    elif item["type"] == "message":
        assert USER_MESSAGE.validate_python(item)["content"]
    else:
        KNOWN[item["type"]].validate_python(item)
    if item["type"] == "reasoning":
        assert item.get("encrypted_content")


def check_pairs(items):
    """Every call has one output behind it, nothing else has, and reasoning leads to something."""
    asked: list[str] = []
    for place, item in enumerate(items):
        if item["type"] == "function_call":
            assert 0 < len(item["call_id"]) <= 64
            assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", item["name"])
            assert item["arguments"]
            asked.append(item["call_id"])
        if item["type"] == "reasoning":
            following = items[place + 1]
            assert following["type"] in ("reasoning", "function_call") or (
                following.get("role") == "assistant"
            )
    answered = [item["call_id"] for item in items if item["type"] == "function_call_output"]
    assert answered == asked
    assert len(set(asked)) == len(asked)
