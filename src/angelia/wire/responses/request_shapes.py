"""The JSON that clients of the Responses API send, as strict Structs."""

from typing import Annotated, Literal

from msgspec import Meta, Raw, Struct

from angelia.wire.content import InputTextIn, OutputTextIn, RefusalIn
from angelia.wire.fields import ABSENT
from angelia.wire.functions import Name
from angelia.wire.responses.metadata import Metadata

Id = Annotated[str, Meta(min_length=1, max_length=256)]

# ── content ─────────────────────────────────────────────────────────────────────────────────


class InputImageIn(Struct, tag_field="type", tag="input_image"):
    image_url: str | None = None
    file_id: str | None = None
    detail: Literal["low", "high", "auto", "original"] | None = None


class InputFileIn(Struct, tag_field="type", tag="input_file"):
    """Known, so that it can be refused by its name."""


class InputAudioIn(Struct, tag_field="type", tag="input_audio"):
    """Known, so that it can be refused by its name."""


class InputVideoIn(Struct, tag_field="type", tag="input_video"):
    """Known, so that it can be refused by its name."""


class SummaryTextIn(Struct, tag_field="type", tag="summary_text"):
    text: str


class ReasoningTextIn(Struct, tag_field="type", tag="reasoning_text"):
    text: str


InputPartIn = InputTextIn | InputImageIn | InputFileIn | InputAudioIn | InputVideoIn
OutputPartIn = OutputTextIn | RefusalIn | InputTextIn

# ── items ───────────────────────────────────────────────────────────────────────────────────


class ItemIn(Struct):
    """Enough of an item to know what the rest of it is: messages and references may lack `type`."""

    type: str | None = None
    role: Raw = ABSENT
    id: Raw = ABSENT


class UserIn(Struct, tag_field="role", tag="user"):
    content: str | Annotated[list[InputPartIn], Meta(min_length=1)]


class AssistantIn(Struct, tag_field="role", tag="assistant"):
    content: str | list[OutputPartIn]


class SystemIn(Struct, tag_field="role", tag="system"):
    content: str | list[InputTextIn]


class DeveloperIn(Struct, tag_field="role", tag="developer"):
    content: str | list[InputTextIn]


MessageIn = UserIn | AssistantIn | SystemIn | DeveloperIn


class FunctionCallIn(Struct):
    call_id: Id
    name: Name
    arguments: str


class FunctionCallOutputIn(Struct):
    call_id: Id
    output: str | list[InputPartIn]


class ReasoningIn(Struct):
    summary: list[SummaryTextIn] | None = None
    content: list[ReasoningTextIn] | None = None
    encrypted_content: str | None = None


class McpTextIn(Struct):
    text: str = ""


class McpErrorIn(Struct):
    content: list[McpTextIn] | str | None = None
    message: str | None = None


class McpCallIn(Struct):
    id: Id
    server_label: str
    name: Name
    arguments: str
    output: str | None = None
    error: str | McpErrorIn | None = None


class McpApprovalRequestIn(Struct):
    id: Id


class McpApprovalResponseIn(Struct):
    approval_request_id: Id
    approve: bool
    reason: Annotated[str, Meta(max_length=4096)] | None = None


class CompactionIn(Struct):
    encrypted_content: str


class ReferenceIn(Struct):
    id: Id


# ── tools ───────────────────────────────────────────────────────────────────────────────────


class TypedIn(Struct):
    type: str


class NamedToolIn(Struct, tag_field="type", tag="function"):
    name: Name


class AllowedToolsIn(Struct, tag_field="type", tag="allowed_tools"):
    tools: Annotated[list[NamedToolIn], Meta(min_length=1, max_length=128)]
    mode: Literal["auto", "required", "none"] = "auto"


ToolMode = Literal["auto", "none", "required"]

# ── the request ─────────────────────────────────────────────────────────────────────────────


class ReasoningOptionsIn(Struct):
    effort: Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"] | None = None
    summary: Literal["auto", "concise", "detailed"] | None = None


class FormatIn(Struct):
    type: Literal["text", "json_object", "json_schema"]
    name: Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    description: str | None = None
    schema: Raw = ABSENT
    strict: bool | None = None


class TextOptionsIn(Struct):
    format: FormatIn | None = None
    verbosity: Literal["low", "medium", "high"] | None = None


class ConversationIn(Struct):
    id: str


class StreamOptionsIn(Struct):
    include_obfuscation: bool | None = None


Penalty = Annotated[float, Meta(ge=-2, le=2)]
Count = Annotated[int, Meta(ge=1, le=2**31 - 1)]


class CreateIn(Struct):
    """`input` holds items whose kind is known only when they are looked at."""

    model: str | None = None
    input: str | list[Raw] | None = None
    instructions: str | None = None
    previous_response_id: str | None = None
    conversation: str | ConversationIn | None = None
    tools: list[Raw] | None = None
    tool_choice: Raw = ABSENT
    parallel_tool_calls: bool | None = None
    max_output_tokens: Count | None = None
    max_tool_calls: Count | None = None
    temperature: Annotated[float, Meta(ge=0, le=2)] | None = None
    top_p: Annotated[float, Meta(ge=0, le=1)] | None = None
    presence_penalty: Penalty | None = None
    frequency_penalty: Penalty | None = None
    top_logprobs: Annotated[int, Meta(ge=0, le=20)] | None = None
    reasoning: ReasoningOptionsIn | None = None
    text: TextOptionsIn | None = None
    stream: bool | None = None
    stream_options: StreamOptionsIn | None = None
    background: bool | None = None
    store: bool | None = None
    truncation: Literal["auto", "disabled"] | None = None
    include: list[str] | None = None
    metadata: Metadata | None = None
    user: str | None = None
    safety_identifier: str | None = None
    prompt_cache_key: str | None = None
    service_tier: Literal["auto", "default", "flex", "scale", "priority"] | None = None
    prompt: Raw = ABSENT
