"""Our half of chat completions when we call: a request out, the provider's chunks in.

Above: the adapter that moves the bytes. Below: `Draft`, which holds the reply under way. What
providers add to the protocol is skipped, or kept as a seal and sent back to them verbatim.
"""

from msgspec import DecodeError, Raw, json

from angelia.core.events import Delta
from angelia.core.messages import FinishReason, Reply, Seal, Usage
from angelia.errors import UpstreamCutOff, UpstreamGarbled
from angelia.wire import faults
from angelia.wire.chat.calls import DIALECT, Calls
from angelia.wire.chat.details import merge_details, read_details
from angelia.wire.chat.prompt import Quirks, request
from angelia.wire.chat.shapes import (
    ABSENT,
    Chunk,
    ContentPart,
    DeltaPiece,
    TokenCounts,
)
from angelia.wire.draft import SILENT_REFUSAL, Draft
from angelia.wire.sse import Event
from angelia.wire.written.manner import PLAIN, Manner

__all__ = ["Quirks", "Reader", "request", "whole"]

_FINISH: dict[str, FinishReason] = {
    "stop": "stop",
    "length": "length",
    "max_tokens": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
}
_UNREADABLE = (DecodeError, UnicodeDecodeError, RecursionError)

_chunk = json.Decoder(Chunk)


class Reader:
    """One answer, chunk by chunk. `done` once the provider said `[DONE]`."""

    def __init__(self, manner: Manner = PLAIN) -> None:
        self.done = False
        self._draft = Draft(manner)
        self._calls = Calls(self._draft)
        self._details: list[dict[str, Raw]] = []

    def feed(self, event: Event) -> list[Delta]:
        """Raises UpstreamRefused for an error the provider reports, UpstreamGarbled for noise."""
        data = event.data
        if self.done or not data or data.isspace():
            return []
        if event.name == "error":
            raise faults.refused_in_stream(faults.read(data))
        if data.startswith(b"[DONE]"):
            self.done = True
            return list(self._draft.close(clean=False))
        try:
            chunk = _chunk.decode(data)
        except _UNREADABLE as error:
            if event.name != "message":
                return []
            raise UpstreamGarbled(
                f"The provider sent a chunk that cannot be read: {error}"
            ) from error
        return self._take(chunk, data)

    def whole(self, body: bytes) -> list[Delta]:
        """The answer in one JSON body instead of a stream."""
        try:
            chunk = _chunk.decode(body)
        except _UNREADABLE as error:
            raise UpstreamGarbled(f"The provider's answer cannot be read: {error}") from error
        self.done = True
        if not chunk.choices and chunk.error is ABSENT and (said := faults.read(body)).message:
            raise faults.refused_in_stream(said)
        self._calls.by_position = True
        return [*self._take(chunk, body), *self._draft.close(clean=False)]

    @property
    def sifted(self) -> int:
        """How much text has come that may be held back."""
        return self._draft.sifted

    def finish(self) -> Reply:
        """The reply. Raises UpstreamGarbled if the answer is empty or was cut off."""
        draft = self._draft
        self._seal_details()
        if draft.finish is None and not self.done and not draft.empty:
            raise UpstreamCutOff(
                "The model's answer was cut off: the stream ended without a finish reason."
            )
        if draft.finish == "tool_calls" and not draft.slots and not draft.silent:
            draft.finish = "stop"
        return draft.reply()

    def _take(self, chunk: Chunk, data: bytes) -> list[Delta]:
        if chunk.error is not ABSENT or chunk.object == "error":
            _raise_reported(chunk, data)
        draft = self._draft
        if chunk.model:
            draft.model = chunk.model
        if chunk.usage is not None:
            draft.usage = _usage(chunk.usage) or draft.usage
        if not chunk.choices:
            return []
        choice = chunk.choices[0]
        delta = choice.delta
        if delta is None and draft.empty:
            delta = choice.message
        deltas = [] if delta is None else self._pieces(delta)
        if choice.error is not ABSENT:
            _raise_if_error(choice.error)
        if choice.finish_reason:
            draft.finish = _finish(choice.finish_reason)
            self._end(draft.finish, deltas)
        return deltas

    def _end(self, finish: FinishReason, deltas: list[Delta]) -> None:
        draft = self._draft
        deltas.extend(draft.close(clean=finish in ("stop", "tool_calls")))
        if finish == "content_filter" and draft.silent:
            self._add(draft.refusal(SILENT_REFUSAL), deltas)

    def _pieces(self, piece: DeltaPiece) -> list[Delta]:
        deltas: list[Delta] = []
        if thought := piece.reasoning_content or piece.reasoning:
            self._think(thought, deltas)
        if piece.reasoning_details is not ABSENT:
            self._details.extend(read_details(piece.reasoning_details))
        content = piece.content
        if type(content) is str and not self._details:
            deltas.extend(self._draft.text(content))
        elif content:
            self._say(content, deltas)
        if isinstance(piece.refusal, str):
            self._add(self._draft.refusal(piece.refusal), deltas)
        if piece.tool_calls is not ABSENT:
            self._seal_details()
            deltas.extend(self._draft.release())
            deltas.extend(self._calls.take(piece.tool_calls))
        if piece.function_call is not None:
            deltas.extend(self._draft.release())
            deltas.append(self._calls.take_legacy(piece.function_call))
        return deltas

    def _think(self, thought: object, deltas: list[Delta]) -> None:
        if isinstance(thought, str):
            self._add(self._draft.reasoning(thought), deltas)

    def _say(self, content: str | list[ContentPart], deltas: list[Delta]) -> None:
        if self._details:
            self._seal_details()
        if isinstance(content, str):
            deltas.extend(self._draft.text(content))
            return
        for part in content:
            self._think(_joined(part.thinking), deltas)
            if isinstance(part.text, str):
                deltas.extend(self._draft.text(part.text))

    def _add(self, delta: Delta | None, deltas: list[Delta]) -> None:
        if delta is not None:
            deltas.append(delta)

    def _seal_details(self) -> None:
        """Details of reasoning go back to the provider behind the reasoning they belong to."""
        if self._details:
            sealed = json.encode({"reasoning_details": merge_details(self._details)})
            self._draft.seal(Seal(DIALECT, sealed.decode()))
            self._details = []


