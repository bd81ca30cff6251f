"""What a run is at one moment: its phase, its calls under way, and all that was said."""

from typing import Literal, assert_never

from msgspec import Struct, field

from angelia.core.events import Asked, Cancelled, Completed, Ending, Exhausted, Failed
from angelia.core.messages import Effect, Message, Sampling, ToolCall, ToolResult, ToolSpec, Usage
from angelia.core.policy import NOTHING, Limits, Policy, Touched, grants_for
from angelia.core.window import Digest

# Stands between the things that a call touches; no name of a file can have it in it.
BETWEEN_LANES = "\0"

CallStatus = Literal["todo", "asked", "client", "running", "orphaned", "done"]


class Call(Struct, frozen=True):
    """One call of the batch under way.

    todo ─▶ running ─▶ done       asked: a human must say yes first
            orphaned ─▶ running   its driver died; nobody works on it
    client ─▶ done                the client runs it

    A call of a tool that the run does not have is not `known`, whatever tools the server has. One
    that is `over` the run's budget of calls is refused. One that says the same as another call of
    its batch `repeats` that one, which is run for both. `why` is the reason for asking a person,
    `reason` what that person said.
    """

    call: ToolCall
    status: CallStatus
    effect: Effect
    lane: str | None = None
    known: bool = True
    over: bool = False
    repeats: str | None = None
    approved: bool = False
    approval_id: str | None = None
    result: ToolResult | None = None
    touched: Touched = NOTHING
    reason: str = ""
    code: str = ""
    expires_at: float | None = None
    label: str = ""
    why: str = ""


Calls = tuple[Call, ...]


def pending(calls: Calls) -> tuple[Asked, ...]:
    """What people are asked at the moment."""
    return tuple(
        Asked(
            approval_id=call.approval_id,
            call_id=call.call.id,
            name=call.call.name,
            arguments=call.call.arguments,
            label=call.label,
            reason=call.why,
            code=call.code,
            expires_at=call.expires_at,
            covers=grants_for(call.call.name, call.touched),
        )
        for call in calls
        if call.status == "asked" and call.approval_id is not None
    )


def settled(call: Call, ending: Ending) -> ToolResult | None:
    """What is known of a call when its run ends; that nobody agreed to it is known too."""
    if call.status != "asked":
        return call.result
    expired = isinstance(ending, Failed) and ending.code == "approval_expired"
    why = "nobody agreed to it in time" if expired else "the run ended before anybody agreed to it"
    return ToolResult(call.call.id, f"It was not run: {why}.", failed=True)


class Queued(Struct, frozen=True, tag=True):
    """Another turn of the session comes first."""


class Thinking(Struct, frozen=True, tag=True):
    """The model is to be asked."""


class Calling(Struct, frozen=True, tag=True):
    """At least one call can be worked on."""

    calls: Calls


class Waiting(Struct, frozen=True, tag=True):
    """Every call that is not done waits for a person or for the client."""

    calls: Calls
    announced: bool = False


class Concluding(Struct, frozen=True, tag=True):
    """How it ends is settled; calls under way still have to come to an end."""

    ending: Ending
    calls: Calls = ()


class Ended(Struct, frozen=True, tag=True):
    ending: Ending


Phase = Queued | Thinking | Calling | Waiting | Concluding | Ended
Status = Literal[
    "queued",
    "running",
    "waiting_for_approval",
    "waiting_for_client",
    "stopping",
    "completed",
    "failed",
    "cancelled",
]


class RunState(Struct, frozen=True):
    """`messages` is the transcript so far, calls and results included.

    `opening` is how many of them were there before the model's first word; `called` is how many
    calls of the server's tools the model has made.

    `unread` holds steering messages that the model has not been shown; `output` is the text of
    the last reply that had any, which is the run's answer once it has completed.

    `context`, `factor` and `digest` as in `RunStarted`. `learned` is how much the model turned out
    to read; in the step under way it was too much `overflows` times, at last with `overflowed`
    tokens. `recent` holds what the last batches of calls came to, `warned` counts the times that
    the model was told of going round in circles. `granted` is what nobody needs to be asked about
    again; `patience` as in `RunStarted`. `codes` are those of all approvals so far.
    """

    phase: Phase
    model: str
    instructions: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    sampling: Sampling = field(default_factory=Sampling)
    limits: Limits = field(default_factory=Limits)
    policy: Policy = field(default_factory=Policy)
    granted: frozenset[str] = frozenset()
    unread: tuple[Message, ...] = ()
    steps: int = 0
    usage: Usage = field(default_factory=Usage)
    session_id: str = ""
    output: str = ""
    cost: float = 0.0
    opening: int = 0
    user: str | None = None
    window: int | None = None
    called: int = 0
    context: int | None = None
    factor: float = 1.0
    digest: Digest = field(default_factory=Digest)
    learned: int | None = None
    overflows: int = 0
    overflowed: int = 0
    recent: tuple[str, ...] = ()
    warned: int = 0
    patience: float | None = None
    depth: int = 0
    codes: frozenset[str] = frozenset()

    @property
    def status(self) -> Status:
        match self.phase:
            case Queued():
                return "queued"
            case Thinking() | Calling():
                return "running"
            case Waiting(calls=calls):
                asked = any(call.status == "asked" for call in calls)
                return "waiting_for_approval" if asked else "waiting_for_client"
            case Concluding(ending=ending):
                return "stopping" if isinstance(ending, Cancelled) else "running"
            case Ended(ending=ending):
                return _final_status(ending)
            case _:
                assert_never(self.phase)

    @property
    def calls(self) -> Calls:
        match self.phase:
            case Calling(calls=calls) | Waiting(calls=calls) | Concluding(calls=calls):
                return calls
            case Queued() | Thinking() | Ended():
                return ()
            case _:
                assert_never(self.phase)

    @property
    def ending(self) -> Ending | None:
        return self.phase.ending if isinstance(self.phase, Concluding | Ended) else None

    def spec(self, tool: str) -> ToolSpec | None:
        return next((spec for spec in self.tools if spec.name == tool), None)


def _final_status(ending: Ending) -> Status:
    match ending:
        case Completed():
            return "completed"
        case Failed() | Exhausted():
            return "failed"
        case Cancelled():
            return "cancelled"
        case _:
            assert_never(ending)
