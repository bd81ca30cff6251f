"""A run's entries as the events of the run API, one for one, and a run as an object.

Above: the HTTP surface. Nothing is remembered between entries, so that any reader may begin
anywhere and all readers share the same bytes.
"""

from collections.abc import Iterable
from typing import assert_never

from msgspec import Struct, json

from angelia.core.events import (
    PIECE_TYPES,
    ApprovalGiven,
    ApprovalRequested,
    CallDelta,
    Cancelled,
    ClientReplied,
    Compacted,
    Completed,
    DeadlinePassed,
    Entry,
    Exhausted,
    Failed,
    ModelReplied,
    Notice,
    OutputDelta,
    Overflowed,
    ReasoningClosed,
    ReasoningDelta,
    RunEnded,
    RunStarted,
    RunTaken,
    RunWaited,
    Steered,
    StepReset,
    StopRequested,
    SubagentCompleted,
    SubagentStarted,
    TextDelta,
    ToolFinished,
    ToolResumed,
    ToolStarted,
    TurnBegun,
    UsageReported,
)
from angelia.core.messages import (
    Assistant,
    Message,
    Refusal,
    System,
    Text,
    ToolResult,
    Usage,
    User,
)
from angelia.core.state import Calls, Status, pending
from angelia.wire.preview import beginning, shown_arguments
from angelia.wire.runs.request import (
    Approval,
    CreateRun,
    parse_approval,
    parse_create,
    parse_steer,
)
from angelia.wire.runs.shapes import (
    ApprovalRequestedOut,
    ApprovalResolvedOut,
    CallOut,
    DelegatedBy,
    ErrorOut,
    Frame,
    MessageCompletedOut,
    MessageDeltaOut,
    NoticeOut,
    PendingApproval,
    ReasoningAvailableOut,
    ReasoningDeltaOut,
    RunBegunOut,
    RunCancelledOut,
    RunCompletedOut,
    RunFailedOut,
    RunOut,
    RunResumedOut,
    RunStartedOut,
    RunSteeredOut,
    RunStoppingOut,
    RunWaitingOut,
    StepCompletedOut,
    StepResetOut,
    SubagentCompletedOut,
    SubagentStartedOut,
    TokensOut,
    ToolArgumentsOut,
    ToolCompletedOut,
    ToolOutputOut,
    ToolResumedOut,
    ToolStartedOut,
    UsageOut,
    UsageReportedOut,
)

__all__ = [
    "Approval",
    "CreateRun",
    "Facing",
    "outline",
    "parse_approval",
    "parse_create",
    "parse_steer",
    "payload",
    "render",
    "run_json",
]

CHOICES = ("once", "session", "always", "deny")
# How much of a question a run is shown with.
QUESTION = 1_000

_encode = json.Encoder().encode
_DELTA = (
    b'id: %d\ndata: {"event":"message.delta","run_id":%b,"seq":%d,"timestamp":%b,"delta":%b}\n\n'
)


def render(entries: Iterable[Entry]) -> bytes:
    """Exactly one event for each entry, with the entry's seq as its id."""
    frames: list[bytes] = []
    run_id, at = "", -1.0
    run_id_json = at_json = b""
    for entry in entries:
        event, seq = entry.event, entry.seq
        if type(event) is TextDelta:
            # Entries that were written together share both, so they are rarely encoded.
            if entry.at != at or entry.run_id != run_id:
                run_id, at = entry.run_id, entry.at
                run_id_json, at_json = _encode(run_id), _encode(at)
            frames.append(_DELTA % (seq, run_id_json, seq, at_json, _encode(event.text)))
        else:
            frames.append(b"id: %d\ndata: %b\n\n" % (seq, payload(entry)))
    return b"".join(frames)


def outline(entries: Iterable[Entry]) -> bytes:
    """The same without pieces of what stands whole behind them."""
    return render(entry for entry in entries if not isinstance(entry.event, PIECE_TYPES))


def payload(entry: Entry) -> bytes:
    """The JSON of an entry's event."""
    return _encode(frame(entry))


def name_of(entry: Entry) -> str:
    """What the entry's event is called."""
    return str(type(frame(entry)).__struct_config__.tag)


