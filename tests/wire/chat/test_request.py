"""Requests of clients: everything an OpenAI client sends, and a 400 that names what is wrong."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, Raw, json

from angelia.core.messages import (
    Assistant,
    Image,
    Prompt,
    Reasoning,
    Refusal,
    Sampling,
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
from angelia.wire.chat import prompt
from angelia.wire.chat.request import Request, parse

HI = {"role": "user", "content": "hi"}
PNG = "data:image/png;base64,AA=="


def read(*messages: object, **fields: object) -> Request:
    return parse(json.encode({"model": "m", "messages": messages, **fields}))


def refused(*messages: object, **fields: object) -> BadRequest:
    with pytest.raises(BadRequest) as caught:
        read(*messages, **fields)
    return caught.value


def test_the_least_that_a_client_can_say() -> None:
    assert read(HI) == Request(
        model="m",
        instructions="",
        messages=(user("hi"),),
        tools=None,
        sampling=Sampling(),
        stream=False,
        include_usage=False,
        user=None,
        metadata=UNSET,
    )


def test_without_a_model_the_choice_is_the_servers() -> None:
    assert read(HI, model=None).model is None
    assert parse(b'{"messages":[{"role":"user","content":"hi"}]}').model is None


def test_leading_system_texts_are_instructions_and_later_ones_stay_in_place() -> None:
    got = read(
        {"role": "system", "content": "a"},
        {"role": "developer", "content": [{"type": "text", "text": "b"}]},
        HI,
        {"role": "system", "content": "c"},
        {"role": "developer", "content": "d"},
    )
    assert got.instructions == "a\n\nb"
    assert got.messages == (user("hi"), System("c"), System("d"))


def test_content_as_text_parts_and_images() -> None:
    got = read(
        {
            "role": "user",
            "name": "ann",
            "content": [
                {"type": "text", "text": "look"},
                {"type": "image_url", "image_url": {"url": "https://a/b", "detail": "high"}},
                {"type": "image_url", "image_url": PNG},
            ],
        }
    )
    parts = (Text("look"), Image("https://a/b", "high"), Image(PNG))
    assert got.messages == (User(parts, "ann"),)


def test_assistant_messages_of_every_form() -> None:
    got = read(
        HI,
        {"role": "assistant", "content": "a"},
        {"role": "assistant", "content": None},
        {"role": "assistant"},
        {"role": "assistant", "content": [{"type": "text", "text": "b"}]},
        {"role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]},
        {"role": "assistant", "content": None, "refusal": "never"},
        {"role": "assistant", "content": "c", "reasoning_content": "hm"},
    )
    assert got.messages[1:] == (
        Assistant((Text("a"),)),
        Assistant(()),
        Assistant(()),
        Assistant((Text("b"),)),
        Assistant((Refusal("no"),)),
        Assistant((Refusal("never"),)),
        Assistant((Reasoning("hm"), Text("c"))),
    )


CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"x" : 1}'}}


@pytest.mark.parametrize(
    ("content", "output"), [("r", "r"), ([{"type": "text", "text": "r"}], "r"), (None, "")]
)
def test_a_tool_message_answers_its_call(content: object, output: str) -> None:
    got = read(
        HI,
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "c1", "content": content},
    )
    assert got.messages[1:] == (
        Assistant((ToolCall("c1", "f", '{"x" : 1}'),)),
        ToolResult("c1", output),
    )


def test_a_tool_message_without_its_call_is_refused() -> None:
    early = {"role": "tool", "tool_call_id": "c1", "content": "r"}
    late = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    error = refused(HI, early, late)
    assert error.param == "messages[1].tool_call_id"
    assert "'c1'" in error.message


def test_old_functions_are_tools() -> None:
    got = read(
        HI,
        {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}},
        {"role": "function", "name": "f", "content": "r"},
        functions=[{"name": "f", "description": "d"}],
        function_call={"name": "f"},
    )
    call = got.messages[1].calls[0]
    assert (call.name, call.arguments) == ("f", "{}")
    assert got.messages[2] == ToolResult(call.id, "r")
    assert got.tools == (ToolSpec("f", "d", owner="client"),)
    assert got.sampling.tool_choice == ToolChoice("named", "f")
    assert refused(HI, {"role": "function", "name": "g", "content": ""}).param == "messages[1].name"


def test_tools_belong_to_the_client_and_keep_their_schema() -> None:
    schema = b'{"type":"object","x":1.50}'
    tool = b'{"type":"function","function":{"name":"f","parameters":%b,"strict":true}}' % schema
    got = parse(b'{"model":"m","messages":[{"role":"user","content":"a"}],"tools":[%b]}' % tool)
    assert got.tools is not None
    (spec,) = got.tools
    assert (spec.name, spec.owner, spec.strict) == ("f", "client", True)
    assert bytes(spec.parameters) == schema


def test_no_tools_and_nothing_said_of_tools_are_two_things() -> None:
    assert read(HI).tools is None
    assert read(HI, tools=None).tools is None
    assert read(HI, tools=[]).tools == ()


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (None, ToolChoice()),
        ("auto", ToolChoice("auto")),
        ("none", ToolChoice("none")),
        ("required", ToolChoice("required")),
        ({"type": "function", "function": {"name": "f"}}, ToolChoice("named", "f")),
    ],
)
def test_tool_choice(given: object, meant: ToolChoice) -> None:
    assert read(HI, tool_choice=given).sampling.tool_choice == meant


def test_sampling_and_options() -> None:
    got = read(
        HI,
        temperature=0,
        top_p=1,
        max_tokens=1,
        max_completion_tokens=2,
        stop=["a", ""],
        seed=-5,
        frequency_penalty=-2,
        presence_penalty=2,
        reasoning_effort="high",
        response_format={"type": "json_object"},
        parallel_tool_calls=False,
        user="u",
        metadata={"k": "v"},
        stream=True,
        stream_options={"include_usage": True},
        n=1,
        logprobs=None,
        some_new_field={"a": [1]},
    )
    sampling = got.sampling
    assert (sampling.temperature, sampling.top_p, sampling.max_tokens) == (0, 1, 2)
    assert (sampling.stop, sampling.seed) == (("a",), -5)
    assert (sampling.frequency_penalty, sampling.presence_penalty) == (-2, 2)
    assert (sampling.reasoning_effort, sampling.parallel_tool_calls) == ("high", False)
    assert isinstance(sampling.response_format, Raw)
    assert bytes(sampling.response_format) == b'{"type":"json_object"}'
    assert (got.user, sampling.user) == ("u", "u")
    assert isinstance(got.metadata, Raw)
    assert bytes(got.metadata) == b'{"k":"v"}'
    assert got.stream
    assert got.include_usage
    assert read(HI, stop="x").sampling.stop == ("x",)
    assert read(HI, max_tokens=7).sampling.max_tokens == 7


def parts(*listed: object) -> dict:
    return {"role": "user", "content": listed}


@pytest.mark.parametrize(
    ("messages", "fields", "param", "says"),
    [
        ([], {}, "messages", "length >= 1"),
        ([HI], {"model": 3}, "model", "got an integer"),
        ([3], {}, "messages[0]", "got an integer"),
        ([HI, {"role": "robot", "content": ""}], {}, "messages[1].role", "'robot'"),
        ([HI, {"content": ""}], {}, "messages[1].role", "Missing"),
        ([{"role": "user"}], {}, "messages[0].content", "Missing"),
        ([{"role": "user", "content": None}], {}, "messages[0].content", "got null"),
        ([{"role": "user", "content": []}], {}, "messages[0].content", "length >= 1"),
        ([HI, HI, parts({"type": "hologram"})], {}, "messages[2].content[0].type", "'hologram'"),
        ([parts({"text": "a"})], {}, "messages[0].content[0].type", "Missing"),
        (
            [parts({"type": "text", "text": "a"}, {"type": "input_audio", "input_audio": {}})],
            {},
            "messages[0].content[1].type",
            "'input_audio'",
        ),
        ([parts({"type": "file", "file": {}})], {}, "messages[0].content[0].type", "'file'"),
        (
            [parts({"type": "image_url", "image_url": {"url": "ftp://a"}})],
            {},
            "messages[0].content[0].image_url.url",
            "http(s)",
        ),
        (
            [parts({"type": "image_url", "image_url": "file:///a"})],
            {},
            "messages[0].content[0].image_url",
            "http(s)",
        ),
        (
            [{"role": "assistant", "tool_calls": [{"id": 1}]}],
            {},
            "messages[0].tool_calls[0].id",
            "",
        ),
        (
            [{"role": "assistant", "tool_calls": [CALL | {"type": "custom"}]}],
            {},
            "messages[0].tool_calls[0].type",
            "'custom'",
        ),
        ([HI], {"n": 2}, "n", "not supported"),
        ([HI], {"n": 0}, "n", "not supported"),
        ([HI], {"temperature": 3}, "temperature", "<= 2"),
        ([HI], {"temperature": "hot"}, "temperature", "got a string"),
        ([HI], {"max_tokens": 0}, "max_tokens", ">= 1"),
        ([HI], {"max_tokens": 10**30}, "max_tokens", ""),
        ([HI], {"stop": [1]}, "stop[0]", "got an integer"),
        ([HI], {"stream": "yes"}, "stream", "a boolean"),
        ([HI], {"stream_options": []}, "stream_options", "got an array"),
        ([HI], {"tools": {}}, "tools", "got an object"),
        ([HI], {"tools": [{"type": "web_search"}]}, "tools[0].type", "'web_search'"),
        ([HI], {"tools": [{"type": "function"}]}, "tools[0].function", "Missing"),
        (
            [HI],
            {"tools": [{"type": "function", "function": {"name": ""}}]},
            "tools[0].function.name",
            "length >= 1",
        ),
        (
            [HI],
            {"tools": [{"type": "function", "function": {"name": "f", "parameters": []}}]},
            "tools[0].function.parameters",
            "got an array",
        ),
        (
            [HI],
            {"tools": [{"type": "function", "function": {"name": "f"}}] * 2},
            "tools[1].function.name",
            "twice",
        ),
        ([HI], {"functions": [{"name": "f"}] * 2}, "functions[1].name", "twice"),
        ([HI], {"tool_choice": "maybe"}, "tool_choice", "'maybe'"),
        ([HI], {"response_format": "json"}, "response_format", "got a string"),
        ([HI], {"metadata": [1]}, "metadata", "got an array"),
        ([HI], {"user": 3}, "user", "got an integer"),
    ],
)
def test_what_is_wrong_is_named(messages: list, fields: dict, param: str, says: str) -> None:
    error = refused(*messages, **fields)
    assert error.param == param
    assert says in error.message
    assert error.code


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b'"text"',
        b"nonsense",
        b"\xff\xfe",
        b'{"model":"m","messages":[{"role":"user","content":"\\ud800"}]}',
        b'{"model":"m","messages":[{"role":"user","content":"a"}],"temperature":NaN}',
        b'{"model":"m","messages":[{"role":"user","content":"a"}],"x":' + b"[" * 100_000,
        b'{"model":"m","messages":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"model":"m","messages":[{"role":"user","content":"a"}],"metadata":'
        + b'{"a":' * 100_000
        + b"1"
        + b"}" * 100_001,
    ],
)
def test_what_is_no_request_at_all_is_refused(body: bytes) -> None:
    with pytest.raises(BadRequest):
        parse(body)


FIELDS = ["role", "content", "type", "text", "image_url", "url", "tool_calls", "id", "function"]
WORDS = ["user", "assistant", "tool", "text", "image_url", "function", "auto", "https://a"]
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.sampled_from(WORDS),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=4)
    ),
    max_leaves=12,
)
TOP = ["tools", "tool_choice", "stop", "n", "stream", "metadata", "response_format", "functions"]


@given(st.lists(JUNK, max_size=3), st.dictionaries(st.sampled_from(TOP), JUNK, max_size=3))
def test_any_json_is_read_or_refused(messages: list, fields: dict) -> None:
    with contextlib.suppress(BadRequest):
        assert read(*messages, **fields).model == "m"


@given(st.lists(st.text(min_size=1), min_size=1))
def test_what_we_send_upstream_we_can_read_as_a_server(texts: list[str]) -> None:
    """Two Angelias in a row understand each other."""
    said = tuple(
        message
        for index, text in enumerate(texts)
        for message in (
            user(text),
            Assistant((Text(text), ToolCall(f"c{index}", "f", "{}"))),
            ToolResult(f"c{index}", text),
        )
    )
    asked = Prompt("a", "be kind", said, (ToolSpec("f", owner="client"),), Sampling(temperature=1))
    got = parse(prompt.request(asked, model="m", stream=True))
    assert (got.instructions, got.messages, got.stream) == ("be kind", said, True)
    assert got.include_usage
    assert got.sampling == asked.sampling
