"""A prompt as the body of a request to Anthropic Messages.

Every transcript becomes one that the API accepts: calls are answered, ids are spelled as it wants
them, and no reasoning but what this dialect sealed goes out.
"""

import re
from collections.abc import Iterable
from hashlib import sha256
from typing import Literal, assert_never

from msgspec import MsgspecError, Raw, Struct, UnsetType, field, json
from msgspec.structs import replace

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
    ToolResult,
    User,
)
from angelia.wire import formats
from angelia.wire.anthropic import shapes
from angelia.wire.anthropic.shapes import DIALECT
from angelia.wire.spelling import function_name, plain

LEAST_BUDGET = 1024
EFFORTS = {"minimal": "low", "low": "low", "medium": "medium"}
BUDGETS = {"minimal": 1024, "low": 2048, "medium": 8192, "high": 16384, "xhigh": 32768}

MEDIA_TYPES = {
    "image/jpeg": "image/jpeg",
    "image/jpg": "image/jpeg",
    "image/png": "image/png",
    "image/gif": "image/gif",
    "image/webp": "image/webp",
}
DATA_URL = re.compile(r"data:([\w.+/-]+)(?:;[\w=.+-]+)*;base64,(.+)", re.DOTALL | re.IGNORECASE)

NOTHING_SAID = shapes.TextBlock("(nothing was said)")
GO_ON = shapes.TextBlock("Continue.")
NO_OUTPUT = "(no output)"
UNSEEN_IMAGE = shapes.TextBlock("(an image of a kind that cannot be shown)")
ANY_OBJECT = Raw(b'{"type":"object","properties":{}}')


class Quirks(Struct, frozen=True):
    """What an endpoint or model can take.

    `max_tokens` holds where the client names no limit, since the API demands one. `thinking` says
    how the model is told to think: a budget of tokens by effort, or its own measure. `sampling`:
    it takes temperature and top_p. `cache`: it takes marks for its prompt cache. `json_schema`:
    it can be held to one.
    """

    max_tokens: int = 8192
    thinking: Literal["none", "budget", "adaptive"] = "none"
    budgets: dict[str, int] = field(default_factory=BUDGETS.copy)
    sampling: bool = True
    cache: bool = True
    json_schema: bool = False


PLAIN = Quirks()


def request(prompt: Prompt, *, model: str, stream: bool, quirks: Quirks = PLAIN) -> bytes:
    """Raises BadRequest if the client's `response_format` is not one."""
    sampling = prompt.sampling
    messages = _messages(prompt.messages)
    tools = _tools(prompt, messages)
    max_tokens = sampling.max_tokens or quirks.max_tokens
    effort = _effort(sampling, messages, quirks)
    thinking = None if effort is None else _thinking(effort, max_tokens, quirks)
    plain = quirks.sampling and thinking is None
    system = _system(prompt, quirks)
    body = shapes.Request(
        model=model,
        max_tokens=max_tokens,
        messages=_marked_messages(messages) if quirks.cache else messages,
        stream=stream,
        system=system,
        tools=_marked_tools(tools) if quirks.cache and not system else tools,
        tool_choice=_tool_choice(sampling, declared=bool(prompt.tools)) if tools else None,
        thinking=thinking,
        output_config=_output_config(sampling, thinking, effort, quirks),
        stop_sequences=tuple(stop for stop in sampling.stop if stop.strip()),
        temperature=_temperature(sampling) if plain else None,
        # Newer models take one of the two, not both.
        top_p=sampling.top_p if plain and sampling.temperature is None else None,
        metadata=shapes.Metadata(sampling.user) if sampling.user else None,
    )
    return json.encode(body)


def _system(prompt: Prompt, quirks: Quirks) -> tuple[shapes.TextBlock, ...]:
    said = [prompt.instructions, *(m.text for m in prompt.messages if isinstance(m, System))]
    text = "\n\n".join(part for part in said if part.strip())
    if not text:
        return ()
    return (shapes.TextBlock(text, shapes.CacheControl() if quirks.cache else None),)