def whole(body: bytes, manner: Manner = PLAIN) -> tuple[list[Delta], Reply]:
    """A non-streaming answer, read to the same values as a stream."""
    reader = Reader(manner)
    deltas = reader.whole(body)
    return deltas, reader.finish()


# ── what providers add ──────────────────────────────────────────────────────────────────────


def _raise_reported(chunk: Chunk, data: bytes) -> None:
    if chunk.object == "error":
        raise faults.refused_in_stream(faults.read(data))
    _raise_if_error(chunk.error)


def _raise_if_error(error: Raw) -> None:
    """A null, or an object that says nothing, is no error."""
    if bytes(error) not in (b"null", b"{}", b'""', b"false"):
        raise faults.refused_in_stream(faults.read(bytes(error)))


def _finish(reason: str) -> FinishReason:
    if reason == "error":
        raise UpstreamCutOff("The provider broke the answer off with an error.")
    return _FINISH.get(reason, "stop")


def _usage(counts: TokenCounts) -> Usage | None:
    if counts.prompt_tokens is None and counts.completion_tokens is None:
        return None
    prompt, completion = counts.prompt_tokens_details, counts.completion_tokens_details
    return Usage(
        input=int(counts.prompt_tokens or 0),
        output=int(counts.completion_tokens or 0),
        cached=int((prompt and prompt.cached_tokens) or counts.prompt_cache_hit_tokens or 0),
        cache_written=int((prompt and prompt.cache_write_tokens) or 0),
        reasoning=int((completion and completion.reasoning_tokens) or 0),
    )


def _joined(thinking: str | list[ContentPart] | None) -> str:
    if isinstance(thinking, list):
        return "".join(part.text for part in thinking if isinstance(part.text, str))
    return thinking or ""
