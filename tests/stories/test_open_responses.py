"""The compliance cases of the Open Responses project, over HTTP and over a WebSocket.

The model is a bare one that follows a script. Whatever comes back is held against the schemas of
the specification.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import msgspec
import pytest

from tests.support.http import Client
from tests.support.scripted import FINAL_AFTER_TEXT, NO_RETRIES, Scripted, scripted
from tests.support.talk import ENDS, Talk, talking
from tests.wire.responses.spec import check, check_event, check_item, check_response

MODEL = "angelia:bare"
PATH = "/v1/responses"
HEART = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9Q"
HEART += "DwADhgGAWjR9awAAAABJRU5ErkJggg=="
GET_WEATHER = {
    "type": "function",
    "name": "get_weather",
    "description": "The weather at a place",
    "parameters": {
        "type": "object",
        "properties": {"location": {"type": "string", "description": "City and country"}},
        "required": ["location"],
    },
}
Turn = list[dict[str, Any]]
Ask = Callable[..., Any]


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted(tmp_path_factory.mktemp("compliance"), NO_RETRIES) as stage:
        yield stage


@pytest.fixture
async def client(stage: Scripted) -> AsyncIterator[Client]:
    async with Client(stage.server.url, stage.server.key) as client:
        yield client


def talk(stage: Scripted) -> Any:
    return talking(stage.server.url, stage.server.key)


# ── the three ways to ask ───────────────────────────────────────────────────────────────────


async def whole(stage: Scripted, **body: Any) -> dict[str, Any]:
    async with Client(stage.server.url, stage.server.key) as client:
        answer = await client.post(PATH, {"model": MODEL, **body})
    assert answer.status == 200, answer.body
    return checked(answer.json)


async def streamed(stage: Scripted, **body: Any) -> dict[str, Any]:
    return ended(await events_of(stage, **body))


async def spoken(stage: Scripted, **body: Any) -> dict[str, Any]:
    async with talk(stage) as one:
        return ended(await one.ask(model=MODEL, **body))


async def events_of(stage: Scripted, **body: Any) -> Turn:
    asked = {"model": MODEL, "stream": True, **body}
    async with Client(stage.server.url, stage.server.key) as client:
        frames = [frame async for frame in client.stream(PATH, asked)]
    assert frames[-1].data == "[DONE]"
    events = [frame.json for frame in frames[:-1]]
    assert [frame.event for frame in frames[:-1]] == [event["type"] for event in events]
    return events


def ended(turn: Turn) -> dict[str, Any]:
    """The response at the end of a turn, all of whose events are valid."""
    for event in turn:
        check_event(event)
    assert [event["sequence_number"] for event in turn] == list(range(len(turn)))
    assert [event["type"] in ENDS for event in turn] == [False] * (len(turn) - 1) + [True]
    assert [event["type"] for event in turn[:2]] == ["response.created", "response.in_progress"]
    return checked(turn[-1]["response"])


def checked(response: dict[str, Any]) -> dict[str, Any]:
    check_response(response)
    assert response["object"] == "response"
    return response


EVERY_WAY = pytest.mark.parametrize("ask", [whole, streamed, spoken])


def said(response: dict[str, Any]) -> str:
    assert response["status"] == "completed"
    (message,) = [item for item in response["output"] if item["type"] == "message"]
    assert (message["role"], message["status"]) == ("assistant", "completed")
    return "".join(part["text"] for part in message["content"])


def refused(turn: Turn) -> dict[str, Any]:
    (event,) = turn
    check("WebSocketErrorEvent", event)
    return event["error"] | {"status": event["status"]}


def person(text: str) -> dict[str, Any]:
    return {"type": "message", "role": "user", "content": text}


# ── one request ─────────────────────────────────────────────────────────────────────────────


@EVERY_WAY
async def test_basic_response(stage, ask: Ask) -> None:
    stage.play({"text": "Hello my friend"})
    response = await ask(stage, input=[person("Say hello in exactly 3 words.")])
    assert said(response) == "Hello my friend"
    (asked,) = stage.asked
    assert asked["messages"] == [{"role": "user", "content": "Say hello in exactly 3 words."}]
    assert "tools" not in asked


@EVERY_WAY
async def test_assistant_phase(stage, ask: Ask) -> None:
    stage.play({"text": "four"})
    history = [
        {"type": "message", "role": "assistant", "phase": phase, "content": text}
        for phase, text in (("commentary", "I look it up."), ("final_answer", "It is four."))
    ]
    response = await ask(stage, input=[*history, person("Repeat only the number.")])
    assert said(response) == "four"
    texts = [message["content"] for message in stage.asked[0]["messages"]]
    assert "I look it up." in texts[0]
    assert texts[-1] == "Repeat only the number."


async def test_streaming_response(stage) -> None:
    stage.play({"text": "1 2 3 4 5", "chunk": "char", "pace": 0.001})
    events = await events_of(stage, input=[person("Count from 1 to 5.")])
    assert said(ended(events)) == "1 2 3 4 5"
    kinds = [event["type"] for event in events]
    assert kinds[2:4] == ["response.output_item.added", "response.content_part.added"]
    deltas = [e["delta"] for e in events if e["type"] == "response.output_text.delta"]
    assert "".join(deltas) == "1 2 3 4 5"
    assert kinds[-4:] == [
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ]


@EVERY_WAY
async def test_system_prompt(stage, ask: Ask) -> None:
    stage.play({"text": "Ahoy!"})
    system = {"type": "message", "role": "system", "content": "You are a pirate."}
    assert said(await ask(stage, input=[system, person("Say hello.")])) == "Ahoy!"
    roles = [(m["role"], m["content"]) for m in stage.asked[0]["messages"]]
    assert roles == [("system", "You are a pirate."), ("user", "Say hello.")]


@EVERY_WAY
async def test_tool_calling(stage, ask: Ask) -> None:
    stage.play({"calls": [{"name": "get_weather", "arguments": {"location": "Athens"}}]})
    response = await ask(stage, input=[person("What is the weather?")], tools=[GET_WEATHER])
    (call,) = response["output"]
    assert (call["type"], call["name"], call["status"]) == (
        "function_call",
        "get_weather",
        "completed",
    )
    assert msgspec.json.decode(call["arguments"]) == {"location": "Athens"}
    assert [tool["name"] for tool in response["tools"]] == ["get_weather"]
    assert [tool["function"]["name"] for tool in stage.asked[0]["tools"]] == ["get_weather"]


async def test_tool_calling_streaming(stage) -> None:
    stage.play({"calls": [{"name": "get_weather", "arguments": {"location": "Athens"}}]})
    events = await events_of(stage, input="What is the weather?", tools=[GET_WEATHER])
    kinds = [(e["type"], e.get("item", {}).get("type")) for e in events[2:]]
    assert kinds == [
        ("response.output_item.added", "function_call"),
        ("response.function_call_arguments.delta", None),
        ("response.function_call_arguments.done", None),
        ("response.output_item.done", "function_call"),
        ("response.completed", None),
    ]
    assert events[3]["delta"] == events[4]["arguments"] == '{"location":"Athens"}'


@EVERY_WAY
async def test_function_call_round_trip(stage, ask: Ask) -> None:
    stage.play(
        {"calls": [{"name": "get_weather", "arguments": {"location": "Athens"}}]},
        {"text": "It is sunny."},
    )
    tools = {"tools": [GET_WEATHER], "tool_choice": {"type": "function", "name": "get_weather"}}
    question = person("What is the weather?")
    (call,) = (await ask(stage, input=[question], **tools))["output"]
    output = {"type": "function_call_output", "call_id": call["call_id"], "output": "sunny"}
    response = await ask(stage, input=[question, call, output], tools=[GET_WEATHER])
    assert said(response) == "It is sunny."
    first, second = stage.asked
    assert first["tool_choice"] == {"type": "function", "function": {"name": "get_weather"}}
    assert [message["role"] for message in second["messages"]] == ["user", "assistant", "tool"]
    assert second["messages"][2]["content"] == "sunny"


@EVERY_WAY
async def test_image_input(stage, ask: Ask) -> None:
    stage.play({"text": "A heart."})
    content = [
        {"type": "input_text", "text": "What do you see?"},
        {"type": "input_image", "image_url": HEART},
    ]
    response = await ask(stage, input=[{"type": "message", "role": "user", "content": content}])
    assert said(response) == "A heart."
    text, image = stage.asked[0]["messages"][0]["content"]
    assert text == {"type": "text", "text": "What do you see?"}
    assert image["image_url"]["url"] == HEART


@EVERY_WAY
async def test_multi_turn(stage, ask: Ask) -> None:
    stage.play({"text": "Alice"})
    hello = {"type": "message", "role": "assistant", "content": "Hello Alice!"}
    turns = [person("My name is Alice."), hello, person("What is my name?")]
    assert said(await ask(stage, input=turns)) == "Alice"
    assert [m["role"] for m in stage.asked[0]["messages"]] == ["user", "assistant", "user"]


@EVERY_WAY
async def test_previous_response_id(stage, ask: Ask) -> None:
    stage.play({"text": "OK"}, {"text": "papaya"})
    first = await ask(stage, input="The code word is papaya.")
    second = await ask(stage, input="What is it?", previous_response_id=first["id"])
    assert said(second) == "papaya"
    assert second["previous_response_id"] == first["id"]
    texts = [message["content"] for message in stage.asked[1]["messages"]]
    assert texts == ["The code word is papaya.", "OK", "What is it?"]


async def test_background_response(stage, client: Client) -> None:
    stage.play({"text": "done", "delay": 0.3})
    made = await client.post(PATH, {"model": MODEL, "input": "Work.", "background": True})
    started = checked(made.json)
    assert (made.status, started["background"]) == (200, True)
    assert started["status"] in ("queued", "in_progress")
    path = f"{PATH}/{started['id']}"
    turn = [frame.json async for frame in client.stream(f"{path}?stream=true") if "{" in frame.data]
    assert said(ended(turn)) == "done"
    assert checked((await client.get(path)).json) == turn[-1]["response"]


async def test_a_failure_of_the_provider_is_a_failed_response(stage) -> None:
    stage.play({"text": "half a word", "fault": FINAL_AFTER_TEXT})
    response = ended(await events_of(stage, input="Say a word."))
    assert response["status"] == "failed"
    assert response["error"]["message"]


# ── compaction ──────────────────────────────────────────────────────────────────────────────

LAUNCH = [
    person("We launch on Tuesday and tell support first."),
    {"type": "message", "role": "assistant", "content": "Tuesday, support first."},
]


async def compacted(client: Client) -> dict[str, Any]:
    body = {"model": MODEL, "input": LAUNCH, "prompt_cache_key": "compliance"}
    answer = await client.post(f"{PATH}/compact", body)
    assert answer.status == 200, answer.body
    window = answer.json
    for item in window["output"]:
        check_item(item)
    check("CompactResource", window)
    return window


async def test_compact_response(stage, client: Client) -> None:
    stage.play({"text": "Launch: Tuesday. Support first."})
    window = await compacted(client)
    assert window["object"] == "response.compaction"
    assert [item["type"] for item in window["output"]] == ["message", "compaction"]


async def test_compact_missing_model(client: Client) -> None:
    answer = await client.post(f"{PATH}/compact", {"input": LAUNCH})
    assert (answer.status, answer.json["error"]["param"]) == (400, "model")


# ── WebSocket ───────────────────────────────────────────────────────────────────────────────


async def test_websocket_sequential_responses(stage) -> None:
    stage.play({"text": "first"}, {"text": "second"})
    async with talk(stage) as one:
        texts = [
            said(ended(await one.ask(model=MODEL, store=False, input=f"Reply: {word}")))
            for word in ("first", "second")
        ]
    assert texts == ["first", "second"]


async def test_websocket_continuation(stage) -> None:
    stage.play({"text": "OK"}, {"text": "cobalt"})
    async with talk(stage) as one:
        first = ended(await one.ask(model=MODEL, store=False, input="Remember cobalt."))
        second = await continued(one, first, "What is the code word?")
    assert said(ended(second)) == "cobalt"
    texts = [message["content"] for message in stage.asked[1]["messages"]]
    assert texts == ["Remember cobalt.", "OK", "What is the code word?"]


async def continued(one: Talk, before: dict[str, Any], text: Any) -> Turn:
    return await one.ask(model=MODEL, store=False, previous_response_id=before["id"], input=text)


async def test_websocket_reconnect_store_false_recovery(stage) -> None:
    stage.play({"text": "OK"}, {"text": "recovered"})
    async with talk(stage) as one:
        first = ended(await one.ask(model=MODEL, store=False, input="Remember copper."))
    async with talk(stage) as other:
        error = refused(await continued(other, first, "Go on."))
        recovered = await other.ask(model=MODEL, store=False, input=[person("Start anew.")])
    assert (error["code"], error["param"], error["status"]) == (
        "previous_response_not_found",
        "previous_response_id",
        400,
    )
    assert said(ended(recovered)) == "recovered"


async def test_websocket_previous_response_not_found(stage) -> None:
    async with talk(stage) as one:
        turn = await continued(one, {"id": "resp_openresponses_missing_1"}, "This fails.")
    assert refused(turn)["code"] == "previous_response_not_found"


async def test_websocket_failed_continuation_evicts_cache(stage) -> None:
    stage.play({"text": "OK"})
    orphan = {"type": "function_call_output", "call_id": "call_missing", "output": "No such call."}
    async with talk(stage) as one:
        first = ended(await one.ask(model=MODEL, store=False, input="Remember ember."))
        failed = refused(await continued(one, first, [orphan]))
        again = refused(await continued(one, first, "Go on."))
    assert (failed["code"], failed["param"]) == ("invalid_value", "input")
    assert "call_missing" in failed["message"]
    assert again["code"] == "previous_response_not_found"
    assert len(stage.asked) == 1


async def test_websocket_compact_new_chain(stage, client: Client) -> None:
    stage.play({"text": "Launch: Tuesday."}, {"text": "compacted"})
    window = await compacted(client)
    async with talk(stage) as one:
        turn = await one.ask(
            model=MODEL, store=False, tools=[], input=[*window["output"], person("Go on.")]
        )
    assert said(ended(turn)) == "compacted"
    prompt = msgspec.json.encode(stage.asked[1]["messages"]).decode()
    assert "Launch: Tuesday." in prompt
    assert "tell support first" in prompt


@pytest.mark.parametrize("field", ["stream", "stream_options", "background"])
async def test_websocket_has_no_fields_of_http(stage, field: str) -> None:
    async with talk(stage) as one:
        error = refused(await one.ask(model=MODEL, input="Hello.", **{field: True}))
    assert (error["status"], error["param"]) == (400, field)
