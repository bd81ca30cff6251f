"""The scripted server's half of OpenAI Responses: requests read, answers rendered."""

from collections.abc import Iterable, Iterator
from typing import assert_never

from msgspec import Raw, Struct, json

from angelia.core.messages import (
    Assistant,
    AssistantPart,
    Image,
    Message,
    Prompt,
    Reasoning,
    Refusal,
    Sampling,
    System,
    Text,
    ToolCall,
    ToolChoice,
    ToolResult,
    ToolSpec,
    Usage,
    User,
)
from angelia.surfaces.upstream.asked import Asked
from angelia.surfaces.upstream.frames import (
    CREATED,
    Frame,
    Kind,
    Scripted,
    encode,
    named,
    split,
    split_arguments,
)
from angelia.surfaces.upstream.script import ErrorEvent
from angelia.surfaces.upstream.strictness.responses import SEALED

_FAILURES = frozenset({"server_error", "rate_limit_exceeded", "context_length_exceeded"})

# ── request ─────────────────────────────────────────────────────────────────────────────────


class _Content(Struct):
    type: str
    text: str = ""
    image_url: str | None = None


class _Item(Struct):
    type: str = "message"
    role: str = ""
    content: str | list[_Content] | None = None
    call_id: str = ""
    name: str = ""
    arguments: str = ""
    output: str | list[_Content] = ""


class _Tool(Struct):
    type: str
    name: str = ""
    description: str | None = None
    parameters: Raw = Raw(b"{}")


class _Request(Struct):
    model: str
    input: str | list[_Item]
    instructions: str | None = None
    stream: bool | None = False
    tools: list[_Tool] | None = None
    tool_choice: str | _Tool | None = None
    max_output_tokens: int | None = None
    include: list[str] | None = None


_decoder = json.Decoder(_Request)


def read(body: bytes) -> Asked:
    """Raises msgspec.DecodeError, which names the field."""
    request = _decoder.decode(body)
    sampling = Sampling(
        max_tokens=request.max_output_tokens, tool_choice=_choice(request.tool_choice)
    )
    items = request.input
    if isinstance(items, str):
        items = [_Item(role="user", content=items)]
    prompt = Prompt(
        request.model,
        request.instructions or "",
        tuple(_joined(_message(item) for item in items if item.type != "reasoning")),
        tuple(_specs(request.tools or ())),
        sampling,
    )
    encrypted = "reasoning.encrypted_content" in (request.include or ())
    return Asked(prompt, bool(request.stream), encrypted=encrypted)


def _specs(tools: Iterable[_Tool]) -> Iterator[ToolSpec]:
    for tool in tools:
        if tool.type == "function":
            yield ToolSpec(tool.name, tool.description or "", tool.parameters)


def _choice(choice: str | _Tool | None) -> ToolChoice:
    match choice:
        case _Tool(name=name):
            return ToolChoice("named", name)
        case "none" | "required":
            return ToolChoice(choice)
        case _:
            return ToolChoice()


def _text(content: str | list[_Content] | None) -> str:
    if isinstance(content, list):
        return "".join(part.text for part in content)
    return content or ""


def _message(item: _Item) -> Message:
    match item.type, item.role:
        case "function_call", _:
            return Assistant((ToolCall(item.call_id, item.name, item.arguments),))
        case "function_call_output", _:
            return ToolResult(item.call_id, _text(item.output))
        case _, "assistant":
            return Assistant((Text(_text(item.content)),))
        case _, "user":
            parts = item.content if isinstance(item.content, list) else []
            images = (Image(part.image_url) for part in parts if part.image_url)
            return User((Text(_text(item.content)), *images))
        case _:
            return System(_text(item.content))


def _joined(messages: Iterable[Message]) -> Iterator[Message]:
    """What the model said in one go comes as several items."""
    said: list[AssistantPart] = []
    for message in messages:
        if isinstance(message, Assistant):
            said += message.parts
            continue
        if said:
            yield Assistant(tuple(said))
            said.clear()
        yield message
    if said:
        yield Assistant(tuple(said))


# ── answer ──────────────────────────────────────────────────────────────────────────────────


class _Stream:
    """Events in their order: each has a sequence number."""

    def __init__(self, scripted: Scripted, asked: Asked) -> None:
        self.scripted = scripted
        self.frames: list[Frame] = []
        self.encrypted = asked.encrypted

    def add(self, kind: Kind, event: str, /, **fields: object) -> None:
        number = len(self.frames)
        self.frames.append(named(kind, event, sequence_number=number, **fields))

    def item(self, index: int, part: AssistantPart) -> None:
        done = _item(index, part, self.scripted, encrypted=self.encrypted)
        place = {"item_id": done["id"], "output_index": index}
        self.add("mark", "response.output_item.added", output_index=index, item=_opened(done))
        match part:
            case Text(text=text) | Refusal(text=text):
                self._message(text, place)
            case Reasoning(text=text):
                self._summary(text, place)
            case ToolCall():
                self._arguments(part, place)
            case _:
                assert_never(part)
        self.add("mark", "response.output_item.done", output_index=index, item=done)

    def _message(self, text: str, place: dict[str, object]) -> None:
        at = {**place, "content_index": 0}
        self.add("mark", "response.content_part.added", part=_output_text(""), **at)
        for piece in split(text, self.scripted.chunk):
            self.add("text", "response.output_text.delta", delta=piece, logprobs=[], **at)
        self.add("mark", "response.output_text.done", text=text, logprobs=[], **at)
        self.add("mark", "response.content_part.done", part=_output_text(text), **at)

    def _arguments(self, call: ToolCall, place: dict[str, object]) -> None:
        event = "response.function_call_arguments"
        for piece in split_arguments(call.arguments, self.scripted.chunk):
            self.add("arguments", f"{event}.delta", delta=piece, **place)
        whole_call = {"name": call.name, "arguments": call.arguments}
        self.add("mark", f"{event}.done", **whole_call, **place)

    def _summary(self, text: str, place: dict[str, object]) -> None:
        at = {**place, "summary_index": 0}
        name = "response.reasoning_summary"
        self.add("mark", f"{name}_part.added", part=_summary_text(""), **at)
        for piece in split(text, self.scripted.chunk):
            self.add("reasoning", f"{name}_text.delta", delta=piece, **at)
        self.add("mark", f"{name}_text.done", text=text, **at)
        self.add("mark", f"{name}_part.done", part=_summary_text(text), **at)


