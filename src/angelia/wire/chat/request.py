"""A client's chat-completions request, read strictly into what a run is made of."""

from typing import assert_never

from msgspec import UNSET, Raw, Struct, UnsetType, json

from angelia.core.messages import (
    Assistant,
    AssistantPart,
    Image,
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
from angelia.errors import BadRequest
from angelia.wire import fields
from angelia.wire.chat.shapes import (
    ABSENT,
    AssistantIn,
    AudioIn,
    DeveloperIn,
    FileIn,
    FunctionIn,
    FunctionResultIn,
    ImageIn,
    MessageIn,
    RequestIn,
    SystemIn,
    TextIn,
    ToolChoiceIn,
    ToolIn,
    ToolName,
    UserIn,
    UserPartIn,
)

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
        metadata=_optional_object(given.metadata, "metadata"),
    )


def _count_leading(messages: list[MessageIn]) -> int:
    for index, message in enumerate(messages):
        if not isinstance(message, SystemIn | DeveloperIn):
            return index
    return len(messages)


def _system_texts(messages: list[MessageIn]) -> list[str]:
    texts = [_text(m.content) for m in messages if isinstance(m, SystemIn | DeveloperIn)]
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
            case SystemIn(content=content) | DeveloperIn(content=content):
                return System(_text(content))
            case UserIn(content=content, name=name):
                return User(_user_parts(content, f"{path}.content"), name)
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
            raise BadRequest(
                f"Invalid value for '{path}.tool_call_id': no earlier assistant message has a "
                f"tool call with the id {message.tool_call_id!r}.",
                param=f"{path}.tool_call_id",
                code="invalid_value",
            )
        return ToolResult(message.tool_call_id, _text(message.content))

    def _function_result(self, message: FunctionResultIn, path: str) -> ToolResult:
        id_ = self._id_of_function.get(message.name)
        if id_ is None:
            raise BadRequest(
                f"Invalid value for '{path}.name': no earlier assistant message calls the "
                f"function {message.name!r}.",
                param=f"{path}.name",
                code="invalid_value",
            )
        return ToolResult(id_, message.content or "")


def _text(content: str | list[TextIn] | None) -> str:
    if isinstance(content, list):
        return "\n".join(part.text for part in content)
    return content or ""


def _user_parts(content: str | list[UserPartIn], path: str) -> tuple[UserPart, ...]:
    if isinstance(content, str):
        return (Text(content),)
    return tuple(_user_part(part, f"{path}[{index}]") for index, part in enumerate(content))


def _user_part(part: UserPartIn, path: str) -> UserPart:
    match part:
        case TextIn(text=text):
            return Text(text)
        case ImageIn(image_url=image):
            if isinstance(image, str):
                return Image(fields.image_url(image, f"{path}.image_url"))
            return Image(fields.image_url(image.url, f"{path}.image_url.url"), image.detail)
        case AudioIn():
            raise fields.unsupported(f"{path}.type", "parts of type 'input_audio' are")
        case FileIn():
            raise fields.unsupported(f"{path}.type", "parts of type 'file' are")
        case _:
            assert_never(part)


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
    names: set[str] = set()
    for path, function in listed:
        if function.name in names:
            raise BadRequest(
                f"Invalid value for '{path}.name': {function.name!r} is declared twice.",
                param=f"{path}.name",
                code="invalid_value",
            )
        names.add(function.name)
    return tuple(_tool(function, path) for path, function in listed)


def _tool(function: FunctionIn, path: str) -> ToolSpec:
    return ToolSpec(
        name=function.name,
        description=function.description or "",
        parameters=_optional_object(function.parameters, f"{path}.parameters") or Raw(b"{}"),
        owner="client",
        strict=function.strict,
    )


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
        response_format=_optional_object(given.response_format, "response_format"),
        parallel_tool_calls=given.parallel_tool_calls,
        tool_choice=_tool_choice(given),
        user=given.user,
    )


def _stop(stop: str | list[str] | None) -> tuple[str, ...]:
    listed = [stop] if isinstance(stop, str) else stop or []
    return tuple(word for word in listed if word)


def _optional_object(value: Raw, param: str) -> Raw | UnsetType:
    absent = value is ABSENT or bytes(value) == b"null"
    return UNSET if absent else fields.json_object(value, param)
