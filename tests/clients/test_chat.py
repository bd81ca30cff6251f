"""The same requests from three real clients: all end well, and none has a server's tool to run."""

import pytest

from tests.clients.cases import CUT, DIALECTS, SILENT, WAYS, Called, Case, Seen, Tokens
from tests.support.http import Client

STREAMED = WAYS[:2]
COMPLETED = [
    *(f"{story} {way}" for story in ("rich", "weather", "flood") for way in WAYS),
    *(f"{word} {way}" for word in DIALECTS for way in STREAMED),
    *(f"silent {word}" for word in DIALECTS),
]
TOOLS_OF_THE_SERVER = {"rich": 3, "weather": 1, "flood": 2, "silent": 1}


async def run_of(case: Case, seen: Seen) -> dict:
    """The run that all answers came from, as the server keeps it."""
    (run_id,) = set(seen.runs)
    async with Client(case.url, case.key) as client:
        return (await client.get(f"/v1/runs/{run_id}")).json


async def text_in_log(case: Case, seen: Seen) -> str:
    async with Client(case.url, case.key) as client:
        frames = [frame async for frame in client.stream(f"/v1/runs/{seen.runs[0]}/events")]
    events = [frame.json for frame in frames if frame.comment is None]
    return "".join(event["delta"] for event in events if event["event"] == "message.delta")


@pytest.mark.parametrize("name", COMPLETED)
async def test_a_client_gets_the_whole_text_and_no_error(name, seen, all_cases) -> None:
    told = seen[name]
    assert told.error is None
    assert told.finish == "stop"
    run = await run_of(all_cases[name], told)
    assert run["status"] == "completed"
    assert told.text == run["output"] == await text_in_log(all_cases[name], told)
    assert told.text.startswith("I made ")


@pytest.mark.parametrize("name", COMPLETED)
def test_only_a_clients_own_tool_is_for_the_client_to_execute(name, seen) -> None:
    own = [Called("weather", '{"city":"Athens"}')] if name.startswith("weather") else []
    assert seen[name].calls == own


@pytest.mark.parametrize("name", [name for name in COMPLETED if not name.endswith("whole")])
def test_every_tool_of_the_server_is_shown_running_and_completed_once(name, seen) -> None:
    story = name.split()[0]
    shown = seen[name].progress
    count = 0 if "off" in name else TOOLS_OF_THE_SERVER.get(story, 2)
    running = [tool.id for tool in shown if tool.status == "running"]
    completed = [tool.id for tool in shown if tool.status == "completed"]
    assert len(set(running)) == len(running) == count
    assert sorted(completed) == sorted(running)
    assert len(shown) == 2 * count


@pytest.mark.parametrize("way", STREAMED)
def test_a_client_that_asks_for_no_dialect_gets_the_carrier(way, seen) -> None:
    assert {tool.dialect for tool in seen[f"rich {way}"].progress} == {"carrier"}


@pytest.mark.parametrize("way", STREAMED)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_client_gets_the_dialect_it_asks_for_and_bears_it(dialect, way, seen) -> None:
    expected = set() if dialect == "off" else {dialect}
    assert {tool.dialect for tool in seen[f"{dialect} {way}"].progress} == expected


@pytest.mark.parametrize("way", ["chunks", "whole"])
def test_reasoning_arrives(way, seen) -> None:
    expected = "The message asks for 3 tool calls: terminal, terminal, terminal."
    assert seen[f"rich {way}"].reasoning == expected


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("story", ["rich", "weather"])
async def test_usage_is_counted_once(story, way, seen, all_cases) -> None:
    told = seen[f"{story} {way}"]
    usage = (await run_of(all_cases[f"{story} {way}"], told))["usage"]
    assert len(told.usages) == len(told.runs)
    assert sum(tokens.input for tokens in told.usages) == usage["input_tokens"]
    assert sum(tokens.output for tokens in told.usages) == usage["output_tokens"]
    assert Tokens(0, 0) not in told.usages


@pytest.mark.parametrize("way", STREAMED)
def test_usage_that_was_not_asked_for_is_not_sent(way, seen) -> None:
    assert seen[f"carrier {way}"].usages == []


@pytest.mark.parametrize("way", WAYS)
def test_the_result_of_a_clients_tool_and_the_servers_are_in_one_answer(way, seen) -> None:
    told = seen[f"weather {way}"]
    assert "sunny in Athens" in told.text
    assert "hello" in told.text
    assert len(told.runs) == 2


@pytest.mark.parametrize("way", STREAMED)
def test_a_failure_in_mid_stream_is_the_clients_own_error_and_no_finished_answer(way, seen) -> None:
    told = seen[f"cut {way}"]
    assert told.error is not None
    assert told.error.name in ("APIError", "StreamProviderError")
    assert told.error.code == "upstream_unreachable"
    assert "closed the connection" in told.error.message
    assert told.finish in (None, "error")
    assert told.calls == told.usages == []


def test_a_failure_of_a_whole_answer_is_the_clients_own_error(seen) -> None:
    told = seen["cut whole"]
    assert told.error is not None
    assert told.error.name in ("InternalServerError", "APICallError")
    assert told.error.status == 502
    assert "closed the connection" in told.error.message
    assert (told.text, told.finish, told.calls, told.usages) == ("", None, [], [])


async def test_the_silent_stream_really_has_comments_in_it(faulty_server) -> None:
    message = {"role": "user", "content": SILENT}
    body = {"messages": [message], "stream": True}
    async with Client(faulty_server.url, faulty_server.key) as client:
        frames = [frame async for frame in client.stream("/v1/chat/completions", body)]
    assert [frame.data for frame in frames if frame.comment is None][-1] == "[DONE]"
    assert any(frame.comment is not None for frame in frames)


async def test_the_cut_stream_really_began_before_it_failed(faulty_server) -> None:
    message = {"role": "user", "content": CUT}
    body = {"messages": [message], "stream": True}
    async with Client(faulty_server.url, faulty_server.key) as client:
        frames = [frame.data async for frame in client.stream("/v1/chat/completions", body)]
    assert any('"content":"word1' in data for data in frames)
    assert '"error"' in frames[-2]
    assert frames[-1] == "[DONE]"
