"""The script of the scripted server: what to answer, in which order, and what goes wrong.

A script is JSON or TOML: `{"steps": [...], "default": "demo" | "repeat"}`, or the list of steps
alone. Each step answers one request, in order; `default` says what comes behind the last one.

A fault can also be asked for by the request itself, in the header `X-Fault` or anywhere in the
last user message as `[[fault …]]`: words `name=value` or `name`, set apart by blanks or commas,
such as `stall=arguments` or `status=429 retry_after=1 times=1`.
"""

import re
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

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

Place = Literal["start", "reasoning", "text", "arguments"]
_MARKER = re.compile(r"\[\[\s*fault\s+([^\]]*)\]\]")


class ErrorEvent(Struct, frozen=True, forbid_unknown_fields=True):
    message: str = "The server is overloaded."
    type: str = "overloaded_error"
    code: str | None = None


class Fault(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What goes wrong.

    status        an HTTP error; `retry_after` (seconds or a date) and `body` go with it
    no_stream     `refuse`: a 400 to every request for a stream; `ignore`: one JSON body instead
    delay_first   seconds between the head and the first byte of the answer
    stall, cut    half of that part is sent; then silence, or the connection is closed
    error_event   an error inside the answer, behind half of the part `after`
    malformed     a piece that is not JSON
    empty         a good head and nothing behind it
    no_finish     the answer ends without saying so
    no_usage      no usage in the answer
    trickle       so many bytes at a time
    times         only the first n times, then the answer is a good one
    """

    status: int | None = None
    retry_after: float | str | None = None
    body: object = None
    no_stream: Literal["refuse", "ignore"] | None = None
    delay_first: float = 0.0
    stall: Place | None = None
    cut: Place | None = None
    error_event: ErrorEvent | str | None = None
    after: Place = "start"
    malformed: bool = False
    empty: bool = False
    no_finish: bool = False
    no_usage: bool = False
    trickle: int = 0
    times: int | None = None

    @property
    def error(self) -> ErrorEvent:
        if isinstance(self.error_event, str):
            return ErrorEvent(type=self.error_event)
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


class Script(Struct, frozen=True, forbid_unknown_fields=True):
    """`key`, if there is one, is the only key that is let in."""

    steps: tuple[Step, ...] = ()
    default: Literal["demo", "repeat"] = "demo"
    key: str | None = None


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
