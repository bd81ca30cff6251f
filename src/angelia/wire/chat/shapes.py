"""The JSON of chat completions as Structs: answers and requests of both directions.

Shapes that a provider fills are tolerant: every field has a default and what may come in more
than one type is `object` or Raw. Shapes that a client fills are strict.
"""

from typing import Annotated, Literal

from msgspec import Meta, Raw, Struct, field

from angelia.wire.content import ImageIn, ImageUrl, RefusalIn, TextIn
from angelia.wire.fields import ABSENT
from angelia.wire.functions import FunctionIn, Name

# ── answers of a provider ───────────────────────────────────────────────────────────────────


class ContentPart(Struct):
    """Some providers send content as a list; thinking parts hold text parts of their own."""

    type: object = None
    text: object = None
    thinking: "str | list[ContentPart] | None" = None


class FunctionPiece(Struct):
    name: object = None
    arguments: Raw = ABSENT


class DeltaPiece(Struct):
    content: str | list[ContentPart] | None = None
    reasoning_content: object = None
    reasoning: object = None
    reasoning_details: Raw = ABSENT
    refusal: object = None
    tool_calls: Raw = ABSENT
    function_call: FunctionPiece | None = None


class ChunkChoice(Struct):
    delta: DeltaPiece | None = None
    message: DeltaPiece | None = None
    finish_reason: str | None = None
    error: Raw = ABSENT


class PromptDetails(Struct):
    cached_tokens: float | None = None
    cache_write_tokens: float | None = None


class CompletionDetails(Struct):
    reasoning_tokens: float | None = None


class TokenCounts(Struct):
    prompt_tokens: float | None = None
    completion_tokens: float | None = None
    prompt_tokens_details: PromptDetails | None = None
    completion_tokens_details: CompletionDetails | None = None
    prompt_cache_hit_tokens: float | None = None


class Chunk(Struct):
    """A chunk of a stream, or a whole answer: they differ in `delta` and `message`."""

    object: str | None = None
    model: str | None = None
    choices: list[ChunkChoice] | None = None
    usage: TokenCounts | None = None
    error: Raw = ABSENT


# ── requests to a provider ──────────────────────────────────────────────────────────────────


class TextPartOut(Struct, tag_field="type", tag="text"):
    text: str


class ImagePartOut(Struct, tag_field="type", tag="image_url"):
    image_url: ImageUrl


class MessageOut(Struct, omit_defaults=True):
    """`tool_calls` are open objects: provider fields go back inside them verbatim."""

    role: str
    content: str | list[TextPartOut | ImagePartOut] | None
    name: str | None = None
    tool_call_id: str | None = None
    tool_calls: list[dict[str, object]] | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    reasoning_details: list[Raw] | None = None


class FunctionOut(Struct, omit_defaults=True):
    name: str
    parameters: Raw
    description: str = ""
    strict: bool | None = None


class ToolOut(Struct, tag_field="type", tag="function"):
    function: FunctionOut


class ToolName(Struct):
    name: str


class ToolChoiceOut(Struct, tag_field="type", tag="function"):
    function: ToolName


class StreamOptionsOut(Struct):
    include_usage: bool


class RequestOut(Struct, omit_defaults=True):
    model: str
    messages: list[MessageOut]
    stream: bool = False
    stream_options: StreamOptionsOut | None = None
    tools: list[ToolOut] | None = None
    tool_choice: str | ToolChoiceOut | None = None
    parallel_tool_calls: bool | None = None
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    max_completion_tokens: int | None = None
    stop: tuple[str, ...] = ()
    seed: int | None = None
    frequency_penalty: float | None = None
    presence_penalty: float | None = None
    reasoning_effort: str | None = None
    response_format: Raw = ABSENT
    user: str | None = None


# ── requests of a client ────────────────────────────────────────────────────────────────────


class AudioIn(Struct, tag_field="type", tag="input_audio"):
    """Known, so that it can be refused by its name."""


class FileIn(Struct, tag_field="type", tag="file"):
    """Known, so that it can be refused by its name."""


UserPartIn = TextIn | ImageIn | AudioIn | FileIn


class SystemIn(Struct, tag_field="role", tag="system"):
    content: str | list[TextIn]


class DeveloperIn(Struct, tag_field="role", tag="developer"):
    content: str | list[TextIn]


class UserIn(Struct, tag_field="role", tag="user"):
    content: str | Annotated[list[UserPartIn], Meta(min_length=1)]
    name: str | None = None