def stream(scripted: Scripted, asked: Asked) -> list[Frame]:
    events = _Stream(scripted, asked)
    opening = _response(scripted, "in_progress", [])
    events.add("open", "response.created", response=opening)
    events.add("open", "response.in_progress", response=opening)
    for index, part in enumerate(scripted.reply.message.parts):
        events.item(index, part)
    final = _final(scripted, asked)
    events.add("finish", f"response.{final['status']}", response=final)
    return events.frames


def whole(scripted: Scripted, asked: Asked) -> bytes:
    return encode(_final(scripted, asked))


def _final(scripted: Scripted, asked: Asked) -> dict[str, object]:
    reply = scripted.reply
    items = [
        _item(index, part, scripted, encrypted=asked.encrypted)
        for index, part in enumerate(reply.message.parts)
    ]
    reasons = {"length": "max_output_tokens", "content_filter": "content_filter"}
    reason = reasons.get(reply.finish)
    response = _response(scripted, "incomplete" if reason else "completed", items)
    if reason:
        response["incomplete_details"] = {"reason": reason}
    if reply.usage is not None:
        response["usage"] = _usage(reply.usage)
    return response


def _response(
    scripted: Scripted, status: str, output: list[dict[str, object]]
) -> dict[str, object]:
    return {
        "id": f"resp_{scripted.number:08x}",
        "object": "response",
        "created_at": CREATED,
        "status": status,
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "model": scripted.model,
        "output": output,
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "usage": None,
    }


def _item(
    index: int, part: AssistantPart, scripted: Scripted, *, encrypted: bool
) -> dict[str, object]:
    tail = f"{scripted.number:06x}{index:02x}"
    match part:
        case Text(text=text) | Refusal(text=text):
            about = {"id": f"msg_{tail}", "type": "message", "status": "completed"}
            return {**about, "role": "assistant", "content": [_output_text(text)]}
        case Reasoning(text=text):
            head = {"id": f"rs_{tail}", "type": "reasoning"}
            seal = SEALED + scripted.mint.seal(head["id"])
            sealed = {"encrypted_content": seal} if encrypted else {}
            return {**head, "summary": [_summary_text(text)], **sealed}
        case ToolCall():
            about = {"id": f"fc_{tail}", "type": "function_call", "status": "completed"}
            return {
                **about,
                "call_id": part.id,
                "name": part.name,
                "arguments": part.arguments,
            }
        case _:
            assert_never(part)


def _opened(item: dict[str, object]) -> dict[str, object]:
    """An item as it looks before anything of it has been streamed."""
    empty: dict[str, object] = {"content": [], "summary": [], "arguments": ""}
    opened = {name: empty.get(name, value) for name, value in item.items()}
    return {**opened, "status": "in_progress"} if "status" in item else opened


def _output_text(text: str) -> dict[str, object]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _summary_text(text: str) -> dict[str, object]:
    return {"type": "summary_text", "text": text}


def _usage(usage: Usage) -> dict[str, object]:
    return {
        "input_tokens": usage.input,
        "input_tokens_details": {"cached_tokens": usage.cached},
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning},
        "total_tokens": usage.total,
    }


def error(event: ErrorEvent) -> Frame:
    """What went wrong with the model ends the response; what went wrong around it has no place."""
    code = event.code or event.type
    about = {"code": code, "message": event.message}
    if code in _FAILURES:
        failed: dict[str, object] = {
            "object": "response",
            "status": "failed",
            "output": [],
            "error": about,
        }
        return named("end", "response.failed", sequence_number=0, response=failed)
    return named("end", "error", **about, param=None, sequence_number=0)


def refusal(_status: int, event: ErrorEvent) -> bytes:
    about = {"message": event.message, "type": event.type}
    return encode({"error": {**about, "param": None, "code": event.code}})


def overflow(_tokens: int, _limit: int) -> ErrorEvent:
    return ErrorEvent(
        "Your input exceeds the context window of this model. "
        "Please adjust your input and try again.",
        "invalid_request_error",
        "context_length_exceeded",
    )


def ping() -> bytes:
    return named("open", "keepalive", sequence_number=0).data
