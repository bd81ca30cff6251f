"""The agent loop as two pure functions: what a fact changes, and what to do next.

    Queued ──TurnBegun──▶ Thinking

    Thinking ──ModelReplied──▶ Calling ⇄ Waiting
       ▲   │                     │          │
       │   │                     └─all done─┴──▶ Thinking
       │   └─no calls, a stop, a spent budget──▶ Concluding ──RunEnded──▶ Ended
       └─ a steering message was left unread

Every rule about what may follow what is in this file. Facts of the driver are strict: one that
cannot follow raises `IllegalTransition`. Outside words (stop, approve, steer) may be late, so
they are never illegal; late ones change nothing.
"""

from collections.abc import Iterable
from typing import assert_never

from msgspec.structs import replace

from angelia.core.actions import (
    Action,
    AskHuman,
    Await,
    CallTools,
    Dismiss,
    Finish,
    Halt,
    PassOver,
    Refuse,
    Rest,
    Settle,
)
from angelia.core.context import calibrated, overflowed, think
from angelia.core.events import (
    DELTA_TYPES,
    AnyEvent,
    ApprovalGiven,
    ApprovalRequested,
    CallDelta,
    Cancelled,
    ClientReplied,
    Compacted,
    Completed,
    DeadlinePassed,
    Ending,
    Exhausted,
    Fact,
    Failed,
    ModelReplied,
    Overflowed,
    ReasoningDelta,
    RunEnded,
    RunStarted,
    RunTaken,
    RunWaited,
    Steered,
    StepReset,
    StopRequested,
    TextDelta,
    ToolFinished,
    ToolResumed,
    ToolStarted,
    TurnBegun,
)
from angelia.core.judging import judgement
from angelia.core.loops import WARN_AT, note, remembered, repeated, signature, times
from angelia.core.messages import Sampling, ToolCall, ToolChoice, ToolResult, Usage
from angelia.core.policy import NOTHING, grants_for, spent
from angelia.core.state import (
    BETWEEN_LANES,
    Call,
    Calling,
    Calls,
    CallStatus,
    Concluding,
    Ended,
    Phase,
    Queued,
    RunState,
    Thinking,
    Waiting,
    settled,
)
from angelia.errors import IllegalTransition

# ── evolve ──────────────────────────────────────────────────────────────────────────────────


def begin(fact: RunStarted) -> RunState:
    return RunState(
        phase=Queued() if fact.queued else Thinking(),
        model=fact.model,
        instructions=fact.instructions,
        messages=fact.messages,
        tools=fact.tools,
        sampling=fact.sampling,
        limits=fact.limits,
        policy=fact.policy,
        session_id=fact.session_id,
        opening=len(fact.messages),
        user=fact.user,
        window=fact.window,
        context=fact.context,
        factor=fact.factor,
        digest=fact.digest,
        granted=frozenset(fact.granted),
        patience=fact.patience,
        depth=fact.depth,
    )


def fold(events: Iterable[AnyEvent]) -> RunState:
    """The state after a log; deltas say nothing about it."""
    state: RunState | None = None
    for event in events:
        if not isinstance(event, DELTA_TYPES):
            state = evolve(state, event)
    if state is None:
        raise IllegalTransition("an empty log has no state")
    return state


def evolve(state: RunState | None, fact: Fact) -> RunState:
    if isinstance(fact, RunStarted):
        if state is not None:
            raise IllegalTransition("a run starts once")
        return begin(fact)
    if state is None:
        raise IllegalTransition(f"{type(fact).__name__} before RunStarted")
    match fact:
        case TurnBegun():
            return _turn_begun(state, fact)
        case RunTaken():
            if not any(call.status == "running" for call in state.calls):
                return state
            return _with_calls(state, tuple(_orphan(call) for call in state.calls))
        case ModelReplied():
            return _replied(state, fact)
        case StepReset() | Overflowed() | Compacted():
            return _before_reply(state, fact)
        case ToolStarted(call_id=call_id):
            return _change(state, fact, call_id, ("todo",), status="running")
        case ToolResumed(call_id=call_id):
            return _change(state, fact, call_id, ("orphaned",), status="running")
        case ToolFinished():
            result = ToolResult(fact.call_id, fact.output, failed=fact.outcome != "ok")
            return _change(
                state, fact, fact.call_id, ("running", "orphaned"), status="done", result=result
            )
        case ApprovalRequested():
            return _asked(state, fact)
        case ApprovalGiven():
            return _answered(state, fact)
        case RunWaited():
            _expect(state, fact, Waiting)
            return replace(state, phase=Waiting(state.calls, announced=True))
        case ClientReplied():
            return _client_replied(state, fact)
        case Steered(messages=messages):
            if isinstance(state.phase, Concluding | Ended):
                return state
            return replace(state, unread=state.unread + messages, recent=())
        case StopRequested(by=by):
            return _conclude(state, Cancelled(by))
        case DeadlinePassed():
            return _conclude(state, Exhausted("max_seconds"))
        case RunEnded(ending=ending):
            _expect(state, fact, Queued, Thinking, Calling, Waiting, Concluding)
            return _ended(state, ending)
        case _:
            assert_never(fact)