def _messages(messages: Iterable[Message]) -> tuple[shapes.Message, ...]:
    """Roles alternate, a user begins and a user ends, no message is empty."""
    out: list[shapes.Message] = []
    for message in told_apart(closed(messages), _spell):
        if rendered := _message(message):
            _join(out, rendered)
    if not out or isinstance(out[0], shapes.AssistantMessage):
        out.insert(0, shapes.UserMessage((NOTHING_SAID,)))
    # A last word of the assistant is taken for a beginning that the model must complete.
    if isinstance(out[-1], shapes.AssistantMessage):
        out.append(shapes.UserMessage((GO_ON,)))
    return tuple(out)


def _join(out: list[shapes.Message], message: shapes.Message) -> None:
    last = out[-1] if out else None
    if isinstance(last, shapes.UserMessage) and isinstance(message, shapes.UserMessage):
        out[-1] = shapes.UserMessage(last.content + message.content)
    elif isinstance(last, shapes.AssistantMessage) and isinstance(message, shapes.AssistantMessage):
        out[-1] = shapes.AssistantMessage(last.content + message.content)
    else:
        out.append(message)


def _message(message: Message) -> shapes.Message | None:
    """None if nothing of it can be said here."""
    match message:
        case System():
            return None
        case User(parts=parts):
            said = tuple(_user_block(part) for part in parts if not _blank(part))
            return shapes.UserMessage(said) if said else None
        case Assistant():
            blocks = tuple(_assistant_blocks(message))
            return shapes.AssistantMessage(blocks) if blocks else None
        case ToolResult(call_id=call_id, output=output, failed=failed):
            content = output if output.strip() else NO_OUTPUT
            return shapes.UserMessage((shapes.ToolResultBlock(call_id, content, failed),))
        case _:
            assert_never(message)


def _blank(part: Text | Image) -> bool:
    return isinstance(part, Text) and not part.text.strip()


def _user_block(part: Text | Image) -> shapes.TextBlock | shapes.ImageBlock:
    if isinstance(part, Text):
        return shapes.TextBlock(part.text)
    if part.url.startswith(("http://", "https://")):
        return shapes.ImageBlock(shapes.UrlSource(part.url))
    inline = DATA_URL.fullmatch(part.url)
    media_type = MEDIA_TYPES.get(inline[1].lower()) if inline else None
    if inline is None or media_type is None:
        return UNSEEN_IMAGE
    return shapes.ImageBlock(shapes.Base64Source(media_type, inline[2]))


def _assistant_blocks(message: Assistant) -> list[shapes.AssistantBlock]:
    blocks: list[shapes.AssistantBlock] = []
    for part in message.parts:
        match part:
            case Text(text=text) | Refusal(text=text):
                blocks += [shapes.TextBlock(text)] if text.strip() else []
            case Reasoning(seal=seal):
                if seal is not None and seal.dialect == DIALECT and _is_object(seal.data):
                    blocks.append(Raw(seal.data.encode()))
            case ToolCall():
                name = function_name(part.name)
                blocks.append(shapes.ToolUseBlock(part.id, name, _input(part.arguments)))
            case _:
                assert_never(part)
    # A message cannot end with thinking.
    while blocks and isinstance(blocks[-1], Raw):
        blocks.pop()
    return blocks


def _input(arguments: str) -> Raw:
    """The model's own text where it is an object; the API takes nothing else."""
    if not arguments.strip():
        return Raw(b"{}")
    if _is_object(arguments):
        return Raw(arguments.encode())
    return Raw(json.encode({"_raw": arguments}))


def _is_object(text: str) -> bool:
    try:
        json.decode(text, type=dict[str, object])
    except (MsgspecError, RecursionError):
        return False
    return True


def _spell(call_id: str) -> str:
    if re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", call_id):
        return call_id
    clean = plain(call_id)[:32]
    return f"{clean}_{sha256(call_id.encode()).hexdigest()[:16]}"


def _marked_messages(messages: tuple[shapes.Message, ...]) -> tuple[shapes.Message, ...]:
    """The end of the transcript is where the next request will find its prefix again.

    The end of the request before is marked too: from a mark the provider looks back no further
    than 20 blocks, and one step with many calls has more.
    """
    asked = [n for n, said in enumerate(messages) if isinstance(said, shapes.UserMessage)]
    ends = asked[-2:]
    return tuple(_marked(said) if n in ends else said for n, said in enumerate(messages))


