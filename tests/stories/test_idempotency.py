"""The same Idempotency-Key is the same run: at once, afterwards, and after a crash."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from aiohttp import ClientError

from tests.support.following import ended
from tests.support.frontend import CHAT, user
from tests.support.http import Answer, Client
from tests.support.scripted import Message, Scripted, scripted

RESPONSES = "/v1/responses"
RUNS = "/v1/runs"
COUNT = 20


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted(tmp_path_factory.mktemp("idempotency")) as both:
        yield both


@pytest.fixture
async def client(pair: Scripted) -> AsyncIterator[Client]:
    async with pair.client() as client:
        yield client


def asking(path: str, text: str, *, stream: bool = False) -> dict[str, Any]:
    if path == CHAT:
        return {"model": "angelia", "messages": [user(text)], "stream": stream}
    if path == RESPONSES:
        return {"model": "angelia", "input": text, "stream": stream}
    return {"input": text}


async def sent(client: Client, path: str, body: Any, key: str) -> Answer:
    return await client.send("POST", path, body, {"Idempotency-Key": key})


async def at_once(client: Client, path: str, body: Any, key: str) -> list[Answer]:
    return await asyncio.gather(*(sent(client, path, body, key) for _ in range(COUNT)))


def check_same(answers: list[Answer]) -> str:
    """The one run that all of them tell of; all but one know that they repeat."""
    assert {answer.status for answer in answers} <= {200, 202}, answers[0].body
    replayed = [answer.headers.get("Idempotency-Replayed") for answer in answers]
    assert sorted(map(str, replayed)) == ["None", *["true"] * (len(answers) - 1)]
    assert len({answer.body for answer in answers}) == 1
    (run_id,) = {answer.headers["X-Angelia-Run-Id"] for answer in answers}
    return run_id


ROUTES = [(CHAT, False), (CHAT, True), (RESPONSES, False), (RESPONSES, True), (RUNS, False)]


@pytest.mark.parametrize(("path", "stream"), ROUTES)
async def test_twenty_requests_at_once_are_one_run(client, pair, path, stream) -> None:
    name = f"one of twenty {path} {stream}"
    body = asking(path, name, stream=stream)
    check_same(await at_once(client, path, body, name))
    assert len(pair.asked_about(name)) == 1


@pytest.mark.parametrize(("path", "stream"), ROUTES)
async def test_a_key_that_may_have_one_run_may_repeat_its_request(
    client, pair, path, stream
) -> None:
    rules = {"concurrent_runs": 1, "requests_per_minute": 2}
    made = await client.post(
        "/api/keys", {"name": "narrow", "scopes": ["chat", "runs"], "rules": rules}
    )
    assert made.status == 201, made.body
    name = f"narrow {path} {stream}"
    async with pair.client(made.json["secret"]) as narrow:
        body = asking(path, name, stream=stream)
        run_id = check_same(await at_once(narrow, path, body, name))
        for answer in await at_once(narrow, path, body, name):
            assert answer.headers["X-Angelia-Run-Id"] == run_id
        await ended(narrow, run_id)
        # Of the two requests a minute one is left.
        assert (await sent(narrow, path, body, "another key")).status in (200, 202)
        refused = await sent(narrow, path, body, "a third key")
        assert (refused.status, refused.json["error"]["type"]) == (429, "rate_limit_error")
    assert len(pair.asked_about(name)) == 2


@pytest.mark.parametrize("path", [CHAT, RESPONSES, RUNS])
async def test_another_body_for_the_same_key_is_a_conflict(client, path) -> None:
    name = f"conflict {path}"
    first = await sent(client, path, asking(path, "hello"), name)
    assert first.status in (200, 202)
    other = await sent(client, path, asking(path, "hello!"), name)
    assert (other.status, other.json["error"]["code"]) == (409, "idempotency_key_conflict")
    assert first.headers["X-Angelia-Run-Id"] not in other.body.decode()


async def test_a_key_for_one_route_is_another_request_on_another(client) -> None:
    await sent(client, CHAT, asking(CHAT, "hello"), "two routes")
    other = await sent(client, RUNS, asking(RUNS, "hello"), "two routes")
    assert other.json["error"]["code"] == "idempotency_key_conflict"


async def test_the_keys_of_two_api_keys_do_not_meet(client, pair) -> None:
    made = await client.post("/api/keys", {"name": "other", "scopes": ["chat", "runs"]})
    mine = await sent(client, CHAT, asking(CHAT, "mine"), "shared")
    async with pair.client(made.json["secret"]) as stranger:
        theirs = await sent(stranger, CHAT, asking(CHAT, "theirs"), "shared")
    assert theirs.status == 200
    assert "Idempotency-Replayed" not in theirs.headers
    assert theirs.headers["X-Angelia-Run-Id"] != mine.headers["X-Angelia-Run-Id"]


async def test_a_session_may_be_named_like_a_key_that_is_being_used(client) -> None:
    headers = {"Idempotency-Key": "same-name", "X-Hermes-Session-Id": "key:same-name"}
    answer = await client.send("POST", CHAT, asking(CHAT, "hello"), headers)
    assert answer.status == 200


async def test_after_a_crash_it_is_the_same_run_and_it_is_done_once(client, pair) -> None:
    body = asking(CHAT, "`echo once >> times.txt; sleep 60`")
    times = pair.server.home / "workspace" / "times.txt"
    first = asyncio.create_task(sent(client, CHAT, body, "crash"))
    while not times.exists():
        await asyncio.sleep(0.01)
    pair.server.restart()
    with pytest.raises(ClientError):
        await first
    async with pair.client() as later:
        answers = await at_once(later, CHAT, body, "crash")
    assert {answer.headers["Idempotency-Replayed"] for answer in answers} == {"true"}
    assert len({answer.body for answer in answers}) == 1
    assert "terminal" in answers[0].json["choices"][0]["message"]["content"]
    assert times.read_text() == "once\n"


# ── results of a client's tools ─────────────────────────────────────────────────────────────

WEATHER = {"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}


async def with_results(client: Client, city: str) -> tuple[str, dict[str, Any]]:
    """A run that waits for its client, and the request that brings what it waits for."""
    said: list[Message] = [user(f'call weather {{"city": "{city}"}}')]
    answer = await client.post(CHAT, {"messages": said, "tools": [WEATHER]})
    message = answer.json["choices"][0]["message"]
    result = {
        "role": "tool",
        "tool_call_id": message["tool_calls"][0]["id"],
        "content": f"rain in {city}",
    }
    body = {"messages": [*said, message, result], "tools": [WEATHER]}
    return answer.headers["X-Angelia-Run-Id"], body


async def test_results_that_come_twenty_times_with_one_key_are_brought_once(client, pair) -> None:
    run_id, body = await with_results(client, "Sparta")
    answers = await at_once(client, CHAT, body, "results")
    assert check_same(answers) == run_id
    assert "rain in Sparta" in answers[0].json["choices"][0]["message"]["content"]
    later = await sent(client, CHAT, body, "results")
    assert later.body == answers[0].body
    assert len(pair.asked_about('"Sparta"')) == 2
    body["messages"][-1]["content"] = "snow in Sparta"
    other = await sent(client, CHAT, body, "results")
    assert other.json["error"]["code"] == "idempotency_key_conflict"


async def test_results_that_come_twice_at_once_without_a_key_are_brought_once(client, pair) -> None:
    pair.script(
        {"when": '"Thebes"', "calls": [{"name": "weather", "arguments": {}}]},
        {"when": '"Thebes"', "text": "It rains.", "delay": 0.5},
    )
    run_id, body = await with_results(client, "Thebes")
    answers = await asyncio.gather(*(client.post(CHAT, body) for _ in range(3)))
    assert {answer.headers["X-Angelia-Run-Id"] for answer in answers} == {run_id}
    assert len({answer.body for answer in answers}) == 1
    assert len(pair.asked_about('"Thebes"')) == 2


async def test_brought_results_are_the_same_leg_after_a_crash(client, pair) -> None:
    _, body = await with_results(client, "Corinth")
    first = await sent(client, CHAT, body, "leg")
    pair.server.restart()
    async with pair.client() as later:
        again = await sent(later, CHAT, body, "leg")
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.body == first.body


async def test_a_conversation_is_compacted_once(client: Client, pair: Scripted) -> None:
    body = {"model": "angelia", "input": "a conversation that is compacted once"}
    headers = {"Idempotency-Key": "compacted"}
    first, again = [
        await client.send("POST", f"{RESPONSES}/compact", body, headers) for _ in range(2)
    ]
    assert (first.status, again.status) == (200, 200)
    assert first.body == again.body
    assert again.headers["Idempotency-Replayed"] == "true"
    assert len(pair.asked_about(body["input"])) == 1
