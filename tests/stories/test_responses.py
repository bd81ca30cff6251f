"""One run seen as a response: streamed, in one piece, read later, from any cursor."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import msgspec
import pytest

from tests.support.http import Client, Frame
from tests.support.scripted import NO_RETRIES, Scripted, scripted
from tests.wire.responses.spec import check_event, check_response

PATH = "/v1/responses"
DIALECTS = ("pair", "mcp", "off")
WEATHER = {"type": "function", "name": "weather", "parameters": {"type": "object"}}


def shell(command: str) -> dict[str, Any]:
    return {"name": "terminal", "arguments": {"command": command}}


STORY = (
    {
        "reasoning": "Three things at once.",
        "text": "I look.",
        "chunk": "word",
        "calls": [
            shell("echo one"),
            shell("sleep 0.1; echo two"),
            shell("echo bad >&2; exit 3"),
            {"name": "weather", "arguments": {"city": "Athens"}},
        ],
    },
    {"text": "And once more.", "calls": [shell("echo three")]},
    {"reasoning": "That is all.", "text": "It is sunny, and all is done."},
)
ITEMS = {
    "pair": (
        ["reasoning", "message", *["function_call"] * 3, *["function_call_output"] * 3],
        ["message", "function_call", "function_call_output", "reasoning", "message"],
    ),
    "mcp": (
        ["reasoning", "message", *["mcp_call"] * 3],
        ["message", "mcp_call", "reasoning", "message"],
    ),
    "off": (["reasoning", "message"], ["message", "reasoning", "message"]),
}


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted(tmp_path_factory.mktemp("equal"), NO_RETRIES) as stage:
        yield stage


@pytest.fixture
async def client(stage: Scripted) -> AsyncIterator[Client]:
    async with Client(stage.server.url, stage.server.key) as client:
        yield client


class Leg(msgspec.Struct, frozen=True):
    """A response with the request that made it, as it was answered then."""

    body: dict[str, Any]
    headers: dict[str, str]
    response: bytes

    @property
    def id(self) -> str:
        return self.json["id"]

    @property
    def run_id(self) -> str:
        return "run_" + self.id.split("_")[1]

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.response)


async def played(stage: Scripted, client: Client, dialect: str, *, stream: bool) -> list[Leg]:
    """Both legs of the story."""
    stage.play(*STORY)
    headers = {"X-Angelia-Tool-Items": dialect}
    asked = {"input": "Go.", "tools": [WEATHER], "stream": stream, "metadata": {"a": "b"}}
    first = await asked_for(client, asked, headers | {"Idempotency-Key": f"{dialect}{stream}1"})
    (call,) = [item for item in first.json["output"] if item.get("name") == "weather"]
    output = {"type": "function_call_output", "call_id": call["call_id"], "output": "sunny"}
    more = {"input": [output], "previous_response_id": first.id, "tools": [WEATHER]}
    second = await asked_for(
        client,
        more | {"stream": stream, "instructions": "Go on."},
        headers | {"Idempotency-Key": f"{dialect}{stream}2"},
    )
    return [first, second]


async def asked_for(client: Client, body: dict[str, Any], headers: dict[str, str]) -> Leg:
    if body["stream"]:
        frames = await frames_of(client, PATH, body, **headers)
        check_frames(frames)
        return Leg(body, headers, last_response(frames))
    answer = await client.post(PATH, body, **headers)
    assert answer.status == 200, answer.body
    return Leg(body, headers, answer.body)


async def frames_of(
    client: Client, path: str, body: dict[str, Any] | None = None, **headers: str
) -> list[Frame]:
    return [f async for f in client.stream(path, body, **headers) if f.comment is None]


def check_frames(frames: list[Frame]) -> None:
    """A stream as the contract has it."""
    assert frames[-1].data == "[DONE]"
    events = [frame.json for frame in frames[:-1]]
    assert [event["type"] for event in events] == [frame.event for frame in frames[:-1]]
    assert [event["sequence_number"] for event in events] == list(range(len(events)))
    for event in events:
        check_event(event)
    added = [event for event in events if event["type"] == "response.output_item.added"]
    assert [event["output_index"] for event in added] == list(range(len(added)))
    items = {e["output_index"]: e["item"] for e in events if e["type"].endswith("item.done")}
    assert [items[index] for index in range(len(added))] == events[-1]["response"]["output"]


def last_response(frames: list[Frame]) -> bytes:
    """The very bytes of the response in the last event."""
    return bytes(msgspec.json.decode(frames[-2].data, type=dict[str, msgspec.Raw])["response"])


async def check_views(client: Client, leg: Leg) -> None:
    """Whoever reads the response, whenever and however, reads the same bytes."""
    path = f"{PATH}/{leg.id}"
    assert (await client.get(path)).body == leg.response
    again = await frames_of(client, f"{path}?stream=true")
    check_frames(again)
    assert last_response(again) == leg.response
    for behind in (0, len(again) // 2, len(again) - 2):
        rest = await frames_of(client, f"{path}?stream=true&starting_after={behind}")
        assert rest == again[behind + 1 :]
    replayed = await asked_for(client, leg.body, leg.headers)
    assert replayed.response == leg.response


@pytest.mark.timeout(120)
async def test_a_response_is_the_same_streamed_whole_and_later_also_after_a_restart(
    stage, client
) -> None:
    known: list[Leg] = []
    for dialect in DIALECTS:
        for stream in (True, False):
            legs = await played(stage, client, dialect, stream=stream)
            check_story(dialect, legs)
            known += legs
    for leg in known:
        await check_views(client, leg)
    stage.server.restart()
    async with Client(stage.server.url, stage.server.key) as later:
        for leg in known:
            await check_views(later, leg)


def check_story(dialect: str, legs: list[Leg]) -> None:
    first, second = (leg.json for leg in legs)
    for response in (first, second):
        check_response(response)
        assert response["status"] == "completed"
    kinds = [[item["type"] for item in response["output"]] for response in (first, second)]
    assert kinds[0] == [*ITEMS[dialect][0], "function_call"]
    assert kinds[1] == ITEMS[dialect][1]
    assert second["id"].startswith(first["id"] + "_")
    assert (first["metadata"], second["metadata"]) == ({"a": "b"}, {})
    assert (first["instructions"], second["instructions"]) == (None, "Go on.")
    assert second["previous_response_id"] == first["id"]
    # Each tells what its own calls of the model took.
    assert [first["usage"]["input_tokens"], second["usage"]["input_tokens"]] == [10, 20]


async def test_an_answer_that_is_repeated_says_so(stage, client) -> None:
    stage.play()
    heard = [
        await client.post(PATH, {"input": "long 2"}, Idempotency_Key="again") for _ in range(2)
    ]
    assert heard[0].body == heard[1].body
    assert "Idempotency-Replayed" not in heard[0].headers
    assert heard[1].headers["Idempotency-Replayed"] == "true"
    assert len(stage.asked) == 1


# ── ?as= ────────────────────────────────────────────────────────────────────────────────────

NAMED = {"X-Angelia-Tool-Items": "pair", "X-Angelia-Tool-Events": "named"}


async def shown(client: Client, run_id: str, protocol: str, after: int) -> list[Frame]:
    path = f"/v1/runs/{run_id}/events?as={protocol}&after={after}"
    return await frames_of(client, path, **NAMED)


async def legs_of(client: Client, run_id: str) -> list[tuple[int, int]]:
    """From where to where each leg goes, by the run's own events."""
    events = [frame.json for frame in await frames_of(client, f"/v1/runs/{run_id}/events")]
    waits = [e["seq"] for e in events if e["event"] == "run.waiting"]
    return list(zip([0, *waits], [*waits, events[-1]["seq"]], strict=True))


