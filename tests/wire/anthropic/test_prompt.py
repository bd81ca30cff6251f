import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from angelia.core.messages import (
    Assistant,
    Image,
    Prompt,
    Reasoning,
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
from angelia.wire.anthropic.client import Quirks, request
from tests.core.transcripts import decoded, prompts

UNCACHED = Quirks(cache=False)
THOUGHT = '{ "signature":"c2ln","type":"thinking","thinking":"h\\u00e9" }'
SEALED = Reasoning("hé", Seal("anthropic", THOUGHT))


def body_of(*messages, tools=(), sampling=None, instructions="", quirks=UNCACHED):
    prompt = Prompt("asked-for", instructions, messages, tools, sampling or Sampling())
    return decoded(request(prompt, model="claude-test-1", stream=True, quirks=quirks))


def said(text):
    return {"type": "text", "text": text}


def test_a_plain_question():
    assert body_of(user("Hi"), System("Speak English."), instructions="Be brief.") == {
        "model": "claude-test-1",
        "max_tokens": 8192,
        "messages": [{"role": "user", "content": [said("Hi")]}],
        "stream": True,
        "system": [said("Be brief.\n\nSpeak English.")],
    }


def test_results_stand_first_in_the_users_turn_and_turns_alternate():
    transcript = (
        user("One."),
        user("Two."),
        Assistant((SEALED, Text("Hm."), ToolCall("toolu_1", "read", '{"a" :1.0}'))),
        user("Hurry."),
        ToolResult("toolu_1", "", failed=True),
    )
    assert body_of(*transcript)["messages"] == [
        {"role": "user", "content": [said("One."), said("Two.")]},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "hé", "signature": "c2ln"},
                said("Hm."),
                {"type": "tool_use", "id": "toolu_1", "name": "read", "input": {"a": 1.0}},
            ],
        },
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "toolu_1",
                    "content": "(no output)",
                    "is_error": True,
                },
                said("Hurry."),
            ],
        },
    ]


def test_thoughts_and_arguments_go_back_byte_by_byte():
    turn = Assistant((SEALED, ToolCall("toolu_1", "read", '{"a" :1.0, "b":"\\u00e9"}')))
    sent = request(Prompt("m", "", (user("Hi"), turn)), model="m", stream=False)
    assert THOUGHT.encode() in sent
    assert b'"input":{"a" :1.0, "b":"\\u00e9"}' in sent


@pytest.mark.parametrize(
    ("arguments", "sent"),
    [
        ("", {}),
        ("[1]", {"_raw": "[1]"}),
        ('{"a": ', {"_raw": '{"a": '}),
        ('{"a":"\\ud800"}', {"_raw": '{"a":"\\ud800"}'}),
        ("[" * 100_000, {"_raw": "[" * 100_000}),
    ],
)
def test_arguments_that_are_no_object_are_wrapped_in_one(arguments, sent):
    turn = Assistant((ToolCall("toolu_1", "read", arguments),))
    assert body_of(user("Hi"), turn)["messages"][1]["content"][0]["input"] == sent


@pytest.mark.parametrize(
    "reasoning",
    [
        Reasoning("secret"),
        Reasoning("secret", Seal("responses", '{"type":"reasoning"}')),
        Reasoning("secret", Seal("chat", "{}")),
        Reasoning("secret", Seal("anthropic", "not json")),
    ],
)
def test_reasoning_of_other_dialects_stays_here(reasoning):
    messages = body_of(user("Hi"), Assistant((reasoning, Text("ok"))), user("And?"))["messages"]
    assert messages[1]["content"] == [said("ok")]


def test_an_assistant_who_said_nothing_leaves_no_gap():
    messages = body_of(user("Hi"), Assistant((SEALED, Text(" "))), user("And?"))["messages"]
    assert messages == [{"role": "user", "content": [said("Hi"), said("And?")]}]