def frame(entry: Entry) -> Frame:
    event = entry.event
    at = (entry.run_id, entry.seq, entry.at)
    match event:
        case TextDelta(text=text):
            return MessageDeltaOut(*at, text)
        case ReasoningDelta(text=text):
            return ReasoningDeltaOut(*at, text)
        case ReasoningClosed(text=text):
            return ReasoningAvailableOut(*at, text)
        case CallDelta():
            return ToolArgumentsOut(*at, event.index, event.arguments, event.id, event.name)
        case OutputDelta():
            return ToolOutputOut(*at, event.call_id, event.offset, event.stream, event.text)
        case UsageReported(usage=usage, model=model):
            return UsageReportedOut(*at, model, _tokens(usage), _usage(usage), event.cost)
        case Notice(code=code, message=message):
            return NoticeOut(*at, code, message)
        case ToolStarted() | ToolResumed() | ToolFinished():
            return _tool_frame(at, event)
        case SubagentStarted() | SubagentCompleted():
            return _subagent_frame(at, event)
        case ApprovalRequested() | ApprovalGiven():
            return _approval_frame(at, event)
        case RunStarted(model=model, session_id=session_id):
            return RunStartedOut(*at, model, session_id, event.queued)
        case TurnBegun(parent=parent):
            return RunBegunOut(*at, parent)
        case ModelReplied():
            return _reply_frame(at, event)
        case StepReset(reason=reason, dropped_tools=dropped):
            return StepResetOut(*at, reason, dropped)
        case RunWaited(on=on, call_ids=ids):
            return RunWaitingOut(*at, on, ids)
        case ClientReplied(results=results):
            return RunResumedOut(*at, [result.call_id for result in results])
        case Steered(messages=messages):
            return RunSteeredOut(*at, "\n\n".join(_said(message) for message in messages))
        case StopRequested(by=by):
            return RunStoppingOut(*at, by)
        case DeadlinePassed():
            return NoticeOut(*at, "budget", "The run's max_seconds are over.")
        case Overflowed(limit=limit):
            return NoticeOut(*at, "overflow", _overflow(limit))
        case Compacted():
            return NoticeOut(*at, "compaction", _compaction(event))
        case RunTaken():
            return NoticeOut(*at, "recovered", "The run goes on after its process was lost.")
        case RunEnded():
            return _end_frame(at, event)
        case _:
            assert_never(event)


_At = tuple[str, int, float]


def _tool_frame(at: _At, event: ToolStarted | ToolResumed | ToolFinished) -> Frame:
    match event:
        case ToolStarted(call_id=call_id, name=name, label=label, emoji=emoji):
            args = shown_arguments(event.arguments)
            return ToolStartedOut(*at, call_id, name, label, emoji, args, event.effect)
        case ToolResumed(call_id=call_id):
            message = "A tool call whose process was lost is run again."
            return ToolResumedOut(*at, "tool_resumed", message, call_id)
        case ToolFinished(call_id=call_id, name=name, outcome=outcome):
            output, cut = beginning(event.output)
            truncated = cut or event.truncated
            failed = outcome != "ok"
            return ToolCompletedOut(
                *at,
                call_id,
                name,
                event.duration,
                failed,
                outcome,
                output,
                truncated,
                event.sandbox or None,
            )
        case _:
            assert_never(event)


def _subagent_frame(at: _At, event: SubagentStarted | SubagentCompleted) -> Frame:
    match event:
        case SubagentStarted(child_run_id=child, call_id=call_id, goal=goal):
            return SubagentStartedOut(*at, child, call_id, goal)
        case SubagentCompleted(child_run_id=child, call_id=call_id):
            return SubagentCompletedOut(
                *at, child, call_id, event.status, event.summary, event.duration
            )
        case _:
            assert_never(event)


def _approval_frame(at: _At, event: ApprovalRequested | ApprovalGiven) -> Frame:
    match event:
        case ApprovalRequested():
            return ApprovalRequestedOut(
                *at,
                event.approval_id,
                event.call_id,
                event.name,
                event.label,
                event.reason,
                CHOICES,
                event.expires_at,
                event.code or None,
            )
        case ApprovalGiven(approval_id=approval_id, choice=choice, by=by, reason=reason):
            return ApprovalResolvedOut(*at, approval_id, choice, by, reason)
        case _:
            assert_never(event)


