"""The scripted server's half of Anthropic Messages: requests read, answers rendered."""

from collections.abc import Iterator
from typing import assert_never

from msgspec import DecodeError, Raw, Struct, json

from angelia.core.messages import (
    Assistant,
    AssistantPart,
    FinishReason,
    Image,
    Message,
    Prompt,
    Reasoning,
    Refusal,
    Sampling,
    Text,
    ToolCall,
    ToolChoice,
    ToolResult,
    ToolSpec,
    Usage,
    User,
    UserPart,
)
from angelia.surfaces.upstream.asked import Asked
from angelia.surfaces.upstream.frames import (
    Frame,
    Kind,
    Scripted,
    encode,
    named,
    split,
    split_arguments,
)
from angelia.surfaces.upstream.script import ErrorEvent
from angelia.surfaces.upstream.strictness.anthropic import SIGNATURE

# ── request ─────────────────────────────────────────────────────────────────────────────────


class _Source(Struct):
    type: str
    url: str = ""
    media_type: str = ""
    data: str = ""

    @property
    def address(self) -> str:
        return self.url or f"data:{self.media_type};base64,{self.data}"


class _Block(Struct):
    type: str
    text: str = ""
    source: _Source | None = None
    id: str = ""
    name: str = ""
    input: Raw = Raw(b"{}")
    tool_use_id: str = ""
    content: "str | list[_Block] | None" = None
    is_error: bool | None = False


class _Message(Struct):
    role: str
    content: str | list[_Block]


class _Tool(Struct):
    name: str
    description: str | None = None
    input_schema: Raw = Raw(b"{}")


class _Choice(Struct):
    type: str
    name: str | None = None


class _Request(Struct):
    model: str
    messages: list[_Message]
    max_tokens: int
    system: str | list[_Block] | None = None
    stream: bool | None = False
    tools: list[_Tool] | None = None
    tool_choice: _Choice | None = None


_decoder = json.Decoder(_Request)


def read(body: bytes) -> Asked:
    """Raises msgspec.DecodeError, which names the field."""
    request = _decoder.decode(body)
    sampling = Sampling(max_tokens=request.max_tokens, tool_choice=_choice(request.tool_choice))
    tools = tuple(
        ToolSpec(tool.name, tool.description or "", tool.input_schema)
        for tool in request.tools or ()
    )
    messages = tuple(found for message in request.messages for found in _messages(message))
    prompt = Prompt(request.model, _text(request.system), messages, tools, sampling)
    return Asked(prompt, bool(request.stream))


def _choice(choice: _Choice | None) -> ToolChoice:
    match choice:
        case _Choice(type="tool", name=name):
            return ToolChoice("named", name)
        case _Choice(type="any"):
            return ToolChoice("required")
        case _Choice(type="none"):
            return ToolChoice("none")
        case _:
            return ToolChoice()


def _text(content: str | list[_Block] | None) -> str:
    if isinstance(content, list):
        return "".join(block.text for block in content if block.type == "text")
    return content or ""


def _messages(message: _Message) -> Iterator[Message]:
    """A user message may carry tool results in front of what the user says."""
    blocks = message.content
    if isinstance(blocks, str):
        blocks = [_Block("text", blocks)]
    if message.role == "assistant":
        yield Assistant(tuple(_said(blocks)))
        return
    for block in blocks:
        if block.type == "tool_result":
            yield ToolResult(block.tool_use_id, _text(block.content), bool(block.is_error))
    if parts := tuple(_user_parts(blocks)):
        yield User(parts)


def _said(blocks: list[_Block]) -> Iterator[AssistantPart]:
    for block in blocks:
        if block.type == "text":
            yield Text(block.text)
        elif block.type == "tool_use":
            yield ToolCall(block.id, block.name, bytes(block.input).decode())


def _user_parts(blocks: list[_Block]) -> Iterator[UserPart]:
    for block in blocks:
        if block.type == "text":
            yield Text(block.text)
        elif block.source is not None:
            yield Image(block.source.address)


# ── answer ──────────────────────────────────────────────────────────────────────────────────

_STOP_REASONS: dict[FinishReason, str] = {
    "stop": "end_turn",
    "length": "max_tokens",
    "tool_calls": "tool_use",
    "content_filter": "refusal",
}


