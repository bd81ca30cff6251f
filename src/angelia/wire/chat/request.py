"""A client's chat-completions request, read strictly into what a run is made of."""

from typing import assert_never

from msgspec import Raw, Struct, UnsetType, json

from angelia.core.messages import (
    Assistant,
    AssistantPart,
    Message,
    Reasoning,
    Refusal,
    Sampling,
    System,
    Text,
    ToolCall,
    ToolChoice,
    ToolResult,
    ToolSpec,
    User,
    UserPart,
)
from angelia.wire import content, fields, functions
from angelia.wire.chat.shapes import (
    AssistantIn,
    AudioIn,
    DeveloperIn,
    FileIn,
    FunctionResultIn,
    MessageIn,
    RequestIn,
    SystemIn,
    ToolChoiceIn,
    ToolIn,
    ToolName,
    UserIn,
    UserPartIn,
)
from angelia.wire.content import TextIn

_decoder = json.Decoder(RequestIn)


class Request(Struct, frozen=True):
    """`instructions` are the leading system texts; later ones stay in `messages`, in place.

    `tools` is None where the client said nothing of tools, and empty where it wants none. Without
    a `model` it is the server's choice.
    """

    model: str | None
    instructions: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] | None
    sampling: Sampling
    stream: bool
    include_usage: bool
    user: str | None
    metadata: Raw | UnsetType


def parse(body: bytes) -> Request:
    """Raises BadRequest, which names the path of the field that is wrong."""
    given = fields.decode(body, _decoder)
    if given.n not in (None, 1):
        raise fields.unsupported("n", "more or less than one choice is")
    lead = _count_leading(given.messages)
    return Request(
        model=given.model,
        instructions="\n\n".join(_system_texts(given.messages[:lead])),
        messages=_Conversation().read(given.messages)[lead:],
        tools=_tools(given),
        sampling=_sampling(given),
        stream=bool(given.stream),
        include_usage=bool(given.stream_options and given.stream_options.include_usage),
        user=given.user,
        metadata=fields.optional_object(given.metadata, "metadata"),
    )


def _count_leading(messages: list[MessageIn]) -> int:
    for index, message in enumerate(messages):
        if not isinstance(message, SystemIn | DeveloperIn):
            return index
    return len(messages)


def _system_texts(messages: list[MessageIn]) -> list[str]:
    texts = [content.text(m.content) for m in messages if isinstance(m, SystemIn | DeveloperIn)]
    return [text for text in texts if text]


# ── messages ────────────────────────────────────────────────────────────────────────────────


class _Conversation:
    """Messages in order; a result must answer a call that was made before it."""

    def __init__(self) -> None:
        self._call_ids: set[str] = set()
        self._id_of_function: dict[str, str] = {}

    def read(self, messages: list[MessageIn]) -> tuple[Message, ...]:
        return tuple(self._message(message, index) for index, message in enumerate(messages))

    def _message(self, message: MessageIn, index: int) -> Message:
        path = f"messages[{index}]"
        match message:
            case SystemIn() | DeveloperIn():
                return System(content.text(message.content))
            case UserIn(name=name):
                parts = content.parts(message.content, f"{path}.content", _user_part)
                return User(parts, name)
            case AssistantIn():
                return self._assistant(message, index)
            case ToolIn():
                return self._result(message, path)
            case FunctionResultIn():
                return self._function_result(message, path)
            case _:
                assert_never(message)

    def _assistant(self, message: AssistantIn, index: int) -> Assistant:
        calls = [
            ToolCall(call.id, call.function.name, call.function.arguments)
            for call in message.tool_calls or ()
        ]
        self._call_ids.update(call.id for call in calls)
        if legacy := message.function_call:
            # The old form has no ids; the place in the conversation makes one.
            id_ = f"call_function_{index}"
            self._id_of_function[legacy.name] = id_
            calls.append(ToolCall(id_, legacy.name, legacy.arguments))
        return Assistant((*_assistant_parts(message), *calls))

    def _result(self, message: ToolIn, path: str) -> ToolResult:
        if message.tool_call_id not in self._call_ids:
            raise content.unknown_call(message.tool_call_id, path)
        return ToolResult(message.tool_call_id, content.text(message.content))

    def _function_result(self, message: FunctionResultIn, path: str) -> ToolResult:
        id_ = self._id_of_function.get(message.name)
        if id_ is None:
            why = f"no earlier assistant message calls the function {message.name!r}"
            raise fields.refused(f"{path}.name", why)
        return ToolResult(id_, message.content or "")


def _user_part(part: UserPartIn, path: str) -> UserPart:
    match part:
        case AudioIn():
            raise fields.unsupported(f"{path}.type", "parts of type 'input_audio' are")
        case FileIn():
            raise fields.unsupported(f"{path}.type", "parts of type 'file' are")
        case _:
            return content.part(part, path)


def _assistant_parts(message: AssistantIn) -> list[AssistantPart]:
    parts: list[AssistantPart] = []
    if message.reasoning_content:
        parts.append(Reasoning(message.reasoning_content))
    if isinstance(message.content, str) and message.content:
        parts.append(Text(message.content))
    elif isinstance(message.content, list):
        parts.extend(
            Text(part.text) if isinstance(part, TextIn) else Refusal(part.refusal)
            for part in message.content
        )
    if message.refusal:
        parts.append(Refusal(message.refusal))
    return parts


# ── tools and sampling ──────────────────────────────────────────────────────────────────────


def _tools(given: RequestIn) -> tuple[ToolSpec, ...] | None:
    if given.tools is None and given.functions is None:
        return None
    listed = [
        *((f"tools[{i}].function", tool.function) for i, tool in enumerate(given.tools or ())),
        *((f"functions[{i}]", function) for i, function in enumerate(given.functions or ())),
    ]
    return functions.declared(listed)


def _tool_choice(given: RequestIn) -> ToolChoice:
    match given.tool_choice or given.function_call:
        case None:
            return ToolChoice()
        case "auto" | "none" | "required" as mode:
            return ToolChoice(mode)
        case ToolChoiceIn(function=ToolName(name=name)) | ToolName(name=name):
            return ToolChoice("named", name)


def _sampling(given: RequestIn) -> Sampling:
    return Sampling(
        temperature=given.temperature,
        top_p=given.top_p,
        max_tokens=given.max_completion_tokens or given.max_tokens,
        stop=_stop(given.stop),
        seed=given.seed,
        frequency_penalty=given.frequency_penalty,
        presence_penalty=given.presence_penalty,
        reasoning_effort=given.reasoning_effort,
        response_format=fields.optional_object(given.response_format, "response_format"),
        parallel_tool_calls=given.parallel_tool_calls,
        tool_choice=_tool_choice(given),
        user=given.user,
    )


def _stop(stop: str | list[str] | None) -> tuple[str, ...]:
    listed = [stop] if isinstance(stop, str) else stop or []
    return tuple(word for word in listed if word)
