"""The JSON of Anthropic Messages as Structs: what a request holds, what a stream tells."""

from typing import Literal

from msgspec import Raw, Struct

DIALECT = "anthropic"
NULL = Raw(b"null")

# ── request ─────────────────────────────────────────────────────────────────────────────────


class CacheControl(Struct, frozen=True, tag_field="type", tag="ephemeral"):
    """Marks the end of a prefix that the provider keeps for a while."""


class TextBlock(Struct, frozen=True, tag_field="type", tag="text", omit_defaults=True):
    text: str
    cache_control: CacheControl | None = None


class Base64Source(Struct, frozen=True, tag_field="type", tag="base64"):
    media_type: str
    data: str


class UrlSource(Struct, frozen=True, tag_field="type", tag="url"):
    url: str


class ImageBlock(Struct, frozen=True, tag_field="type", tag="image", omit_defaults=True):
    source: Base64Source | UrlSource
    cache_control: CacheControl | None = None


class ToolUseBlock(Struct, frozen=True, tag_field="type", tag="tool_use"):
    """`input` is a JSON object."""

    id: str
    name: str
    input: Raw


class ToolResultBlock(Struct, frozen=True, tag_field="type", tag="tool_result", omit_defaults=True):
    tool_use_id: str
    content: str
    is_error: bool = False
    cache_control: CacheControl | None = None


UserBlock = TextBlock | ImageBlock | ToolResultBlock
# A Raw is a thinking block that goes back as it came.
AssistantBlock = TextBlock | ToolUseBlock | Raw
Block = UserBlock | AssistantBlock


class UserMessage(Struct, frozen=True, tag_field="role", tag="user"):
    content: tuple[UserBlock, ...]


class AssistantMessage(Struct, frozen=True, tag_field="role", tag="assistant"):
    content: tuple[AssistantBlock, ...]


Message = UserMessage | AssistantMessage


class Tool(Struct, frozen=True, omit_defaults=True):
    name: str
    input_schema: Raw
    description: str = ""
    cache_control: CacheControl | None = None


class ToolChoice(Struct, frozen=True, omit_defaults=True):
    type: Literal["auto", "any", "tool", "none"]
    name: str | None = None
    disable_parallel_tool_use: bool | None = None


class Thinking(Struct, frozen=True, omit_defaults=True):
    type: Literal["enabled", "adaptive"]
    budget_tokens: int | None = None


class OutputFormat(Struct, frozen=True, tag_field="type", tag="json_schema"):
    schema: Raw


class OutputConfig(Struct, frozen=True, omit_defaults=True):
    effort: str | None = None
    format: OutputFormat | None = None


class Metadata(Struct, frozen=True):
    user_id: str


class Request(Struct, frozen=True, omit_defaults=True):
    model: str
    max_tokens: int
    messages: tuple[Message, ...]
    stream: bool
    system: tuple[TextBlock, ...] = ()
    tools: tuple[Tool, ...] = ()
    tool_choice: ToolChoice | None = None
    thinking: Thinking | None = None
    output_config: OutputConfig | None = None
    stop_sequences: tuple[str, ...] = ()
    temperature: float | None = None
    top_p: float | None = None
    metadata: Metadata | None = None


# ── stream ──────────────────────────────────────────────────────────────────────────────────


class Typed(Struct, frozen=True):
    """Enough of an event or block to know whether the rest is of interest."""

    type: str = ""
    error: Raw = NULL


class Usage(Struct, frozen=True):
    """`input_tokens` leaves out what was read from or written to the cache."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None


class TextStart(Struct, frozen=True):
    text: str | None = None


class ThinkingStart(Struct, frozen=True):
    thinking: str | None = None
    signature: str | None = None


class ToolUseStart(Struct, frozen=True):
    id: str | int | None = None
    name: str | None = None
    input: Raw = Raw(b"{}")


class ThinkingBlock(Struct, frozen=True, tag_field="type", tag="thinking"):
    """What the pieces of a streamed thinking block amount to."""

    thinking: str
    signature: str


class StopDetails(Struct, frozen=True):
    explanation: str | None = None


class Body(Struct, frozen=True):
    """A message: whole, or as `message_start` announces it."""

    model: str | None = None
    content: tuple[Raw, ...] | None = None
    stop_reason: str | None = None
    stop_details: StopDetails | None = None
    usage: Usage | None = None


class MessageStart(Struct, frozen=True):
    message: Body


class BlockStart(Struct, frozen=True):
    content_block: Raw
    index: int = 0


class BlockPiece(Struct, frozen=True):
    type: str = ""
    text: str | None = None
    thinking: str | None = None
    signature: str | None = None
    partial_json: str | None = None


class BlockDelta(Struct, frozen=True):
    delta: Raw
    index: int = 0


class BlockStop(Struct, frozen=True):
    index: int = 0


class MessageChange(Struct, frozen=True):
    stop_reason: str | None = None
    stop_details: StopDetails | None = None


class MessageDelta(Struct, frozen=True):
    delta: MessageChange = MessageChange()
    usage: Usage | None = None
