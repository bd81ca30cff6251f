"""A prompt as the JSON body of a chat-completions request."""

from typing import Literal, assert_never

from msgspec import Raw, Struct, json

from angelia.core.history import closed, told_apart
from angelia.core.messages import (
    Assistant,
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
    User,
    UserPart,
)
from angelia.wire.chat.calls import DIALECT, merge_extras
from angelia.wire.chat.shapes import (
    ABSENT,
    FunctionOut,
    ImagePartOut,
    ImageUrl,
    MessageOut,
    RequestOut,
    StreamOptionsOut,
    TextPartOut,
    ToolChoiceOut,
    ToolName,
    ToolOut,
)
from angelia.wire.spelling import function_name, short_id

# Limits of the API: a longer value is a 400.
LONGEST_ID = 40

NO_PARAMETERS = Raw(b'{"type":"object","properties":{}}')


class Quirks(Struct, frozen=True):
    """Where endpoints of this protocol differ; data of the configuration.

    `reasoning_field` is set for those that want a model's reasoning text back.
    """

    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    include_usage: bool = True
    reasoning_field: Literal["reasoning_content", "reasoning"] | None = None


class _Sealed(Struct):
    """What a reasoning seal of this dialect holds."""

    reasoning_details: list[Raw] = []


_sealed = json.Decoder(_Sealed)


def request(prompt: Prompt, *, model: str, stream: bool, quirks: Quirks = Quirks()) -> bytes:  # noqa: B008 -- frozen
    body = RequestOut(model, _messages(prompt, quirks), stream)
    if stream and quirks.include_usage:
        body.stream_options = StreamOptionsOut(include_usage=True)
    if prompt.tools:
        body.tools = [_tool(spec) for spec in prompt.tools]
        body.tool_choice = _tool_choice(prompt.sampling.tool_choice)
        body.parallel_tool_calls = prompt.sampling.parallel_tool_calls
    _set_sampling(body, prompt.sampling, quirks)
    return json.encode(body)


def _set_sampling(body: RequestOut, sampling: Sampling, quirks: Quirks) -> None:
    body.temperature = sampling.temperature
    body.top_p = sampling.top_p
    if quirks.max_tokens_field == "max_tokens":
        body.max_tokens = sampling.max_tokens
    else:
        body.max_completion_tokens = sampling.max_tokens
    body.stop = sampling.stop
    body.seed = sampling.seed
    body.frequency_penalty = sampling.frequency_penalty
    body.presence_penalty = sampling.presence_penalty
    body.reasoning_effort = sampling.reasoning_effort
    body.response_format = sampling.response_format or ABSENT
    body.user = sampling.user


def _messages(prompt: Prompt, quirks: Quirks) -> list[MessageOut]:
    messages = told_apart(closed(prompt.messages), _spell)
    said = [_message(message, quirks) for message in messages]
    if not prompt.instructions:
        return said
    return [MessageOut("system", prompt.instructions), *said]


def _message(message: Message, quirks: Quirks) -> MessageOut:
    match message:
        case System(text=text):
            return MessageOut("system", text)
        case User(parts=parts, name=name):
            return MessageOut("user", _content(parts), name=name)
        case Assistant():
            return _assistant(message, quirks)
        case ToolResult(call_id=call_id, output=output):
            return MessageOut("tool", output, tool_call_id=call_id)
        case _:
            assert_never(message)


def _content(parts: tuple[UserPart, ...]) -> str | list[TextPartOut | ImagePartOut]:
    if not parts:
        return ""
    if len(parts) == 1 and isinstance(parts[0], Text):
        return parts[0].text
    return [_part(part) for part in parts]


def _part(part: UserPart) -> TextPartOut | ImagePartOut:
    match part:
        case Text(text=text):
            return TextPartOut(text)
        case Image(url=url, detail=detail):
            return ImagePartOut(ImageUrl(url, detail))
        case _:
            assert_never(part)


def _assistant(message: Assistant, quirks: Quirks) -> MessageOut:
    text = "".join(part.text for part in message.parts if isinstance(part, Text | Refusal))
    calls = [_call(call) for call in message.calls]
    out = MessageOut("assistant", text or (None if calls else ""), tool_calls=calls or None)
    thoughts = [part for part in message.parts if isinstance(part, Reasoning)]
    thought = "".join(part.text for part in thoughts) or None
    if quirks.reasoning_field == "reasoning_content":
        out.reasoning_content = thought
    elif quirks.reasoning_field == "reasoning":
        out.reasoning = thought
    out.reasoning_details = [d for part in thoughts for d in _details(part)] or None
    return out


def _details(thought: Reasoning) -> list[Raw]:
    if thought.seal is None or thought.seal.dialect != DIALECT:
        return []
    return _sealed.decode(thought.seal.data).reasoning_details


def _call(call: ToolCall) -> dict[str, object]:
    function: dict[str, object] = {"name": function_name(call.name), "arguments": call.arguments}
    out: dict[str, object] = {"id": call.id, "type": "function", "function": function}
    if call.extras is not None and call.extras.dialect == DIALECT:
        merge_extras(out, function, call.extras.data)
    return out


def _spell(call_id: str) -> str:
    return short_id(call_id, LONGEST_ID)


def _tool(spec: ToolSpec) -> ToolOut:
    given = bytes(spec.parameters).strip()
    parameters = NO_PARAMETERS if given in (b"", b"{}", b"null") else spec.parameters
    return ToolOut(FunctionOut(spec.name, parameters, spec.description, spec.strict))


def _tool_choice(choice: ToolChoice) -> str | ToolChoiceOut | None:
    if choice.mode == "auto":
        return None
    if choice.mode == "named" and choice.name is not None:
        return ToolChoiceOut(ToolName(choice.name))
    return "required" if choice.mode == "named" else choice.mode
