"""The JSON of the run API as Structs: what clients send, the events, and the run itself."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from angelia.wire.content import PartIn
from angelia.wire.fields import ABSENT
from angelia.wire.functions import FunctionIn, Name

Id = Annotated[str, Meta(min_length=1, max_length=256)]
Address = Annotated[str, Meta(min_length=1, max_length=2048)]
WebhookEvent = Literal["run.completed", "run.failed", "run.cancelled", "run.waiting"]


# ── requests ────────────────────────────────────────────────────────────────────────────────


class MessageIn(Struct):
    role: Literal["user", "assistant", "system", "developer"]
    content: str | list[PartIn]


class ToolIn(Struct):
    """A function below `function`, as in chat completions, or flat, as in responses."""

    type: Literal["function"]
    function: FunctionIn | None = None
    name: Name | None = None
    description: str | None = None
    parameters: Raw = ABSENT
    strict: bool | None = None


class LimitsIn(Struct):
    max_steps: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None
    max_tokens: Annotated[int, Meta(ge=1, le=2**53)] | None = None
    max_seconds: Annotated[float, Meta(gt=0, le=2**31 - 1)] | None = None
    max_cost: Annotated[float, Meta(gt=0, le=2**53)] | None = None


class WebhookIn(Struct):
    """Without `events` it is told of all of them."""

    url: Address
    events: Annotated[list[WebhookEvent], Meta(min_length=1)] | None = None


Input = Annotated[str, Meta(min_length=1)] | Annotated[list[MessageIn], Meta(min_length=1)]


class CreateRunIn(Struct):
    """`parent_run_id` is the run of the session to go on behind; null begins anew in it."""

    input: Input
    instructions: str | None = None
    session_id: Id | None = None
    conversation_history: list[MessageIn] | None = None
    previous_response_id: Id | None = None
    parent_run_id: Id | UnsetType | None = UNSET
    model: Name | None = None
    tools: list[ToolIn] | None = None
    metadata: Raw = ABSENT
    limits: LimitsIn | None = None
    user: str | None = None
    webhook: Address | WebhookIn | None = None


class ApprovalIn(Struct):
    choice: Literal["once", "session", "always", "deny"]
    approval_id: Id | None = None
    code: Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    reason: str | None = None


class SteerIn(Struct):
    input: Input


class UndoIn(Struct):
    """`redo` brings back what an undo took away; a `dry_run` only says what would be done."""

    force: bool = False
    redo: bool = False
    dry_run: bool = False


# ── events ──────────────────────────────────────────────────────────────────────────────────


class UsageOut(Struct):
    input_tokens: int
    output_tokens: int
    total_tokens: int
    cached_tokens: int
    cache_write_tokens: int
    reasoning_tokens: int


class TokensOut(Struct):
    input: int
    output: int
    total: int
    cached: int
    cache_written: int
    reasoning: int


class ErrorOut(Struct):
    message: str
    code: str


class CallOut(Struct):
    id: str
    name: str


class Frame(Struct, tag_field="event"):
    run_id: str
    seq: int
    timestamp: float


class RunStartedOut(Frame, tag="run.started"):
    """A `queued` run waits until the turn before it in its session is over."""

    model: str
    session_id: str
    queued: bool


class RunBegunOut(Frame, tag="run.begun"):
    """The turn of a queued run has come; `parent` is the run it goes on from."""

    parent: str | None


class MessageDeltaOut(Frame, tag="message.delta"):
    delta: str


class ReasoningDeltaOut(Frame, tag="reasoning.delta"):
    delta: str


class ReasoningAvailableOut(Frame, tag="reasoning.available"):
    text: str


class ToolArgumentsOut(Frame, tag="tool.arguments", omit_defaults=True):
    index: int
    delta: str
    tool_call_id: str | None = None
    tool: str | None = None


class MessageCompletedOut(Frame, tag="message.completed", omit_defaults=True):
    text: str
    finish_reason: str
    model: str | None
    tool_calls: list[CallOut] | None = None


class StepCompletedOut(Frame, tag="step.completed", omit_defaults=True):
    """A reply of the model without any text."""

    finish_reason: str
    model: str | None
    tool_calls: list[CallOut] | None = None


class UsageReportedOut(Frame, tag="usage"):
    model: str
    tokens: TokensOut
    usage: UsageOut
    cost: float


class StepResetOut(Frame, tag="step.reset"):
    reason: str
    dropped_tools: tuple[str, ...]


class ToolStartedOut(Frame, tag="tool.started"):
    """`args` is the JSON of the arguments, or their text if they are none."""

    tool_call_id: str
    tool: str
    preview: str
    emoji: str
    args: object
    effect: str


class ToolResumedOut(Frame, tag="notice"):
    code: str
    message: str
    tool_call_id: str


class NoticeOut(Frame, tag="notice"):
    code: str
    message: str


class ToolCompletedOut(Frame, tag="tool.completed"):
    """`sandbox` is how far what ran was kept apart from the machine; null where nothing ran."""

    tool_call_id: str
    tool: str
    duration: float
    error: bool
    outcome: str
    output: str
    truncated: bool
    sandbox: str | None = None


class ToolOutputOut(Frame, tag="tool.output"):
    tool_call_id: str
    offset: int
    stream: str
    delta: str


class ApprovalRequestedOut(Frame, tag="approval.requested"):
    approval_id: str
    tool_call_id: str
    tool: str
    preview: str
    reason: str
    choices: tuple[str, ...]
    expires_at: float | None
    code: str | None = None


class ApprovalResolvedOut(Frame, tag="approval.resolved"):
    approval_id: str
    choice: str
    by: str
    reason: str


class SubagentStartedOut(Frame, tag="subagent.started"):
    child_run_id: str
    tool_call_id: str
    goal: str


class SubagentCompletedOut(Frame, tag="subagent.completed"):
    child_run_id: str
    tool_call_id: str
    status: str
    summary: str
    duration: float


class RunWaitingOut(Frame, tag="run.waiting", rename={"on": "for"}):
    on: str
    tool_calls: tuple[str, ...]


class RunResumedOut(Frame, tag="run.resumed"):
    tool_calls: list[str]


class RunSteeredOut(Frame, tag="run.steered"):
    text: str


class RunStoppingOut(Frame, tag="run.stopping"):
    by: str


class RunCompletedOut(Frame, tag="run.completed"):
    output: str
    usage: UsageOut
    finish_reason: str
    cost: float


class RunFailedOut(Frame, tag="run.failed"):
    error: ErrorOut
    output: str
    usage: UsageOut


class RunCancelledOut(Frame, tag="run.cancelled"):
    by: str
    usage: UsageOut


# ── the run ─────────────────────────────────────────────────────────────────────────────────


class PendingApproval(Struct):
    approval_id: str
    tool_call_id: str
    tool: str
    args: object
    choices: tuple[str, ...]
    preview: str = ""
    code: str | None = None
    expires_at: float | None = None
    reason: str = ""
    covers: tuple[str, ...] = ()


class DelegatedBy(Struct):
    """The run that has begun this one, and by which of its calls, if that is known."""

    run_id: str
    tool_call_id: str | None


class RunOut(Struct, tag_field="object", tag="hermes.run"):
    """`question` is the beginning of what was asked; `surface` is the way it came in.

    `parent_run_id` is the run whose transcript it goes on from.
    """

    run_id: str
    status: str
    created_at: float
    updated_at: float
    session_id: str
    model: str
    last_seq: int
    output: str
    usage: UsageOut
    error: ErrorOut | None
    pending_approvals: list[PendingApproval]
    cost: float
    surface: str
    question: str
    parent_run_id: str | None
    user: str | None
    delegated_by: DelegatedBy | None


class RunChangedOut(Struct, tag_field="event", tag="run.changed"):
    """A hint that a run has begun, or has another status."""

    run_id: str
    session_id: str
    status: str
    model: str
    surface: str
    timestamp: float


class ServerStoppingOut(Struct, tag_field="event", tag="server.stopping", omit_defaults=True):
    """The last word of a stream whose server stops, and no event of any run.

    `resume` is where to go on at its next start: behind `after`, which is where this reader is.
    """

    resume: str
    message: str
    run_id: str | None = None
    after: int | None = None


# ── what its followers got ──────────────────────────────────────────────────────────────────


class ViewOut(Struct):
    """The bytes that a follower of each protocol got for one entry, as text; "" for none."""

    seq: int
    timestamp: float
    event: str
    runs: str
    chat: str
    responses: str


class ViewsOut(Struct, tag_field="object", tag="list"):
    """One page of entries, in their order."""

    run_id: str
    data: list[ViewOut]
    has_more: bool


# ── what it has changed ─────────────────────────────────────────────────────────────────────


class ChangeOut(Struct):
    """What a run has made of one file. `diff` is empty where there are no lines to show."""

    path: str
    change: Literal["created", "changed", "deleted"]
    status: Literal["there", "undone", "conflict"]
    diff: str
    note: str


class ChangesOut(Struct, tag_field="object", tag="list"):
    """`notes` say what was not kept, and so cannot be brought back."""

    run_id: str
    data: list[ChangeOut]
    notes: list[str]


class LeftAloneOut(Struct):
    path: str
    reason: str


class UndoneOut(Struct, tag_field="object", tag="angelia.undo"):
    run_id: str
    dry_run: bool
    restored: list[str]
    removed: list[str]
    conflicts: list[LeftAloneOut]
    notes: list[str]