async def check_cursors(client: Client, run_id: str, protocol: str) -> list[list[Frame]]:
    """The whole stream of each leg; what follows any cursor is a tail of it."""
    streams = []
    for first, last in await legs_of(client, run_id):
        whole = before = await shown(client, run_id, protocol, first)
        assert whole[-1].data == "[DONE]"
        for after in range(first + 1, last):
            rest = await shown(client, run_id, protocol, after)
            assert rest
            assert before[len(before) - len(rest) :] == rest
            before = rest
        # The last entry of a leg is its end.
        assert 1 < len(before) < len(whole)
        streams.append(whole)
    return streams


async def two_legs_as_chat(client: Client) -> tuple[str, list[list[Frame]]]:
    """A run that was asked for by chat completions, with the frames that its client got."""
    tool = {"type": "function", "function": {"name": "weather"}}
    question = {"role": "user", "content": "Go."}
    asked = {"stream": True, "stream_options": {"include_usage": True}, "tools": [tool]}
    path = "/v1/chat/completions"
    first = await frames_of(client, path, asked | {"messages": [question]}, **NAMED)
    chunks = [frame.json for frame in first[:-1]]
    deltas = [choice["delta"] for chunk in chunks for choice in chunk["choices"]]
    (call,) = [call for delta in deltas for call in delta.get("tool_calls", []) if "id" in call]
    said = {"role": "assistant", "content": "I look.", "tool_calls": [call]}
    call["function"]["arguments"] = '{"city":"Athens"}'
    answer = {"role": "tool", "tool_call_id": call["id"], "content": "sunny"}
    second = await frames_of(client, path, asked | {"messages": [question, said, answer]}, **NAMED)
    run_id = "run_" + chunks[0]["id"].removeprefix("chatcmpl-")
    return run_id, [first, second]


async def test_a_chat_run_is_shown_in_both_protocols_from_every_cursor(stage, client) -> None:
    stage.play(*STORY)
    run_id, told = await two_legs_as_chat(client)
    assert await check_cursors(client, run_id, "chat") == told
    for frames, kinds in zip(
        await check_cursors(client, run_id, "responses"), ITEMS["pair"], strict=True
    ):
        check_frames(frames)
        output = frames[-2].json["response"]["output"]
        assert [item["type"] for item in output][: len(kinds)] == kinds


async def test_a_response_is_shown_in_both_protocols_from_every_cursor(stage, client) -> None:
    legs = await played(stage, client, "pair", stream=False)
    run_id = legs[0].run_id
    streams = await check_cursors(client, run_id, "responses")
    assert [last_response(frames) for frames in streams] == [leg.response for leg in legs]
    for frames in streams:
        check_frames(frames)
    texts = []
    for frames in await check_cursors(client, run_id, "chat"):
        choices = [choice for frame in frames[:-1] for choice in frame.json["choices"]]
        assert choices[0]["delta"]["role"] == "assistant"
        texts.append("".join(choice["delta"].get("content") or "" for choice in choices))
    assert texts[0] == "I look."
    assert texts[1].replace("\n", "") == "And once more.It is sunny, and all is done."


async def test_a_protocol_that_does_not_exist_is_refused(stage, client) -> None:
    stage.play()
    run_id = (await client.post(PATH, {"input": "long 1"})).headers["X-Angelia-Run-Id"]
    answer = await client.get(f"/v1/runs/{run_id}/events?as=morse")
    assert (answer.status, answer.json["error"]["param"]) == (400, "as")
