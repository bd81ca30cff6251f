"""A prompt as the body of a request to OpenAI Responses.

Every transcript becomes one that the API accepts: calls are answered, ids are spelled as it wants
them, and no reasoning but what this dialect sealed goes out.
"""

from collections.abc import Iterable, Iterator
from typing import Literal, assert_never

from msgspec import MsgspecError, Raw, Struct, UnsetType, json

from angelia.core.history import closed, told_apart
from angelia.core.messages import (
    Assistant,
    Image,
    Message,
    Prompt,
    Reasoning,
    Refusal,
    Sampling,
    Seal,
    System,
    Text,
    ToolCall,
    ToolResult,
    ToolSpec,
    User,
)
from angelia.wire import formats
from angelia.wire.responses import client_shapes as shapes
from angelia.wire.responses.client_shapes import DIALECT
from angelia.wire.spelling import function_name, short_id

# Limits of the API: a longer or shorter value is a 400.
LONGEST_ID = 64
LEAST_OUTPUT_TOKENS = 16

NOTHING_SAID = shapes.Message("user", (shapes.InputText("(nothing was said)"),))
ANY_OBJECT = Raw(b'{"type":"object","properties":{}}')


class Quirks(Struct, frozen=True):
    """What an endpoint or model can take.

    `encrypted_reasoning`: it hands out reasoning that can be sent back. `sampling`: it takes
    temperature and top_p. `summary`: how it is asked to tell what it thinks.
    """

    encrypted_reasoning: bool = True
    sampling: bool = True
    summary: Literal["auto", "concise", "detailed"] | None = None


PLAIN = Quirks()


def request(prompt: Prompt, *, model: str, stream: bool, quirks: Quirks = PLAIN) -> bytes:
    """Raises BadRequest if the client's `response_format` is not one."""
    sampling = prompt.sampling
    tools = tuple(_tool(spec) for spec in prompt.tools)
    body = shapes.Request(
        model=model,
        input=_input(prompt.messages),
        store=False,
        stream=stream,
        instructions=prompt.instructions or None,
        include=("reasoning.encrypted_content",) if quirks.encrypted_reasoning else (),
        tools=tools,
        tool_choice=_tool_choice(sampling) if tools else None,
        parallel_tool_calls=sampling.parallel_tool_calls if tools else None,
        max_output_tokens=sampling.max_tokens and max(sampling.max_tokens, LEAST_OUTPUT_TOKENS),
        temperature=sampling.temperature if quirks.sampling else None,
        top_p=sampling.top_p if quirks.sampling else None,
        reasoning=_reasoning_options(sampling, quirks),
        text=_text_options(sampling.response_format),
        user=sampling.user,
    )
    return json.encode(body)


def _input(messages: Iterable[Message]) -> tuple[shapes.InputItem, ...]:
    items = tuple(
        item for message in told_apart(closed(messages), _spell) for item in _items(message)
    )
    return items or (NOTHING_SAID,)


def _items(message: Message) -> Iterator[shapes.InputItem]:
    match message:
        case System(text=text):
            if text:
                yield shapes.Message("system", (shapes.InputText(text),))
        case User(parts=parts):
            if content := tuple(_user_content(part) for part in parts if part != Text("")):
                yield shapes.Message("user", content)
        case Assistant():
            yield from _assistant_items(message)
        case ToolResult(call_id=call_id, output=output):
            yield shapes.FunctionCallOutput(call_id, output)
        case _:
            assert_never(message)


def _user_content(part: Text | Image) -> shapes.Content:
    if isinstance(part, Text):
        return shapes.InputText(part.text)
    return shapes.InputImage(part.url, part.detail or "auto")


def _assistant_items(message: Assistant) -> list[shapes.InputItem]:
    items: list[shapes.InputItem] = []
    said: list[shapes.Content] = []
    for part in message.parts:
        match part:
            case Text(text=text) | Refusal(text=text):
                said += [_output(part)] if text else []
            case Reasoning(seal=seal):
                _close(said, items)
                items += [] if seal is None else _unsealed(seal)
            case ToolCall():
                _close(said, items)
                items.append(
                    shapes.FunctionCall(part.id, function_name(part.name), part.arguments or "{}")
                )
            case _:
                assert_never(part)
    _close(said, items)
    # Reasoning that led to nothing is rejected: it must stand before what it led to.
    while items and isinstance(items[-1], Raw):
        items.pop()
    return items


def _output(part: Text | Refusal) -> shapes.Content:
    if isinstance(part, Text):
        return shapes.OutputText(part.text)
    return shapes.OutputRefusal(part.text)


def _close(said: list[shapes.Content], items: list[shapes.InputItem]) -> None:
    if said:
        items.append(shapes.Message("assistant", tuple(said)))
        said.clear()


def _unsealed(seal: Seal) -> list[shapes.InputItem]:
    """The reasoning item as it came, if it is ours and holds more than a name.

    The provider keeps nothing (`store` is false), so it cannot look up an item by its id alone.
    """
    if seal.dialect != DIALECT:
        return []
    try:
        item = json.decode(seal.data, type=shapes.ReasoningItem)
    except (MsgspecError, RecursionError):
        return []
    return [Raw(seal.data.encode())] if item.encrypted_content or item.content else []


def _spell(call_id: str) -> str:
    return short_id(call_id, LONGEST_ID)


def _tool(spec: ToolSpec) -> shapes.FunctionTool:
    parameters = ANY_OBJECT if bytes(spec.parameters).strip() == b"{}" else spec.parameters
    return shapes.FunctionTool(spec.name, spec.description, parameters, strict=bool(spec.strict))


def _tool_choice(sampling: Sampling) -> Literal["none", "required"] | shapes.NamedTool | None:
    choice = sampling.tool_choice
    if choice.mode == "named":
        return shapes.NamedTool(choice.name or "")
    return None if choice.mode == "auto" else choice.mode


def _reasoning_options(sampling: Sampling, quirks: Quirks) -> shapes.ReasoningOptions | None:
    if sampling.reasoning_effort is None and quirks.summary is None:
        return None
    return shapes.ReasoningOptions(sampling.reasoning_effort, quirks.summary)


def _text_options(response_format: Raw | UnsetType) -> shapes.TextOptions | None:
    """Chat completions nest the schema; here its fields stand beside `type`."""
    wanted = formats.read(response_format)
    if wanted is None:
        return None
    nested = wanted.json_schema
    if nested is None:
        return shapes.TextOptions(shapes.TextFormat(wanted.type))
    schema = None if nested.schema == formats.NULL else nested.schema
    return shapes.TextOptions(
        shapes.TextFormat(wanted.type, nested.name, nested.description, schema, nested.strict)
    )