def _marked(message: shapes.Message) -> shapes.Message:
    if not isinstance(message, shapes.UserMessage):
        return message
    marked = replace(message.content[-1], cache_control=shapes.CacheControl())
    return shapes.UserMessage((*message.content[:-1], marked))


def _marked_tools(tools: tuple[shapes.Tool, ...]) -> tuple[shapes.Tool, ...]:
    """Tools stand above everything; a system text behind them is marked in their place."""
    return (*tools[:-1], replace(tools[-1], cache_control=shapes.CacheControl())) if tools else ()


def _tools(prompt: Prompt, messages: tuple[shapes.Message, ...]) -> tuple[shapes.Tool, ...]:
    """A transcript with calls is rejected unless tools are declared, so past ones are named."""
    if prompt.tools:
        return tuple(
            shapes.Tool(spec.name, _schema(spec.parameters), spec.description)
            for spec in prompt.tools
        )
    used = dict.fromkeys(
        block.name
        for message in messages
        for block in message.content
        if isinstance(block, shapes.ToolUseBlock)
    )
    return tuple(shapes.Tool(name, ANY_OBJECT) for name in used)


def _schema(parameters: Raw) -> Raw:
    """The API demands that a schema says `type`."""
    fields = json.decode(parameters, type=dict[str, Raw])
    if not fields:
        return ANY_OBJECT
    if "type" in fields:
        return parameters
    return Raw(json.encode({"type": "object", **fields}))


def _tool_choice(sampling: Sampling, *, declared: bool) -> shapes.ToolChoice | None:
    choice = sampling.tool_choice
    if not declared or choice.mode == "none":
        return shapes.ToolChoice("none")
    one_by_one = True if sampling.parallel_tool_calls is False else None
    match choice.mode:
        case "auto":
            return shapes.ToolChoice("auto", None, one_by_one) if one_by_one else None
        case "required":
            return shapes.ToolChoice("any", None, one_by_one)
        case "named":
            return shapes.ToolChoice("tool", choice.name, one_by_one)
        case _:
            assert_never(choice.mode)


def _effort(sampling: Sampling, messages: tuple[shapes.Message, ...], quirks: Quirks) -> str | None:
    """How hard to think, where the model can and this request allows it."""
    forced = sampling.tool_choice.mode in ("required", "named")
    if quirks.thinking == "none" or forced or not _may_think(messages):
        return None
    return None if sampling.reasoning_effort == "none" else sampling.reasoning_effort


def _may_think(messages: tuple[shapes.Message, ...]) -> bool:
    """Thinking cannot begin in the middle of a turn: its calls must have begun with a thought."""
    last = next((m for m in reversed(messages) if isinstance(m, shapes.AssistantMessage)), None)
    if last is None or not any(isinstance(b, shapes.ToolUseBlock) for b in last.content):
        return True
    return isinstance(last.content[0], Raw)


def _thinking(effort: str, max_tokens: int, quirks: Quirks) -> shapes.Thinking | None:
    if quirks.thinking == "adaptive":
        return shapes.Thinking("adaptive")
    # The budget is a part of max_tokens, and something must be left to answer with.
    budget = min(quirks.budgets.get(effort, 0), max_tokens // 2)
    return shapes.Thinking("enabled", budget) if budget >= LEAST_BUDGET else None


def _output_config(
    sampling: Sampling, thinking: shapes.Thinking | None, effort: str | None, quirks: Quirks
) -> shapes.OutputConfig | None:
    adaptive = effort if thinking is not None and thinking.type == "adaptive" else None
    wanted = _output_format(sampling.response_format) if quirks.json_schema else None
    if adaptive is None and wanted is None:
        return None
    return shapes.OutputConfig(adaptive and EFFORTS.get(adaptive, "high"), wanted)


def _output_format(response_format: Raw | UnsetType) -> shapes.OutputFormat | None:
    wanted = formats.read(response_format)
    if wanted is None or wanted.json_schema is None or wanted.json_schema.schema == formats.NULL:
        return None
    return shapes.OutputFormat(wanted.json_schema.schema)


def _temperature(sampling: Sampling) -> float | None:
    """Chat completions go up to 2, this API up to 1."""
    return None if sampling.temperature is None else min(sampling.temperature, 1.0)
