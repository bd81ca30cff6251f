"""Questions that a frontend asks for itself: one plain call of the model, no conversation."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from tests.support.frontend import CHAT, Frontend, assistant, user
from tests.support.http import Client
from tests.support.scripted import Scripted, scripted

TASK = "### Task:\nGenerate a concise title for `echo"
TASK_HEADER = "X-OpenWebUI-Task"
WEATHER = {"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    settings = '[agent]\ninstructions = "You are Angelia, the messenger."\n'
    with scripted(tmp_path_factory.mktemp("auxiliary"), settings) as both:
        yield both


@pytest.fixture
async def client(pair: Scripted) -> AsyncIterator[Client]:
    async with pair.client() as client:
        yield client


async def sessions(client: Client) -> set[str]:
    found = (await client.get("/api/sessions?limit=100")).json["data"]
    return {session["id"] for session in found}


async def check_plain(client: Client, pair: Scripted, body: dict[str, Any], **headers: str) -> None:
    """The model is asked once, for exactly this, and no conversation comes of it."""
    before = await sessions(client)
    answer = await client.post(CHAT, {"model": "angelia", **body}, **headers)
    assert answer.status == 200, answer.body
    assert "X-Hermes-Session-Id" not in answer.headers
    assert await sessions(client) == before
    words = body["messages"][-1]["content"]
    (asked,) = pair.asked_about(words)
    assert asked["messages"] == body["messages"]
    assert not asked.get("tools")


@pytest.mark.parametrize(
    "stream", [pytest.param(True, id="streamed"), pytest.param(False, id="whole")]
)
async def test_a_task_prompt_is_answered_by_one_plain_call(client, pair, stream) -> None:
    text = f"{TASK} {stream}` from the chat history"
    await check_plain(client, pair, {"messages": [user(text)], "stream": stream})


async def test_the_clients_own_instructions_are_kept(client, pair) -> None:
    system = {"role": "system", "content": "Answer in Greek."}
    await check_plain(client, pair, {"messages": [system, user(f"{TASK} greek`")]})


async def test_a_header_says_so_whatever_the_prompt_looks_like(client, pair) -> None:
    body = {"messages": [user("hello"), assistant("hi"), user("`echo title`, five words")]}
    await check_plain(client, pair, body, X_OpenWebUI_Task="title_generation")


async def test_a_bare_model_is_the_model_alone(client, pair) -> None:
    body = {"model": "angelia:bare", "messages": [user("`echo bare`")]}
    await check_plain(client, pair, body)
    again = {**body, "messages": [user("hello"), assistant("hi"), user("`echo bare again`")]}
    await check_plain(client, pair, again)


async def test_a_task_of_a_session_that_is_named_stays_out_of_it(client, pair) -> None:
    await Frontend(client, headers={"X-Hermes-Session-Id": "talk"}).say("hello")
    body = {"messages": [user(f"{TASK} named`")]}
    await check_plain(client, pair, body, X_Hermes_Session_Id="talk")
    assert (await client.get("/api/sessions/talk")).json["runs"] == 1


async def test_a_bare_run_goes_on_from_nothing_whatever_session_it_names(client, pair) -> None:
    async def ran(words: str) -> list[dict[str, Any]]:
        body = {"model": "angelia:bare", "input": words, "session_id": "bare"}
        started = await client.post("/v1/runs", body)
        assert started.status == 202, started.body
        await client.get(f"/v1/runs/{started.json['run_id']}/events")
        (asked,) = pair.asked_about(words)
        return asked["messages"]

    assert await ran("a first secret") == [user("a first secret")]
    assert await ran("what was said before?") == [user("what was said before?")]
    assert "bare" not in await sessions(client)


async def check_agent(
    client: Client, pair: Scripted, body: dict[str, Any], **headers: str
) -> dict[str, Any]:
    """The agent answers: with its instructions and tools, in a session."""
    answer = await client.post(CHAT, {"model": "angelia", **body}, **headers)
    assert answer.status == 200, answer.body
    assert answer.headers["X-Hermes-Session-Id"] in await sessions(client)
    asked = pair.asked_about(body["messages"][-1]["content"])[0]
    assert "the messenger" in asked["messages"][0]["content"]
    assert "terminal" in [tool["function"]["name"] for tool in asked["tools"]]
    return asked


@pytest.mark.parametrize("task", ["", "{{TASK}}"])
async def test_a_header_that_was_not_filled_in_says_nothing(client, pair, task) -> None:
    body = {"messages": [user(f"an ordinary question [{task}]")]}
    await check_agent(client, pair, body, **{TASK_HEADER: task})


@pytest.mark.parametrize(
    "said",
    [
        [user("hello"), assistant("hi"), user(f"{TASK} later`")],
        [user(f"{TASK} first`"), assistant("A title"), user("and now for something else")],
        [user(f"What does '{TASK}' mean?`")],
    ],
)
async def test_a_conversation_that_mentions_a_task_is_none(client, pair, said) -> None:
    await check_agent(client, pair, {"messages": said})


async def test_a_prompt_that_brings_tools_is_no_task_of_a_frontend(client, pair) -> None:
    text = "### Task:\nFind out the weather, with tools"
    asked = await check_agent(client, pair, {"messages": [user(text)], "tools": [WEATHER]})
    assert "weather" in [tool["function"]["name"] for tool in asked["tools"]]


async def test_a_task_that_a_header_names_is_asked_without_tools(client, pair) -> None:
    body = {"messages": [user("a title, with tools")], "tools": [WEATHER]}
    await check_plain(client, pair, body, X_OpenWebUI_Task="title_generation")
