"""Our half when we call OpenAI Responses: a stream or a body in.

Above: the adapter that owns the connection. Below: `Draft`, which holds the reply under way.
Unknown fields, events and kinds of content are skipped.
"""

from collections.abc import Iterator
from typing import Literal, TypeVar, assert_never

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
from angelia.wire.draft import SILENT_REFUSAL, Draft
from angelia.wire.responses import client_shapes as shapes
from angelia.wire.responses.client_shapes import DIALECT
from angelia.wire.responses.prompt import Quirks, request
from angelia.wire.written.manner import PLAIN, Manner

__all__ = ["DIALECT", "Quirks", "Reader", "request", "whole"]

Prose = Literal["text", "refusal", "reasoning", "summary"]
T = TypeVar("T")


def whole(body: bytes, manner: Manner = PLAIN) -> tuple[list[Delta], Reply]:
    """A body that came at once, as the deltas and the reply a stream of it would give."""
    reader = Reader(manner)
    deltas = reader.conclude(_decode(body, shapes.Response))
    return deltas, reader.finish()


class Reader:
    """Events in, deltas out, the whole reply at the end. Raises UpstreamError."""

    def __init__(self, manner: Manner = PLAIN) -> None:
        self.done = False
        self._draft = Draft(manner)
        self._cut_by: FinishReason | None = None
        # Characters shown so far, by output index, kind and part: what a `done` event repeats.
        self._shown: dict[tuple[int, str, int], int] = {}

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
        if self._cut_by is not None:
            return self._draft.reply(default_finish=self._cut_by)
        self._draft.finish = "stop" if self.done else None
        return self._draft.reply()

    def conclude(self, response: shapes.Response, *, cut: bool = False) -> list[Delta]:
        """The provider's last word. Its output is read only if nothing of it came before."""
        if response.error != shapes.NULL:
            raise faults.refused_in_stream(faults.read(bytes(response.error)))
        if response.status == "failed":
            raise faults.refused_in_stream(faults.Said("The model failed.", "server_error"))
        if response.status not in (None, "completed", "incomplete"):
            raise UpstreamGarbled(f"The answer is {response.status!r}.")
        self._draft.model = response.model
        self._draft.usage = None if response.usage is None else _usage(response.usage)
        deltas: list[Delta] = []
        if self._draft.empty:
            for output, item in enumerate(response.output or ()):
                deltas += self._item(output, item)
        if cut or response.status == "incomplete":
            self._cut_by = _reason(response.incomplete_details)
        deltas += self._draft.close(clean=self._cut_by is None)
        if self._cut_by == "content_filter" and self._draft.silent:
            deltas += self._say("refusal", 0, 0, SILENT_REFUSAL)
        self.done = True
        return deltas

    def _read(self, kind: str, data: bytes) -> Iterator[Delta]:
        match kind:
            case "response.output_text.delta":
                yield from self._piece("text", data)
            case "response.refusal.delta":
                yield from self._piece("refusal", data)
            case "response.reasoning_text.delta":
                yield from self._piece("reasoning", data)
            case "response.reasoning_summary_text.delta":
                yield from self._piece("summary", data)
            case "response.function_call_arguments.delta":
                piece = _decode(data, shapes.Piece)
                yield from self._call(piece.output_index or 0, arguments=piece.delta or "")
            case "response.output_text.done":
                yield from self._repeated("text", data)
            case "response.refusal.done":
                yield from self._repeated("refusal", data)
            case "response.reasoning_text.done":
                yield from self._repeated("reasoning", data)
            case "response.reasoning_summary_text.done":
                yield from self._repeated("summary", data)
            case "response.function_call_arguments.done":
                said = _decode(data, shapes.Whole)
                item = shapes.CallItem(arguments=said.arguments)
                yield from self._whole_call(said.output_index or 0, item)
            case "response.output_item.added":
                yield from self._added(_decode(data, shapes.ItemEvent))
            case "response.output_item.done":
                event = _decode(data, shapes.ItemEvent)
                yield from self._item(event.output_index or 0, event.item)
            case "response.completed" | "response.failed" | "response.cancelled":
                yield from self.conclude(_decode(data, shapes.ResponseEvent).response)
            case "response.incomplete":
                yield from self.conclude(_decode(data, shapes.ResponseEvent).response, cut=True)
            case "error":
                raise faults.refused_in_stream(faults.read(data))
            case _:
                pass

    def _piece(self, prose: Prose, data: bytes) -> Iterator[Delta]:
        piece = _decode(data, shapes.Piece)
        part = (piece.summary_index if prose == "summary" else piece.content_index) or 0
        yield from self._say(prose, piece.output_index or 0, part, piece.delta or "")

    def _repeated(self, prose: Prose, data: bytes) -> Iterator[Delta]:
        said = _decode(data, shapes.Whole)
        part = (said.summary_index if prose == "summary" else said.content_index) or 0
        text = said.refusal if prose == "refusal" else said.text
        yield from self._rest(prose, said.output_index or 0, part, text or "")

    def _say(self, prose: Prose, output: int, part: int, text: str) -> Iterator[Delta]:
        if not text:
            return
        key = (output, prose, part)
        new_paragraph = key not in self._shown and (output, prose, part - 1) in self._shown
        self._shown[key] = self._shown.get(key, 0) + len(text)
        match prose:
            case "text":
                yield from self._draft.text(text)
                return
            case "refusal":
                delta = self._draft.refusal(text)
            case "reasoning" | "summary":
                delta = self._draft.reasoning(f"\n\n{text}" if new_paragraph else text)
            case _:
                assert_never(prose)
        if delta is not None:
            yield delta

    def _rest(self, prose: Prose, output: int, part: int, text: str) -> Iterator[Delta]:
        """What of `text` the deltas have not shown."""
        yield from self._say(prose, output, part, text[self._shown.get((output, prose, part), 0) :])

    def _added(self, event: shapes.ItemEvent) -> Iterator[Delta]:
        output = event.output_index or 0
        # Some servers give every item the same index; what was shown of the last is not of this.
        self._shown = {key: count for key, count in self._shown.items() if key[0] != output}
        if _decode(event.item, shapes.Typed).type == "function_call":
            item = _decode(event.item, shapes.CallItem)
            yield from self._call(output, call_id=item.call_id, name=item.name)

    def _item(self, output: int, raw: Raw) -> Iterator[Delta]:
        match _decode(raw, shapes.Typed).type:
            case "message":
                for part, content in enumerate(_decode(raw, shapes.MessageItem).content or ()):
                    yield from self._rest("text", output, part, content.text or "")
                    yield from self._rest("refusal", output, part, content.refusal or "")
            case "function_call":
                yield from self._whole_call(output, _decode(raw, shapes.CallItem))
            case "reasoning":
                item = _decode(raw, shapes.ReasoningItem)
                for part, summary in enumerate(item.summary or ()):
                    yield from self._rest("summary", output, part, summary.text or "")
                for part, content in enumerate(item.content or ()):
                    yield from self._rest("reasoning", output, part, content.text or "")
                self._draft.seal(Seal(DIALECT, _text(raw)))
            case _:
                pass

    def _whole_call(self, output: int, item: shapes.CallItem) -> Iterator[Delta]:
        arguments = item.arguments or ""
        rest = arguments[self._shown.get((output, "call", 0), 0) :]
        yield from self._call(output, rest, call_id=item.call_id, name=item.name)
        if arguments:
            self._draft.settle_arguments(output, arguments)

    def _call(
        self,
        output: int,
        arguments: str = "",
        *,
        call_id: str | int | None = None,
        name: str | None = None,
    ) -> Iterator[Delta]:
        key = (output, "call", 0)
        self._shown[key] = self._shown.get(key, 0) + len(arguments)
        yield from self._draft.release()
        delta = self._draft.call(output, id=call_id, name=name, arguments=arguments)
        if delta.arguments or delta.id or delta.name:
            yield delta


