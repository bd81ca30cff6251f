"""Chunks of a chat stream and short answers, which are written without a Struct of their own."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType, field

from angelia.core.events import Outcome
from angelia.core.state import Status
from angelia.surfaces.http.openapi.errors import ErrorType
from angelia.wire.chat.shapes import StatusEvent, UsageOut
from angelia.wire.runs.shapes import RunOut, WebhookEvent


class ErrorDetails(Struct, frozen=True):
    """`param` is the path of the field that is wrong."""

    message: str
    type: ErrorType
    param: str | None
    code: str | None


class Error(Struct, frozen=True):
    error: ErrorDetails


# ── chat ────────────────────────────────────────────────────────────────────────────────────

ChunkObject = Literal["chat.completion.chunk"]


class FunctionDelta(Struct, frozen=True):
    arguments: str
    name: str | UnsetType = UNSET


class CallDelta(Struct, frozen=True):
    """`id`, `type` and the name come with the first piece of a call."""

    index: int
    function: FunctionDelta
    id: str | UnsetType = UNSET
    type: Literal["function"] | UnsetType = UNSET


class Delta(Struct, frozen=True):
    role: Literal["assistant"] | UnsetType = UNSET
    content: str | UnsetType = UNSET
    reasoning_content: str | UnsetType = UNSET
    tool_calls: list[CallDelta] | UnsetType = UNSET


class ChunkChoice(Struct, frozen=True):
    index: int
    delta: Delta
    finish_reason: Literal["stop", "length", "tool_calls", "content_filter"] | None


class ToolProgress(Struct, frozen=True):
    """A server's tool at work: the first five come when it starts, the last five when it ends."""

    tool: str
    call_id: str = field(name="toolCallId")
    status: Literal["running", "completed"]
    emoji: str | UnsetType = UNSET
    label: str | UnsetType = UNSET
    input: Raw | UnsetType = UNSET
    input_truncated: bool | UnsetType = UNSET
    outcome: Outcome | UnsetType = UNSET
    failed: bool | UnsetType = UNSET
    duration: float | UnsetType = UNSET
    output: str | UnsetType = UNSET
    truncated: bool | UnsetType = UNSET


class ChatChunk(Struct, frozen=True):
    """The last two are the forms `carrier` and `openwebui` of a tool's progress."""

    id: str
    object: ChunkObject
    created: int
    model: str
    choices: list[ChunkChoice]
    usage: UsageOut | UnsetType = UNSET
    progress: ToolProgress | UnsetType = field(default=UNSET, name="hermes.tool.progress")
    event: StatusEvent | UnsetType = UNSET


class ToolProgressChunk(ToolProgress, frozen=True, kw_only=True):
    """The form `named`: a chunk without choices that is the progress itself."""

    id: str
    object: ChunkObject
    created: int
    model: str
    choices: Annotated[list[ChunkChoice], Meta(max_length=0)]


class CompletionDeleted(Struct, frozen=True, tag_field="object", tag="chat.completion.deleted"):
    id: str
    deleted: Literal[True]


# ── runs ────────────────────────────────────────────────────────────────────────────────────


class RunAccepted(Struct, frozen=True):
    run_id: str
    status: Literal["started", "queued"]
    session_id: str


class RunStatus(Struct, frozen=True):
    run_id: str
    status: Status


class RunDeleted(Struct, frozen=True, tag_field="object", tag="hermes.run"):
    run_id: str
    deleted: Literal[True]


class RunPage(Struct, frozen=True, tag_field="object", tag="list"):
    """Newest first; the last id is the `after` of the next page."""

    data: list[RunOut]
    has_more: bool


class WebhookMessage(Struct, frozen=True):
    """`data` is the run as it was then; `timestamp` is in seconds since the epoch."""

    type: WebhookEvent
    timestamp: float
    data: RunOut


# ── responses ───────────────────────────────────────────────────────────────────────────────


class InputTokens(Struct, frozen=True, tag_field="object", tag="response.input_tokens"):
    input_tokens: int
