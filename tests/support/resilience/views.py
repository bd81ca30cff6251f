"""What clients of every surface were sent, in the words of an outcome.

Each view also holds the rules of its surface, which no trouble may break.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from tests.support.http import Frame
from tests.support.resilience.outcome import Answer, plain

Json = dict[str, Any]
TERMINAL = ("run.completed", "run.failed", "run.cancelled")

# ── runs ────────────────────────────────────────────────────────────────────────────────────


def events_of(events: list[Json]) -> tuple[str, ...]:
    """In few words; pieces of one thing are one. Usage is left out."""
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert [event["event"] in TERMINAL for event in events].index(True) == len(events) - 1
    told = [event for event in events if event["event"] != "usage"]
    return tuple(plain(words) for _, group in groupby(told, _kind) for words in _words(list(group)))


def _kind(event: Json) -> str:
    name = event["event"]
    return name if name in ("message.delta", "tool.arguments") else name.partition(".")[0]


def _words(group: list[Json]) -> Iterator[str]:
    first = group[0]
    match first["event"]:
        case "message.delta":
            yield "text " + "".join(event["delta"] for event in group)
        case "reasoning.delta":
            yield "reasoning"
        case "tool.arguments":
            yield f"call {first['tool']}"
        case _:
            yield from map(_word, group)


def _word(event: Json) -> str:
    match event["event"]:
        case "notice":
            return f"notice {event['code']}"
        case "step.reset":
            assert event["reason"]
            return f"step.reset {' '.join(event['dropped_tools'])}"
        case "message.completed":
            return f"reply {event['finish_reason']} {event['text']}"
        case "tool.started":
            return f"tool.started {event['tool']}"
        case "tool.completed":
            return f"tool.completed {event['tool']} {event['outcome']}"
        case "run.completed":
            return f"run.completed {event['finish_reason']}"
        case "run.failed":
            return f"run.failed {event['error']['code']}"
        case name:
            return name


def dropped(events: list[Json]) -> list[str]:
    """The messages of those notices that tell of a call that is not made."""
    notices = [event["message"] for event in events if event["event"] == "notice"]
    return [message for message in notices if "terminal" in message]


def said_of(messages: list[Json]) -> tuple[str, ...]:
    """What the assistant said, as it is kept. Every call of it has its result."""
    calls = [call["id"] for message in messages for call in message.get("tool_calls") or ()]
    results = [message["tool_call_id"] for message in messages if message["role"] == "tool"]
    assert calls == results
    return tuple(
        plain(message["content"] or "") for message in messages if message["role"] == "assistant"
    )


# ── chat ────────────────────────────────────────────────────────────────────────────────────


def stream_of(frames: list[Frame]) -> Answer:
    assert all(frame.id is None for frame in frames)
    assert frames[-1].data == "[DONE]"
    progress = [frame.json for frame in frames if frame.event == "hermes.tool.progress"]
    chunks = [frame.json for frame in frames[:-1] if frame.event is None]
    errors = [chunk["error"] for chunk in chunks if "error" in chunk]
    choices = [choice for chunk in chunks for choice in chunk.get("choices", ())]
    assert choices[0]["delta"] == {"role": "assistant", "content": ""}
    finishes = [choice["finish_reason"] for choice in choices if choice["finish_reason"]]
    # One or the other, once, and it is the last word.
    assert len(finishes) + len(errors) == 1
    assert ("error" in chunks[-1]) == bool(errors)
    text = "".join(choice["delta"].get("content") or "" for choice in choices)
    finish = finishes[0] if finishes else None
    error = errors[0]["code"] if errors else None
    return Answer(plain(text), finish, error, _ran(progress))


def _ran(progress: list[Json]) -> tuple[str, ...]:
    """The tools whose calls began and ended, each once."""
    begun = [told["toolCallId"] for told in progress if told["status"] == "running"]
    ended = [told["toolCallId"] for told in progress if told["status"] == "completed"]
    assert sorted(begun) == sorted(ended)
    assert len(set(begun)) == len(begun)
    return tuple(told["tool"] for told in progress if told["status"] == "running")


def whole_of(status: int, body: Json) -> Answer:
    if status != 200:
        told = body["error"]["type"], body["error"]["code"]
        overflow = told == ("invalid_request_error", "context_length_exceeded")
        assert status == (400 if overflow else 502)
        assert overflow or told[0] == "upstream_error"
        return Answer(error=told[1])
    choice = body["choices"][0]
    assert not choice["message"].get("tool_calls")
    return Answer(plain(choice["message"]["content"]), choice["finish_reason"])


# ── responses ───────────────────────────────────────────────────────────────────────────────


def response_of(frames: list[Frame]) -> tuple[str, tuple[str, ...]]:
    """How it ended, and its items."""
    assert frames[-1].data == "[DONE]"
    events = [frame.json for frame in frames[:-1]]
    assert [frame.event for frame in frames[:-1]] == [event["type"] for event in events]
    assert [event["sequence_number"] for event in events] == list(range(len(events)))
    added = [event for event in events if event["type"] == "response.output_item.added"]
    done = [event for event in events if event["type"] == "response.output_item.done"]
    assert [event["output_index"] for event in added] == list(range(len(added)))
    assert [event["output_index"] for event in done] == list(range(len(added)))
    final = events[-1]["response"]
    assert events[-1]["type"] == f"response.{final['status']}"
    assert [event["item"] for event in done] == final["output"]
    return ending_of(final), tuple(map(_item, final["output"]))


def ending_of(response: Json) -> str:
    match response["status"]:
        case "failed":
            return f"failed {response['error']['code']}"
        case "incomplete":
            return f"incomplete {response['incomplete_details']['reason']}"
        case status:
            return status


def _item(item: Json) -> str:
    match item["type"]:
        case "message":
            text = "".join(part["text"] for part in item["content"])
            return plain(f"message {item['status']} {text}")
        case "reasoning":
            return f"reasoning {item.get('status')}"
        case "function_call":
            return f"function_call {item['name']}"
        case kind:
            return kind
