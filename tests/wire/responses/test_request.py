"""Requests for responses, read strictly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, Raw, json

from angelia.core.messages import Prompt, Sampling, ToolChoice, ToolSpec, user
from angelia.errors import BadRequest
from angelia.wire import formats
from angelia.wire.responses.client import request as upstream_request
from angelia.wire.responses.request import Asked, counted, messages, parse, parse_count


def asked(**fields: object) -> Asked:
    return parse(json.encode({"input": "hi"} | fields))


def refusal(body: bytes) -> BadRequest | None:
    try:
        parse(body)
    except BadRequest as refused:
        return refused
    return None


def test_a_string_is_a_message_of_the_user() -> None:
    request = parse(b'{"input":"hi"}')
    assert messages(request, {}) == (user("hi"),)
    assert (request.model, request.instructions, request.tools) == (None, None, None)
    assert (request.stream, request.background, request.store) == (False, False, True)
    assert (request.truncation, request.shown.include, request.metadata) == ("disabled", (), UNSET)
    assert request.sampling == Sampling()


def test_everything_that_was_said_arrives() -> None:
    request = asked(
        model="m",
        instructions="i",
        stream=True,
        background=True,
        previous_response_id="resp_1",
        user="u",
        metadata={"a": "b"},
        truncation="auto",
        include=["reasoning.encrypted_content"],
        max_tool_calls=2,
        tools=[{"type": "function", "name": "f"}],
        unheard_of=1,
    )
    assert (request.model, request.instructions, request.user) == ("m", "i", "u")
    assert (request.stream, request.background) == (True, True)
    assert request.previous_response_id == "resp_1"
    assert request.metadata == Raw(b'{"a":"b"}')
    assert (request.truncation, request.max_tool_calls) == ("auto", 2)
    assert request.shown.include == ("reasoning.encrypted_content",)
    assert request.tools == (ToolSpec("f", owner="client"),)


def test_what_is_not_to_be_stored_says_so() -> None:
    assert not asked(store=False).store
    assert asked(store=None).store


def test_how_the_model_is_to_answer_arrives() -> None:
    request = asked(
        temperature=0.5,
        top_p=0.25,
        presence_penalty=1,
        frequency_penalty=-1,
        max_output_tokens=7,
        reasoning={"effort": "high"},
        parallel_tool_calls=False,
        tool_choice="required",
        safety_identifier="s",
    )
    assert request.sampling == Sampling(
        temperature=0.5,
        top_p=0.25,
        presence_penalty=1,
        frequency_penalty=-1,
        max_tokens=7,
        reasoning_effort="high",
        parallel_tool_calls=False,
        tool_choice=ToolChoice("required"),
        user="s",
    )


def test_none_and_empty_tools_are_told_apart() -> None:
    assert asked().tools is None
    assert asked(tools=[]).tools == ()


def test_tools_that_are_not_allowed_are_not_offered() -> None:
    tools = [{"type": "function", "name": name} for name in "fg"]
    allowed = {"type": "allowed_tools", "tools": [{"type": "function", "name": "g"}]}
    request = asked(tools=tools, tool_choice=allowed)
    assert request.tools == (ToolSpec("g", owner="client"),)
    assert request.allowed_tools == ("g",)
    assert [tool.name for tool in request.shown.tools] == ["f", "g"]


@pytest.mark.parametrize(
    "wanted",
    [
        {"type": "json_object"},
        {"type": "json_schema", "name": "n", "schema": {"type": "object"}},
        {"type": "json_schema", "name": "n", "schema": {}, "strict": True, "description": "d"},
    ],
)
def test_a_format_goes_to_a_provider_of_this_protocol_as_it_came(wanted: dict) -> None:
    request = asked(text={"format": wanted})
    assert formats.read(request.sampling.response_format)
    prompt = Prompt("m", "", messages(request, {}), sampling=request.sampling)
    sent = json.decode(upstream_request(prompt, model="m", stream=False))
    assert sent["text"]["format"] == wanted


def test_plain_text_is_no_format() -> None:
    assert asked(text={"format": {"type": "text"}}).sampling.response_format is UNSET
    assert asked(text={}).sampling.response_format is UNSET


def test_references_are_named_for_whoever_has_to_look_them_up() -> None:
    request = asked(input=[{"type": "item_reference", "id": "msg_1_o2"}])
    assert request.references == ("msg_1_o2",)
    assert messages(request, {"msg_1_o2": (user("x"),)}) == (user("x"),)


@pytest.mark.parametrize("given", ["mine", {"id": "mine"}])
def test_a_conversation_is_named_either_way(given: object) -> None:
    assert asked(conversation=given).conversation == "mine"


@pytest.mark.parametrize("body", [b'{"previous_response_id":"resp_1"}', b'{"conversation":"c"}'])
def test_what_goes_on_from_something_may_say_nothing(body: bytes) -> None:
    assert messages(parse(body), {}) == ()


@pytest.mark.parametrize(
    ("fields", "param", "code"),
    [
        ({"input": None}, "input", "missing_required_parameter"),
        ({"input": []}, "input", "missing_required_parameter"),
        ({"input": 1}, "input", "invalid_type"),
        ({"input": [{"role": "user"}]}, "input[0].content", "missing_required_parameter"),
        (
            {"previous_response_id": "r", "conversation": "c"},
            "conversation",
            "mutually_exclusive_parameters",
        ),
        ({"background": True, "store": False}, "background", "invalid_value"),
        ({"conversation": "two words"}, "conversation", "invalid_value"),
        ({"conversation": {"id": ""}}, "conversation.id", "invalid_value"),
        ({"conversation": {}}, "conversation.id", "missing_required_parameter"),
        ({"prompt": {"id": "p"}}, "prompt", "unsupported_parameter"),
        ({"tools": [{"type": "web_search"}]}, "tools[0].type", "unsupported_parameter"),
        ({"tool_choice": "some"}, "tool_choice", "invalid_value"),
        ({"temperature": 3}, "temperature", "invalid_value"),
        ({"max_output_tokens": 0}, "max_output_tokens", "invalid_value"),
        ({"max_tool_calls": 0}, "max_tool_calls", "invalid_value"),
        ({"reasoning": {"effort": "huge"}}, "reasoning.effort", "invalid_value"),
        ({"truncation": "middle"}, "truncation", "invalid_value"),
        ({"text": {"format": {"type": "xml"}}}, "text.format.type", "invalid_value"),
        (
            {"text": {"format": {"type": "json_schema", "schema": {}}}},
            "text.format.name",
            "missing_required_parameter",
        ),
        (
            {"text": {"format": {"type": "json_schema", "name": "n"}}},
            "text.format.schema",
            "missing_required_parameter",
        ),
        (
            {"text": {"format": {"type": "json_schema", "name": "n", "schema": []}}},
            "text.format.schema",
            "invalid_type",
        ),
        ({"metadata": {"k" * 65: "v"}}, "metadata", "invalid_value"),
        ({"metadata": {"k": "v" * 513}}, "metadata[...]", "invalid_value"),
        ({"metadata": {str(n): "v" for n in range(17)}}, "metadata", "invalid_value"),
        ({"metadata": {"k": 1}}, "metadata[...]", "invalid_type"),
        ({"stream": "yes"}, "stream", "invalid_type"),
        ({"service_tier": "gold"}, "service_tier", "invalid_value"),
    ],
)
def test_what_cannot_be_done_is_refused_by_its_path(fields, param, code) -> None:
    with pytest.raises(BadRequest) as caught:
        asked(**fields)
    assert (caught.value.param, caught.value.code) == (param, code)


@pytest.mark.parametrize("body", [b"", b"[]", b'"x"', b"{", b'{"input":"\xff"}', b"null"])
def test_a_body_that_is_no_object_is_refused(body: bytes) -> None:
    with pytest.raises(BadRequest):
        parse(body)


def test_a_count_needs_nothing() -> None:
    assert messages(parse_count(b"{}"), {}) == ()
    assert json.decode(counted(7)) == {"object": "response.input_tokens", "input_tokens": 7}


names = st.sampled_from([*Asked.__struct_fields__, "text", "reasoning", "tool_choice", "prompt"])
values = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["type", "id", "format", "name", "tools"]), inner)
    ),
    max_leaves=5,
)


@given(st.dictionaries(names, values, max_size=5))
def test_whatever_comes_is_read_or_refused(fields: dict) -> None:
    refused = refusal(json.encode(fields))
    assert refused is None or (refused.code and refused.param)