def _kind(event: sse.Event) -> str:
    """Proxies drop or rename the event's name; its data still says what it is."""
    if event.name.startswith("response.") or event.name == "error":
        return event.name
    try:
        typed = _decode(event.data, shapes.Typed)
    except UpstreamGarbled:
        # An event of the proxy's own, to keep the connection open.
        if event.name != "message":
            return event.name
        raise
    return "error" if not typed.type and typed.error != shapes.NULL else typed.type


def _decode(data: bytes | Raw, shape: type[T]) -> T:
    try:
        return json.decode(data, type=shape)
    except (MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        message = f"The provider's answer is not the Responses protocol: {fault}"
        raise UpstreamGarbled(message) from fault


def _text(raw: Raw) -> str:
    try:
        return bytes(raw).decode()
    except UnicodeDecodeError as fault:
        raise UpstreamGarbled("The provider's answer is not UTF-8.") from fault


def _reason(details: shapes.Incomplete | None) -> FinishReason:
    filtered = details is not None and details.reason == "content_filter"
    return "content_filter" if filtered else "length"


def _usage(usage: shapes.Usage) -> Usage:
    inputs = usage.input_tokens_details or shapes.InputDetails()
    outputs = usage.output_tokens_details or shapes.OutputDetails()
    return Usage(
        input=usage.input_tokens or 0,
        output=usage.output_tokens or 0,
        cached=inputs.cached_tokens or 0,
        cache_written=inputs.cache_write_tokens or 0,
        reasoning=outputs.reasoning_tokens or 0,
    )
