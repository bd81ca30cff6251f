"""The script of the scripted server: what to answer, in which order, and what goes wrong.

A script is JSON or TOML: `{"steps": [...], "default": "demo" | "repeat"}`, or the list of steps
alone. Each step answers one request, in order; `default` says what comes behind the last one.

A fault can also be asked for by the request itself, in the header `X-Fault` or anywhere in the
last user message as `[[fault …]]`: words `name=value` or `name`, set apart by blanks or commas,
such as `stall=arguments` or `status=429 retry_after=1 times=1`.
"""

import re
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, field

from angelia.core.messages import (
    Assistant,
    AssistantPart,
    FinishReason,
    Reasoning,
    Reply,
    Text,
    ToolCall,
    Usage,
)
from angelia.core.unfold import words
from angelia.errors import BadRequest

Place = Literal["start", "open", "reasoning", "text", "arguments"]
_MARKER = re.compile(r"\[\[\s*fault\s+([^\]]*)\]\]")


class ErrorEvent(Struct, frozen=True, forbid_unknown_fields=True):
    """An error as its protocol writes it. Without `type` and `code` only the words tell of it."""

    message: str = "The server is overloaded."
    type: str | None = "overloaded_error"
    code: str | None = None


NO_STREAMING = ErrorEvent("Streaming is not supported by this model.", "invalid_request_error")
# Faults that have words of their own when they are named by one.
_KNOWN_EVENTS = {
    "lost": ErrorEvent("Network connection lost: the peer closed unexpectedly.", None),
    "no_streaming": NO_STREAMING,
}


class Fault(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What goes wrong.

    status        an HTTP error; `retry_after` (seconds or a date), `body`, `headers` go with it
    overflow      a prompt of more tokens is refused in the protocol's own words
    hang, reset   no head: silence, or the connection is reset
    garbage       what comes instead of a head is not HTTP
    no_stream     how a request for a stream is met: `refuse` with a 400, `error` with an error in
                  a good JSON body, `event` with an error event; `ignore`: one JSON body instead
    delay_first   seconds between the head and the first byte of the answer
    stall, cut    half of that part is sent; then silence, or the connection is closed
    comments      half of that part is sent; then signs of life without end, and nothing else
    error_event   an error inside the answer, behind half of the part `after`; as a word it is its
                  type, but for `lost` and `no_streaming`, which have nothing but a message
    malformed     a piece that is not JSON, behind half of that part
    empty         a good head and nothing behind it
    no_finish     the answer ends without saying so, as a whole or behind half of that part
    no_usage      no usage in the answer
    giant         so many characters more, in one piece
    crlf, bom     lines end as on Windows; a byte-order mark leads
    trickle       so many bytes at a time
    times         only the first n times, then the answer is a good one
    """

    status: int | None = None
    retry_after: float | str | None = None
    body: object = None
    headers: dict[str, str] = field(default_factory=dict)
    overflow: int | None = None
    hang: bool = False
    reset: bool = False
    garbage: bool = False
    no_stream: Literal["refuse", "error", "event", "ignore"] | None = None
    delay_first: float = 0.0
    stall: Place | None = None
    cut: Place | None = None
    comments: Place | None = None
    error_event: ErrorEvent | str | None = None
    after: Place = "start"
    malformed: Place | bool = False
    empty: bool = False
    no_finish: Place | bool = False
    no_usage: bool = False
    giant: int = 0
    crlf: bool = False
    bom: bool = False
    trickle: int = 0
    times: int | None = None

    @property
    def error(self) -> ErrorEvent:
        if isinstance(self.error_event, str):
            return _KNOWN_EVENTS.get(self.error_event) or ErrorEvent(type=self.error_event)
        return self.error_event or ErrorEvent()


NO_FAULT = Fault()


class Call(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    arguments: object = "{}"
    id: str | None = None

    @property
    def json(self) -> str:
        """Text is sent as it stands, so that it may be bad JSON; anything else is encoded."""
        if isinstance(self.arguments, str):
            return self.arguments
        return msgspec.json.encode(self.arguments).decode()


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """One answer. With `when` it waits for a request whose last user message holds these words.

    `usage` is counted in words if it is left out, and not sent if it is null. `delay` comes
    before the answer, `pace` behind each piece of it, both in seconds.
    """

    text: str = ""
    reasoning: str = ""
    calls: tuple[Call, ...] = ()
    finish: FinishReason | None = None
    usage: Usage | UnsetType | None = UNSET
    chunk: Literal["word", "char", "all"] | int = "word"
    delay: float = 0.0
    pace: float | None = None
    fault: Fault = NO_FAULT
    headers: dict[str, str] = field(default_factory=dict)
    when: str | None = None
    repeat: bool = False

    def reply(self, model: str, number: int) -> Reply:
        parts: list[AssistantPart] = []
        if self.reasoning:
            parts.append(Reasoning(self.reasoning))
        if self.text:
            parts.append(Text(self.text))
        for index, call in enumerate(self.calls, 1):
            parts.append(ToolCall(call.id or f"call_{number}_{index}", call.name, call.json))
        finish = self.finish or ("tool_calls" if self.calls else "stop")
        return Reply(Assistant(tuple(parts)), finish, self._usage(), model)

    def _usage(self) -> Usage | None:
        if not isinstance(self.usage, UnsetType):
            return self.usage
        thought = len(words(self.reasoning))
        return Usage(input=10, output=thought + len(words(self.text)), reasoning=thought)


class Chaos(Struct, frozen=True, forbid_unknown_fields=True):
    """Of all requests so many fail by chance. The same seed strikes the same requests."""

    rate: Annotated[float, Meta(ge=0, le=1)] = 0.0
    seed: int = 0


NO_CHAOS = Chaos()


class Script(Struct, frozen=True, forbid_unknown_fields=True):
    """`key`, if there is one, is the only key that is let in.

    Reasoning is sealed by `mint`; servers of one mint take each other's seals.
    """

    steps: tuple[Step, ...] = ()
    default: Literal["demo", "repeat"] = "demo"
    key: str | None = None
    mint: str = "script"
    chaos: Chaos = NO_CHAOS


def load(path: Path) -> Script:
    return parse(path.read_bytes(), toml=path.suffix == ".toml")


def parse(data: bytes, *, toml: bool = False) -> Script:
    """Raises BadRequest with the path of the field that is wrong."""
    try:
        if toml:
            return msgspec.toml.decode(data, type=Script)
        if data.lstrip().startswith(b"["):
            return Script(msgspec.json.decode(data, type=tuple[Step, ...]))
        return msgspec.json.decode(data, type=Script)
    except (msgspec.MsgspecError, ValueError) as reason:
        raise BadRequest(f"The script cannot be read: {reason}", param="script") from reason


def parse_fault(words: str) -> Fault:
    """`status=429 retry_after=1` as a fault. Raises BadRequest."""
    fields: dict[str, str] = {}
    for word in re.split(r"[\s,]+", words.strip()):
        name, _, value = word.partition("=")
        fields[name] = value or "true"
    try:
        return msgspec.convert(fields, Fault, strict=False)
    except msgspec.ValidationError as reason:
        raise BadRequest(f"The fault {words!r} cannot be read: {reason}") from reason


def marked_fault(text: str) -> Fault | None:
    """The fault that a message asks for with `[[fault …]]`."""
    marker = _MARKER.search(text)
    return parse_fault(marker.group(1)) if marker else None
