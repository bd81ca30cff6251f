"""The AI SDK on chat completions: every chunk has to fit a schema, and the end needs a reason."""

from typing import Literal

import msgspec
from msgspec import Struct

from angelia.surfaces.cli.doctor.clients.chunks import Usage
from angelia.surfaces.cli.doctor.clients.sdk import events
from angelia.surfaces.cli.doctor.shown import Canvas, Shown

UNFINISHED = "the stream ended without a finish reason"


class Function(Struct, frozen=True):
    name: str | None = None
    arguments: str | None = None


class Call(Struct, frozen=True):
    function: Function
    index: int | None = None
    id: str | None = None


class Delta(Struct, frozen=True):
    role: Literal["assistant", ""] | None = None
    content: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    tool_calls: tuple[Call, ...] | None = None


class Choice(Struct, frozen=True):
    """One of its two providers wants the index."""

    index: int
    delta: Delta | None = None
    finish_reason: str | None = None


class Chunk(Struct, frozen=True):
    choices: tuple[Choice, ...]
    usage: Usage | None = None


class Complaint(Struct, frozen=True):
    message: str


class Failure(Struct, frozen=True):
    error: Complaint


def read(data: bytes) -> Shown:
    canvas = Canvas()
    for event in events(data):
        if event != b"[DONE]":
            _show(canvas, event)
    if canvas.finish is None and not canvas.shown().troubles:
        canvas.trouble(UNFINISHED)
    return canvas.shown()


def _show(canvas: Canvas, event: bytes) -> None:
    try:
        chunk = msgspec.json.decode(event, type=Chunk)
    except msgspec.DecodeError as error:
        canvas.trouble(_complaint(event) or f"a chunk does not fit the schema: {error}")
        return
    if chunk.usage is not None:
        canvas.tokens = chunk.usage.tokens
    if not chunk.choices:
        return
    choice = chunk.choices[0]
    canvas.finish = choice.finish_reason or canvas.finish
    delta = choice.delta or Delta()
    canvas.think(delta.reasoning_content or delta.reasoning or "")
    canvas.say(delta.content or "")
    for position, call in enumerate(delta.tool_calls or ()):
        index = position if call.index is None else call.index
        canvas.errand(index, call.function.name or "", call.function.arguments or "")


def _complaint(event: bytes) -> str:
    try:
        return msgspec.json.decode(event, type=Failure).error.message
    except msgspec.DecodeError:
        return ""
