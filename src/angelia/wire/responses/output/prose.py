"""What a model says and thinks, as items with content parts that grow piece by piece."""

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from msgspec import Raw, Struct, json

from angelia.core.messages import Seal
from angelia.wire.responses.output.frames import PIECE, Tape, pieces
from angelia.wire.responses.output.items import Closed, Output, Place
from angelia.wire.responses.response_shapes import (
    MessageOut,
    OutputTextOut,
    ReasoningOut,
    ReasoningTextOut,
    RefusalOut,
    Status,
)
from angelia.wire.responses.sealed import seal_token

_encode = json.Encoder().encode

P = TypeVar("P", OutputTextOut | RefusalOut, ReasoningTextOut)


class Kind(Struct, Generic[P], frozen=True):
    """A kind of content and its words on the wire. `extra` are fields of both its events."""

    part: type[P]
    delta: str
    done: str
    whole: bytes
    extra: bytes = b""


TEXT: Kind[OutputTextOut | RefusalOut] = Kind(
    OutputTextOut,
    "response.output_text.delta",
    "response.output_text.done",
    b'"text":',
    b'"logprobs":[],',
)
REFUSAL: Kind[OutputTextOut | RefusalOut] = Kind(
    RefusalOut, "response.refusal.delta", "response.refusal.done", b'"refusal":'
)
THOUGHT: Kind[ReasoningTextOut] = Kind(
    ReasoningTextOut, "response.reasoning_text.delta", "response.reasoning_text.done", b'"text":'
)


class _Part(Generic[P]):
    """A content part that is being written."""

    def __init__(self, kind: Kind[P], place: Place, number: int, tape: Tape) -> None:
        self.kind = kind
        self._tape = tape
        self._pieces: list[str] = []
        self._fields = b'%b"content_index":%d,' % (place.fields, number)
        self._delta_head = b'{"type":"%b",%b%b"delta":' % (
            kind.delta.encode(),
            self._fields,
            kind.extra,
        )
        self._tell("response.content_part.added")

    def say(self, text: str) -> None:
        self._pieces.append(text)
        if len(text) <= PIECE:
            self._tape.go_on(self.kind.delta, self._delta_head, _encode(text))
            return
        for piece in pieces(text):
            self._tape.go_on(self.kind.delta, self._delta_head, _encode(piece))

    def close(self) -> None:
        kind = self.kind
        text = _encode("".join(self._pieces))
        self._tape.add(kind.done, self._fields + kind.extra + kind.whole + text)
        self._tell("response.content_part.done")

    def shown(self) -> P:
        return self.kind.part("".join(self._pieces))

    def _tell(self, event: str) -> None:
        self._tape.add(event, b'%b"part":%b' % (self._fields, _encode(self.shown())))


class _Prose(ABC, Generic[P]):
    """An item under way. Closing it is final."""

    def __init__(self, output: Output, place: Place) -> None:
        self._output = output
        self._place = place
        self._parts: list[_Part[P]] = []
        self._closed: Raw | None = None
        output.added(place, self, self._out("in_progress"))

    @abstractmethod
    def _out(self, status: Status) -> MessageOut | ReasoningOut: ...

    def shown(self) -> Raw:
        return self._closed or Raw(_encode(self._out("in_progress")))

    def close(self, status: Status) -> None:
        if self._parts:
            self._parts[-1].close()
        self._closed = self._output.done(self._place, self._out(status))

    def _say(self, kind: Kind[P], text: str) -> None:
        if self._parts and self._parts[-1].kind is kind:
            self._parts[-1].say(text)
            return
        if self._parts:
            self._parts[-1].close()
        part = _Part(kind, self._place, len(self._parts), self._output.tape)
        self._parts.append(part)
        part.say(text)

    def _content(self) -> tuple[P, ...]:
        return tuple(part.shown() for part in self._parts)


class Message(_Prose[OutputTextOut | RefusalOut]):
    def __init__(self, output: Output) -> None:
        super().__init__(output, output.place("msg"))

    def say(self, text: str) -> None:
        self._say(TEXT, text)

    def refuse(self, text: str) -> None:
        self._say(REFUSAL, text)

    def _out(self, status: Status) -> MessageOut:
        return MessageOut(self._place.id, status, "assistant", self._content())


class Thought(_Prose[ReasoningTextOut]):
    def __init__(self, output: Output) -> None:
        super().__init__(output, output.place("rs"))

    def say(self, text: str) -> None:
        self._say(THOUGHT, text)

    def _out(self, status: Status) -> ReasoningOut:
        return ReasoningOut(self._place.id, status, (), self._content())


def show_seal(output: Output, seal: Seal) -> None:
    """An item that the client keeps for the model and cannot read."""
    place = output.place("rs")
    item = ReasoningOut(place.id, "completed", (), (), seal_token(seal))
    output.added(place, Closed(Raw(_encode(item))), item)
    output.done(place, item)