def _expect(state: RunState, fact: Fact, *phases: type[Phase]) -> None:
    if not isinstance(state.phase, phases):
        raise IllegalTransition(
            f"{type(fact).__name__} cannot follow while {type(state.phase).__name__.lower()}"
        )


def _ended(state: RunState, ending: Ending) -> RunState:
    if any(call.status in ("running", "orphaned") for call in state.calls):
        raise IllegalTransition("a run cannot end while a call is under way")
    # What was done in a batch cut short is known to whoever continues the conversation.
    results = tuple(result for call in state.calls if (result := settled(call, ending)))
    return replace(state, phase=Ended(ending), messages=state.messages + results)


def _turn_begun(state: RunState, fact: TurnBegun) -> RunState:
    if not isinstance(state.phase, Queued):
        return state
    messages = fact.history + state.messages
    digest = fact.digest if fact.history else state.digest
    granted = state.granted if fact.granted is None else frozenset(fact.granted)
    state = replace(state, messages=messages, opening=len(messages), digest=digest, granted=granted)
    return _think(state)


def _before_reply(state: RunState, fact: StepReset | Overflowed | Compacted) -> RunState:
    _expect(state, fact, Thinking)
    match fact:
        case StepReset():
            return state
        case Overflowed():
            return overflowed(state, fact)
        case Compacted(digest=digest):
            usage, cost = state.usage + fact.usage, state.cost + fact.cost
            return replace(state, digest=digest, usage=usage, cost=cost)
        case _:
            assert_never(fact)


def _replied(state: RunState, fact: ModelReplied) -> RunState:
    _expect(state, fact, Thinking)
    reply = fact.reply
    state = replace(
        state,
        messages=(*state.messages, reply.message),
        steps=state.steps + 1,
        usage=state.usage + (reply.usage or Usage()),
        cost=state.cost + fact.cost,
        output=reply.message.text or state.output,
        sampling=_relaxed(state.sampling),
        factor=calibrated(state, fact),
        overflows=0,
    )
    if reply.message.calls:
        calls = tuple(_call(state, call, fact) for call in reply.message.calls)
        return _with_calls(*_counted(state, _told_apart(calls)))
    if state.unread:
        return _think(state)
    return replace(state, phase=Concluding(Completed(reply.finish)))


def _relaxed(sampling: Sampling) -> Sampling:
    """A forced tool is forced once: forced at every step, the model could never answer."""
    if sampling.tool_choice.mode in ("required", "named"):
        return replace(sampling, tool_choice=ToolChoice())
    return sampling


def _counted(state: RunState, calls: Calls) -> tuple[RunState, Calls]:
    """Calls of the server's tools beyond the run's budget of them are over it."""
    most, called = state.limits.max_calls, state.called
    counted: list[Call] = []
    for call in calls:
        own = call.status == "todo" and call.repeats is None
        over = own and most is not None and called >= most
        counted.append(replace(call, over=True) if over else call)
        called += own
    return replace(state, called=called), tuple(counted)


def _call(state: RunState, call: ToolCall, fact: ModelReplied) -> Call:
    spec, lane = state.spec(call.name), fact.lanes.get(call.id)
    if spec is None:
        return Call(call, "todo", "pure", lane, known=False)
    status = "client" if spec.owner == "client" else "todo"
    touched = fact.touches.get(call.id, NOTHING)
    return Call(call, status, spec.effect, lane, touched=touched)


