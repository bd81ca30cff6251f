"""What a program with the official openai package is left with by a server that stops."""

import re
from collections.abc import Iterator
from typing import Any

import openai
import pytest
from openai import OpenAI

from tests.clients.test_openai_python import connected
from tests.support.server import AngeliaServer

SLOW: list[Any] = [{"role": "user", "content": "`sleep 30`"}]


@pytest.fixture
def sdk(impatient_server: AngeliaServer) -> Iterator[OpenAI]:
    with connected(impatient_server) as client:
        yield client


def test_a_chat_stream_raises_and_its_completion_is_there_after_the_start(
    impatient_server: AngeliaServer, sdk: OpenAI
) -> None:
    stream = sdk.chat.completions.create(model="angelia", messages=SLOW, stream=True)
    seen = [next(stream)]
    assert impatient_server.stop() == 0
    with pytest.raises(openai.APIError, match="the rest is at GET /v1/runs/") as caught:
        seen += list(stream)
    assert caught.value.code == "server_stopping"
    assert not any(choice.finish_reason for chunk in seen for choice in chunk.choices)
    impatient_server.start()
    again = sdk.get(f"/chat/completions/{seen[0].id}?stream=true", cast_to=str)
    assert '"finish_reason":"stop"' in again


def test_a_response_says_that_it_failed_and_goes_on_behind_its_last_number(
    impatient_server: AngeliaServer, sdk: OpenAI
) -> None:
    with sdk.responses.stream(model="angelia", input="`sleep 30`") as stream:
        first = next(iter(stream))
        assert impatient_server.stop() == 0
        last = list(stream)[-1]
    assert first.type == "response.created"
    assert last.type == "response.failed"
    assert last.response.error is not None
    found = re.search(r"starting_after=(\d+)", last.response.error.message)
    assert found is not None
    impatient_server.start()
    rest = list(
        sdk.responses.retrieve(first.response.id, stream=True, starting_after=int(found[1]))
    )
    numbers = [event.sequence_number for event in rest]
    assert numbers == list(range(int(found[1]) + 1, int(found[1]) + 1 + len(rest)))
    assert rest[-1].type == "response.completed"
