"""What is kept of a request and shown with its response."""

import pytest
from msgspec import UNSET, Raw, json

from angelia.wire.responses.echo import Echo, read
from angelia.wire.responses.request import echo, parse
from tests.wire.chat.runs import STARTED, step
from tests.wire.responses import spec
from tests.wire.responses.legs import ENDED, entries, writer

BODY = {
    "model": "m",
    "input": "hi",
    "instructions": "Be brief.",
    "tools": [{"type": "function", "name": "f", "parameters": {"type": "object"}, "strict": True}],
    "tool_choice": {"type": "function", "name": "f"},
    "parallel_tool_calls": False,
    "max_output_tokens": 100,
    "max_tool_calls": 3,
    "temperature": 0.0,
    "top_p": 0.5,
    "presence_penalty": 0.25,
    "frequency_penalty": -0.25,
    "top_logprobs": 2,
    "reasoning": {"effort": "low", "summary": "auto"},
    "text": {"format": {"type": "text"}, "verbosity": "low"},
    "truncation": "auto",
    "store": False,
    "metadata": {"a": "b"},
    "user": "u",
    "safety_identifier": "s",
    "prompt_cache_key": "k",
    "service_tier": "flex",
    "previous_response_id": "resp_0",
}


def shown(body: dict, **options) -> dict:
    """The response to this request."""
    made = writer(None, request=echo(parse(json.encode(body)), "pair", **options))
    made.write(entries(STARTED, *step(["ok"]), ENDED))
    response = json.decode(made.response())
    spec.check_response(response)
    return response


def test_a_response_repeats_what_was_asked_for() -> None:
    response = shown(BODY)
    repeated = {key: value for key, value in BODY.items() if key not in ("model", "input", "tools")}
    assert {key: response[key] for key in repeated} == repeated
    assert response["tools"] == [BODY["tools"][0] | {"description": None}]


def test_a_response_to_little_shows_the_defaults() -> None:
    response = shown({"input": "hi"})
    assert {key: response[key] for key in ("temperature", "top_p", "truncation", "store")} == {
        "temperature": 1.0,
        "top_p": 1.0,
        "truncation": "disabled",
        "store": True,
    }
    assert (response["tool_choice"], response["tools"], response["metadata"]) == ("auto", [], {})
    assert response["reasoning"] == {"effort": None, "summary": None}
    assert response["text"] == {"format": {"type": "text"}}
    assert (response["service_tier"], response["conversation"]) == ("default", None)


@pytest.mark.parametrize(
    "more",
    [
        {"tool_choice": "required"},
        {
            "tool_choice": {
                "type": "allowed_tools",
                "mode": "auto",
                "tools": [{"type": "function", "name": "f"}],
            }
        },
        {"text": {"format": {"type": "json_object"}}},
        {"background": True},
        {"service_tier": "auto"},
        {"reasoning": {"effort": "minimal"}},
    ],
)
def test_every_form_of_a_field_is_shown_validly(more: dict) -> None:
    name = next(iter(more))
    response = shown({"input": "hi"} | more)
    if name == "service_tier":
        assert response[name] == "default"
    elif name == "reasoning":
        assert response[name]["effort"] == "minimal"
    else:
        assert response[name] == more[name]


def test_a_schema_is_named_and_not_repeated() -> None:
    wanted = {"type": "json_schema", "name": "n", "schema": {"type": "object"}, "strict": True}
    response = shown({"input": "hi", "text": {"format": wanted}})
    assert response["text"]["format"] == wanted | {"schema": None, "description": None}


def test_the_conversation_is_shown_by_its_id() -> None:
    assert shown({"input": "hi", "conversation": "x"})["conversation"] == {"id": "x"}
    assert shown({"input": "hi", "conversation": {"id": "y"}})["conversation"] == {"id": "y"}
    renamed = shown({"input": "hi", "conversation": "x"}, conversation="conv_1")
    assert renamed["conversation"] == {"id": "conv_1"}


def test_what_is_kept_comes_back() -> None:
    kept = echo(parse(json.encode(BODY)), "mcp")
    read_back = read(kept)
    assert read_back.dialect == "mcp"
    assert Raw(json.encode(read_back)) == kept


@pytest.mark.parametrize(
    "kept", [UNSET, Raw(b"{}"), Raw(b'{"dialect":"?"}'), Raw(b"[]"), Raw(b"{"), Raw(b'{"n":1}')]
)
def test_what_is_no_echo_says_nothing(kept) -> None:
    assert read(kept) == Echo()