def _told_apart(calls: Calls) -> Calls:
    """A call of the server's that says the same as another one is not run a second time."""
    same = repeated(call for call in calls if call.status == "todo" and call.known)
    return tuple(replace(call, repeats=same.get(call.call.id)) for call in calls)


def _think(state: RunState) -> RunState:
    """Back to the model, which now reads what was said meanwhile."""
    return replace(state, phase=Thinking(), messages=state.messages + state.unread, unread=())


def _orphan(call: Call) -> Call:
    return replace(call, status="orphaned") if call.status == "running" else call


def _change(
    state: RunState,
    fact: Fact,
    call_id: str,
    allowed: tuple[CallStatus, ...],
    **changes: object,
) -> RunState:
    for index, call in enumerate(state.calls):
        if call.call.id == call_id and call.status in allowed:
            changed = replace(call, **changes)
            return _with_calls(state, (*state.calls[:index], changed, *state.calls[index + 1 :]))
    raise IllegalTransition(f"{type(fact).__name__}: no call {call_id!r} that is {allowed}")


def _with_calls(state: RunState, calls: Calls) -> RunState:
    """The phase that a batch in this condition means."""
    if isinstance(state.phase, Concluding):
        return replace(state, phase=Concluding(state.phase.ending, calls))
    if not calls:
        return state
    if all(call.status == "done" for call in calls):
        return _batch_done(state, calls)
    if _ready(calls) or any(call.status in ("running", "orphaned") for call in calls):
        return replace(state, phase=Calling(calls))
    return replace(state, phase=Waiting(calls))


def _batch_done(state: RunState, calls: Calls) -> RunState:
    """Back to the model; one that goes round in circles is told so, and stopped in the end."""
    results = tuple(call.result for call in calls if call.result is not None)
    most = state.limits.max_repeats
    if not most:
        return _think(replace(state, messages=state.messages + results))
    recent = remembered(state.recent, signature(calls))
    if (count := times(recent)) >= WARN_AT:
        results = (*results[:-1], replace(results[-1], note=note(count)))
        state = replace(state, warned=state.warned + 1)
    state = replace(state, messages=state.messages + results, recent=recent)
    if count < most:
        return _think(state)
    names = ", ".join(dict.fromkeys(call.call.name for call in calls))
    failed = Failed(
        f"The model made the same call {count} times and got the same result each time ({names}).",
        "loop",
    )
    return replace(state, phase=Concluding(failed))


def _asked(state: RunState, fact: ApprovalRequested) -> RunState:
    return _change(
        replace(state, codes=state.codes | {fact.code}),
        fact,
        fact.call_id,
        ("todo",),
        status="asked",
        approval_id=fact.approval_id,
        code=fact.code,
        expires_at=fact.expires_at,
        label=fact.label,
        why=fact.reason,
    )


def _answered(state: RunState, fact: ApprovalGiven) -> RunState:
    asked = next((call for call in state.calls if call.approval_id == fact.approval_id), None)
    if asked is None or asked.status != "asked" or state.ending is not None:
        return state
    if fact.by == "expired":
        message = f"Nobody said in time whether {asked.call.name!r} may be used."
        return _conclude(state, Failed(message, "approval_expired"))
    changed = replace(asked, status="todo", approved=fact.choice != "deny", reason=fact.reason)
    if fact.choice in ("session", "always"):
        grants = grants_for(asked.call.name, asked.touched)
        state = replace(state, granted=state.granted.union(grants))
    return _with_calls(state, tuple(changed if c is asked else c for c in state.calls))


def _client_replied(state: RunState, fact: ClientReplied) -> RunState:
    if not isinstance(state.phase, Waiting):
        return state
    if not fact.results:
        # Whoever answered is told again what is still to be answered.
        return replace(state, phase=Waiting(state.calls))
    results = {result.call_id: result for result in fact.results}
    if not any(call.status == "client" and call.call.id in results for call in state.calls):
        return state
    calls = tuple(
        replace(call, status="done", result=results[call.call.id])
        if call.status == "client" and call.call.id in results
        else call
        for call in state.calls
    )
    state = replace(
        state,
        unread=state.unread + fact.messages,
        tools=state.tools if fact.tools is None else fact.tools,
        sampling=fact.sampling or state.sampling,
        phase=Waiting(calls),
        recent=() if fact.messages else state.recent,
    )
    return _with_calls(state, calls)


