"""The scripted server's half of OpenAI Chat Completions: requests read, answers rendered."""

from collections.abc import Iterator
from typing import assert_never

from msgspec import Raw, Struct, json

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
    split,
    split_arguments,
    unnamed,
)
from angelia.surfaces.upstream.script import ErrorEvent
from angelia.wire import sse

# ── request ─────────────────────────────────────────────────────────────────────────────────


class _Link(Struct):
    url: str


class _Part(Struct):
    type: str
    text: str = ""
    image_url: _Link | None = None


class _Function(Struct):
    name: str
    arguments: str = "{}"
    description: str | None = None
    parameters: Raw = Raw(b"{}")


class _Tool(Struct):
    function: _Function
    id: str = ""


class _Message(Struct):
    role: str
    content: str | list[_Part] | None = None
    tool_calls: list[_Tool] | None = None
    tool_call_id: str | None = None


class _StreamOptions(Struct):
    include_usage: bool = False


class _Request(Struct):
    model: str
    messages: list[_Message]
    stream: bool | None = False
    stream_options: _StreamOptions | None = None
    tools: list[_Tool] | None = None
    tool_choice: str | _Tool | None = None
    max_tokens: int | None = None
    max_completion_tokens: int | None = None


_decoder = json.Decoder(_Request)


def read(body: bytes) -> Asked:
    """Raises msgspec.DecodeError, which names the field."""
    request = _decoder.decode(body)
    sampling = Sampling(
        max_tokens=request.max_completion_tokens or request.max_tokens,
        tool_choice=_choice(request.tool_choice),
    )
    tools = tuple(_spec(tool.function) for tool in request.tools or ())
    messages = tuple(_message(message) for message in request.messages)
    options = request.stream_options
    stream = bool(request.stream)
    return Asked(
        Prompt(request.model, "", messages, tools, sampling),
        stream,
        usage=not stream or (options is not None and options.include_usage),
    )


def _spec(function: _Function) -> ToolSpec:
    return ToolSpec(function.name, function.description or "", function.parameters)


def _choice(choice: str | _Tool | None) -> ToolChoice:
    match choice:
        case _Tool(function=function):
            return ToolChoice("named", function.name)
        case "none" | "required":
            return ToolChoice(choice)
        case _:
            return ToolChoice()


def _message(message: _Message) -> Message:
    text = message.content if isinstance(message.content, str) else ""
    parts = message.content if isinstance(message.content, list) else []
    text = text or "".join(part.text for part in parts)
    match message.role:
        case "assistant":
            calls = (
                ToolCall(call.id, call.function.name, call.function.arguments)
                for call in message.tool_calls or ()
            )
            return Assistant((*((Text(text),) if text else ()), *calls))
        case "tool":
            return ToolResult(message.tool_call_id or "", text)
        case "user":
            images = (Image(part.image_url.url) for part in parts if part.image_url)
            return User((Text(text), *images))
        case _:
            return System(text)


# ── answer ──────────────────────────────────────────────────────────────────────────────────


def stream(scripted: Scripted, asked: Asked) -> list[Frame]:
    reply = scripted.reply
    frames = [_delta("open", scripted, role="assistant", content="", refusal=None)]
    calls = 0
    for part in reply.message.parts:
        frames += _part(part, scripted, calls)
        calls += isinstance(part, ToolCall)
    frames.append(unnamed("finish", _chunk(scripted, [_choice_of({}, reply.finish)])))
    if asked.usage and reply.usage is not None:
        # The usage has a chunk of its own, without choices, behind the finish reason.
        frames.append(unnamed("end", _chunk(scripted, [], usage=_usage(reply.usage))))
    frames.append(Frame("end", sse.encode(b"[DONE]")))
    return frames