class FunctionCallIn(Struct):
    name: Name
    arguments: str


class CallIn(Struct):
    id: Annotated[str, Meta(min_length=1)]
    function: FunctionCallIn
    type: Literal["function"] = "function"


class AssistantIn(Struct, tag_field="role", tag="assistant"):
    content: str | list[TextIn | RefusalIn] | None = None
    refusal: str | None = None
    reasoning_content: str | None = None
    tool_calls: list[CallIn] | None = None
    function_call: FunctionCallIn | None = None


class ToolIn(Struct, tag_field="role", tag="tool"):
    tool_call_id: str
    content: str | list[TextIn] | None


class FunctionResultIn(Struct, tag_field="role", tag="function"):
    name: str
    content: str | None


MessageIn = SystemIn | DeveloperIn | UserIn | AssistantIn | ToolIn | FunctionResultIn


class ToolSpecIn(Struct):
    type: Literal["function"]
    function: FunctionIn


class ToolChoiceIn(Struct):
    type: Literal["function"]
    function: ToolName


class StreamOptionsIn(Struct):
    include_usage: bool | None = None


Penalty = Annotated[float, Meta(ge=-2, le=2)]
TokenLimit = Annotated[int, Meta(ge=1, le=2**31 - 1)]


class RequestIn(Struct):
    messages: Annotated[list[MessageIn], Meta(min_length=1)]
    model: str | None = None
    stream: bool | None = None
    stream_options: StreamOptionsIn | None = None
    n: int | None = None
    tools: list[ToolSpecIn] | None = None
    tool_choice: Literal["auto", "none", "required"] | ToolChoiceIn | None = None
    functions: list[FunctionIn] | None = None
    function_call: Literal["auto", "none"] | ToolName | None = None
    parallel_tool_calls: bool | None = None
    temperature: Annotated[float, Meta(ge=0, le=2)] | None = None
    top_p: Annotated[float, Meta(ge=0, le=1)] | None = None
    max_tokens: TokenLimit | None = None
    max_completion_tokens: TokenLimit | None = None
    stop: str | list[str] | None = None
    seed: Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)] | None = None
    frequency_penalty: Penalty | None = None
    presence_penalty: Penalty | None = None
    reasoning_effort: str | None = None
    response_format: Raw = ABSENT
    user: str | None = None
    metadata: Raw = ABSENT


# ── answers to a client ─────────────────────────────────────────────────────────────────────


class PromptDetailsOut(Struct):
    cached_tokens: int


class CompletionDetailsOut(Struct):
    reasoning_tokens: int


class UsageOut(Struct):
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int
    prompt_tokens_details: PromptDetailsOut
    completion_tokens_details: CompletionDetailsOut


class FunctionCallOut(Struct):
    name: str
    arguments: str


class CallOut(Struct):
    id: str
    function: FunctionCallOut
    type: str = "function"


class FunctionRest(Struct):
    arguments: str


class CallRest(Struct):
    """More arguments of a call that was opened by a `CallPiece`."""

    index: int
    function: FunctionRest


class CallPiece(Struct):
    index: int
    id: str
    function: FunctionCallOut
    type: str = "function"


class AnswerOut(Struct, omit_defaults=True):
    role: str
    content: str | None
    refusal: str | None
    reasoning_content: str | None = None
    tool_calls: list[CallOut] | None = None


class ChoiceOut(Struct):
    index: int
    message: AnswerOut
    finish_reason: str
    logprobs: None = None


class CompletionOut(Struct):
    id: str
    object: str
    created: int
    model: str
    choices: list[ChoiceOut]
    usage: UsageOut


class ErrorDetails(Struct):
    message: str
    type: str
    code: str
    param: str | None = None


class ErrorOut(Struct):
    error: ErrorDetails


class ToolRunning(Struct, omit_defaults=True):
    """`input` is the parsed arguments, or their text if they are not JSON or too long."""

    tool: str
    emoji: str
    label: str
    call_id: str = field(name="toolCallId")
    status: str
    input: Raw | str
    input_truncated: bool = False


class ToolCompleted(Struct, omit_defaults=True):
    tool: str
    call_id: str = field(name="toolCallId")
    status: str
    outcome: str
    failed: bool
    duration: float
    output: str
    truncated: bool
    sandbox: str | None = None


class StatusData(Struct):
    description: str
    done: bool


class StatusEvent(Struct, tag_field="type", tag="status"):
    """What Open WebUI shows above a message."""

    data: StatusData
