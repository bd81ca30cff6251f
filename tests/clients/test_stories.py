"""The same requests from every client: all end well, and none has a server's tool to run."""

import pytest

from tests.clients import asking
from tests.clients.asking import Told
from tests.clients.cases import CUT, CUT_MESSAGE, STREAMED, Called, Tokens
from tests.support.http import Client

# The first test to come waits for all the clients.
pytestmark = pytest.mark.timeout(300)

COMPLETED = ("rich", "weather", "flood", "short", "silent")
TOOLS_OF_THE_SERVER = {"rich": 3, "weather": 1, "flood": 2, "short": 2, "silent": 1}
REASONING = "The message asks for 3 tool calls: terminal, terminal, terminal."


@asking.of(*COMPLETED)
def test_a_client_gets_the_whole_text_and_no_error(told: Told) -> None:
    assert told.seen.error is None
    assert told.seen.finish in ("stop", "completed")
    assert told.run.record["status"] == "completed"
    assert told.seen.text == told.run.record["output"] == told.run.text
    assert told.seen.text.startswith("I made ")


@asking.of(*COMPLETED)
def test_only_a_clients_own_tool_is_for_the_client_to_execute(told: Told) -> None:
    own = [Called("weather", '{"city":"Athens"}')] if told.case.weather else []
    assert told.seen.calls == own


@asking.of(*COMPLETED, ways=STREAMED, on_the_wire=True)
def test_every_tool_of_the_server_is_shown_running_and_completed_once(told: Told) -> None:
    count = 0 if told.case.dialect == "off" else TOOLS_OF_THE_SERVER[told.case.story]
    running = [tool.id for tool in told.seen.progress if tool.status == "running"]
    completed = [tool.id for tool in told.seen.progress if tool.status == "completed"]
    assert len(set(running)) == len(running) == count
    assert sorted(completed) == sorted(running)
    assert len(told.seen.progress) == 2 * count


@asking.of(*COMPLETED, ways=STREAMED, on_the_wire=True)
def test_a_user_can_read_the_progress_if_the_package_hands_it_on(told: Told) -> None:
    assert told.seen.shown == (told.seen.progress if told.client.hands_on else [])


@asking.of("rich", "weather", "flood", ways=STREAMED, on_the_wire=True)
def test_a_client_that_asks_for_no_dialect_gets_that_of_its_family(told: Told) -> None:
    (dialect,) = {tool.dialect for tool in told.seen.progress}
    assert dialect in told.client.dialects


@asking.of("short", "silent", on_the_wire=True)
def test_a_client_gets_the_dialect_it_asks_for_and_bears_it(told: Told) -> None:
    expected = set() if told.case.dialect == "off" else {told.case.dialect}
    assert {tool.dialect for tool in told.seen.progress} == expected


@asking.of("rich")
def test_reasoning_arrives_unless_the_package_drops_it(told: Told) -> None:
    if f"{told.case.api} {told.case.way}" in told.client.loses_reasoning:
        assert REASONING.endswith(told.seen.reasoning)
    else:
        assert told.seen.reasoning == REASONING


@asking.of("rich", "weather")
def test_usage_is_counted_once(told: Told) -> None:
    usage = told.run.record["usage"]
    assert len(told.seen.usages) == len(told.seen.runs)
    assert sum(tokens.input for tokens in told.seen.usages) == usage["input_tokens"]
    assert sum(tokens.output for tokens in told.seen.usages) == usage["output_tokens"]
    assert Tokens(0, 0) not in told.seen.usages


@asking.of("short", apis=["chat"])
def test_usage_that_was_not_asked_for_is_not_sent(told: Told) -> None:
    assert len(told.seen.usages) == told.client.always_counts


@asking.of("weather")
def test_the_result_of_a_clients_tool_and_the_servers_are_in_one_answer(told: Told) -> None:
    assert "sunny in Athens" in told.seen.text
    assert "hello" in told.seen.text
    assert len(told.seen.runs) == 2


@asking.of("silent")
def test_several_comments_pass_while_a_tool_is_silent(told: Told) -> None:
    assert told.seen.comments > 1


@asking.of("cut", ways=STREAMED)
def test_a_failure_in_mid_stream_is_the_clients_own_error_and_no_finished_answer(
    told: Told,
) -> None:
    assert told.seen.error is not None
    assert told.seen.error.name == told.client.error(told.name)
    assert told.seen.finish in (None, "error")
    assert told.seen.calls == told.seen.usages == []


@asking.of("cut", ways=["whole"])
def test_a_failure_of_a_whole_answer_is_the_clients_own_error(told: Told) -> None:
    assert told.seen.error is not None
    assert told.seen.error.name == told.client.error(told.name)
    assert told.seen.error.status == 502
    assert CUT_MESSAGE in told.seen.error.message
    assert (told.seen.text, told.seen.finish) == ("", None)
    assert told.seen.calls == told.seen.usages == []


@asking.of("cut", ways=STREAMED)
def test_the_error_of_a_failure_in_mid_stream_says_what_happened(told: Told) -> None:
    assert told.seen.error is not None
    if told.client.error(told.name) != "RuntimeError":  # of a package that only misses the end
        assert CUT_MESSAGE in told.seen.error.message
    assert told.seen.error.code in ("upstream_refused", None)


@asking.of("stranger")
def test_a_wrong_key_is_the_clients_own_error(told: Told) -> None:
    assert told.seen.error is not None
    assert told.seen.error.name == told.client.error(told.name)
    assert told.seen.error.status in (401, None)
    assert "401" in told.seen.error.message or "Incorrect API key" in told.seen.error.message
    assert not any(told.seen.runs)


@pytest.mark.parametrize(
    ("path", "body", "failure"),
    [
        ("/v1/chat/completions", {"messages": [{"role": "user", "content": CUT}]}, '"error"'),
        ("/v1/responses", {"input": CUT}, '"type":"response.failed"'),
    ],
)
async def test_the_cut_stream_really_began_before_it_failed(
    faulty_server, path, body, failure
) -> None:
    async with Client(faulty_server.url, faulty_server.key) as client:
        stream = client.stream(path, {**body, "stream": True})
        frames = [frame.data async for frame in stream if frame.comment is None]
    assert any("word1" in data for data in frames)
    assert failure in frames[-2]
    assert frames[-1] == "[DONE]"
