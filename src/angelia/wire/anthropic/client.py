"""Our half when we call Anthropic Messages: a stream or a body in.

Above: the adapter that owns the connection. Below: `Draft`, which holds the reply under way.
Unknown fields, events and kinds of content are skipped.
"""

from collections.abc import Iterator
from typing import TypeVar

from msgspec import MsgspecError, Raw, json

from angelia.core.events import Delta
from angelia.core.messages import (
    FinishReason,
    Reply,
    Seal,
    Usage,
)
from angelia.errors import UpstreamCutOff, UpstreamGarbled
from angelia.wire import faults, sse
from angelia.wire.anthropic import shapes
from angelia.wire.anthropic.prompt import Quirks, request
from angelia.wire.anthropic.shapes import DIALECT
from angelia.wire.draft import SILENT_REFUSAL, Draft
from angelia.wire.written.manner import PLAIN, Manner

__all__ = ["DIALECT", "Quirks", "Reader", "request", "whole"]

T = TypeVar("T")

EVENTS = frozenset(
    {
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
        "error",
    }
)
FINISHES: dict[str, FinishReason] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool_calls",
    "refusal": "content_filter",
}


def whole(body: bytes, manner: Manner = PLAIN) -> tuple[list[Delta], Reply]:
    """A body that came at once, as the deltas and the reply a stream of it would give."""
    reader = Reader(manner)
    deltas = reader.read_whole(body)
    return deltas, reader.finish()


class _Block:
    """A content block that is being received. `start` is what opened it, verbatim."""

    __slots__ = ("kind", "pieces", "signature", "start")

    def __init__(self, kind: str, start: Raw) -> None:
        self.kind = kind
        self.start = start
        self.pieces: list[str] = []
        self.signature = ""


class Reader:
    """Events in, deltas out, the whole reply at the end. Raises UpstreamError."""

    def __init__(self, manner: Manner = PLAIN) -> None:
        self.done = False
        self._draft = Draft(manner)
        self._open: dict[int, _Block] = {}
        self._stop_reason: str | None = None
        self._usage: shapes.Usage | None = None

    def feed(self, event: sse.Event) -> list[Delta]:
        if self.done or event.data.strip() in (b"", b"[DONE]"):
            return []
        return list(self._read(_kind(event), event.data))

    @property
    def sifted(self) -> int:
        """How much text has come that may be held back."""
        return self._draft.sifted

    def finish(self) -> Reply:
        if not self.done and not self._draft.empty:
            raise UpstreamCutOff("The model's answer broke off before its end.")
        self._draft.usage = None if self._usage is None else _total(self._usage)
        finish = self._finish_reason
        if finish == "tool_calls" and not self._draft.slots and not self._draft.silent:
            finish = "stop"
        # Only a stop that the model chose vouches for the arguments of its calls.
        if finish in ("stop", "tool_calls") and self._stop_reason and not self._open:
            self._draft.finish = finish
        return self._draft.reply(default_finish=finish)

    @property
    def _finish_reason(self) -> FinishReason:
        return FINISHES.get(self._stop_reason or "", "stop")

    def read_whole(self, body: bytes) -> list[Delta]:
        if _type(body) == "error":
            raise faults.refused_in_stream(faults.read(body))
        message = _decode(body, shapes.Body)
        deltas: list[Delta] = []
        self._announced(message)
        for index, block in enumerate(message.content or ()):
            deltas += self._start(index, block)
            deltas += self._stop(index)
        deltas += self._stopped(message.stop_reason, message.stop_details)
        deltas += self._draft.close(clean=False)
        self.done = True
        return deltas

    def _read(self, kind: str, data: bytes) -> Iterator[Delta]:
        match kind:
            case "message_start":
                self._announced(_decode(data, shapes.MessageStart).message)
            case "content_block_start":
                event = _decode(data, shapes.BlockStart)
                yield from self._start(event.index, event.content_block)
            case "content_block_delta":
                yield from self._more(_decode(data, shapes.BlockDelta))
            case "content_block_stop":
                yield from self._stop(_decode(data, shapes.BlockStop).index)
            case "message_delta":
                change = _decode(data, shapes.MessageDelta)
                self._count(change.usage)
                yield from self._stopped(change.delta.stop_reason, change.delta.stop_details)
            case "message_stop":
                self.done = True
                yield from self._draft.close(clean=False)
            case "error":
                raise faults.refused_in_stream(faults.read(data))
            case _:
                pass

    def _announced(self, message: shapes.Body) -> None:
        self._draft.model = message.model
        self._count(message.usage)

    def _start(self, index: int, start: Raw) -> Iterator[Delta]:
        block = self._open[index] = _Block(_decode(start, shapes.Typed).type, start)
        match block.kind:
            case "text":
                yield from self._draft.text(_decode(start, shapes.TextStart).text or "")
            case "thinking":
                thought = _decode(start, shapes.ThinkingStart)
                block.signature = thought.signature or ""
                yield from _some(self._draft.reasoning(thought.thinking or ""))
            case "tool_use":
                use = _decode(start, shapes.ToolUseStart)
                yield from self._draft.release()
                yield self._draft.call(index, id=use.id, name=use.name)
            case _:
                pass

    def _more(self, event: shapes.BlockDelta) -> Iterator[Delta]:
        block = self._open.get(event.index)
        if block is None:
            raise UpstreamGarbled("A piece came of a block that never began.")
        if block.kind not in ("text", "thinking", "tool_use"):
            return
        piece = _decode(event.delta, shapes.BlockPiece)
        match block.kind, piece.type:
            case "text", "text_delta":
                yield from self._draft.text(piece.text or "")
            case "thinking", "thinking_delta":
                block.pieces.append(piece.thinking or "")
                yield from _some(self._draft.reasoning(piece.thinking or ""))
            case "thinking", "signature_delta":
                block.signature += piece.signature or ""
            case "tool_use", "input_json_delta":
                yield from self._arguments(event.index, block, piece.partial_json or "")
            case _:
                pass

    def _arguments(self, index: int, block: _Block, text: str) -> Iterator[Delta]:
        if text:
            block.pieces.append(text)
            yield self._draft.call(index, arguments=text)

    def _stop(self, index: int) -> Iterator[Delta]:
        block = self._open.pop(index, None)
        if block is None:
            return
        match block.kind:
            case "thinking":
                if block.signature:
                    self._draft.seal(Seal(DIALECT, _thought(block)))
            case "redacted_thinking":
                self._draft.seal(Seal(DIALECT, _text(block.start)))
            case "tool_use":
                given = _text(_decode(block.start, shapes.ToolUseStart).input)
                if not block.pieces and given not in ("{}", "null"):
                    yield from self._arguments(index, block, given)
            case _:
                pass

    def _stopped(self, reason: str | None, details: shapes.StopDetails | None) -> Iterator[Delta]:
        self._stop_reason = reason or self._stop_reason
        if reason:
            clean = self._finish_reason in ("stop", "tool_calls")
            yield from self._draft.close(clean=clean)
        if reason == "refusal" and self._draft.silent:
            explanation = details.explanation if details else None
            yield from _some(self._draft.refusal(explanation or SILENT_REFUSAL))

    def _count(self, usage: shapes.Usage | None) -> None:
        """Counts are cumulative: the last word on each of them holds."""
        if usage is None:
            return
        before = self._usage or shapes.Usage()
        self._usage = shapes.Usage(
            _last(before.input_tokens, usage.input_tokens),
            _last(before.output_tokens, usage.output_tokens),
            _last(before.cache_read_input_tokens, usage.cache_read_input_tokens),
            _last(before.cache_creation_input_tokens, usage.cache_creation_input_tokens),
        )


