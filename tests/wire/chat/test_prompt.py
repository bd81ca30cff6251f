"""Prompts as request bodies: what goes out, and what must not."""

import pytest
from msgspec import Raw, json

from angelia.core.messages import (
    Assistant,
    Image,
    Message,
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
from angelia.wire.chat.prompt import Quirks, request

PLAIN = Quirks()


def body(
    *messages: Message,
    instructions: str = "",
    tools: tuple[ToolSpec, ...] = (),
    sampling: Sampling | None = None,
    stream: bool = False,
    quirks: Quirks = PLAIN,
) -> dict:
    prompt = Prompt("angelia", instructions, messages, tools, sampling or Sampling())
    return json.decode(request(prompt, model="upstream-model", stream=stream, quirks=quirks))


def message(said: Message, quirks: Quirks = PLAIN) -> dict:
    return body(said, quirks=quirks)["messages"][0]


def test_only_what_was_asked_for_goes_out() -> None:
    assert body(user("hi")) == {
        "model": "upstream-model",
        "messages": [{"role": "user", "content": "hi"}],
    }


def test_instructions_come_first_and_system_messages_stay_in_place() -> None:
    said = body(user("a"), System("mid"), user("b"), instructions="be kind")["messages"]
    assert [(m["role"], m["content"]) for m in said] == [
        ("system", "be kind"),
        ("user", "a"),
        ("system", "mid"),
        ("user", "b"),
    ]


def test_a_stream_asks_for_usage_unless_the_endpoint_cannot() -> None:
    asked = body(user("a"), stream=True)
    assert (asked["stream"], asked["stream_options"]) == (True, {"include_usage": True})
    assert "stream_options" not in body(user("a"), stream=True, quirks=Quirks(include_usage=False))


def test_images_are_parts() -> None:
    said = User((Text("look"), Image("https://a/b.png", "low"), Image("data:image/png;x")), "ann")
    assert message(said) == {
        "role": "user",
        "name": "ann",
        "content": [
            {"type": "text", "text": "look"},
            {"type": "image_url", "image_url": {"url": "https://a/b.png", "detail": "low"}},
            {"type": "image_url", "image_url": {"url": "data:image/png;x"}},
        ],
    }


def test_calls_and_results_go_back_as_they_were() -> None:
    called = Assistant((Text("let me "), ToolCall("c1", "f", '{"x" :1}'), Text("look")))
    assert body(called, ToolResult("c1", "done"))["messages"] == [
        {
            "role": "assistant",
            "content": "let me look",
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"x" :1}'}}
            ],
        },
        {"role": "tool", "content": "done", "tool_call_id": "c1"},
    ]


def test_no_call_goes_out_without_a_result_and_no_result_without_a_call() -> None:
    called = Assistant((ToolCall("c1", "f", "{}"),))
    said = body(called, user("and?"), ToolResult("stray", "lost"))["messages"]
    assert [(m["role"], m["content"]) for m in said[1:]] == [
        ("tool", "(no result)"),
        ("user", "and?"),
    ]


def test_ids_and_names_of_others_are_spelled_as_this_api_wants_them() -> None:
    long = "toolu_" + "x" * 60
    calls = Assistant((ToolCall(long, "fs.read file", "{}"), ToolCall("a", "t", "{}")))
    results = (ToolResult(long, "one"), ToolResult("a", "two"))
    said = body(user("x"), calls, *results, calls, *results)["messages"]
    ids = [call["id"] for m in said for call in m.get("tool_calls", ())]
    assert [m["tool_call_id"] for m in said if m["role"] == "tool"] == ids
    assert len(set(ids)) == 4
    assert all(len(call_id) <= 40 for call_id in ids)
    assert ids[1] == "a"
    assert said[1]["tool_calls"][0]["function"]["name"] == "fs_read_file"


def test_calls_without_text_have_null_content() -> None:
    assert message(Assistant((ToolCall("c1", "f", "{}"),)))["content"] is None


@pytest.mark.parametrize("parts", [(), (Reasoning("hm"),)])
def test_a_message_with_nothing_to_say_is_empty_text(parts: tuple) -> None:
    assert message(Assistant(parts)) == {"role": "assistant", "content": ""}


