"""An answer on its way to the client: rendered, spoiled, and sent as fast as it should go.

Above: the server, which knows what is to be answered. Below: an `Exchange`.
"""

import asyncio
from typing import Protocol, assert_never

from msgspec import Struct
from msgspec.structs import replace

from angelia.core.messages import Assistant, AssistantPart, Text
from angelia.surfaces.upstream.asked import Asked
from angelia.surfaces.upstream.frames import Ending, Frame, Scripted, framed, spoil
from angelia.surfaces.upstream.listener import Exchange
from angelia.surfaces.upstream.script import NO_STREAMING, ErrorEvent, Fault

_TICK = 0.001
_SIGN_OF_LIFE = 0.02
_BLANK_LINE = b"\n"


class Dialect(Protocol):
    """What a protocol's module knows."""

    def read(self, body: bytes, /) -> Asked: ...
    def stream(self, scripted: Scripted, asked: Asked, /) -> list[Frame]: ...
    def whole(self, scripted: Scripted, asked: Asked, /) -> bytes: ...
    def error(self, event: ErrorEvent, /) -> Frame: ...
    def refusal(self, status: int, event: ErrorEvent, /) -> bytes: ...
    def overflow(self, tokens: int, limit: int, /) -> ErrorEvent: ...
    def ping(self) -> bytes: ...


class Delivery(Struct, frozen=True):
    """What goes over the wire behind the head. `sign` is sent without end if that is the end."""

    content_type: str
    frames: list[Frame]
    ending: Ending
    sign: bytes = _BLANK_LINE


def deliver(dialect: Dialect, asked: Asked, fault: Fault, scripted: Scripted) -> Delivery:
    scripted = _adapted(scripted, fault)
    if asked.stream and fault.no_stream in (None, "event"):
        return _streamed(dialect, asked, fault, scripted)
    whole = Frame("whole", dialect.whole(scripted, asked))
    if asked.stream and fault.no_stream == "error":
        whole = Frame("whole", dialect.refusal(200, NO_STREAMING))
    # Some gateways report a failure in a body that goes with status 200.
    error = Frame("whole", dialect.refusal(200, fault.error))
    frames, ending = spoil([whole], replace(fault, after="start"), error)
    return Delivery("application/json", frames, ending)


def _streamed(dialect: Dialect, asked: Asked, fault: Fault, scripted: Scripted) -> Delivery:
    frames, ending = spoil(dialect.stream(scripted, asked), fault, dialect.error(fault.error))
    if fault.no_stream == "event":
        frames, ending = [dialect.error(NO_STREAMING)], "end"
    kind = "text/event-stream; charset=utf-8"
    return Delivery(kind, framed(frames, fault), ending, dialect.ping())


def _adapted(scripted: Scripted, fault: Fault) -> Scripted:
    reply = scripted.reply
    if fault.no_usage:
        reply = replace(reply, usage=None)
    if fault.giant:
        parts: tuple[AssistantPart, ...] = (*reply.message.parts, Text("x" * fault.giant))
        return replace(
            scripted, reply=replace(reply, message=Assistant(_joined(parts))), chunk="all"
        )
    return replace(scripted, reply=reply)


def _joined(parts: tuple[AssistantPart, ...]) -> tuple[AssistantPart, ...]:
    """All text is one part, behind the thoughts and before the calls."""
    text = Text("".join(part.text for part in parts if isinstance(part, Text)))
    places = [place for place, part in enumerate(parts) if isinstance(part, Text)]
    others = [part for part in parts if not isinstance(part, Text)]
    return (*others[: places[0]], text, *others[places[0] :])


async def send(exchange: Exchange, delivery: Delivery, pace: float, trickle: int) -> None:
    frames = delivery.frames
    if trickle:
        data = b"".join(frame.data for frame in frames)
        for at in range(0, len(data), trickle):
            await exchange.send(data[at : at + trickle])
            await asyncio.sleep(pace or _TICK)
    elif pace:
        for frame in frames:
            await exchange.send(frame.data)
            if frame.kind in ("reasoning", "text", "arguments"):
                await asyncio.sleep(pace)
    else:
        await exchange.send(*(frame.data for frame in frames))
    await _conclude(exchange, delivery)


async def _conclude(exchange: Exchange, delivery: Delivery) -> None:
    match delivery.ending:
        case "end":
            exchange.end()
        case "cut":
            exchange.cut()
        case "stall":
            await silence()
        case "comments":
            while True:
                await exchange.send(delivery.sign)
                await asyncio.sleep(_SIGN_OF_LIFE)
        case _:
            assert_never(delivery.ending)


async def silence() -> None:
    """Ends when the client leaves, which cancels it."""
    await asyncio.get_running_loop().create_future()