def test_a_user_begins_and_a_user_ends():
    messages = body_of(Assistant((Text("Hello."),)))["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "user"]


def test_ids_of_other_providers_are_respelled_alike_in_call_and_result():
    turn = Assistant((ToolCall("functions.read:0", "read", "{}"), ToolCall("a/b", "read", "{}")))
    transcript = (user("Hi"), turn, ToolResult("functions.read:0", "1"), ToolResult("a/b", "2"))
    once, again = body_of(*transcript), body_of(*transcript, user("More."))
    used = [block["id"] for block in once["messages"][1]["content"]]
    answered = [block["tool_use_id"] for block in once["messages"][2]["content"]]
    assert used == answered
    assert len(set(used)) == 2
    assert again["messages"][1] == once["messages"][1]


@pytest.mark.parametrize(
    ("url", "block"),
    [
        (
            "https://example.org/a.png",
            {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
        ),
        (
            "data:image/JPG;charset=x;base64,/9j/",
            {
                "type": "image",
                "source": {"type": "base64", "media_type": "image/jpeg", "data": "/9j/"},
            },
        ),
        ("data:image/svg+xml;base64,PHN2", said("(an image of a kind that cannot be shown)")),
        ("file:///etc/passwd", said("(an image of a kind that cannot be shown)")),
    ],
)
def test_images_are_inline_or_addresses(url, block):
    assert body_of(User((Image(url),)))["messages"][0]["content"] == [block]


def test_tools_have_a_schema_that_says_its_type():
    tools = (
        ToolSpec("a", "Does a.", Raw(b'{"type":"object","properties":{"x":{}}}')),
        ToolSpec("b"),
        ToolSpec("c", parameters=Raw(b'{"properties":{"y":{}}}')),
    )
    assert body_of(user("Hi"), tools=tools)["tools"] == [
        {
            "name": "a",
            "input_schema": {"type": "object", "properties": {"x": {}}},
            "description": "Does a.",
        },
        {"name": "b", "input_schema": {"type": "object", "properties": {}}},
        {"name": "c", "input_schema": {"type": "object", "properties": {"y": {}}}},
    ]


@pytest.mark.parametrize(
    ("choice", "parallel", "sent"),
    [
        (ToolChoice(), None, None),
        (ToolChoice(), True, None),
        (ToolChoice(), False, {"type": "auto", "disable_parallel_tool_use": True}),
        (ToolChoice("none"), False, {"type": "none"}),
        (ToolChoice("required"), None, {"type": "any"}),
        (
            ToolChoice("named", "a"),
            False,
            {"type": "tool", "name": "a", "disable_parallel_tool_use": True},
        ),
    ],
)
def test_the_choice_of_tools_is_passed_on(choice, parallel, sent):
    sampling = Sampling(tool_choice=choice, parallel_tool_calls=parallel)
    body = body_of(user("Hi"), tools=(ToolSpec("a"),), sampling=sampling)
    assert body.get("tool_choice") == sent


def test_tools_of_the_past_are_declared_but_not_offered():
    turn = Assistant((ToolCall("toolu_1", "read", "{}"),))
    body = body_of(user("Hi"), turn, ToolResult("toolu_1", "x"))
    assert [tool["name"] for tool in body["tools"]] == ["read"]
    assert body["tool_choice"] == {"type": "none"}


def test_the_manner_asked_for_is_passed_on():
    sampling = Sampling(temperature=1.7, top_p=0.5, max_tokens=77, stop=("END", " "), user="u-1")
    body = body_of(user("Hi"), sampling=sampling)
    assert body["temperature"] == 1
    assert "top_p" not in body
    assert body["max_tokens"] == 77
    assert body["stop_sequences"] == ["END"]
    assert body["metadata"] == {"user_id": "u-1"}
    assert body_of(user("Hi"), sampling=Sampling(top_p=0.5))["top_p"] == 0.5
    quirks = Quirks(sampling=False)
    assert "temperature" not in body_of(user("Hi"), sampling=sampling, quirks=quirks)


def budget(effort, **limits):
    sampling = Sampling(reasoning_effort=effort, temperature=0.3, max_tokens=limits.get("of"))
    quirks = Quirks(thinking="budget", max_tokens=50_000)
    return body_of(user("Hi"), sampling=sampling, quirks=quirks)


def test_a_model_that_can_think_gets_a_budget_by_effort():
    body = budget("high")
    assert body["thinking"] == {"type": "enabled", "budget_tokens": 16384}
    assert "temperature" not in body


@pytest.mark.parametrize(
    ("effort", "of", "tokens"),
    [
        ("high", 10_000, 5_000),
        ("high", 2_048, 1_024),
        ("high", 2_000, None),
        ("none", None, None),
        (None, None, None),
        ("odd", None, None),
    ],
)
def test_the_budget_leaves_room_for_an_answer(effort, of, tokens):
    assert budget(effort, of=of).get("thinking", {}).get("budget_tokens") == tokens


def test_a_model_that_measures_itself_gets_the_effort():
    sampling = Sampling(reasoning_effort="xhigh")
    body = body_of(user("Hi"), sampling=sampling, quirks=Quirks(thinking="adaptive"))
    assert body["thinking"] == {"type": "adaptive"}
    assert body["output_config"] == {"effort": "high"}


def test_a_model_that_cannot_think_is_not_told_to():
    assert "thinking" not in body_of(user("Hi"), sampling=Sampling(reasoning_effort="high"))


def test_thinking_does_not_begin_in_the_middle_of_a_turn():
    quirks = Quirks(thinking="budget", max_tokens=50_000)
    effort = Sampling(reasoning_effort="high")
    call = ToolCall("toolu_1", "read", "{}")
    unsealed = body_of(user("Hi"), Assistant((call,)), sampling=effort, quirks=quirks)
    sealed = body_of(user("Hi"), Assistant((SEALED, call)), sampling=effort, quirks=quirks)
    assert "thinking" not in unsealed
    assert "thinking" in sealed


def test_the_ends_of_the_prompt_are_marked_for_the_cache():
    body = body_of(user("Hi"), user("You"), instructions="Be brief.", quirks=Quirks())
    mark = {"cache_control": {"type": "ephemeral"}}
    assert body["system"] == [said("Be brief.") | mark]
    assert body["messages"][-1]["content"] == [said("Hi"), said("You") | mark]


def test_the_end_of_the_request_before_is_marked_too():
    asked = body_of(
        user("Hi"),
        Assistant((ToolCall("a", "look", "{}"), ToolCall("b", "look", "{}"))),
        ToolResult("a", "1"),
        ToolResult("b", "2"),
        quirks=Quirks(),
    )
    marked = [[("cache_control" in b) for b in m["content"]] for m in asked["messages"]]
    assert marked == [[True], [False, False], [False, True]]


def test_tools_are_marked_where_no_system_text_is_behind_them():
    tools = (ToolSpec("one"), ToolSpec("two"))
    alone = body_of(user("Hi"), tools=tools, quirks=Quirks())
    assert ["cache_control" in tool for tool in alone["tools"]] == [False, True]
    below = body_of(user("Hi"), tools=tools, instructions="Be brief.", quirks=Quirks())
    assert not any("cache_control" in tool for tool in below["tools"])


def _marks(value):
    if isinstance(value, dict):
        return ("cache_control" in value) + sum(_marks(part) for part in value.values())
    return sum(map(_marks, value)) if isinstance(value, list) else 0


@given(prompts)
def test_there_are_never_more_marks_than_the_api_takes(prompt):
    assert 1 <= _marks(decoded(request(prompt, model="m", stream=True, quirks=Quirks()))) <= 4


def test_a_schema_for_the_answer_goes_to_models_that_can_be_held_to_it():
    asked = Raw(b'{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"}}}')
    sampling = Sampling(response_format=asked)
    held = body_of(user("Hi"), sampling=sampling, quirks=Quirks(json_schema=True))
    assert held["output_config"] == {
        "format": {"type": "json_schema", "schema": {"type": "object"}}
    }
    assert "output_config" not in body_of(user("Hi"), sampling=sampling)
    with pytest.raises(BadRequest, match="response_format"):
        body_of(
            user("Hi"),
            sampling=Sampling(response_format=Raw(b"[]")),
            quirks=Quirks(json_schema=True),
        )


quirky = st.builds(
    Quirks,
    max_tokens=st.integers(1, 60_000),
    thinking=st.sampled_from(["none", "budget", "adaptive"]),
    sampling=st.booleans(),
    cache=st.booleans(),
    json_schema=st.booleans(),
)


@given(prompts, quirky)
def test_no_transcript_gives_the_provider_a_reason_to_object(prompt, quirks):
    body = decoded(request(prompt, model="m", stream=True, quirks=quirks))
    check_turns(body["messages"])
    check_calls(body["messages"])
    check_thinking(body)
    assert body["max_tokens"] >= 1
    assert all(block["text"].strip() for block in body.get("system", ()))
    assert all(stop.strip() for stop in body.get("stop_sequences", ()))
    assert all(tool["input_schema"]["type"] == "object" for tool in body.get("tools", ()))
    assert "tools" in body or "tool_choice" not in body
    assert not {"temperature", "top_p"} <= body.keys()
    assert body.get("temperature", 0) <= 1


def check_turns(messages):
    roles = [message["role"] for message in messages]
    assert roles == ["user", "assistant"] * (len(roles) // 2) + ["user"]
    for message in messages:
        assert message["content"]
        for block in message["content"]:
            check_block(message["role"], block)
        kinds = [block["type"] for block in message["content"]]
        results = kinds.count("tool_result")
        assert kinds[:results] == ["tool_result"] * results
        assert kinds[-1] not in ("thinking", "redacted_thinking")


def check_block(role, block):
    match block["type"]:
        case "text":
            assert block["text"].strip()
        case "image":
            assert role == "user"
            source = block["source"]
            assert source["type"] == "url" or re.fullmatch(
                "image/(png|jpeg|gif|webp)", source["media_type"]
            )
        case "tool_result":
            assert role == "user"
            assert block["content"].strip()
        case "tool_use":
            assert role == "assistant"
            assert isinstance(block["input"], dict)
            assert re.fullmatch("[a-zA-Z0-9_-]{1,64}", block["id"])
            assert re.fullmatch("[a-zA-Z0-9_-]{1,64}", block["name"])
        case "thinking" | "redacted_thinking":
            assert role == "assistant"
            assert block.get("signature") or block.get("data")
        case other:
            raise AssertionError(other)


def check_calls(messages):
    """Every use is answered in the next message, each id is used once, nothing else is answered."""
    seen: set[str] = set()
    for asking, answering in zip([{"content": []}, *messages], messages, strict=False):
        used = [b["id"] for b in asking["content"] if b["type"] == "tool_use"]
        answered = [b["tool_use_id"] for b in answering["content"] if b["type"] == "tool_result"]
        assert used == answered
        assert not seen & set(used)
        seen |= set(used)


def check_thinking(body):
    thinking = body.get("thinking")
    if thinking is None:
        return
    assert "temperature" not in body
    assert "top_p" not in body
    assert body.get("tool_choice", {"type": "auto"})["type"] in ("auto", "none")
    if thinking["type"] == "enabled":
        assert 1024 <= thinking["budget_tokens"] < body["max_tokens"]
    turns = [m["content"] for m in body["messages"] if m["role"] == "assistant"]
    if turns and any(block["type"] == "tool_use" for block in turns[-1]):
        assert turns[-1][0]["type"] in ("thinking", "redacted_thinking")
