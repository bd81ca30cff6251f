"""Responses over a WebSocket, when things do not go by the book."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.support.http import Client
from tests.support.scripted import FINAL_AFTER_TEXT, NO_RETRIES, Scripted, scripted
from tests.support.talk import Talk, talking
from tests.wire.responses.spec import check, check_event

WEATHER = {"type": "function", "name": "weather", "parameters": {"type": "object"}}
CALL_WEATHER = 'call weather {"city":"Athens"}'


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted(
        tmp_path_factory.mktemp("socket"), NO_RETRIES + "[server]\nbody_limit = 100000\n"
    ) as stage:
        yield stage


@pytest.fixture
async def client(stage: Scripted) -> AsyncIterator[Client]:
    async with Client(stage.server.url, stage.server.key) as client:
        yield client


def talk(stage: Scripted, **headers: str) -> Any:
    return talking(stage.server.url, stage.server.key, **headers)


def text_of(turn: list[dict[str, Any]]) -> str:
    for event in turn:
        check_event(event)
    (message,) = [item for item in turn[-1]["response"]["output"] if item["type"] == "message"]
    return message["content"][0]["text"]


def refused(turn: list[dict[str, Any]]) -> dict[str, Any]:
    (event,) = turn
    check("WebSocketErrorEvent", event)
    return {"status": event["status"], **event["error"]}


def run_of(event: dict[str, Any]) -> str:
    return event["response"]["id"].replace("resp_", "run_")


async def status_of(client: Client, run_id: str) -> str:
    """The word of a run that has come to its end."""
    async for _ in client.stream(f"/v1/runs/{run_id}/events"):
        pass
    return (await client.get(f"/v1/runs/{run_id}")).json["status"]


# ── turns ───────────────────────────────────────────────────────────────────────────────────


async def test_a_message_sent_during_a_turn_is_answered_behind_it(stage) -> None:
    stage.play()
    async with talk(stage) as one:
        await one.say(input="`sleep 0.3` and long 2")
        await one.say(input="long 3")
        first, second = await one.turn(), await one.turn()
    assert "1 tool call" in text_of(first)
    assert text_of(second) == "word1 word2 word3"
    assert [event["sequence_number"] for event in second] == list(range(len(second)))


async def test_the_tools_of_the_server_are_shown_as_the_socket_asks(stage) -> None:
    stage.play()
    kinds = {}
    for dialect in ("pair", "mcp", "off"):
        async with talk(stage, X_Angelia_Tool_Items=dialect) as one:
            turn = await one.ask(input="`echo hi`")
        text_of(turn)
        kinds[dialect] = [item["type"] for item in turn[-1]["response"]["output"]]
    assert kinds == {
        "pair": ["function_call", "function_call_output", "message"],
        "mcp": ["mcp_call", "message"],
        "off": ["message"],
    }


async def test_a_run_goes_on_with_the_results_of_the_clients_tools(stage, client) -> None:
    stage.play()
    async with talk(stage) as one:
        first = await one.ask(input=CALL_WEATHER, tools=[WEATHER], store=False)
        (call,) = first[-1]["response"]["output"]
        output = {"type": "function_call_output", "call_id": call["call_id"], "output": "sunny"}
        before = first[-1]["response"]["id"]
        second = await one.ask(
            input=[output], previous_response_id=before, tools=[WEATHER], store=False
        )
    assert "sunny" in text_of(second)
    # The second response is a later leg of the run of the first.
    assert second[-1]["response"]["id"].startswith(f"{before}_")
    assert (await client.get(f"/v1/responses/{before}")).status == 404


async def test_turns_that_are_stored_stay_in_one_session(stage, client) -> None:
    stage.play()
    async with talk(stage) as one:
        first = await one.ask(input="long 1")
        second = await one.ask(input="long 2", previous_response_id=first[-1]["response"]["id"])
    runs = [(await client.get(f"/v1/runs/{run_of(turn[-1])}")).json for turn in (first, second)]
    assert runs[0]["session_id"] == runs[1]["session_id"]
    path = f"/api/sessions/{runs[0]['session_id']}/messages"
    said = [message["content"] for message in (await client.get(path)).json["data"]]
    assert said == ["long 1", "word1", "long 2", "word1 word2"]


async def test_a_turn_that_fails_is_told_and_the_next_one_works(stage) -> None:
    stage.play({"text": "OK"}, {"text": "half of it", "fault": FINAL_AFTER_TEXT}, {"text": "fine"})
    async with talk(stage) as one:
        first = await one.ask(input="Remember.", store=False)
        before = {"previous_response_id": first[-1]["response"]["id"], "store": False}
        failed = await one.ask(input="Go on.", **before)
        gone = refused(await one.ask(input="Go on.", **before))
        assert failed[-1]["type"] == "response.failed"
        assert gone["code"] == "previous_response_not_found"
        assert text_of(await one.ask(input="Anew.")) == "fine"


# ── what is refused ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("message", "param"),
    [
        ("{", None),
        ("", None),
        ("[]", None),
        ('"response.create"', None),
        ("{}", "type"),
        ('{"type": "response.cancel"}', "type"),
        ('{"type": 1}', "type"),
        ('{"type": "response.create"}', "input"),
        ('{"type": "response.create", "input": 7}', "input"),
        ('{"type": "response.create", "input": [{"type": "smell"}]}', "input[0].type"),
        (b'{"type": "response.create", "input": "\xff"}', None),
        (b"\x00\x01", None),
        (b"", None),
    ],
)
async def test_a_message_that_makes_no_sense_is_refused_and_the_socket_lives(
    stage, message: str | bytes, param: str | None
) -> None:
    stage.play({"text": "fine"})
    async with talk(stage) as one:
        await one.send(message)
        error = refused(await one.turn())
        assert text_of(await one.ask(input="Hello.")) == "fine"
    assert (error["status"], error["param"]) == (400, param)
    assert error["type"] == "invalid_request_error"


async def test_json_in_a_binary_frame_is_taken(stage) -> None:
    stage.play({"text": "fine"})
    async with talk(stage) as one:
        await one.send(msgspec.json.encode({"type": "response.create", "input": "Hello."}))
        assert text_of(await one.turn()) == "fine"


async def test_a_message_over_the_limit_ends_the_connection(stage) -> None:
    async with talk(stage) as one:
        await one.say(input="x" * 200_000)
        with pytest.raises(ConnectionClosed) as closed:
            await one.turn()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


async def test_a_key_in_a_message_is_not_repeated(stage) -> None:
    secret = "sk-" + "a1B2" * 10
    async with talk(stage) as one:
        error = refused(await one.ask(input="Hello.", previous_response_id=secret))
    assert error["code"] == "previous_response_not_found"
    assert secret not in error["message"]


@pytest.mark.parametrize("key", [None, "sk-wrong-wrong-wrong-wrong"])
async def test_a_stranger_is_answered_by_http(stage, key: str | None) -> None:
    with pytest.raises(InvalidStatus) as refusal:
        async with talking(stage.server.url, key):
            pass
    answer = refusal.value.response
    assert answer.status_code == 401
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    error = msgspec.json.decode(answer.body or b"")["error"]
    assert error["code"] == "invalid_api_key"


@pytest.mark.parametrize("header", ["X-Angelia-On-Disconnect", "X-Angelia-Tool-Items"])
async def test_a_bad_header_is_named_in_every_turn(stage, header: str) -> None:
    async with talk(stage, **{header: "sideways"}) as one:
        errors = [refused(await one.ask(input="Hello.")) for _ in range(2)]
    assert [(error["status"], error["param"]) for error in errors] == [(400, header)] * 2


# ── keys ────────────────────────────────────────────────────────────────────────────────────


async def made_key(client: Client, **fields: Any) -> dict[str, Any]:
    answer = await client.post("/api/keys", {"name": "socket", **fields})
    assert answer.status == 201, answer.body
    return answer.json


async def test_a_key_without_the_scope_does_not_get_in(stage, client) -> None:
    key = await made_key(client, scopes=["runs"])
    with pytest.raises(InvalidStatus) as refusal:
        async with talking(stage.server.url, key["secret"]):
            pass
    assert refusal.value.response.status_code == 403


async def test_a_key_that_is_revoked_meanwhile_has_no_further_turn(stage, client) -> None:
    stage.play({"text": "fine"})
    key = await made_key(client)
    async with talking(stage.server.url, key["secret"]) as one:
        assert text_of(await one.ask(input="Hello.")) == "fine"
        await client.delete(f"/api/keys/{key['id']}")
        error = refused(await one.ask(input="Hello?"))
    assert (error["status"], error["code"]) == (401, "invalid_api_key")
    assert len(stage.asked) == 1


async def test_the_limits_of_a_key_hold_for_turns(stage, client) -> None:
    stage.play({"text": "fine"})
    key = await made_key(client, rules={"requests_per_minute": 1})
    async with talking(stage.server.url, key["secret"]) as one:
        assert text_of(await one.ask(input="Hello.")) == "fine"
        error = refused(await one.ask(input="Hello?"))
    assert (error["status"], error["code"]) == (429, "rate_limit_exceeded")


# ── leaving ─────────────────────────────────────────────────────────────────────────────────


async def left_under_way(stage: Scripted, **headers: str) -> str:
    """A run whose client has gone while its tool works."""
    stage.play()
    async with talk(stage, **headers) as one:
        await one.say(input="`sleep 0.5; echo late`")
        run_id = run_of(await one.hear())
        await until_a_tool_works(one)
    return run_id


async def until_a_tool_works(one: Talk) -> None:
    while (await one.hear())["type"] != "response.function_call_arguments.done":
        pass


async def test_a_client_that_leaves_takes_the_run_with_it(stage, client) -> None:
    assert await status_of(client, await left_under_way(stage)) == "cancelled"


async def test_a_client_can_leave_a_run_behind(stage, client) -> None:
    run_id = await left_under_way(stage, X_Angelia_On_Disconnect="continue")
    assert await status_of(client, run_id) == "completed"
    assert "late" in (await client.get(f"/v1/runs/{run_id}")).json["output"]


async def test_a_run_that_somebody_else_waits_for_goes_on(stage, client) -> None:
    stage.play({"text": "slow", "delay": 0.5})
    async with talk(stage) as one:
        await one.say(input="Slowly.")
        named = (await one.hear())["response"]["id"]
        path = f"/v1/responses/{named}?stream=true"
        async with client.open("GET", path) as reader:
            frames = reader.frames()
            await anext(frames)
            await one.socket.close()
            kinds = [frame.event async for frame in frames]
    assert kinds[-2:] == ["response.completed", None]


async def test_a_server_that_stops_says_so_and_the_run_goes_on(impatient_server) -> None:
    server = impatient_server
    async with talking(server.url, server.key) as one:
        await one.say(input="`sleep 30`")
        run_id = run_of(await one.hear())
        await until_a_tool_works(one)
        stopping = asyncio.create_task(asyncio.to_thread(server.stop))
        told = (await one.turn())[-1]
        with pytest.raises(ConnectionClosed) as closed:
            await one.hear()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
    assert (told["type"], told["status"]) == ("error", 503)
    assert told["error"]["code"] == "server_stopping"
    assert await stopping == 0
    assert "Traceback" not in server.stderr
    server.start()
    async with Client(server.url, server.key) as client:
        assert await status_of(client, run_id) == "completed"


async def test_a_turn_under_way_comes_to_its_end_before_the_server_stops(server) -> None:
    async with talking(server.url, server.key) as busy, talking(server.url, server.key) as idle:
        await busy.say(input="`sleep 0.4; echo late`")
        await until_a_tool_works(busy)
        stopping = asyncio.create_task(asyncio.to_thread(server.stop))
        assert (await idle.hear())["error"]["code"] == "server_stopping"
        assert (await busy.turn())[-1]["type"] == "response.completed"
        told = await busy.hear()
        with pytest.raises(ConnectionClosed) as closed:
            await busy.hear()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
    # Nothing is left of the turn to come back for.
    assert "Connect again" in told["error"]["message"]
    assert await stopping == 0
