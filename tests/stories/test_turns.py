"""Turns of one session: one after another, in the order they came, whatever happens meanwhile."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import pairwise
from typing import Any

import pytest

from tests.support.following import ended, eventually, reached, run_of, started
from tests.support.frontend import CHAT, user
from tests.support.http import Client
from tests.support.scripted import Scripted, scripted, text_of

WEATHER = {"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted(tmp_path_factory.mktemp("turns")) as both:
        yield both


@pytest.fixture
async def client(pair: Scripted) -> AsyncIterator[Client]:
    async with pair.client() as client:
        yield client


def questions(body: dict[str, Any]) -> list[str]:
    return [text_of(message) for message in body["messages"] if message["role"] == "user"]


def first_prompt(pair: Scripted, words: str) -> list[str]:
    """What the user had said so far when the model was asked about these words."""
    return questions(pair.asked_about(words)[0])


async def turn(client: Client, session_id: str, text: str, **more: Any) -> str:
    return await started(client, {"input": text, "session_id": session_id, **more})


async def held_up(client: Client, session_id: str) -> str:
    """A run that is in the middle of its turn and does not end by itself."""
    run_id = await turn(client, session_id, f"first of {session_id}, `sleep 60`")
    await reached(client, run_id, "tool.started")
    return run_id


async def stop(client: Client, run_id: str) -> dict[str, Any]:
    assert (await client.post(f"/v1/runs/{run_id}/stop")).status == 200
    return await ended(client, run_id)


async def test_the_second_waits_for_the_first_and_knows_what_it_said(client, pair) -> None:
    first = await held_up(client, "pair")
    second = await turn(client, "pair", "second of pair")
    assert (await run_of(client, second))["status"] == "queued"
    assert pair.asked_about("second of pair") == []
    await stop(client, first)
    assert (await ended(client, second))["status"] == "completed"
    (asked,) = pair.asked_about("second of pair")
    assert questions(asked) == ["first of pair, `sleep 60`", "second of pair"]
    assert [m["role"] for m in asked["messages"]].count("tool") == 1


async def test_ten_at_once_never_interleave(client, pair) -> None:
    texts = [f"number {number} of ten" for number in range(10)]
    runs = await asyncio.gather(*(turn(client, "ten", text) for text in texts))
    assert {(await ended(client, run_id))["status"] for run_id in runs} == {"completed"}
    prompts = [questions(body) for body in pair.asked_about("of ten")]
    assert [len(prompt) for prompt in prompts] == list(range(1, 11))
    assert all(later[:-1] == before for before, later in pairwise(prompts))
    assert sorted(prompts[-1]) == sorted(texts)


async def test_a_turn_stopped_while_it_waits_never_happens(client, pair) -> None:
    first = await held_up(client, "stopped")
    second = await turn(client, "stopped", "stopped while it waits")
    third = await turn(client, "stopped", "third of stopped")
    assert (await stop(client, second))["status"] == "cancelled"
    assert (await run_of(client, third))["status"] == "queued"
    await stop(client, first)
    await ended(client, third)
    assert first_prompt(pair, "third of stopped") == [
        "first of stopped, `sleep 60`",
        "third of stopped",
    ]
    assert pair.asked_about("stopped while it waits") == []


@pytest.mark.parametrize("resends", [False, True])
async def test_the_last_turn_stopped_while_it_waits_is_not_what_was_said(
    client, pair, resends
) -> None:
    """It is the newest run of the session, and knows nothing of the turn it waited for."""
    name = f"newest-{resends}"
    await ended(client, await turn(client, name, f"before {name}"))
    said = (await client.get(f"/api/sessions/{name}/messages")).json["data"]
    first = await held_up(client, name)
    history = [{"role": m["role"], "content": m["content"]} for m in said] if resends else []
    more = {"conversation_history": history} if resends else {}
    second = await turn(client, name, f"second of {name}", **more)
    await stop(client, second)
    await stop(client, first)
    await ended(client, await turn(client, name, f"third of {name}"))
    asked = first_prompt(pair, f"third of {name}")
    assert asked == [f"before {name}", f"first of {name}, `sleep 60`", f"third of {name}"]


async def test_order_is_kept_through_a_crash(client, pair) -> None:
    first = await turn(client, "crash", "first of crash, `echo begun >> crash.txt; sleep 60`")
    await reached(client, first, "tool.started")
    rest = [await turn(client, "crash", f"{name} of crash") for name in ("second", "third")]
    pair.server.restart()
    async with pair.client() as later:
        runs = [await ended(later, run_id) for run_id in (first, *rest)]
    assert [run["status"] for run in runs] == ["completed"] * 3
    assert first_prompt(pair, "third of crash") == [
        "first of crash, `echo begun >> crash.txt; sleep 60`",
        "second of crash",
        "third of crash",
    ]
    assert len(first_prompt(pair, "second of crash")) == 2


async def test_turns_that_came_together_keep_their_order_through_a_crash(client, pair) -> None:
    """Also those that came before anything of the session was written."""
    pair.script({"when": "0 of many", "text": "x", "delay": 60})
    runs = await asyncio.gather(*(turn(client, "many", f"{n} of many") for n in range(5)))
    statuses = {run_id: (await run_of(client, run_id))["status"] for run_id in runs}
    assert sorted(statuses.values()) == ["queued"] * 4 + ["running"]
    pair.script()
    pair.server.restart()
    async with pair.client() as later:
        for run_id in runs:
            assert (await ended(later, run_id))["status"] == "completed"
    prompts = [questions(body) for body in pair.asked_about("of many")]
    assert prompts[0] == prompts[1]
    assert [len(prompt) for prompt in prompts[1:]] == [1, 2, 3, 4, 5]


async def test_a_turn_may_be_refused_instead_of_waiting(tmp_path) -> None:
    with scripted(tmp_path, '[sessions]\nwhen_busy = "refuse"\n') as pair:
        async with pair.client() as client:
            first = await held_up(client, "busy")
            for path, body in (
                ("/v1/runs", {"input": "second", "session_id": "busy"}),
                (CHAT, {"messages": [user("second")]}),
                ("/v1/responses", {"model": "angelia", "input": "second", "conversation": "busy"}),
            ):
                answer = await client.post(path, body, X_Hermes_Session_Id="busy")
                assert (answer.status, answer.json["error"]["code"]) == (409, "session_busy")
            await stop(client, first)
            run = await ended(client, await turn(client, "busy", "second"))
            assert run["status"] == "completed"
            await check_superseded(client)


async def check_superseded(client: Client) -> None:
    """Whoever goes on talking does not bring the results any more."""
    named = {"X-Hermes-Session-Id": "abandoned"}
    body = {"messages": [user('call weather {"city": "Argos"}')], "tools": [WEATHER]}
    waiting = await client.send("POST", CHAT, body, named)
    assert waiting.json["choices"][0]["finish_reason"] == "tool_calls"
    run_id = waiting.headers["X-Angelia-Run-Id"]
    answer = await client.send("POST", CHAT, {"messages": [user("never mind")]}, named)
    assert answer.status == 200, answer.body
    assert (await run_of(client, run_id))["status"] == "cancelled"
    frames = [f.json async for f in client.stream(f"/v1/runs/{run_id}/events") if not f.comment]
    assert (frames[-1]["event"], frames[-1]["by"]) == ("run.cancelled", "superseded")


async def test_a_run_that_waits_for_its_client_gives_way_to_the_next_turn(client, pair) -> None:
    await check_superseded(client)
    (asked,) = pair.asked_about("never mind")
    assert len(questions(asked)) == 2
    assert [m["content"] for m in asked["messages"] if m["role"] == "tool"] == ["(no result)"]


async def test_branches_of_an_unnamed_conversation_go_on_side_by_side(client, pair) -> None:
    said = [user("a common beginning")]
    first = await client.post(CHAT, {"messages": said})
    said.append({"role": "assistant", "content": first.json["choices"][0]["message"]["content"]})
    slow = asyncio.create_task(
        client.post(CHAT, {"messages": [*said, user("slow branch, `sleep 60`")]})
    )

    async def asked() -> bool:
        return bool(pair.asked_about("slow branch"))

    await eventually(asked)
    quick = await client.post(CHAT, {"messages": [*said, user("quick branch")]})
    assert quick.status == 200
    assert len(first_prompt(pair, "quick branch")) == 2
    assert not slow.done()
    runs = (await client.get("/v1/runs?status=running")).json["data"]
    (under_way,) = [run for run in runs if "slow" not in run["output"]]
    assert under_way["session_id"] != quick.headers["X-Hermes-Session-Id"]
    await stop(client, under_way["run_id"])
    assert (await slow).json["error"]["code"] == "run_cancelled"


async def test_a_client_that_leaves_while_its_turn_waits_takes_the_turn_with_it(
    client, pair
) -> None:
    first = await held_up(client, "left")
    body = {"messages": [user("left while it waits")], "stream": True}
    headers = {"X-Hermes-Session-Id": "left"}
    async with client.open("POST", CHAT, body, headers) as reader:
        second = reader.headers["X-Angelia-Run-Id"]
        assert (await run_of(client, second))["status"] == "queued"
    assert (await ended(client, second))["status"] == "cancelled"
    await stop(client, first)
    assert pair.asked_about("left while it waits") == []
