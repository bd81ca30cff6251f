"""Conversations that outgrow their model: what it is shown, what people are told, what is kept."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.support.http import Client
from tests.support.scripted import Scripted, scripted, text_of

PROTOCOLS = ("chat", "responses", "anthropic")
SETTINGS = """
[model]
protocol = "{protocol}"
context_tokens = {tokens}
retries = 0

[agent]
# What a prompt holds besides the conversation does not depend on how many tools there are.
tools = ["termina*"]
"""
SMALL = """
summary_model = "small"

[models.small]
provider = "there"
name = "small-one"

[providers.there]
base_url = "{url}"
protocol = "chat"
"""
WORDS = "word " * 60
SUMMARY = "They talked about words."
CONDENSE = "Condense this conversation"
OVERFLOW = {
    "error": {
        "message": "This model's maximum context length is 4000 tokens. However, your messages "
        "resulted in 9000 tokens. Please reduce the length of the messages.",
        "type": "invalid_request_error",
        "code": "context_length_exceeded",
    }
}
# Usage as a provider would count it is not what these stories are about.
SILENT: dict[str, Any] = {"usage": None}


@pytest.fixture(params=PROTOCOLS)
def stage(request: Any, tmp_path: Path) -> Iterator[Scripted]:
    settings = SETTINGS.format(protocol=request.param, tokens=4000)
    with scripted(tmp_path, settings) as stage:
        yield stage


async def say(client: Client, text: str, session: str = "s") -> list[dict[str, Any]]:
    """One whole turn; its events."""
    run = await client.post("/v1/runs", {"input": text, "session_id": session})
    assert run.status == 202, run.body
    frames = client.stream(f"/v1/runs/{run.json['run_id']}/events")
    return [frame.json async for frame in frames if frame.comment is None]


def notices(events: list[dict[str, Any]], code: str) -> list[str]:
    return [e["message"] for e in events if e["event"] == "notice" and e["code"] == code]


def told(body: dict[str, Any]) -> list[dict[str, Any]]:
    return body.get("messages") or body["input"]


def conversation(stage: Scripted) -> list[dict[str, Any]]:
    """What the model was asked, but for summaries."""
    return [body for body in stage.asked if CONDENSE not in text_of(told(body)[-1])]


def unmarked(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: unmarked(part) for key, part in value.items() if key != "cache_control"}
    return [unmarked(part) for part in value] if isinstance(value, list) else value


def pieces(body: dict[str, Any]) -> list[bytes]:
    """The prompt in the order in which a provider reads it, without the marks for its cache."""
    body = unmarked(body)
    head = (body.get("tools"), body.get("system"), body.get("instructions"))
    return [msgspec.json.encode(piece) for piece in (*head, *told(body))]


def assert_begins(later: dict[str, Any], earlier: dict[str, Any]) -> None:
    first = pieces(earlier)
    assert pieces(later)[: len(first)] == first


async def test_every_prompt_of_a_session_begins_with_the_one_before(stage: Scripted) -> None:
    async with stage.client() as client:
        for text in ("`echo one`", "think and `echo two`", "long 5"):
            await say(client, text)
        await client.post(
            "/v1/chat/completions",
            {"messages": [{"role": "user", "content": "long 3"}]},
            X_Hermes_Session_Id="s",
        )
    asked = stage.asked
    assert len(asked) == 6
    for earlier, later in pairwise(asked):
        assert_begins(later, earlier)


async def test_a_long_session_is_shortened_then_summarised_and_nothing_of_it_is_lost(
    stage: Scripted,
) -> None:
    long = [
        {"calls": [{"name": "terminal", "arguments": {"command": f"seq {n} 700"}}], **SILENT}
        for n in (1, 2, 3, 4)
    ]
    stage.script(
        *(step for call in long for step in (call, {"text": "yes", **SILENT})),
        {"text": SUMMARY, "when": CONDENSE, "repeat": True, **SILENT},
        {"text": f"yes {WORDS}", "repeat": True, **SILENT},
    )
    asked = ["one", "two", "three", "four", *(f"{n} {WORDS}" for n in range(14))]
    async with stage.client() as client:
        turns = [await say(client, text) for text in asked]
        kept = (await client.get("/api/sessions/s/messages")).json["data"]
    assert all(events[-1]["event"] == "run.completed" for events in turns)
    news = [message for events in turns for message in notices(events, "compaction")]
    assert "results of tools" in news[0]
    assert "as a summary" in news[-1]
    assert SUMMARY in str(told(stage.asked[-1]))
    shown = [e["delta"] for events in turns for e in events if e["event"] == "message.delta"]
    assert SUMMARY not in "".join(shown)
    assert [m["content"] for m in kept if m["role"] == "user"] == asked
    results = [m["content"] for m in kept if m["role"] == "tool"]
    assert all("\n350\n" in output for output in results)


async def test_a_summary_stays_the_same_from_turn_to_turn(stage: Scripted) -> None:
    stage.script(
        {"text": SUMMARY, "when": CONDENSE, "repeat": True, **SILENT},
        {"text": f"yes {WORDS}", "repeat": True, **SILENT},
    )
    async with stage.client() as client:
        while not any(SUMMARY in str(told(body)) for body in stage.asked):
            await say(client, f"{len(stage.asked)} {WORDS}")
        await say(client, "and now?")
        await say(client, "and then?")
    first, second, third = conversation(stage)[-3:]
    assert SUMMARY in str(told(first))
    assert_begins(second, first)
    assert_begins(third, second)


async def test_a_fork_is_shown_as_its_source_was(stage: Scripted) -> None:
    stage.script(
        {"text": SUMMARY, "when": CONDENSE, "repeat": True, **SILENT},
        {"text": f"yes {WORDS}", "repeat": True, **SILENT},
    )
    async with stage.client() as client:
        while not any(SUMMARY in str(told(body)) for body in stage.asked):
            await say(client, f"{len(stage.asked)} {WORDS}")
        assert (await client.post("/api/sessions/s/fork", {"id": "branch"})).status == 201
        await say(client, "elsewhere", "branch")
    earlier, later = conversation(stage)[-2:]
    assert_begins(later, earlier)


async def test_a_provider_that_says_it_was_too_much_gets_less(tmp_path: Path) -> None:
    with scripted(tmp_path, "[model]\nretries = 0\n") as stage:
        stage.script(*({"text": f"yes {WORDS * 3}", **SILENT} for _ in range(8)))
        async with stage.client() as client:
            for n in range(8):
                await say(client, f"{n} {WORDS * 2}")
            before = len(stage.asked)
            stage.play(
                {"text": "", "fault": {"status": 400, "body": OVERFLOW}, "when": "so?"},
                {"text": SUMMARY, "when": CONDENSE, **SILENT},
                {"text": "done", **SILENT},
            )
            events = await say(client, "so?")
        assert events[-1]["event"] == "run.completed"
        assert events[-1]["output"] == "done"
        assert len(notices(events, "overflow")) == 1
        assert "4,000" in notices(events, "overflow")[0]
        assert len(notices(events, "compaction")) == 1
        refused, summary, answered = stage.asked
        assert before == 8
        assert len(str(answered)) < len(str(refused))
        assert CONDENSE in str(summary)


async def test_a_provider_that_never_has_enough_ends_the_run_clearly(tmp_path: Path) -> None:
    with scripted(tmp_path, "[model]\nretries = 0\n") as stage:
        stage.script(*({"text": f"yes {WORDS * 3}", **SILENT} for _ in range(8)))
        async with stage.client() as client:
            for n in range(8):
                await say(client, f"{n} {WORDS * 2}")
            stage.play({"text": "", "fault": {"status": 400, "body": OVERFLOW}, "repeat": True})
            events = await say(client, "so?")
            assert len(stage.asked) < 8
            assert events[-1]["event"] == "run.failed"
            assert events[-1]["error"]["code"] == "context_length_exceeded"
            stage.play({"text": "", "fault": {"status": 400, "body": OVERFLOW}, "repeat": True})
            question = {"messages": [{"role": "user", "content": "anything"}]}
            answer = await client.post("/v1/chat/completions", question)
            assert answer.status == 400
            assert answer.json["error"]["code"] == "context_length_exceeded"
            assert answer.json["error"]["type"] == "invalid_request_error"


async def test_a_message_that_no_model_could_read_is_refused_at_once(tmp_path: Path) -> None:
    with scripted(tmp_path, SETTINGS.format(protocol="chat", tokens=1000)) as stage:
        async with stage.client() as client:
            asked = {"messages": [{"role": "user", "content": WORDS * 30}]}
            answer = await client.post("/v1/chat/completions", asked)
            assert answer.status == 400
            assert answer.json["error"]["code"] == "context_length_exceeded"
            assert "1,000" in answer.json["error"]["message"]
        assert stage.asked == []


async def test_a_model_without_a_summary_is_no_reason_to_fail(tmp_path: Path) -> None:
    with scripted(tmp_path, SETTINGS.format(protocol="chat", tokens=2500)) as stage:
        broken = {"when": CONDENSE, "repeat": True, "fault": {"status": 400}, **SILENT}
        stage.script(broken, {"text": f"yes {WORDS}", "repeat": True, **SILENT})
        async with stage.client() as client:
            turns = [await say(client, f"{n} {WORDS}") for n in range(16)]
        assert all(events[-1]["event"] == "run.completed" for events in turns)
        assert any(notices(events, "compaction") for events in turns)
        assert "Person: 1 word" in str(told(conversation(stage)[-1]))


async def test_another_model_writes_the_summaries_and_they_are_counted(tmp_path: Path) -> None:
    with scripted(tmp_path) as stage:
        settings = SETTINGS.format(protocol="chat", tokens=2500)
        settings += SMALL.format(url=stage.upstream.url)
        (stage.server.home / "angelia.toml").write_text(settings)
        stage.server.restart()
        usage = {"input": 70, "output": 30}
        stage.script(
            {"text": SUMMARY, "when": CONDENSE, "repeat": True, "usage": usage},
            {"text": f"yes {WORDS}", "repeat": True, **SILENT},
        )
        async with stage.client() as client:
            while not (asked := [b for b in stage.asked if CONDENSE in str(told(b)[-1])]):
                events = await say(client, f"{len(stage.asked)} {WORDS}")
        assert asked[0]["model"] == "small-one"
        assert events[-1]["usage"]["total_tokens"] == 100


async def test_a_model_that_goes_round_in_circles_is_warned_and_then_stopped(
    tmp_path: Path,
) -> None:
    call = {"calls": [{"name": "terminal", "arguments": {"command": "echo same"}}]}
    with scripted(tmp_path) as stage:
        stage.script(call | {"repeat": True})
        async with stage.client() as client:
            events = await say(client, "go")
            question = {"messages": [{"role": "user", "content": "go"}]}
            answer = await client.post("/v1/chat/completions", question)
        assert events[-1]["event"] == "run.failed"
        assert events[-1]["error"]["code"] == "loop"
        assert len(notices(events, "loop")) == 4
        assert "[Note" in str(told(stage.asked[5])[-1])
        assert len(stage.asked) == 12
        assert answer.status == 500
        assert answer.json["error"]["code"] == "loop"


async def test_the_same_call_twice_in_one_reply_is_run_once(tmp_path: Path) -> None:
    call = {"name": "terminal", "arguments": {"command": "echo x >> once.txt; cat once.txt"}}
    with scripted(tmp_path) as stage:
        stage.script({"calls": [call, call]}, {"text": "done"})
        async with stage.client() as client:
            events = await say(client, "go")
        ended = [e for e in events if e["event"] == "tool.completed"]
        assert sorted(e["outcome"] for e in ended) == ["error", "ok"]
        (repeated,) = [e for e in ended if e["outcome"] == "error"]
        assert "was not run again" in repeated["output"]
        assert [e["output"].count("x") for e in ended if e["outcome"] == "ok"] == [1]
        assert events[-1]["event"] == "run.completed"
