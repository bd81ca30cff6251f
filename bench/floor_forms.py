"""The least that each surface must be told of a run: that it began, its text, that it ended."""

from typing import Protocol

import msgspec

from bench import framing

_encode = msgspec.json.Encoder().encode


class Form(Protocol):
    """One run in the frames of one surface."""

    def begin(self) -> bytes: ...

    def delta(self, text: str) -> bytes: ...

    def end(self, finish: str) -> bytes: ...


# ── chat completions ────────────────────────────────────────────────────────────────────────


class Delta(msgspec.Struct, omit_defaults=True):
    role: str | None = None
    content: str | None = None


class Choice(msgspec.Struct):
    delta: Delta
    index: int = 0
    finish_reason: str | None = None


class Chunk(msgspec.Struct):
    choices: list[Choice]
    id: str = "chatcmpl-floor"
    object: str = "chat.completion.chunk"
    created: int = 0
    model: str = "floor"


def _chunk(delta: Delta, finish: str | None = None) -> bytes:
    return framing.event(_encode(Chunk([Choice(delta, finish_reason=finish)])))


class Chat:
    def begin(self) -> bytes:
        return _chunk(Delta(role="assistant", content=""))

    def delta(self, text: str) -> bytes:
        return _chunk(Delta(content=text))

    def end(self, finish: str) -> bytes:
        return _chunk(Delta(), finish) + framing.DONE


# ── responses ───────────────────────────────────────────────────────────────────────────────


class TextDelta(msgspec.Struct):
    sequence_number: int
    delta: str
    type: str = "response.output_text.delta"
    item_id: str = "msg_floor"
    output_index: int = 0
    content_index: int = 0


class Responses:
    def __init__(self) -> None:
        self._number = 0
        self._text: list[str] = []

    def begin(self) -> bytes:
        return self._event("response.created", self._response("in_progress"))

    def delta(self, text: str) -> bytes:
        self._number += 1
        self._text.append(text)
        data = _encode(TextDelta(self._number, text))
        return b"event: response.output_text.delta\n" + framing.event(data)

    def end(self, finish: str) -> bytes:
        return self._event("response.completed", self._response("completed")) + framing.DONE

    def _event(self, kind: str, response: dict[str, object]) -> bytes:
        data = {"type": kind, "sequence_number": self._number, "response": response}
        self._number += 1
        return f"event: {kind}\n".encode() + framing.event(_encode(data))

    def _response(self, status: str) -> dict[str, object]:
        text = "".join(self._text)
        return {"id": "resp_floor", "object": "response", "status": status, "output_text": text}


# ── runs ────────────────────────────────────────────────────────────────────────────────────


class MessageDelta(msgspec.Struct):
    run_id: str
    seq: int
    delta: str
    event: str = "message.delta"


class Runs:
    def __init__(self, run_id: str) -> None:
        self._run_id = run_id
        self._seq = 0
        self._text: list[str] = []

    def begin(self) -> bytes:
        return self._event({"event": "run.started", "run_id": self._run_id})

    def delta(self, text: str) -> bytes:
        self._text.append(text)
        return self._event(MessageDelta(self._run_id, self._seq + 1, text))

    def end(self, finish: str) -> bytes:
        output = "".join(self._text)
        ended = {"event": "run.completed", "run_id": self._run_id, "output": output}
        return self._event(ended | {"finish_reason": finish})

    def _event(self, event: object) -> bytes:
        self._seq += 1
        return b"id: %d\n%b" % (self._seq, framing.event(_encode(event)))