def stream(scripted: Scripted, _asked: Asked) -> list[Frame]:
    reply = scripted.reply
    opening = _message(scripted, [], None, _opening_usage(reply.usage))
    frames = [named("open", "message_start", message=opening), named("open", "ping")]
    for index, part in enumerate(reply.message.parts):
        frames += _block(index, part, scripted)
    stop = {"stop_reason": _STOP_REASONS[reply.finish], "stop_sequence": None}
    usage = {} if reply.usage is None else {"usage": {"output_tokens": reply.usage.output}}
    frames.append(named("finish", "message_delta", delta=stop, **usage))
    frames.append(named("end", "message_stop"))
    return frames


def _block(index: int, part: AssistantPart, scripted: Scripted) -> Iterator[Frame]:
    match part:
        case Text(text=text) | Refusal(text=text):
            yield _start(index, {"type": "text", "text": ""})
            for piece in split(text, scripted.chunk):
                yield _delta("text", index, type="text_delta", text=piece)
        case Reasoning(text=text):
            yield _start(index, {"type": "thinking", "thinking": "", "signature": ""})
            for piece in split(text, scripted.chunk):
                yield _delta("reasoning", index, type="thinking_delta", thinking=piece)
            signature = _sign(text, scripted)
            yield _delta("reasoning", index, type="signature_delta", signature=signature)
        case ToolCall():
            yield _start(index, {**_tool_use(part), "input": {}})
            for piece in split_arguments(part.arguments, scripted.chunk):
                yield _delta("arguments", index, type="input_json_delta", partial_json=piece)
        case _:
            assert_never(part)
    yield named("mark", "content_block_stop", index=index)


def _start(index: int, block: dict[str, object]) -> Frame:
    return named("mark", "content_block_start", index=index, content_block=block)


def _delta(kind: Kind, index: int, **delta: object) -> Frame:
    return named(kind, "content_block_delta", index=index, delta=delta)


def _tool_use(call: ToolCall) -> dict[str, object]:
    return {"type": "tool_use", "id": call.id, "name": call.name}


def _sign(thought: str, scripted: Scripted) -> str:
    return SIGNATURE + scripted.mint.seal(thought)


def whole(scripted: Scripted, _asked: Asked) -> bytes:
    reply = scripted.reply
    blocks = [_whole_block(part, scripted) for part in reply.message.parts]
    usage = None if reply.usage is None else _usage(reply.usage)
    return encode(_message(scripted, blocks, _STOP_REASONS[reply.finish], usage))


def _whole_block(part: AssistantPart, scripted: Scripted) -> dict[str, object]:
    match part:
        case Text(text=text) | Refusal(text=text):
            return {"type": "text", "text": text}
        case Reasoning(text=text):
            return {"type": "thinking", "thinking": text, "signature": _sign(text, scripted)}
        case ToolCall():
            return {**_tool_use(part), "input": _object(part.arguments)}
        case _:
            assert_never(part)


def _object(arguments: str) -> object:
    """This protocol has no way to send arguments that are not JSON in one body."""
    try:
        json.decode(arguments)
    except DecodeError:
        return {}
    return Raw(arguments.encode())


def _message(
    scripted: Scripted, content: list[dict[str, object]], stop: str | None, usage: object
) -> dict[str, object]:
    return {
        "id": f"msg_{scripted.number:08x}",
        "type": "message",
        "role": "assistant",
        "model": scripted.model,
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        **({} if usage is None else {"usage": usage}),
    }


def _opening_usage(usage: Usage | None) -> object:
    """The output is counted at the end."""
    return None if usage is None else {**_usage(usage), "output_tokens": 1}


def _usage(usage: Usage) -> dict[str, object]:
    """Cached tokens are counted apart from `input_tokens` here."""
    return {
        "input_tokens": usage.input - usage.cached - usage.cache_written,
        "cache_creation_input_tokens": usage.cache_written,
        "cache_read_input_tokens": usage.cached,
        "output_tokens": usage.output,
    }


def error(event: ErrorEvent) -> Frame:
    return named("end", "error", error=_error(event))


def refusal(_status: int, event: ErrorEvent) -> bytes:
    return encode({"type": "error", "error": _error(event), "request_id": "req_scripted"})


def _error(event: ErrorEvent) -> dict[str, object]:
    return {"type": event.type or "error", "message": event.message}


def overflow(tokens: int, limit: int) -> ErrorEvent:
    return ErrorEvent(
        f"prompt is too long: {tokens} tokens > {limit} maximum", "invalid_request_error"
    )


def ping() -> bytes:
    return named("open", "ping").data