def _conclude(state: RunState, ending: Ending) -> RunState:
    if isinstance(state.phase, Concluding | Ended):
        return state
    return replace(state, phase=Concluding(ending, state.calls))


# ── decide ──────────────────────────────────────────────────────────────────────────────────


def decide(state: RunState) -> Action:
    """The one thing to do next. The whole agent loop is here."""
    match state.phase:
        case Thinking():
            limit = spent(state.limits, state.steps, state.usage, state.cost)
            return Finish(Exhausted(limit)) if limit else think(state)
        case Calling(calls=calls):
            return _decide_calls(state, calls)
        case Waiting(calls=calls, announced=announced):
            return Rest() if announced else _await(calls)
        case Concluding(ending=ending, calls=calls):
            return _decide_end(ending, calls)
        case Queued() | Ended():
            return Rest()
        case _:
            assert_never(state.phase)


def _decide_calls(state: RunState, calls: Calls) -> Action:
    if orphans := tuple(call for call in calls if call.status == "orphaned"):
        return _settle(orphans)
    todo = [call for call in calls if call.status == "todo"]
    if unknown := tuple(call.call for call in todo if not call.known):
        return Dismiss(unknown)
    if same := tuple((call.call, call.repeats) for call in todo if call.repeats is not None):
        return PassOver(same)
    judged = [(call.call, judgement(state, call)) for call in todo]
    if denied := tuple((c, j.reason) for c, j in judged if j.verdict == "deny"):
        return Refuse(denied)
    if asked := tuple((c, j.reason) for c, j in judged if j.verdict == "ask"):
        return AskHuman(asked)
    ready = _ready(calls)
    return CallTools(ready) if ready else Rest()


def _ready(calls: Calls) -> tuple[ToolCall, ...]:
    """Calls that can start: the first unfinished one in all its lanes, and all without a lane."""
    busy: set[str] = set()
    ready: list[ToolCall] = []
    for call in calls:
        if call.status in ("done", "client"):
            continue
        lanes = call.lane.split(BETWEEN_LANES) if call.lane is not None else ()
        if call.status == "todo" and busy.isdisjoint(lanes):
            ready.append(call.call)
        busy.update(lanes)
    return tuple(ready)


def _await(calls: Calls) -> Await:
    if asked := _with_status(calls, "asked"):
        return Await("approval", asked)
    return Await("client_tools", _with_status(calls, "client"))


def _settle(orphans: Calls) -> Settle:
    return Settle(
        again=tuple(call.call for call in orphans if call.effect != "irreversible"),
        doubtful=tuple(call.call for call in orphans if call.effect == "irreversible"),
    )


def _decide_end(ending: Ending, calls: Calls) -> Action:
    if orphans := tuple(call for call in calls if call.status == "orphaned"):
        return Settle(again=(), doubtful=tuple(call.call for call in orphans))
    if running := _with_status(calls, "running"):
        return Halt(running)
    return Finish(ending)


def _with_status(calls: Calls, status: CallStatus) -> tuple[ToolCall, ...]:
    return tuple(call.call for call in calls if call.status == status)


# ── after a crash ───────────────────────────────────────────────────────────────────────────


def takeover(events: Iterable[AnyEvent], epoch: int) -> tuple[Fact, ...]:
    """What a new driver writes first: that it is here, and that a half-streamed reply is void."""
    state: RunState | None = None
    shown: list[AnyEvent] = []
    for event in events:
        if isinstance(event, TextDelta | ReasoningDelta | CallDelta):
            shown.append(event)
        elif isinstance(event, ModelReplied | StepReset):
            shown.clear()
        if not isinstance(event, DELTA_TYPES):
            state = evolve(state, event)
    if state is None or not shown or not isinstance(state.phase, Thinking):
        return (RunTaken(epoch),)
    dropped = tuple(d.name for d in shown if isinstance(d, CallDelta) and d.name)
    return RunTaken(epoch), StepReset("crash", dropped)