def _kind(event: sse.Event) -> str:
    """Proxies drop or rename the event's name; its data still says what it is."""
    if event.name in EVENTS:
        return event.name
    try:
        return _type(event.data)
    except UpstreamGarbled:
        # An event of the proxy's own, to keep the connection open.
        if event.name != "message":
            return event.name
        raise


def _type(data: bytes) -> str:
    """An error may come without a type."""
    typed = _decode(data, shapes.Typed)
    return "error" if not typed.type and typed.error != shapes.NULL else typed.type


def _thought(block: _Block) -> str:
    """The block's JSON: as it came at once, or put together from its pieces."""
    if not block.pieces and _decode(block.start, shapes.ThinkingStart).signature:
        return _text(block.start)
    opened = _decode(block.start, shapes.ThinkingStart).thinking or ""
    thought = shapes.ThinkingBlock("".join((opened, *block.pieces)), block.signature)
    return json.encode(thought).decode()


def _some(delta: Delta | None) -> tuple[Delta, ...]:
    return () if delta is None else (delta,)


def _last(before: int | None, now: int | None) -> int | None:
    return before if now is None else now


def _total(usage: shapes.Usage) -> Usage:
    cached = usage.cache_read_input_tokens or 0
    written = usage.cache_creation_input_tokens or 0
    return Usage(
        input=(usage.input_tokens or 0) + cached + written,
        output=usage.output_tokens or 0,
        cached=cached,
        cache_written=written,
    )


def _decode(data: bytes | Raw, shape: type[T]) -> T:
    try:
        return json.decode(data, type=shape)
    except (MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        message = f"The provider's answer is not the Messages protocol: {fault}"
        raise UpstreamGarbled(message) from fault


def _text(raw: Raw) -> str:
    try:
        return bytes(raw).decode()
    except UnicodeDecodeError as fault:
        raise UpstreamGarbled("The provider's answer is not UTF-8.") from fault
