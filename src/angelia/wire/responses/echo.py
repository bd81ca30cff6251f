"""What a response shows of the request it answers, kept with the run that does the work."""

from typing import Annotated, Literal

from msgspec import Meta, MsgspecError, Raw, Struct, UnsetType, field, json

from angelia.core.messages import ToolSpec
from angelia.wire.responses.dialects import Dialect
from angelia.wire.responses.request_shapes import (
    AllowedToolsIn,
    ConversationIn,
    CreateIn,
    FormatIn,
    NamedToolIn,
    ReasoningOptionsIn,
    TextOptionsIn,
    ToolMode,
)
from angelia.wire.responses.tools import Choice

ENCRYPTED_REASONING = "reasoning.encrypted_content"


class FunctionOut(Struct, frozen=True, tag_field="type", tag="function"):
    name: str
    description: str | None
    parameters: Raw
    strict: bool | None


class NamedToolOut(Struct, frozen=True, tag_field="type", tag="function"):
    name: str


class AllowedToolsOut(Struct, frozen=True, tag_field="type", tag="allowed_tools"):
    mode: ToolMode
    tools: tuple[NamedToolOut, ...]


ChoiceOut = ToolMode | NamedToolOut | AllowedToolsOut


class ReasoningOptionsOut(Struct, frozen=True):
    effort: str | None = None
    summary: str | None = None


class TextFormatOut(Struct, frozen=True, tag_field="type", tag="text"):
    pass


class ObjectFormatOut(Struct, frozen=True, tag_field="type", tag="json_object"):
    pass


class SchemaFormatOut(Struct, frozen=True, tag_field="type", tag="json_schema"):
    """The specification's answer has no room for the schema itself."""

    name: str
    description: str | None = None
    schema: None = None
    strict: bool = False


class TextOptionsOut(Struct, frozen=True, omit_defaults=True):
    format: TextFormatOut | ObjectFormatOut | SchemaFormatOut
    verbosity: str | None = None


class Echo(Struct, frozen=True, omit_defaults=True):
    """The defaults are what a run shows that was asked for in another protocol."""

    dialect: Dialect = "pair"
    include: tuple[str, ...] = ()
    instructions: str | None = None
    previous_response_id: str | None = None
    conversation: str | None = None
    tools: tuple[FunctionOut, ...] = ()
    tool_choice: ChoiceOut = "auto"
    parallel_tool_calls: bool = True
    max_output_tokens: int | None = None
    max_tool_calls: int | None = None
    temperature: float = 1.0
    top_p: float = 1.0
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    top_logprobs: Annotated[int, Meta(ge=0)] = 0
    reasoning: ReasoningOptionsOut = field(default_factory=ReasoningOptionsOut)
    text: TextOptionsOut = field(default_factory=lambda: TextOptionsOut(TextFormatOut()))
    truncation: Literal["auto", "disabled"] = "disabled"
    store: bool = True
    background: bool = False
    metadata: dict[str, str] = field(default_factory=dict)
    user: str | None = None
    safety_identifier: str | None = None
    prompt_cache_key: str | None = None
    service_tier: str = "default"


def read(kept: Raw | UnsetType) -> Echo:
    """Whatever is not an echo of ours says nothing."""
    if isinstance(kept, UnsetType):
        return Echo()
    try:
        return json.decode(kept, type=Echo)
    except (MsgspecError, RecursionError):
        return Echo()


def shown(given: CreateIn, tools: tuple[ToolSpec, ...], choice: Choice) -> Echo:
    reasoning = given.reasoning or ReasoningOptionsIn()
    conversation = given.conversation
    return Echo(
        include=tuple(given.include or ()),
        instructions=given.instructions,
        previous_response_id=given.previous_response_id,
        conversation=conversation.id if isinstance(conversation, ConversationIn) else conversation,
        tools=tuple(map(_function, tools)),
        tool_choice=_choice(choice),
        parallel_tool_calls=given.parallel_tool_calls is not False,
        max_output_tokens=given.max_output_tokens,
        max_tool_calls=given.max_tool_calls,
        temperature=1.0 if given.temperature is None else given.temperature,
        top_p=1.0 if given.top_p is None else given.top_p,
        presence_penalty=given.presence_penalty or 0.0,
        frequency_penalty=given.frequency_penalty or 0.0,
        top_logprobs=given.top_logprobs or 0,
        reasoning=ReasoningOptionsOut(reasoning.effort, reasoning.summary),
        text=_text(given.text or TextOptionsIn()),
        truncation=given.truncation or "disabled",
        store=given.store is not False,
        background=bool(given.background),
        metadata=given.metadata or {},
        user=given.user,
        safety_identifier=given.safety_identifier,
        prompt_cache_key=given.prompt_cache_key,
        service_tier=_tier(given.service_tier),
    )


def _function(tool: ToolSpec) -> FunctionOut:
    return FunctionOut(tool.name, tool.description or None, tool.parameters, tool.strict)


def _tier(given: str | None) -> str:
    """Which tier served a request is never `auto`."""
    return "default" if given is None or given == "auto" else given


def _choice(choice: Choice) -> ChoiceOut:
    match choice:
        case NamedToolIn(name=name):
            return NamedToolOut(name)
        case AllowedToolsIn(mode=mode, tools=tools):
            return AllowedToolsOut(mode, tuple(NamedToolOut(tool.name) for tool in tools))
        case mode:
            return mode


def _text(text: TextOptionsIn) -> TextOptionsOut:
    return TextOptionsOut(_format(text.format), text.verbosity)


def _format(wanted: FormatIn | None) -> TextFormatOut | ObjectFormatOut | SchemaFormatOut:
    if wanted is None or wanted.type == "text":
        return TextFormatOut()
    if wanted.type == "json_object":
        return ObjectFormatOut()
    return SchemaFormatOut(wanted.name or "", wanted.description, strict=bool(wanted.strict))
