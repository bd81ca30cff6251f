"""The JSON of OpenAI Responses where we call it, as Structs: what we ask, what a stream tells."""

from typing import Literal

from msgspec import Raw, Struct

DIALECT = "responses"
NULL = Raw(b"null")

# ── request ─────────────────────────────────────────────────────────────────────────────────


class InputText(Struct, frozen=True, tag_field="type", tag="input_text"):
    text: str


class InputImage(Struct, frozen=True, tag_field="type", tag="input_image"):
    image_url: str
    detail: str = "auto"


class OutputText(Struct, frozen=True, tag_field="type", tag="output_text"):
    text: str


class OutputRefusal(Struct, frozen=True, tag_field="type", tag="refusal"):
    refusal: str


Content = InputText | InputImage | OutputText | OutputRefusal


class Message(Struct, frozen=True, tag_field="type", tag="message"):
    role: Literal["system", "user", "assistant"]
    content: tuple[Content, ...]


class FunctionCall(Struct, frozen=True, tag_field="type", tag="function_call"):
    call_id: str
    name: str
    arguments: str


class FunctionCallOutput(Struct, frozen=True, tag_field="type", tag="function_call_output"):
    call_id: str
    output: str


# A Raw is a reasoning item that goes back as it came.
InputItem = Message | FunctionCall | FunctionCallOutput | Raw


class FunctionTool(Struct, frozen=True, tag_field="type", tag="function"):
    """The API takes a missing `strict` for true, so it is always there."""

    name: str
    description: str
    parameters: Raw
    strict: bool


class NamedTool(Struct, frozen=True, tag_field="type", tag="function"):
    name: str


class ReasoningOptions(Struct, frozen=True, omit_defaults=True):
    effort: str | None = None
    summary: str | None = None


class TextFormat(Struct, frozen=True, omit_defaults=True):
    type: str
    name: str | None = None
    description: str | None = None
    schema: Raw | None = None
    strict: bool | None = None


class TextOptions(Struct, frozen=True):
    format: TextFormat


class Request(Struct, frozen=True, omit_defaults=True):
    """`store` has no default: an omitted one means that the provider keeps everything."""

    model: str
    input: tuple[InputItem, ...]
    store: bool
    stream: bool
    instructions: str | None = None
    include: tuple[str, ...] = ()
    tools: tuple[FunctionTool, ...] = ()
    tool_choice: Literal["none", "required"] | NamedTool | None = None
    parallel_tool_calls: bool | None = None
    max_output_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    reasoning: ReasoningOptions | None = None
    text: TextOptions | None = None
    user: str | None = None


# ── stream ──────────────────────────────────────────────────────────────────────────────────


class Typed(Struct, frozen=True):
    """Enough of an event or item to know whether the rest is of interest."""

    type: str = ""
    error: Raw = NULL


class Part(Struct, frozen=True):
    """A content or summary part of an item."""

    type: str = ""
    text: str | None = None
    refusal: str | None = None


class MessageItem(Struct, frozen=True):
    content: tuple[Part, ...] | None = None


class CallItem(Struct, frozen=True):
    call_id: str | int | None = None
    name: str | None = None
    arguments: str | None = None


class ReasoningItem(Struct, frozen=True):
    summary: tuple[Part, ...] | None = None
    content: tuple[Part, ...] | None = None
    encrypted_content: str | None = None


class Piece(Struct, frozen=True):
    """Any `….delta` event that carries text."""

    delta: str | None = None
    output_index: int | None = None
    content_index: int | None = None
    summary_index: int | None = None


class Whole(Struct, frozen=True):
    """Any `….done` event that repeats the text of its deltas."""

    text: str | None = None
    refusal: str | None = None
    arguments: str | None = None
    output_index: int | None = None
    content_index: int | None = None
    summary_index: int | None = None


class ItemEvent(Struct, frozen=True):
    item: Raw
    output_index: int | None = None


class InputDetails(Struct, frozen=True):
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None


class OutputDetails(Struct, frozen=True):
    reasoning_tokens: int | None = None


class Usage(Struct, frozen=True):
    input_tokens: int | None = None
    output_tokens: int | None = None
    input_tokens_details: InputDetails | None = None
    output_tokens_details: OutputDetails | None = None


class Incomplete(Struct, frozen=True):
    reason: str | None = None


class Response(Struct, frozen=True):
    model: str | None = None
    status: str | None = None
    output: tuple[Raw, ...] | None = None
    usage: Usage | None = None
    error: Raw = NULL
    incomplete_details: Incomplete | None = None


class ResponseEvent(Struct, frozen=True):
    response: Response