def test_a_refusal_goes_back_as_text() -> None:
    assert message(Assistant((Refusal("no"),)))["content"] == "no"


def test_extras_go_back_into_their_call_only_in_the_dialect_that_minted_them() -> None:
    data = '{"extra_content":{"google":{"thought_signature":"A=="}},"function":{"z":1}}'
    own = message(Assistant((ToolCall("c", "f", "{}", Seal("chat", data)),)))["tool_calls"][0]
    assert own == {
        "id": "c",
        "type": "function",
        "function": {"name": "f", "arguments": "{}", "z": 1},
        "extra_content": {"google": {"thought_signature": "A=="}},
    }
    foreign = message(Assistant((ToolCall("c", "f", "{}", Seal("anthropic", data)),)))
    assert set(foreign["tool_calls"][0]) == {"id", "type", "function"}


def test_reasoning_goes_back_only_where_it_is_wanted() -> None:
    details = '{"reasoning_details":[{"type":"reasoning.text","text":"hm"}]}'
    said = Assistant((Reasoning("hm", Seal("chat", details)), Text("so")))
    assert message(said)["reasoning_details"] == [{"type": "reasoning.text", "text": "hm"}]
    assert "reasoning_content" not in message(said)
    assert message(said, Quirks(reasoning_field="reasoning"))["reasoning"] == "hm"
    echoed = message(said, Quirks(reasoning_field="reasoning_content"))
    assert echoed["reasoning_content"] == "hm"
    foreign = Assistant((Reasoning("hm", Seal("anthropic", "opaque")), Text("so")))
    assert message(foreign) == {"role": "assistant", "content": "so"}


def test_tools_are_functions_with_their_schema_verbatim() -> None:
    schema = Raw(b'{"type":"object","properties":{"x":{"const":1.50}}}')
    tools = (ToolSpec("f", "does f", schema, strict=True), ToolSpec("g"))
    sent = request(Prompt("a", "", (user("x"),), tools), model="m", stream=False)
    assert bytes(schema) in sent
    assert json.decode(sent)["tools"] == [
        {
            "type": "function",
            "function": {
                "name": "f",
                "description": "does f",
                "parameters": json.decode(schema),
                "strict": True,
            },
        },
        {
            "type": "function",
            "function": {"name": "g", "parameters": {"type": "object", "properties": {}}},
        },
    ]


@pytest.mark.parametrize(
    ("choice", "sent"),
    [
        (ToolChoice(), None),
        (ToolChoice("none"), "none"),
        (ToolChoice("required"), "required"),
        (ToolChoice("named", "f"), {"type": "function", "function": {"name": "f"}}),
    ],
)
def test_the_choice_of_tools_is_sent_with_tools_only(choice: ToolChoice, sent: object) -> None:
    sampling = Sampling(tool_choice=choice, parallel_tool_calls=False)
    with_tools = body(user("a"), tools=(ToolSpec("f"),), sampling=sampling)
    assert with_tools.get("tool_choice") == sent
    assert with_tools["parallel_tool_calls"] is False
    assert set(body(user("a"), sampling=sampling)) == {"model", "messages"}


def test_every_sampling_field_goes_out_even_if_it_is_zero() -> None:
    sampling = Sampling(
        temperature=0.0,
        top_p=0.0,
        max_tokens=5,
        stop=("a", "b"),
        seed=0,
        frequency_penalty=0.0,
        presence_penalty=-1.0,
        reasoning_effort="low",
        response_format=Raw(b'{"type":"json_object"}'),
        user="u",
    )
    sent = body(user("a"), sampling=sampling)
    assert {name: sent[name] for name in sent if name not in ("model", "messages")} == {
        "temperature": 0.0,
        "top_p": 0.0,
        "max_tokens": 5,
        "stop": ["a", "b"],
        "seed": 0,
        "frequency_penalty": 0.0,
        "presence_penalty": -1.0,
        "reasoning_effort": "low",
        "response_format": {"type": "json_object"},
        "user": "u",
    }


def test_the_name_of_the_token_limit_is_the_endpoints() -> None:
    quirks = Quirks(max_tokens_field="max_completion_tokens")
    sent = body(user("a"), sampling=Sampling(max_tokens=5), quirks=quirks)
    assert sent["max_completion_tokens"] == 5
    assert "max_tokens" not in sent
