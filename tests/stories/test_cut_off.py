"""Four endings of an answer whose stream dies in the middle, as clients see them."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.http import Client
from tests.support.pair import Pair, paired
from tests.support.resilience.views import events_of, response_of, stream_of
from tests.support.scripted import text_of

COMMAND = {"name": "terminal", "arguments": {"command": "echo made >> made.txt"}}
CUT_IN_CALL = {"text": "Let me write that", "calls": [COMMAND], "fault": {"cut": "arguments"}}
WHOLE_CALL = {"text": "I write it down.", "calls": [COMMAND]}
DONE = {"text": "It is written."}
CUT_IN_TEXT = {"text": "one two three four five six", "fault": {"cut": "text"}}


@pytest.fixture(scope="module", params=["chat", "responses", "anthropic"])
def providers(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Pair]:
    with paired(tmp_path_factory.mktemp("pair"), request.param) as pair:
        yield pair


@pytest.fixture
def pair(providers: Pair) -> Pair:
    """Where no command has been run yet."""
    (providers.server.home / "workspace" / "made.txt").unlink(missing_ok=True)
    return providers


def made(pair: Pair) -> int:
    """How often the command was really run."""
    file = pair.server.home / "workspace" / "made.txt"
    return len(file.read_text().splitlines()) if file.exists() else 0


async def run(client: Client) -> tuple[list[Any], dict[str, Any]]:
    """The events of a run, and its record."""
    started = (await client.post("/v1/runs", {"input": "write it down"})).json
    path = f"/v1/runs/{started['run_id']}"
    frames = [frame async for frame in client.stream(f"{path}/events")]
    return [f.json for f in frames if f.comment is None], (await client.get(path)).json


async def same_run_as(client: Client, run_id: str, surface: str) -> list[Any]:
    path = f"/v1/runs/{run_id}/events?as={surface}"
    return [frame async for frame in client.stream(path) if frame.comment is None]


async def chat(client: Client, **more: Any) -> Any:
    body = {"messages": [{"role": "user", "content": "write it down"}], **more}
    return (await client.post("/v1/chat/completions", body)).json["choices"][0]


async def test_a_call_that_was_cut_off_is_asked_for_again(pair: Pair) -> None:
    pair.a.play(CUT_IN_CALL, WHOLE_CALL, DONE)
    async with pair.client() as client:
        events, record = await run(client)
        (reset,) = [event for event in events if event["event"] == "step.reset"]
        assert reset["dropped_tools"] == ["terminal"]
        (notice,) = [event for event in events if event["event"] == "notice"]
        assert notice["code"] == "retry"
        assert "terminal" in notice["message"]
        assert [e["event"] for e in events].count("tool.started") == 1
        assert (record["status"], record["output"]) == ("completed", "It is written.")
        shown = stream_of(await same_run_as(client, record["run_id"], "chat"))
        assert shown.text == "Let me write that\n\nI write it down.\n\nIt is written."
        assert (shown.finish, shown.tools) == ("stop", ("terminal",))
        ended, items = response_of(await same_run_as(client, record["run_id"], "responses"))
        assert ended == "completed"
        assert items[0] == "message incomplete Let me write that"
        assert items[-1] == "message completed It is written."
    assert made(pair) == 1
    assert (len(pair.a.calls), len(pair.b.calls)) == (3, 0)


async def test_a_call_that_was_cut_off_is_made_by_another_provider(pair: Pair) -> None:
    pair.a.play(CUT_IN_CALL, CUT_IN_CALL, DONE)
    pair.b.play(WHOLE_CALL)
    async with pair.client() as client:
        events, record = await run(client)
    notices = [event["code"] for event in events if event["event"] == "notice"]
    assert notices == ["retry", "fallback"]
    assert [e["event"] for e in events].count("step.reset") == 2
    assert [e["event"] for e in events].count("tool.started") == 1
    assert (record["status"], record["output"]) == ("completed", "It is written.")
    assert made(pair) == 1
    # The next step begins with the first provider again.
    assert (len(pair.a.calls), len(pair.b.calls)) == (3, 1)


async def test_a_call_that_nobody_completes_is_not_made_and_the_answer_says_so(pair: Pair) -> None:
    pair.a.play(CUT_IN_CALL, CUT_IN_CALL)
    pair.b.play(CUT_IN_CALL, CUT_IN_CALL)
    async with pair.client() as client:
        events, record = await run(client)
        last_words = [e["delta"] for e in events if e["event"] == "message.delta"][-1]
        assert last_words.startswith("\n\n⚠")
        assert "terminal" in last_words
        assert record["output"] == f"Let me write that{last_words}"
        assert (events[-1]["event"], events[-1]["finish_reason"]) == ("run.completed", "length")
        kept = (await client.get(f"/api/sessions/{record['session_id']}/messages")).json
        assert kept["data"][-1]["content"] == record["output"]
        assert "tool_calls" not in kept["data"][-1]
        shown = stream_of(await same_run_as(client, record["run_id"], "chat"))
        assert shown.finish == "length"
        ended, _ = response_of(await same_run_as(client, record["run_id"], "responses"))
        assert ended == "incomplete max_output_tokens"
    assert "tool.started" not in [event["event"] for event in events]
    assert events_of(events)[-3].startswith("text \n\n⚠")
    assert made(pair) == 0


async def test_a_text_that_nobody_completes_is_delivered_as_it_is(pair: Pair) -> None:
    pair.a.play(CUT_IN_TEXT, CUT_IN_TEXT, CUT_IN_TEXT, CUT_IN_TEXT)
    pair.b.play({"fault": {"status": 500}, "repeat": True})
    async with pair.client() as client:
        events, record = await run(client)
        assert (record["status"], record["output"]) == ("completed", "one two three")
        assert (events[-1]["event"], events[-1]["finish_reason"]) == ("run.completed", "length")
        notices = [event["code"] for event in events if event["event"] == "notice"]
        assert notices[-1] == "cut_off"
        assert "⚠" not in str(events)
        answer = await chat(client)
    assert answer["message"]["content"] == "one two three"
    assert answer["finish_reason"] == "length"


async def test_the_conversation_goes_on_behind_an_answer_that_was_cut_off(pair: Pair) -> None:
    pair.a.play(CUT_IN_CALL, CUT_IN_CALL, {"text": "Now it works."})
    pair.b.play(CUT_IN_CALL, CUT_IN_CALL)
    async with pair.client() as client:
        _, record = await run(client)
        again = {"input": "try again", "session_id": record["session_id"]}
        started = (await client.post("/v1/runs", again)).json
        async for _ in client.stream(f"/v1/runs/{started['run_id']}/events"):
            pass
        second = (await client.get(f"/v1/runs/{started['run_id']}")).json
    assert second["output"] == "Now it works."
    said = pair.a.asked[-1].get("messages") or pair.a.asked[-1]["input"]
    said = [text_of(message) for message in said if message.get("role") == "assistant"]
    assert said == [record["output"]]
