"""What a program with the official openai package catches, and what it finds in an answer."""

from collections.abc import Iterator
from typing import Any

import httpx
import openai
import pytest
from openai import OpenAI

from tests.clients.cases import DIALECTS, SHORT
from tests.support.server import AngeliaServer

BRIEF: list[Any] = [{"role": "user", "content": "long 3"}]
ASKED: list[Any] = [{"role": "user", "content": SHORT}]
REFUSED: list[Any] = [{"role": "user", "content": "long 20 [[fault status=500]]"}]


def connected(server: AngeliaServer, key: str | None = None) -> OpenAI:
    return OpenAI(base_url=f"{server.url}/v1", api_key=key or server.key, max_retries=0)


@pytest.fixture
def sdk(demo_server: AngeliaServer) -> Iterator[OpenAI]:
    with connected(demo_server) as client:
        yield client


@pytest.mark.parametrize("dialect", DIALECTS["chat"])
def test_the_blocking_client_reads_every_dialect_to_the_end(sdk, dialect) -> None:
    headers = {"X-Angelia-Tool-Events": dialect}
    stream = sdk.chat.completions.create(
        model="angelia", messages=ASKED, stream=True, extra_headers=headers
    )
    chunks = list(stream)
    choices = [choice for chunk in chunks for choice in chunk.choices]
    text = "".join(choice.delta.content or "" for choice in choices)
    assert text.startswith("I made 2 tool calls; 1 failed")
    assert not any(choice.delta.tool_calls for choice in choices)
    assert [choice.finish_reason for choice in choices if choice.finish_reason] == ["stop"]


def test_the_blocking_stream_is_assembled_by_the_package(sdk) -> None:
    options = {"include_usage": True}
    asked = {"model": "angelia", "messages": ASKED, "stream_options": options}
    with sdk.chat.completions.stream(**asked) as stream:
        kinds = [event.type for event in stream]
        final = stream.get_final_completion()
    assert kinds.count("content.done") == 1
    assert not any(kind.startswith("tool_calls") for kind in kinds)
    assert final.choices[0].message.content.startswith("I made 2 tool calls; 1 failed")
    assert final.choices[0].message.tool_calls is None
    assert final.usage.total_tokens > 0


def test_the_run_behind_an_answer_is_in_its_headers(sdk) -> None:
    answered = sdk.chat.completions.with_raw_response.create(model="angelia", messages=BRIEF)
    assert answered.headers["X-Angelia-Run-Id"].startswith("run_")
    assert answered.parse().choices[0].message.content == "word1 word2 word3"


def test_models_are_listed_and_shown(sdk) -> None:
    assert [model.id for model in sdk.models.list()] == ["angelia"]
    assert sdk.models.retrieve("angelia").owned_by == "angelia"
    with pytest.raises(openai.NotFoundError) as caught:
        sdk.models.retrieve("nothing")
    assert (caught.value.code, caught.value.param) == ("model_not_found", "model")


@pytest.mark.parametrize("stream", [True, False])
def test_a_wrong_key_is_an_authentication_error(demo_server, stream) -> None:
    with (
        connected(demo_server, "sk-wrong-wrong-wrong-wrong") as stranger,
        pytest.raises(openai.AuthenticationError) as caught,
    ):
        stranger.chat.completions.create(model="angelia", messages=BRIEF, stream=stream)
    assert caught.value.code == "invalid_api_key"


@pytest.mark.parametrize("stream", [True, False])
def test_a_bad_field_is_a_bad_request_that_names_it(sdk, stream) -> None:
    messages: list[Any] = [{"role": "user", "content": [{"type": "smell"}]}]
    with pytest.raises(openai.BadRequestError) as caught:
        sdk.chat.completions.create(model="angelia", messages=messages, stream=stream)
    assert caught.value.param == "messages[0].content[0].type"
    assert caught.value.type == "invalid_request_error"


def test_a_model_that_does_not_exist_is_a_not_found_error(faulty_server) -> None:
    with connected(faulty_server) as sdk, pytest.raises(openai.NotFoundError) as caught:
        sdk.chat.completions.create(model="nothing", messages=BRIEF)
    assert (caught.value.code, caught.value.param) == ("model_not_found", "model")


def test_another_body_under_the_same_idempotency_key_is_a_conflict(sdk) -> None:
    headers = {"Idempotency-Key": "clients-1"}
    sdk.chat.completions.create(model="angelia", messages=BRIEF, extra_headers=headers)
    with pytest.raises(openai.ConflictError) as caught:
        sdk.chat.completions.create(model="angelia", messages=ASKED, extra_headers=headers)
    assert caught.value.code == "idempotency_key_conflict"


def test_a_provider_that_refuses_is_a_server_error_that_says_so(faulty_server) -> None:
    with connected(faulty_server) as sdk, pytest.raises(openai.InternalServerError) as caught:
        sdk.chat.completions.create(model="angelia", messages=REFUSED)
    assert caught.value.status_code == 502
    assert (caught.value.type, caught.value.code) == ("upstream_error", "upstream_refused")


def test_the_package_does_not_do_the_work_of_a_failed_run_again(faulty_server) -> None:
    headers = {"Authorization": f"Bearer {faulty_server.key}", "X-Hermes-Session-Id": "once"}
    with (
        OpenAI(base_url=f"{faulty_server.url}/v1", api_key=faulty_server.key, max_retries=2) as sdk,
        pytest.raises(openai.InternalServerError),
    ):
        sdk.chat.completions.create(model="angelia", messages=REFUSED, extra_headers=headers)
    runs = httpx.get(f"{faulty_server.url}/v1/runs?session_id=once", headers=headers).json()
    assert [run["status"] for run in runs["data"]] == ["failed"]


def test_a_stream_whose_provider_refuses_is_an_error_that_says_so(faulty_server) -> None:
    """Of the answer or in it: the head goes out when the provider takes its time."""
    with connected(faulty_server) as sdk, pytest.raises(openai.APIError) as caught:
        list(sdk.chat.completions.create(model="angelia", messages=REFUSED, stream=True))
    assert (caught.value.type, caught.value.code) == ("upstream_error", "upstream_refused")
