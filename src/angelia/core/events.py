"""Everything that can happen in a run, as one closed union.

    Event
    ├── Fact    changes what a run *is*; folding the facts rebuilds its state
    └── Delta   shows progress; dropping every delta loses nothing but the view

A tag is never renamed or reused, and a field is only ever added with a default, so that every
log ever written can still be folded.
"""

from typing import Literal

from msgspec import UNSET, Raw, Struct, UnsetType, field

from angelia.core.messages import (
    Effect,
    FinishReason,
    Message,
    Reply,
    Sampling,
    ToolResult,
    ToolSpec,
    Usage,
)
from angelia.core.policy import LimitName, Limits, Policy, Touched
from angelia.core.window import Digest

Outcome = Literal["ok", "error", "denied", "cancelled", "timeout", "in_doubt"]
Choice = Literal["once", "session", "always", "deny"]


# Frozen trees have no cycles, so the garbage collector need not look at them (`gc=False`).


class Event(Struct, frozen=True, tag_field="t", omit_defaults=True, gc=False):
    pass


# ── facts ───────────────────────────────────────────────────────────────────────────────────


class RunStarted(Event, frozen=True, tag="run.started"):
    """`model` is the name the client asked for and is answered with.

    The first `history` of the messages were said before, in the run `parent` if it is one of ours.
    A `queued` run waits until the turn before it in its session is over; one that `follows` learns
    only then what was said before. `request` is whatever the surface needs to show the run as it
    was asked for, in its own form. `webhook` says who wants to be told what becomes of the run.

    `context` is how many tokens the model reads, `factor` how many it counts for each that we
    estimate; `digest` is how what was said before has been shown so far.

    `granted` is what people have agreed to before, and `patience` how many seconds they may take
    to be asked again. A run that another one has `delegated_by` a call is `depth` steps away from
    the one that a person asked for.
    """

    model: str
    messages: tuple[Message, ...]
    instructions: str = ""
    session_id: str = ""
    tools: tuple[ToolSpec, ...] = ()
    sampling: Sampling = field(default_factory=Sampling)
    limits: Limits = field(default_factory=Limits)
    policy: Policy = field(default_factory=Policy)
    surface: str = "runs"
    user: str | None = None
    metadata: Raw | UnsetType = UNSET
    history: int = 0
    parent: str | None = None
    queued: bool = False
    follows: bool = False
    request: Raw | UnsetType = UNSET
    window: int | None = None
    webhook: Raw | UnsetType = UNSET
    context: int | None = None
    factor: float = 1.0
    digest: Digest = field(default_factory=Digest)
    granted: tuple[str, ...] = ()
    patience: float | None = None
    delegated_by: str | None = None
    depth: int = 0


class TurnBegun(Event, frozen=True, tag="turn.begun"):
    """A queued run may go on; `history` is what was said in its session up to now.

    `granted` takes the place of what was granted when the run was queued, unless it is None.
    """

    history: tuple[Message, ...] = ()
    parent: str | None = None
    digest: Digest = field(default_factory=Digest)
    granted: tuple[str, ...] | None = None


class RunTaken(Event, frozen=True, tag="run.taken"):
    """A new driver continues the run: whatever the last one had under way has no owner."""

    epoch: int


class ModelReplied(Event, frozen=True, tag="model.replied"):
    """One model call, whole. Calls that share a lane run one after another, others side by side.

    `lanes` maps call ids to the thing whose order they keep; `touches` to all that the policy is to
    know of them. `cost` is in the currency of the configured prices.
    """

    reply: Reply
    lanes: dict[str, str] = field(default_factory=dict)
    cost: float = 0.0
    touches: dict[str, Touched] = field(default_factory=dict)


class StepReset(Event, frozen=True, tag="step.reset"):
    """What was streamed since the last completed item is void; the step is asked again."""

    reason: str
    dropped_tools: tuple[str, ...] = ()


class Overflowed(Event, frozen=True, tag="context.overflowed"):
    """The provider says that the prompt is too long; `limit` is what it reads, if it said so."""

    limit: int | None = None


class Compacted(Event, frozen=True, tag="context.compacted"):
    """From here on the model is shown the conversation as `digest` has it.

    `before` and `after` are the tokens of the prompt. A summary that a model has written comes
    with what that took.
    """

    digest: Digest
    before: int = 0
    after: int = 0
    usage: Usage = field(default_factory=Usage)
    cost: float = 0.0
    model: str = ""


class ToolStarted(Event, frozen=True, tag="tool.started"):
    """Journalled before the work begins. `label` and `emoji` are for people."""

    call_id: str
    name: str
    arguments: str
    effect: Effect
    label: str = ""
    emoji: str = ""


class ToolResumed(Event, frozen=True, tag="tool.resumed"):
    """A call whose driver died and that may safely run again is run again."""

    call_id: str


class ToolFinished(Event, frozen=True, tag="tool.finished"):
    """`output` is what the model reads; `size` is the length of the whole output in bytes.

    `sandbox` is how far what ran was kept apart from the machine, where anything ran.
    """

    call_id: str
    name: str
    outcome: Outcome
    output: str
    duration: float = 0.0
    truncated: bool = False
    size: int = 0
    sandbox: str = ""


class ApprovalRequested(Event, frozen=True, tag="approval.requested"):
    """`code` is short enough to be typed, and means this approval alone within the run."""

    approval_id: str
    call_id: str
    name: str
    reason: str
    label: str = ""
    expires_at: float | None = None
    code: str = ""