def _part(part: AssistantPart, scripted: Scripted, index: int) -> Iterator[Frame]:
    match part:
        case Text(text=text):
            for piece in split(text, scripted.chunk):
                yield _delta("text", scripted, content=piece)
        case Refusal(text=text):
            for piece in split(text, scripted.chunk):
                yield _delta("text", scripted, refusal=piece)
        case Reasoning(text=text):
            for piece in split(text, scripted.chunk):
                yield _delta("reasoning", scripted, reasoning_content=piece)
            yield _delta("mark", scripted, reasoning_details=[_detail(scripted)])
        case ToolCall():
            function = {"name": part.name, "arguments": ""}
            opening = {"index": index, "id": part.id, "type": "function", "function": function}
            yield _delta("mark", scripted, tool_calls=[opening])
            for piece in split_arguments(part.arguments, scripted.chunk):
                rest = {"index": index, "function": {"arguments": piece}}
                yield _delta("arguments", scripted, tool_calls=[rest])
        case _:
            assert_never(part)


def _delta(kind: Kind, scripted: Scripted, **delta: object) -> Frame:
    return unnamed(kind, _chunk(scripted, [_choice_of(delta)]))


def _choice_of(delta: dict[str, object], finish: FinishReason | None = None) -> dict[str, object]:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}


def _chunk(scripted: Scripted, choices: list[dict[str, object]], **more: object) -> object:
    head = {"id": f"chatcmpl-{scripted.number:08x}", "object": "chat.completion.chunk"}
    about = {"created": CREATED, "model": scripted.model, "system_fingerprint": "fp_scripted"}
    return {**head, **about, "choices": choices, **more}


def whole(scripted: Scripted, _asked: Asked) -> bytes:
    reply = scripted.reply
    choice = {
        "index": 0,
        "message": _whole_message(reply.message, scripted),
        "logprobs": None,
        "finish_reason": reply.finish,
    }
    usage = {} if reply.usage is None else {"usage": _usage(reply.usage)}
    return encode(
        {
            "id": f"chatcmpl-{scripted.number:08x}",
            "object": "chat.completion",
            "created": CREATED,
            "model": scripted.model,
            "choices": [choice],
            **usage,
        }
    )


def _whole_message(message: Assistant, scripted: Scripted) -> dict[str, object]:
    thoughts = "".join(part.text for part in message.parts if isinstance(part, Reasoning))
    refusal = "".join(part.text for part in message.parts if isinstance(part, Refusal))
    calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": call.arguments},
        }
        for call in message.calls
    ]
    return {
        "role": "assistant",
        "content": message.text or None,
        "refusal": refusal or None,
        **(
            {"reasoning_content": thoughts, "reasoning_details": [_detail(scripted)]}
            if thoughts
            else {}
        ),
        **({"tool_calls": calls} if calls else {}),
    }


def _detail(scripted: Scripted) -> dict[str, object]:
    """The thought in a form that only this server can read, to be sent back."""
    name = f"rd_{scripted.number:08x}"
    sealed = {"id": name, "data": scripted.mint.seal(name)}
    return {"type": "reasoning.encrypted", **sealed, "format": "scripted", "index": 0}


def _usage(usage: Usage) -> dict[str, object]:
    return {
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.total,
        "prompt_tokens_details": {"cached_tokens": usage.cached},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    }


def error(event: ErrorEvent) -> Frame:
    return unnamed("end", {"error": _error(event)})


def refusal(_status: int, event: ErrorEvent) -> bytes:
    return encode({"error": _error(event)})


def _error(event: ErrorEvent) -> dict[str, object]:
    return {"message": event.message, "type": event.type, "param": None, "code": event.code}


def overflow(tokens: int, limit: int) -> ErrorEvent:
    return ErrorEvent(
        f"This model's maximum context length is {limit} tokens. However, your messages resulted "
        f"in {tokens} tokens. Please reduce the length of the messages.",
        "invalid_request_error",
        "context_length_exceeded",
    )


def ping() -> bytes:
    return b": still at it\n\n"