def _overflow(limit: int | None) -> str:
    reads = f" It reads {limit:,} tokens." if limit is not None else ""
    return f"The model says that the conversation is too long.{reads} It is made shorter."


def _compaction(event: Compacted) -> str:
    digest = event.digest
    done = "Old results of tools are shown to the model in part"
    if digest.summary:
        done = f"{digest.end - digest.start} older messages are shown to the model as a summary"
    return (
        f"The conversation was too long for the model. {done}: about {event.before:,} tokens "
        f"became {event.after:,}. Nothing is lost: the session keeps everything."
    )


def _reply_frame(at: _At, event: ModelReplied) -> Frame:
    reply = event.reply
    text = _said(reply.message)
    calls = [CallOut(call.id, call.name) for call in reply.message.calls] or None
    if text:
        return MessageCompletedOut(*at, text, reply.finish, reply.model, calls)
    return StepCompletedOut(*at, reply.finish, reply.model, calls)


def _end_frame(at: _At, event: RunEnded) -> Frame:
    usage = _usage(event.usage)
    match event.ending:
        case Completed(finish=finish):
            return RunCompletedOut(*at, event.output, usage, finish, event.cost)
        case Failed() | Exhausted() as ending:
            return RunFailedOut(*at, _error(ending), event.output, usage)
        case Cancelled(by=by):
            return RunCancelledOut(*at, by, usage)
        case _:
            assert_never(event.ending)


def _error(ending: Failed | Exhausted) -> ErrorOut:
    if isinstance(ending, Failed):
        return ErrorOut(ending.message, ending.code)
    return ErrorOut(f"The run used up its budget: {ending.limit}.", ending.limit)


class Facing(Struct, frozen=True):
    """A run as lists show it. `calls` are the ones under way, `parent` what it goes on from."""

    run_id: str
    status: Status
    created_at: float
    updated_at: float
    session_id: str
    model: str
    last_seq: int
    output: str
    usage: Usage
    cost: float
    error: Failed | None
    calls: Calls = ()
    surface: str = ""
    question: str = ""
    parent: str | None = None
    user: str | None = None
    delegated_by: str | None = None
    delegated_call: str | None = None


def run_json(run: Facing) -> bytes:
    """The run as clients see it."""
    return _encode(
        RunOut(
            run_id=run.run_id,
            status=run.status,
            created_at=run.created_at,
            updated_at=run.updated_at,
            session_id=run.session_id,
            model=run.model,
            last_seq=run.last_seq,
            output=run.output,
            usage=_usage(run.usage),
            error=ErrorOut(run.error.message, run.error.code) if run.error else None,
            pending_approvals=_pending(run.calls),
            cost=run.cost,
            surface=run.surface,
            question=_begun(run.question),
            parent_run_id=run.parent,
            user=run.user,
            delegated_by=_delegated(run),
        )
    )


def _begun(question: str) -> str:
    """Enough to know it again in a list."""
    return question if len(question) <= QUESTION else question[: QUESTION - 1] + "…"


def _delegated(run: Facing) -> DelegatedBy | None:
    return DelegatedBy(run.delegated_by, run.delegated_call) if run.delegated_by else None


def _pending(calls: Calls) -> list[PendingApproval]:
    return [
        PendingApproval(
            asked.approval_id,
            asked.call_id,
            asked.name,
            shown_arguments(asked.arguments),
            CHOICES,
            asked.label,
            asked.code or None,
            asked.expires_at,
            asked.reason,
            asked.covers,
        )
        for asked in pending(calls)
    ]


def _tokens(usage: Usage) -> TokensOut:
    return TokensOut(
        usage.input,
        usage.output,
        usage.total,
        usage.cached,
        usage.cache_written,
        usage.reasoning,
    )


def _usage(usage: Usage) -> UsageOut:
    return UsageOut(
        usage.input,
        usage.output,
        usage.total,
        usage.cached,
        usage.cache_written,
        usage.reasoning,
    )


def _said(message: Message) -> str:
    match message:
        case User(parts=parts) | Assistant(parts=parts):
            return "".join(part.text for part in parts if isinstance(part, Text | Refusal))
        case System(text=text):
            return text
        case ToolResult(output=output):
            return output
        case _:
            assert_never(message)
