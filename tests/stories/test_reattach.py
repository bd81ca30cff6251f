"""Coming back to a completion: the same request while it lives, its id at any time after."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from tests.support.following import ended, started
from tests.support.frontend import CHAT, user, visible
from tests.support.http import Client
from tests.support.scripted import Scripted, scripted

WEATHER = {"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted(tmp_path_factory.mktemp("reattach")) as both:
        yield both


@pytest.fixture
async def client(pair: Scripted) -> AsyncIterator[Client]:
    async with pair.client() as client:
        yield client


def message(chat: str, number: str) -> dict[str, str]:
    return {"X-OpenWebUI-Chat-Id": chat, "X-OpenWebUI-Message-Id": number}


def completion(run_id: str) -> str:
    return f"{CHAT}/{run_id.replace('run_', 'chatcmpl-')}"


async def read(client: Client, body: dict[str, Any], headers: dict[str, str]) -> tuple[str, str]:
    """The run and the text of a streamed answer."""
    async with client.open("POST", CHAT, body, headers) as reader:
        assert reader.status == 200
        text = "".join([piece async for piece in visible(reader.frames())])
        return reader.headers["X-Angelia-Run-Id"], text


def slowly(pair: Scripted, words: str) -> None:
    pair.script({"when": words, "text": "one two three four", "pace": 0.1, "repeat": True})


async def test_the_same_message_joins_its_run_from_the_start_as_long_as_it_lives(
    client, pair
) -> None:
    slowly(pair, "join me")
    body = {"messages": [user("join me")], "stream": True}
    async with client.open("POST", CHAT, body, message("c1", "m1")) as first:
        pieces = visible(first.frames())
        begun = await anext(pieces)
        run_id, text = await read(client, body, message("c1", "m1"))
        assert run_id == first.headers["X-Angelia-Run-Id"]
        assert begun + "".join([piece async for piece in pieces]) == text == "one two three four"
    assert len(pair.asked_about("join me")) == 1
    later, _ = await read(client, body, message("c1", "m1"))
    assert later != run_id
    assert len(pair.asked_about("join me")) == 2


@pytest.mark.parametrize(
    "other",
    [message("c2", "m2"), message("c3", "m1"), {}, {"X-OpenWebUI-Chat-Id": "c2"}],
)
async def test_another_message_is_another_run(client, pair, other) -> None:
    slowly(pair, "not the same")
    body = {"messages": [user("not the same")], "stream": True}
    one, two = await asyncio.gather(
        read(client, body, message("c2", "m1")), read(client, body, other)
    )
    assert one[0] != two[0]


async def test_headers_that_a_frontend_did_not_fill_in_join_nothing(client, pair) -> None:
    slowly(pair, "unfilled")
    body = {"messages": [user("unfilled")], "stream": True}
    unfilled = message("{{CHAT_ID}}", "{{MESSAGE_ID}}")
    runs = await asyncio.gather(*(read(client, body, unfilled) for _ in range(2)))
    assert len({run_id for run_id, _ in runs}) == 2


async def test_another_body_is_another_run(client, pair) -> None:
    slowly(pair, "changed")
    runs = await asyncio.gather(
        *(
            read(client, {"messages": [user(text)], "stream": True}, message("c4", "m1"))
            for text in ("changed", "changed!")
        )
    )
    assert len({run_id for run_id, _ in runs}) == 2


async def test_a_stored_completion_is_the_answer_byte_for_byte(client) -> None:
    answer = await client.post(CHAT, {"messages": [user("think and `echo stored`")]})
    again = await client.get(f"{CHAT}/{answer.json['id']}")
    assert again.status == 200
    assert again.body == answer.body
    assert again.headers["X-Angelia-Run-Id"] == answer.headers["X-Angelia-Run-Id"]
    assert again.headers["X-Hermes-Session-Id"] == answer.headers["X-Hermes-Session-Id"]


@pytest.mark.parametrize("usage", [False, True])
async def test_a_stored_stream_is_the_answer_byte_for_byte(client, usage) -> None:
    body: dict[str, Any] = {"messages": [user("think and `echo stored`")], "stream": True}
    body |= {"stream_options": {"include_usage": True}} if usage else {}
    answer = await client.post(CHAT, body)
    path = completion(answer.headers["X-Angelia-Run-Id"])
    again = await client.get(f"{path}?stream=true&include_usage={str(usage).lower()}")
    assert again.body == answer.body
    assert answer.body.endswith(b"data: [DONE]\n\n")


async def test_a_completion_under_way_can_be_joined_by_its_id(client, pair) -> None:
    slowly(pair, "under way")
    async with client.open(
        "POST", CHAT, {"messages": [user("under way")], "stream": True}
    ) as first:
        path = completion(first.headers["X-Angelia-Run-Id"])
        await anext(visible(first.frames()))
        unfinished = await client.get(path)
        assert (unfinished.status, unfinished.json["error"]["code"]) == (409, "run_not_finished")
        refused = await client.delete(path)
        assert (refused.status, refused.json["error"]["code"]) == (409, "run_not_finished")
        async with client.open("GET", f"{path}?stream=true") as second:
            text = "".join([piece async for piece in visible(second.frames())])
    assert text == "one two three four"


async def test_every_leg_of_a_run_is_a_completion_of_its_own(client) -> None:
    said = [user('call weather {"city": "Delos"} and `echo by the way`')]
    first = await client.post(CHAT, {"messages": said, "tools": [WEATHER]})
    message = first.json["choices"][0]["message"]
    call = message["tool_calls"][0]["id"]
    result = {"role": "tool", "tool_call_id": call, "content": "calm"}
    second = await client.post(CHAT, {"messages": [*said, message, result], "tools": [WEATHER]})
    assert second.headers["X-Angelia-Run-Id"] == first.headers["X-Angelia-Run-Id"]
    assert second.json["id"] != first.json["id"]
    for answer in (first, second):
        assert (await client.get(f"{CHAT}/{answer.json['id']}")).body == answer.body


async def test_a_failure_is_stored_as_the_failure_it_was(client, pair) -> None:
    pair.script({"when": "refuse me", "fault": {"status": 400}})
    answer = await client.post(CHAT, {"messages": [user("refuse me")]})
    assert answer.status == 502
    again = await client.get(completion(answer.headers["X-Angelia-Run-Id"]))
    assert (again.status, again.body) == (answer.status, answer.body)


async def test_what_is_not_a_completion_of_this_key_does_not_exist(client, pair) -> None:
    answer = await client.post(CHAT, {"messages": [user("mine alone")]})
    mine = f"{CHAT}/{answer.json['id']}"
    made = await client.post("/api/keys", {"name": "other", "scopes": ["chat", "runs", "read"]})
    async with pair.client(made.json["secret"]) as stranger:
        for path in (mine, f"{mine}?stream=true"):
            await check_missing(stranger, path)
    run_id = await started(client, {"input": "not a completion"})
    await ended(client, run_id)
    for path in (completion(run_id), f"{mine}-1", f"{mine}-", f"{CHAT}/chatcmpl-", f"{CHAT}/x"):
        await check_missing(client, path)
    assert (await client.get(mine)).status == 200


async def check_missing(client: Client, path: str) -> None:
    for method in ("GET", "DELETE"):
        answer = await client.send(method, path)
        assert (answer.status, answer.json["error"]["code"]) == (404, "completion_not_found")


async def test_a_deleted_completion_is_gone_with_its_run(client) -> None:
    answer = await client.post(CHAT, {"messages": [user("forget me")]})
    path = f"{CHAT}/{answer.json['id']}"
    gone = await client.delete(path)
    assert gone.json == {
        "object": "chat.completion.deleted",
        "id": answer.json["id"],
        "deleted": True,
    }
    await check_missing(client, path)
    assert (await client.get(f"/v1/runs/{answer.headers['X-Angelia-Run-Id']}")).status == 404
