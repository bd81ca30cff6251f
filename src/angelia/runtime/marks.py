"""What the record of a run says, told from its state and the events that led there."""

from collections.abc import Iterable

from angelia.core.chain import Shown, chains
from angelia.core.events import (
    AnyEvent,
    Compacted,
    Ending,
    Exhausted,
    Failed,
    ModelReplied,
    RunEnded,
    RunWaited,
    TurnBegun,
)
from angelia.core.messages import Usage
from angelia.core.state import RunState
from angelia.ports import Bill, Claim, Mark, Summary, Took


def mark(
    state: RunState,
    events: Iterable[AnyEvent],
    shown: Shown,
    claim: Claim | None = None,
    took: Took | None = None,
    worked: float = 0.0,
) -> Mark:
    """`shown` is all that the run has shown so far, in pieces; `took` is of its model's answer."""
    bill: Bill | None = None
    parent: str | None = None
    rests = ended = False
    for event in events:
        if isinstance(event, ModelReplied):
            reply = event.reply
            bill = Bill(reply.model or state.model, reply.usage or Usage(), event.cost, took)
        if isinstance(event, Compacted) and event.usage != Usage():
            bill = Bill(event.model or state.model, event.usage, event.cost, took)
        if isinstance(event, TurnBegun):
            parent = event.parent
        rests = rests or isinstance(event, RunEnded | RunWaited)
        ended = ended or isinstance(event, RunEnded)
    return Mark(
        state.status,
        summary(state, shown) if rests else None,
        bill,
        claim,
        parent,
        worked if ended and state.status != "cancelled" else None,
    )


def summary(state: RunState, shown: Shown = ()) -> Summary:
    return Summary(
        output=state.output,
        usage=state.usage,
        cost=state.cost,
        error=error_of(state.ending),
        chains=_chains(state, shown),
    )


def _chains(state: RunState, shown: Shown) -> tuple[str, ...]:
    """As the record has it, and as it went by; a run without a session is never gone on with."""
    if not state.session_id:
        return ()
    return chains(state.messages, state.opening, shown, state.user or "")


def error_of(ending: Ending | None) -> Failed | None:
    match ending:
        case Failed():
            return ending
        case Exhausted(limit=limit):
            return Failed(f"The run used up its budget: {limit}.", limit)
        case _:
            return None