class ApprovalGiven(Event, frozen=True, tag="approval.given"):
    """The first answer counts; `reason` is what a person said to it."""

    approval_id: str
    choice: Choice
    by: Literal["user", "policy", "expired"] = "user"
    reason: str = ""


class Asked(Struct, frozen=True, omit_defaults=True, gc=False):
    """A call that a person is asked about, with all that they need to know to answer.

    `covers` is what nobody is asked about again once they agree for longer than this once.
    """

    approval_id: str
    call_id: str
    name: str
    arguments: str
    label: str = ""
    reason: str = ""
    code: str = ""
    expires_at: float | None = None
    covers: tuple[str, ...] = ()


class RunWaited(Event, frozen=True, tag="run.waited"):
    """Nothing is left to do but what somebody outside must do: agree, or run the client's tools.

    `asked` is what they are to agree to, so that it can be told without what came before.
    """

    on: Literal["approval", "client_tools"]
    call_ids: tuple[str, ...]
    asked: tuple[Asked, ...] = ()


class ClientReplied(Event, frozen=True, tag="client.replied"):
    """The client ran its tools. Its `tools` and `sampling` hold from here on.

    Without `results` it is the client's answer to what a person was asked: the `messages` are what
    it said, and what they decide is in the facts behind it.
    """

    results: tuple[ToolResult, ...]
    messages: tuple[Message, ...] = ()
    tools: tuple[ToolSpec, ...] | None = None
    sampling: Sampling | None = None
    request: Raw | UnsetType = UNSET


class Steered(Event, frozen=True, tag="run.steered"):
    """A message for a run under way; the model reads it at its next step."""

    messages: tuple[Message, ...]


class StopRequested(Event, frozen=True, tag="stop.requested"):
    by: str = "user"


class DeadlinePassed(Event, frozen=True, tag="deadline.passed"):
    """The run's `max_seconds` are over."""


class Completed(Struct, frozen=True, tag="completed"):
    finish: FinishReason = "stop"


class Exhausted(Struct, frozen=True, tag="exhausted"):
    """A budget of the run is used up; `limit` names it."""

    limit: LimitName


class Failed(Struct, frozen=True, tag="failed"):
    message: str
    code: str


class Cancelled(Struct, frozen=True, tag="cancelled"):
    by: str = "user"


Ending = Completed | Exhausted | Failed | Cancelled


class RunEnded(Event, frozen=True, tag="run.ended"):
    """Always last. Carries the run's answer and its whole usage, so that it can be read alone."""

    ending: Ending
    output: str = ""
    usage: Usage = field(default_factory=Usage)
    cost: float = 0.0


# ── deltas ──────────────────────────────────────────────────────────────────────────────────


class TextDelta(Event, frozen=True, tag="text"):
    text: str


class ReasoningDelta(Event, frozen=True, tag="reasoning"):
    text: str


class ReasoningClosed(Event, frozen=True, tag="reasoning.closed"):
    """A burst of reasoning is over; `text` is all of it."""

    text: str


class CallDelta(Event, frozen=True, tag="call"):
    """A piece of a tool call as the model writes it. `id` and `name` come with the first piece."""

    index: int
    arguments: str = ""
    id: str | None = None
    name: str | None = None


class OutputDelta(Event, frozen=True, tag="output"):
    """What a tool prints while it runs. `offset` counts bytes from the start of that call."""

    call_id: str
    text: str
    offset: int = 0
    stream: Literal["stdout", "stderr"] = "stdout"


class UsageReported(Event, frozen=True, tag="usage"):
    """What one model call used, as soon as it is known."""

    usage: Usage
    model: str
    cost: float = 0.0


class Notice(Event, frozen=True, tag="notice"):
    """News about the run itself (retry, stall, recovery); never part of a message."""

    code: str
    message: str


class SubagentStarted(Event, frozen=True, tag="subagent.started"):
    """A call has begun a run of its own, which can be followed as any other."""

    child_run_id: str
    call_id: str
    goal: str


class SubagentCompleted(Event, frozen=True, tag="subagent.completed"):
    """`status` is that of the run; `summary` is the beginning of what it came to."""

    child_run_id: str
    call_id: str
    status: str
    summary: str = ""
    duration: float = 0.0


Fact = (
    RunStarted
    | TurnBegun
    | RunTaken
    | ModelReplied
    | StepReset
    | Overflowed
    | Compacted
    | ToolStarted
    | ToolResumed
    | ToolFinished
    | ApprovalRequested
    | ApprovalGiven
    | RunWaited
    | ClientReplied
    | Steered
    | StopRequested
    | DeadlinePassed
    | RunEnded
)
Delta = (
    TextDelta
    | ReasoningDelta
    | ReasoningClosed
    | CallDelta
    | OutputDelta
    | UsageReported
    | Notice
    | SubagentStarted
    | SubagentCompleted
)
AnyEvent = Fact | Delta

DELTA_TYPES = (
    TextDelta,
    ReasoningDelta,
    ReasoningClosed,
    CallDelta,
    OutputDelta,
    UsageReported,
    Notice,
    SubagentStarted,
    SubagentCompleted,
)


# Deltas that another event repeats as a whole once it is there, unless the run is cut off before.
PIECE_TYPES = (TextDelta, ReasoningDelta, CallDelta, OutputDelta)


class Entry(Struct, frozen=True, gc=False):
    """One line of the log. `seq` starts at 1 and has no gaps within a run.

    Entries that were written together share `at`, in seconds since the epoch.
    """

    run_id: str
    seq: int
    at: float
    event: AnyEvent
