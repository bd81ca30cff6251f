"""Responses with the official openai package: what it sends, what it makes of what comes back."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import msgspec
import openai
import pytest
from pydantic import BaseModel

from tests.clients.both import KINDS, connected, done, each, entered, every
from tests.support.scripted import NO_RETRIES, Scripted, scripted

RICH = "think, `echo one`, `sleep 0.2; echo two` and fail"
PIXEL = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9Q"
PIXEL += "DwADhgGAWjR9awAAAABJRU5ErkJggg=="
WEATHER: Any = {
    "type": "function",
    "name": "weather",
    "description": "The weather in a city.",
    "strict": False,
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
}
MISSING = "resp_1m7hcz9hja8khhwkwn4eyc"


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    settings = '[agent]\nunknown_model = "reject"\n'
    with scripted(tmp_path_factory.mktemp("sdk"), NO_RETRIES + settings) as stage:
        yield stage


@pytest.fixture(params=KINDS)
async def sdk(request, stage: Scripted) -> AsyncIterator[Any]:
    stage.play()
    async with connected(request.param, stage.server) as client:
        yield client


async def create(sdk: Any, text: Any = "long 3", **fields: Any) -> Any:
    return await done(sdk.responses.create(model="angelia", input=text, **fields))


def result(call: Any, text: str) -> dict[str, str]:
    return {"type": "function_call_output", "call_id": call.call_id, "output": text}


def spoken(asked: dict[str, Any]) -> list[tuple[str, Any]]:
    """What the model was told, message by message."""
    return [(message["role"], message["content"]) for message in asked["messages"]]


# ── create, read, delete ────────────────────────────────────────────────────────────────────


async def test_a_response_is_made_read_and_deleted(sdk) -> None:
    made = await create(sdk, RICH, metadata={"order": "7"}, instructions="Be brief.")
    assert (made.status, made.model, made.object) == ("completed", "angelia", "response")
    assert made.output_text.startswith("I made 3 tool calls")
    assert [item.type for item in made.output] == ["reasoning", *["mcp_call"] * 3, "message"]
    assert made.output[0].content[0].text
    assert [call.status for call in made.output[1:4]] == ["completed", "completed", "failed"]
    assert (made.metadata, made.instructions) == ({"order": "7"}, "Be brief.")
    usage = made.usage
    assert usage.total_tokens == usage.input_tokens + usage.output_tokens > 0
    assert usage.output_tokens_details.reasoning_tokens > 0
    assert await done(sdk.responses.retrieve(made.id)) == made
    await done(sdk.responses.delete(made.id))
    with pytest.raises(openai.NotFoundError) as caught:
        await done(sdk.responses.retrieve(made.id))
    assert caught.value.code == "response_not_found"


async def test_what_is_asked_reaches_the_model(sdk, stage) -> None:
    response = await create(
        sdk,
        [
            {"role": "developer", "content": "Answer in Greek."},
            {
                "role": "user",
                "content": [
                    {"type": "input_text", "text": "image"},
                    {"type": "input_image", "image_url": PIXEL, "detail": "low"},
                ],
            },
        ],
        instructions="Be brief.",
        temperature=0.5,
        top_p=0.9,
        max_output_tokens=500,
        reasoning={"effort": "low"},
        truncation="auto",
        user="ada",
    )
    assert "1 image" in response.output_text
    assert (response.truncation, response.temperature, response.top_p) == ("auto", 0.5, 0.9)
    assert (response.max_output_tokens, response.reasoning.effort) == (500, "low")
    (asked,) = stage.asked
    assert (asked["temperature"], asked["top_p"], asked["reasoning_effort"]) == (0.5, 0.9, "low")
    assert 500 in (asked.get("max_tokens"), asked.get("max_completion_tokens"))
    texts = msgspec.json.encode(asked["messages"]).decode()
    assert "Be brief." in texts
    assert "Answer in Greek." in texts
    image = asked["messages"][-1]["content"][1]["image_url"]
    assert image == {"url": PIXEL, "detail": "low"}


async def test_tools_beyond_the_number_that_was_asked_for_are_not_called(sdk) -> None:
    response = await create(sdk, "`echo one` and `echo two`", max_tool_calls=1)
    calls = [item for item in response.output if item.type == "mcp_call"]
    assert response.max_tool_calls == 1
    assert [call.output for call in calls if call.status == "completed"] == ["one\n"]
    assert "two\n" not in response.output_text


async def test_a_response_is_shown_with_the_run_behind_it(sdk) -> None:
    raw = await done(sdk.responses.with_raw_response.create(model="angelia", input="long 1"))
    response = await done(raw.parse())
    assert raw.headers["X-Angelia-Run-Id"] == response.id.replace("resp_", "run_")
    assert raw.headers["X-Hermes-Session-Id"]


# ── streams ─────────────────────────────────────────────────────────────────────────────────


async def test_a_stream_ends_with_the_response_that_can_be_read_later(sdk) -> None:
    events = await every(await create(sdk, RICH, stream=True))
    assert [event.sequence_number for event in events] == list(range(len(events)))
    kinds = [event.type for event in events]
    assert kinds[:2] == ["response.created", "response.in_progress"]
    assert kinds.count("response.mcp_call.completed") == 2
    assert kinds.count("response.mcp_call.failed") == 1
    final = events[-1].response
    text = "".join(e.delta for e in events if e.type == "response.output_text.delta")
    assert final.output_text == text
    assert await done(sdk.responses.retrieve(final.id)) == final


async def test_the_stream_helper_puts_a_response_together(sdk) -> None:
    async with entered(sdk.responses.stream(model="angelia", input=RICH)) as stream:
        events = await every(stream)
        final = await done(stream.get_final_response())
    snapshots = [event.snapshot for event in events if event.type == "response.output_text.delta"]
    assert snapshots[-1] == final.output_text == events[-1].response.output_text
    assert [item.type for item in final.output] == ["reasoning", *["mcp_call"] * 3, "message"]


async def test_the_stream_helper_goes_on_with_a_response_under_way(sdk) -> None:
    started = await create(sdk, "`sleep 0.3` and long 5", background=True)
    async with entered(sdk.responses.stream(response_id=started.id)) as stream:
        final = await done(stream.get_final_response())
    assert final.id == started.id
    assert final.output_text.startswith("I made 1 tool call")


async def test_a_stream_that_nobody_completes_is_incomplete(sdk) -> None:
    events = await every(await create(sdk, "long 20 [[fault cut=text]]", stream=True))
    assert events[-1].type == "response.incomplete"
    shown = "".join(e.delta for e in events if e.type == "response.output_text.delta")
    assert shown
    response = await done(sdk.responses.retrieve(events[-1].response.id))
    assert (response.status, response.output_text) == ("incomplete", shown)


async def test_a_stream_that_is_refused_midway_ends_with_a_failed_response(sdk) -> None:
    fault = "[[fault error_event=invalid_request_error after=text]]"
    events = await every(await create(sdk, f"long 20 {fault}", stream=True))
    assert events[-1].type == "response.failed"
    assert events[-1].response.error.message
    assert (await done(sdk.responses.retrieve(events[-1].response.id))).status == "failed"


# ── in the background ───────────────────────────────────────────────────────────────────────


async def test_work_in_the_background_is_polled(sdk) -> None:
    response = await create(sdk, "`sleep 0.3; echo late` and long 2", background=True)
    assert response.status in ("queued", "in_progress")
    assert response.background
    while response.status in ("queued", "in_progress"):
        response = await done(sdk.responses.retrieve(response.id))
    assert response.status == "completed"
    assert "late" in response.output_text


async def test_a_stream_that_was_lost_goes_on_where_it_broke_off(sdk) -> None:
    stream = await create(sdk, RICH, background=True, stream=True)
    before: list[Any] = []
    async for event in each(stream):
        before.append(event)
        if len(before) == 5:
            break
    await done(stream.close())
    named = before[0].response.id
    retrieve = sdk.responses.retrieve
    last = before[-1].sequence_number
    after = await every(await done(retrieve(named, stream=True, starting_after=last)))
    whole = await every(await done(retrieve(named, stream=True)))
    assert before + after == whole
    assert whole[-1].response.status == "completed"
    assert await done(retrieve(named)) == whole[-1].response


async def test_work_in_the_background_is_cancelled(sdk) -> None:
    started = await create(sdk, "`sleep 30`", background=True)
    stopped = await done(sdk.responses.cancel(started.id))
    assert stopped.status == "cancelled"
    assert (await done(sdk.responses.cancel(started.id))).status == "cancelled"
    assert (await done(sdk.responses.retrieve(started.id))).status == "cancelled"


# ── turns ───────────────────────────────────────────────────────────────────────────────────


async def test_the_model_knows_what_really_happened_before(sdk, stage) -> None:
    first = await create(sdk, "`echo first`")
    second = await create(sdk, "long 2", previous_response_id=first.id, instructions="Now Greek.")
    third = await create(sdk, "long 3", previous_response_id=second.id)
    assert third.previous_response_id == second.id
    roles = [role for role, _ in spoken(stage.asked[-1])]
    assert roles == ["user", "assistant", "tool", "assistant", "user", "assistant", "user"]
    assert spoken(stage.asked[-1])[2] == ("tool", "first\n")
    # Instructions hold for one response and not for those that follow it.
    assert "Now Greek." in str(stage.asked[-2])
    assert "Now Greek." not in str(stage.asked[-1])


async def test_two_responses_go_on_from_the_same_one(sdk, stage) -> None:
    first = await create(sdk, "long 1")
    for words in (2, 3):
        await create(sdk, f"long {words}", previous_response_id=first.id)
        assert [text for _, text in spoken(stage.asked[-1])] == ["long 1", "word1", f"long {words}"]


async def test_a_function_of_the_client_is_answered_by_id(sdk, stage) -> None:
    asked = 'call weather {"city":"Athens"} and `echo hello`'
    first = await create(sdk, asked, tools=[WEATHER])
    (call,) = [item for item in first.output if item.type == "function_call"]
    assert (call.name, call.arguments) == ("weather", '{"city":"Athens"}')
    assert [item.type for item in first.output if item is not call] == ["mcp_call"]
    second = await create(
        sdk, [result(call, "sunny")], previous_response_id=first.id, tools=[WEATHER]
    )
    assert "sunny" in second.output_text
    assert "hello" in second.output_text
    roles = [role for role, _ in spoken(stage.asked[-1])]
    assert roles == ["user", "assistant", "tool", "tool"]
    listed = await done(sdk.responses.input_items.list(second.id))
    assert [item.type for item in listed.data] == ["function_call_output"]
    await done(sdk.responses.delete(first.id))


async def test_a_function_of_the_client_is_answered_by_sending_everything_again(sdk) -> None:
    question = {"role": "user", "content": 'call weather {"city":"Athens"}'}
    first = await create(sdk, [question], tools=[WEATHER], store=False)
    (call,) = first.output
    resent = [question, *(item.to_dict() for item in first.output), result(call, "sunny")]
    second = await create(sdk, resent, tools=[WEATHER], store=False)
    assert "sunny" in second.output_text


async def test_a_response_that_waits_for_the_client_can_be_deleted(sdk) -> None:
    first = await create(sdk, "call weather", tools=[WEATHER])
    await done(sdk.responses.delete(first.id))
    with pytest.raises(openai.NotFoundError):
        await done(sdk.responses.retrieve(first.id))


async def test_what_the_model_thought_goes_back_to_it_as_it_came(sdk) -> None:
    first = await create(sdk, "think", include=["reasoning.encrypted_content"], store=False)
    thought = [item.to_dict() for item in first.output if item.type == "reasoning"]
    assert thought
    again = [
        {"role": "user", "content": "think"},
        *(item.to_dict() for item in first.output),
        {"role": "user", "content": "long 2"},
    ]
    assert (await create(sdk, again, store=False)).output_text == "word1 word2"


async def test_input_items_come_in_pages(sdk) -> None:
    texts = [f"line {number}" for number in range(5)]
    asked = [{"role": "user", "content": text} for text in texts]
    response = await create(sdk, asked)
    pages = sdk.responses.input_items.list(response.id, limit=2, order="asc")
    assert [item.content[0].text for item in await every(pages)] == texts
    newest = await done(sdk.responses.input_items.list(response.id, limit=2))
    assert [item.content[0].text for item in newest.data] == texts[:-3:-1]
    assert newest.has_more


# ── forms ───────────────────────────────────────────────────────────────────────────────────


class Place(BaseModel):
    city: str
    people: int


async def test_an_answer_is_parsed_into_the_form_that_was_asked_for(sdk, stage) -> None:
    stage.play({"text": '{"city":"Athens","people":643452}'})
    parsed = await done(
        sdk.responses.parse(model="angelia", input="Which city?", text_format=Place)
    )
    assert parsed.output_parsed == Place(city="Athens", people=643452)
    wanted = stage.asked[0]["response_format"]
    assert wanted["type"] == "json_schema"
    assert wanted["json_schema"]["name"] == "Place"
    assert wanted["json_schema"]["strict"] is True
    assert set(wanted["json_schema"]["schema"]["properties"]) == {"city", "people"}


async def test_a_streamed_answer_is_parsed_too(sdk, stage) -> None:
    stage.play({"text": '{"city":"Athens","people":643452}'})
    asked = {"model": "angelia", "input": "Which city?", "text_format": Place}
    async with entered(sdk.responses.stream(**asked)) as stream:
        final = await done(stream.get_final_response())
    assert final.output_parsed == Place(city="Athens", people=643452)


async def test_an_answer_that_was_cut_short_is_incomplete(sdk, stage) -> None:
    stage.play({"text": "and so", "finish": "length"})
    response = await create(sdk)
    assert (response.status, response.incomplete_details.reason) == (
        "incomplete",
        "max_output_tokens",
    )


# ── compaction and tokens ───────────────────────────────────────────────────────────────────


async def test_a_conversation_is_made_short_and_goes_on(sdk, stage) -> None:
    first = await create(sdk, "`echo first`")
    stage.play({"text": "They echoed first."})
    window = await done(sdk.responses.compact(model="angelia", previous_response_id=first.id))
    assert [item.type for item in window.output] == ["message", "compaction"]
    assert window.usage.total_tokens > 0
    (asked,) = stage.asked
    assert "tools" not in asked
    assert "first" in str(asked["messages"])
    # The package knows no messages of people among the items that come back.
    resent = [item.to_dict(warnings=False) for item in window.output]
    await create(sdk, [*resent, {"role": "user", "content": "long 2"}])
    assert "They echoed first." in str(stage.asked[-1]["messages"])


async def test_tokens_are_counted_with_all_that_the_model_would_read(sdk) -> None:
    async def count(**fields: Any) -> int:
        counted = await done(sdk.responses.input_tokens.count(model="angelia:bare", **fields))
        return counted.input_tokens

    few = await count(input="hello")
    assert few > 0
    assert await count(input="hello " * 100) > few
    assert await count(input="hello", instructions="Be brief. " * 50) > few
    assert await count(input="hello", tools=[WEATHER]) > few
    first = await create(sdk, "long 100")
    assert await count(input="hello", previous_response_id=first.id) > few


# ── a socket ────────────────────────────────────────────────────────────────────────────────


# The package opens its blocking socket in a way that the newest websockets warns of.
@pytest.mark.filterwarnings(r"ignore:connect\(\) must be used:DeprecationWarning")
async def test_the_package_talks_over_a_socket(sdk) -> None:
    async with entered(sdk.responses.connect(max_retries=0)) as socket:
        first = await asked_on(socket, input="`echo first`", store=False)
        second = await asked_on(
            socket, input="long 2", store=False, previous_response_id=first[-1].response.id
        )
        (refused,) = await asked_on(socket, input="long 2", previous_response_id=MISSING)
    assert first[-1].response.output_text.startswith("I made 1 tool call")
    assert second[-1].response.output_text == "word1 word2"
    assert (refused.type, refused.error.code) == ("error", "previous_response_not_found")


async def asked_on(socket: Any, **fields: Any) -> list[Any]:
    await done(socket.response.create(model="angelia", **fields))
    events = [await done(socket.recv())]
    while events[-1].type not in ("response.completed", "response.failed", "error"):
        events.append(await done(socket.recv()))
    return events


# ── errors ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("stream", [True, False])
async def test_a_wrong_key_is_an_authentication_error(stage, kind, stream) -> None:
    async with connected(kind, stage.server, "sk-wrong-wrong-wrong-wrong") as stranger:
        with pytest.raises(openai.AuthenticationError) as caught:
            await create(stranger, stream=stream)
    assert caught.value.code == "invalid_api_key"


@pytest.mark.parametrize(
    ("fields", "param", "code"),
    [
        ({"previous_response_id": MISSING}, "previous_response_id", "previous_response_not_found"),
        ({"conversation": "conv_missing"}, "conversation", "conversation_not_found"),
        ({"model": "nothing"}, "model", "model_not_found"),
    ],
)
async def test_what_does_not_exist_is_a_not_found_error(sdk, fields, param, code) -> None:
    with pytest.raises(openai.NotFoundError) as caught:
        await done(sdk.responses.create(**{"model": "angelia", "input": "hello", **fields}))
    assert (caught.value.param, caught.value.code) == (param, code)


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"input": [{"role": "user", "content": [{"type": "smell"}]}]}, "input[0].content[0].type"),
        ({"temperature": 9}, "temperature"),
        ({"tools": [{"type": "web_search"}]}, "tools[0].type"),
        ({"background": True, "store": False}, "background"),
        ({"input": [{"type": "item_reference", "id": "msg_1"}]}, "input[0].id"),
    ],
)
async def test_a_bad_field_is_a_bad_request_that_names_it(sdk, fields, param, stream) -> None:
    asked = {"model": "angelia", "input": "hello", "stream": stream, **fields}
    with pytest.raises(openai.BadRequestError) as caught:
        await done(sdk.responses.create(**asked))
    assert caught.value.param == param
    assert caught.value.type == "invalid_request_error"


async def test_going_on_from_a_response_under_way_is_a_conflict(sdk) -> None:
    started = await create(sdk, "`sleep 30`", background=True)
    with pytest.raises(openai.ConflictError) as going_on:
        await create(sdk, previous_response_id=started.id)
    with pytest.raises(openai.ConflictError) as deleting:
        await done(sdk.responses.delete(started.id))
    await done(sdk.responses.cancel(started.id))
    assert (going_on.value.param, going_on.value.code) == (
        "previous_response_id",
        "run_not_finished",
    )
    assert f"/v1/responses/{started.id}/cancel" in deleting.value.message


async def test_another_body_under_the_same_idempotency_key_is_a_conflict(sdk, request) -> None:
    headers = {"Idempotency-Key": request.node.name}
    first = await create(sdk, "long 1", extra_headers=headers)
    again = await create(sdk, "long 1", extra_headers=headers)
    assert again == first
    with pytest.raises(openai.ConflictError) as caught:
        await create(sdk, "long 2", extra_headers=headers)
    assert caught.value.code == "idempotency_key_conflict"


@pytest.mark.parametrize("kind", KINDS)
async def test_too_many_requests_are_a_rate_limit_error_that_says_when(stage, kind) -> None:
    async with connected(kind, stage.server) as owner:
        rules = {"name": kind, "rules": {"requests_per_minute": 1}}
        made = await done(owner.post(stage.server.url + "/api/keys", body=rules, cast_to=object))
    async with connected(kind, stage.server, made["secret"]) as sdk:
        await create(sdk, "long 1")
        with pytest.raises(openai.RateLimitError) as caught:
            await create(sdk, "long 1")
    assert caught.value.code == "rate_limit_exceeded"
    assert 0 < int(caught.value.response.headers["Retry-After"]) <= 60


async def test_a_provider_that_refuses_is_a_server_error_that_says_so(sdk) -> None:
    with pytest.raises(openai.InternalServerError) as caught:
        await create(sdk, "long 20 [[fault status=500]]")
    assert (caught.value.status_code, caught.value.code) == (502, "upstream_refused")
