"""Streams and refusals of real model servers, read from the bytes that they sent."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.messages import Reply, ToolCall
from angelia.core.providers.verdict import AskAgain, GiveUp, RotateKey, Shorten, Verdict, judge
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
WHOLE: dict[str, Callable[[bytes], tuple[list[Any], Reply]]] = {
    "chat": chat.whole,
    "responses": responses.whole,
    "anthropic": anthropic.whole,
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


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_llama_says_the_same_at_once_as_in_a_stream(protocol: str) -> None:
    _, whole = WHOLE[protocol]((FOLDER / f"llama-{protocol}-whole.json").read_bytes())
    _, streamed = recorded(f"llama-{protocol}.sse")
    assert whole.message == streamed.message
    assert (whole.finish, whole.model) == (streamed.finish, streamed.model)
    assert whole.usage is not None
    assert streamed.usage is not None
    assert (whole.usage.input, whole.usage.output) == (streamed.usage.input, streamed.usage.output)


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


REFUSALS = [
    *((f"llama-{protocol}-overflow.json", 400, Shorten(1024)) for protocol in PROTOCOLS),
    *((f"llama-{protocol}-401.json", 401, RotateKey(3600.0)) for protocol in PROTOCOLS),
    *((f"aimock-{protocol}-429.json", 429, RotateKey(5.0)) for protocol in PROTOCOLS),
    ("llama-chat-503.json", 503, AskAgain()),
    ("llama-chat-invalid.json", 400, GiveUp()),
]
MESSAGES = {
    "overflow": "exceeds the available context size (1024 tokens)",
    "401": "Invalid API Key",
    "429": "Injected error",
    "503": "Loading model",
    "invalid": "Expected 'messages' to be an array",
}


@pytest.mark.parametrize(("name", "status", "verdict"), REFUSALS)
def test_a_refusal_is_told_in_its_words_and_judged_by_them(
    name: str, status: int, verdict: Verdict
) -> None:
    error = faults.refused(status, (FOLDER / name).read_bytes(), {})
    assert judge(error, "nothing", 0.0) == verdict
    assert MESSAGES[name.removesuffix(".json").split("-")[2]] in error.message
