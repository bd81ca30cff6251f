"""Streams and refusals of real model servers, read from the bytes that they sent."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.messages import Reply, ToolCall
from angelia.wire import faults
from angelia.wire.anthropic import client as anthropic
from angelia.wire.chat import client as chat
from angelia.wire.responses import client as responses
from tests.wire.streams import calls_of, read, reasoning_of, text_of

FOLDER = Path(__file__).parents[1] / "golden" / "upstream"
STREAMS = sorted(path.name for path in FOLDER.glob("*.sse"))
PROTOCOLS = ("chat", "responses", "anthropic")
READERS: dict[str, Callable[[], Any]] = {
    "chat": chat.Reader,
    "responses": responses.Reader,
    "anthropic": anthropic.Reader,
}
CALLS = [
    ("call_files", "list_files", "{}"),
    ("call_count", "terminal", '{"command":"wc -l notes.txt"}'),
]


def recorded(name: str, sizes: tuple[int, ...] = ()) -> tuple[list[Any], Reply]:
    reader = READERS[name.removesuffix(".sse").split("-")[1]]()
    return read(reader, (FOLDER / name).read_bytes(), sizes)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_llama_answers_alike_over_every_protocol(protocol: str) -> None:
    deltas, reply = recorded(f"llama-{protocol}.sse")
    same, _ = recorded("llama-chat.sse")
    assert text_of(deltas) == text_of(same) != ""
    assert len(deltas) > 3
    assert (reply.finish, reply.model) == ("stop", "smollm2")
    assert reply.usage is not None
    assert reply.usage.input == 36
    assert reply.usage.output >= len(deltas)


@pytest.mark.parametrize(
    ("protocol", "finish"), [("chat", "length"), ("responses", "stop"), ("anthropic", "length")]
)
def test_llama_says_that_a_limit_cut_its_answer_but_for_responses(
    protocol: str, finish: str
) -> None:
    deltas, reply = recorded(f"llama-{protocol}-length.sse")
    assert text_of(deltas).startswith("1")
    assert reply.finish == finish
    assert reply.usage is not None
    assert reply.usage.output == 16


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_answer_that_llama_does_not_announce_is_read_whole(protocol: str) -> None:
    deltas, reply = recorded(f"llama-{protocol}-emoji.sse")
    assert set(text_of(deltas)) == {"🍡"}
    assert reply.finish in ("stop", "length")
    assert reply.usage is not None
    assert reply.usage.output == 16


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_aimock_thinks_speaks_and_calls_two_tools(protocol: str) -> None:
    deltas, reply = recorded(f"aimock-{protocol}-tools.sse")
    assert reasoning_of(deltas) == "I must count."
    assert text_of(deltas) == "Let me look."
    assert calls_of(deltas) == CALLS
    calls = [part for part in reply.message.parts if isinstance(part, ToolCall)]
    assert [(call.id, call.name, call.arguments) for call in calls] == CALLS
    assert reply.finish == "tool_calls"


@given(st.sampled_from(STREAMS), st.lists(st.integers(1, 500), max_size=40))
def test_a_reply_does_not_depend_on_where_its_bytes_are_cut(name: str, sizes: list[int]) -> None:
    assert recorded(name, tuple(sizes)) == recorded(name)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_prompt_that_llama_cannot_hold_is_not_asked_again_as_it_is(protocol: str) -> None:
    body = (FOLDER / f"llama-{protocol}-overflow.json").read_bytes()
    error = faults.refused(400, body, None)
    assert not error.retryable
    assert "exceeds the available context size (1024 tokens)" in error.message


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_refusal_of_aimock_that_may_pass_is_asked_again(protocol: str) -> None:
    body = (FOLDER / f"aimock-{protocol}-429.json").read_bytes()
    error = faults.refused(429, body, None)
    assert (error.retryable, error.message) == (True, "Injected error")


def test_a_request_that_llama_cannot_read_is_not_asked_again() -> None:
    error = faults.refused(400, (FOLDER / "llama-chat-invalid.json").read_bytes(), None)
    assert (error.retryable, error.message) == (False, "Expected 'messages' to be an array")
