"""A provider that does not stream: the same turn goes on, and it is not asked for streams again."""

from collections.abc import Iterator

import pytest

from tests.support.pair import Pair, paired
from tests.support.resilience.views import stream_of

ASKED = {"messages": [{"role": "user", "content": "hello"}]}
CALL = {"name": "list_files", "arguments": {"path": "."}}


@pytest.fixture(scope="module", params=["chat", "responses", "anthropic"])
def pair(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Pair]:
    with paired(tmp_path_factory.mktemp("pair"), request.param, patience=2.0) as pair:
        yield pair


def streams(pair: Pair) -> list[bool]:
    """Which of the requests asked for a stream."""
    return [call.get("stream", False) for call in pair.a.calls]


@pytest.mark.parametrize(
    ("how", "model"), [("refuse", "alone-1"), ("error", "alone-2"), ("event", "alone-3")]
)
async def test_the_same_turn_goes_on_without_streaming(pair: Pair, how: str, model: str) -> None:
    """Said as an HTTP status, as an error in a body, or as an error inside a stream."""
    refused = {"fault": {"no_stream": how}}
    pair.a.play(refused, {"text": "I look.", "calls": [CALL]}, {"text": "There is nothing."})
    asked = {**ASKED, "model": model}
    async with pair.client() as client:
        async with client.open("POST", "/v1/chat/completions", {**asked, "stream": True}) as r:
            shown = stream_of([frame async for frame in r.frames() if frame.comment is None])
        assert (shown.text, shown.finish) == ("I look.\n\nThere is nothing.", "stop")
        assert shown.tools == ("list_files",)
        assert streams(pair) == [True, False, False]
        pair.a.play({"text": "And again."})
        answer = (await client.post("/v1/chat/completions", asked)).json
    assert answer["choices"][0]["message"]["content"] == "And again."
    assert streams(pair) == [False]


async def test_silence_is_noticed_without_streaming_too(pair: Pair) -> None:
    stalled = {"text": "x", "fault": {"stall": "text"}}
    pair.a.play({"fault": {"no_stream": "refuse"}}, stalled, {"text": "Here I am."})
    async with pair.client() as client:
        run = (await client.post("/v1/runs", {"input": "hello", "model": "alone-4"})).json
        frames = [frame async for frame in client.stream(f"/v1/runs/{run['run_id']}/events")]
    events = [frame.json for frame in frames if frame.comment is None]
    assert [event["code"] for event in events if event["event"] == "notice"] == ["stall"]
    assert events[-1]["output"] == "Here I am."
    assert streams(pair) == [True, False, False]
