"""The JSON that we answer with on the Responses API, as Structs."""

from typing import Literal

from msgspec import UNSET, Raw, Struct, UnsetType

from angelia.wire.responses.echo import ChoiceOut, FunctionOut, ReasoningOptionsOut, TextOptionsOut

Status = Literal["in_progress", "completed", "incomplete"]
ResponseStatus = Literal["queued", "in_progress", "completed", "incomplete", "failed", "cancelled"]

# ── content ─────────────────────────────────────────────────────────────────────────────────


class InputTextOut(Struct, frozen=True, tag_field="type", tag="input_text"):
    text: str


class InputImageOut(Struct, frozen=True, tag_field="type", tag="input_image"):
    image_url: str
    detail: str


class OutputTextOut(Struct, frozen=True, tag_field="type", tag="output_text"):
    text: str
    annotations: tuple[()] = ()
    logprobs: tuple[()] = ()


class RefusalOut(Struct, frozen=True, tag_field="type", tag="refusal"):
    refusal: str


class ReasoningTextOut(Struct, frozen=True, tag_field="type", tag="reasoning_text"):
    text: str


# ── items ───────────────────────────────────────────────────────────────────────────────────


class MessageOut(Struct, frozen=True, tag_field="type", tag="message"):
    id: str
    status: Status
    role: Literal["user", "assistant", "system", "developer"]
    content: tuple[InputTextOut | InputImageOut | OutputTextOut | RefusalOut, ...]


class ReasoningOut(Struct, frozen=True, tag_field="type", tag="reasoning", omit_defaults=True):
    id: str
    status: Status
    summary: tuple[()]
    content: tuple[ReasoningTextOut, ...]
    encrypted_content: str | UnsetType = UNSET


class FunctionCallOut(Struct, frozen=True, tag_field="type", tag="function_call"):
    id: str
    call_id: str
    name: str
    arguments: str
    status: Status


class FunctionCallOutputOut(Struct, frozen=True, tag_field="type", tag="function_call_output"):
    """`output` is a list: a client that draws it takes nothing else."""

    id: str
    call_id: str
    output: tuple[InputTextOut, ...]
    status: Status


class McpTextOut(Struct, frozen=True, tag_field="type", tag="text"):
    text: str


class McpErrorOut(Struct, frozen=True, tag_field="type", tag="mcp_tool_execution_error"):
    """`code` is the outcome of the call, `content` what the model reads of it."""

    code: str
    message: str
    content: tuple[McpTextOut, ...]


class McpCallOut(Struct, frozen=True, tag_field="type", tag="mcp_call"):
    id: str
    status: Literal["in_progress", "completed", "incomplete", "failed"]
    server_label: str
    name: str
    arguments: str
    output: str | None = None
    error: McpErrorOut | None = None
    approval_request_id: None = None


class McpApprovalRequestOut(Struct, frozen=True, tag_field="type", tag="mcp_approval_request"):
    id: str
    server_label: str
    name: str
    arguments: str


class McpApprovalResponseOut(Struct, frozen=True, tag_field="type", tag="mcp_approval_response"):
    id: str
    approval_request_id: str
    approve: bool
    reason: str | None = None


class CompactionOut(Struct, frozen=True, tag_field="type", tag="compaction"):
    id: str
    encrypted_content: str


ItemOut = (
    MessageOut
    | ReasoningOut
    | FunctionCallOut
    | FunctionCallOutputOut
    | McpCallOut
    | McpApprovalRequestOut
    | McpApprovalResponseOut
    | CompactionOut
)

# ── the response ────────────────────────────────────────────────────────────────────────────


class InputDetailsOut(Struct, frozen=True):
    cached_tokens: int
    cache_write_tokens: int


class OutputDetailsOut(Struct, frozen=True):
    reasoning_tokens: int


class UsageOut(Struct, frozen=True):
    input_tokens: int
    input_tokens_details: InputDetailsOut
    output_tokens: int
    output_tokens_details: OutputDetailsOut
    total_tokens: int


class ErrorOut(Struct, frozen=True):
    code: str
    message: str


class FaultOut(Struct, frozen=True):
    type: str
    code: str
    message: str
    param: str | None = None


class ErrorEventOut(Struct, frozen=True, tag_field="type", tag="error"):
    """Open Responses has the error in `error`, OpenAI beside it; either finds it."""

    sequence_number: int
    error: FaultOut
    code: str
    message: str
    param: str | None = None


class IncompleteOut(Struct, frozen=True, omit_defaults=True):
    """`limit` names the budget of the run that is used up, where it is one."""

    reason: Literal["max_output_tokens", "content_filter"]
    limit: str | None = None


class ConversationRefOut(Struct, frozen=True):
    id: str


class ResponseOut(Struct, frozen=True):
    """`output` holds items as they were streamed."""

    id: str
    object: Literal["response"]
    created_at: int
    status: ResponseStatus
    completed_at: int | None
    background: bool
    conversation: ConversationRefOut | None
    error: ErrorOut | None
    frequency_penalty: float
    incomplete_details: IncompleteOut | None
    instructions: str | None
    max_output_tokens: int | None
    max_tool_calls: int | None
    model: str
    output: tuple[Raw, ...]
    parallel_tool_calls: bool
    presence_penalty: float
    previous_response_id: str | None
    prompt_cache_key: str | None
    reasoning: ReasoningOptionsOut
    safety_identifier: str | None
    service_tier: str
    store: bool
    temperature: float
    text: TextOptionsOut
    tool_choice: ChoiceOut
    tools: tuple[FunctionOut, ...]
    top_logprobs: int
    top_p: float
    truncation: str
    usage: UsageOut | None
    user: str | None
    metadata: dict[str, str]


class DeletedOut(Struct, frozen=True):
    id: str
    object: Literal["conversation.deleted", "response"]
    deleted: bool
