"""How each surface is asked, and where the text of a delta is in its frames."""

from collections.abc import Callable, Mapping

import msgspec

from bench import framing


class Reading(msgspec.Struct, frozen=True):
    """What one frame says: text, an end, or something that should not be."""

    text: str = ""
    done: bool = False
    fault: str = ""


_NOTHING = Reading()
_DONE = Reading(done=True)


class Dialect(msgspec.Struct, frozen=True):
    """One surface. With `events`, a first answer names a run whose events are asked for next."""

    path: str
    body: Callable[[str], Mapping[str, object]]
    read: Callable[[bytes], Reading]
    events: str = ""
    ends_with_frame: bool = True

    def request(self, prefix: str, question: str, key: str) -> bytes:
        return framing.post(prefix + self.path, msgspec.json.encode(self.body(question)), key)

    def follow(self, answer: bytes, key: str) -> bytes:
        run_id = msgspec.json.decode(answer, type=Created).run_id
        return framing.get(self.events.format(run_id), key)


class Created(msgspec.Struct):
    run_id: str


# ── chat completions ────────────────────────────────────────────────────────────────────────


class Delta(msgspec.Struct):
    content: str | None = None


class Choice(msgspec.Struct):
    delta: Delta


_NO_ERROR = (msgspec.Raw(b""), msgspec.Raw(b"null"))


class Chunk(msgspec.Struct):
    choices: list[Choice] = []
    error: msgspec.Raw = _NO_ERROR[0]


_chunk = msgspec.json.Decoder(Chunk)


def _read_chat(data: bytes) -> Reading:
    if data == b"[DONE]":
        return _DONE
    chunk = _chunk.decode(data)
    if chunk.error not in _NO_ERROR:
        return Reading(fault=f"error frame: {bytes(chunk.error)[:300].decode()}")
    return Reading("".join(choice.delta.content or "" for choice in chunk.choices))


def _chat_body(question: str) -> Mapping[str, object]:
    message = {"role": "user", "content": question}
    return {"model": "angelia", "stream": True, "messages": [message]}


# ── responses ───────────────────────────────────────────────────────────────────────────────


class Happened(msgspec.Struct):
    type: str = ""
    delta: str = ""


_happened = msgspec.json.Decoder(Happened)


def _read_responses(data: bytes) -> Reading:
    if data == b"[DONE]":
        return _DONE
    event = _happened.decode(data)
    match event.type:
        case "response.output_text.delta":
            return Reading(event.delta)
        case "error" | "response.failed" | "response.incomplete":
            return Reading(fault=f"error frame: {data[:300].decode()}")
        case _:
            return _NOTHING


def _responses_body(question: str) -> Mapping[str, object]:
    return {"model": "angelia", "stream": True, "input": question}


# ── runs ────────────────────────────────────────────────────────────────────────────────────


class Event(msgspec.Struct):
    event: str
    delta: str = ""


_event = msgspec.json.Decoder(Event)


def _read_runs(data: bytes) -> Reading:
    event = _event.decode(data)
    match event.event:
        case "message.delta":
            return Reading(event.delta)
        case "run.completed":
            return _DONE
        case "run.failed" | "run.cancelled" | "step.reset":
            return Reading(fault=f"error frame: {data[:300].decode()}")
        case _:
            return _NOTHING


def _runs_body(question: str) -> Mapping[str, object]:
    return {"input": question}


# ── LangGraph's server ──────────────────────────────────────────────────────────────────────


class Streamed(msgspec.Struct):
    type: str = ""
    content: str | list[msgspec.Raw] = ""


_message = msgspec.json.Decoder(tuple[Streamed, msgspec.Raw])


def _read_langgraph(data: bytes) -> Reading:
    """Pairs of a piece of a message and what is known of it; other frames are objects."""
    if not data.startswith(b"["):
        return (
            Reading(fault=f"error frame: {data[:300].decode()}") if b'"error"' in data else _NOTHING
        )
    piece, _ = _message.decode(data)
    if piece.type != "AIMessageChunk" or not isinstance(piece.content, str):
        return _NOTHING
    return Reading(piece.content)


def _langgraph_body(question: str) -> Mapping[str, object]:
    return {
        "assistant_id": "agent",
        "input": {"messages": [{"role": "user", "content": question}]},
        "stream_mode": ["messages-tuple"],
    }


DIALECTS = {
    "chat": Dialect(framing.CHAT_PATH, _chat_body, _read_chat),
    "responses": Dialect("/v1/responses", _responses_body, _read_responses),
    "runs": Dialect("/v1/runs", _runs_body, _read_runs, events="/v1/runs/{}/events"),
    "langgraph": Dialect("/runs/stream", _langgraph_body, _read_langgraph, ends_with_frame=False),
}
