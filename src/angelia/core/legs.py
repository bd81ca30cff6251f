"""A run as its client lives through it: legs, each from a request to an end or to its own turn."""

from collections.abc import Iterable, Sequence

from msgspec import UNSET, Raw, Struct, UnsetType

from angelia.core.chain import cut_off
from angelia.core.events import (
    ApprovalGiven,
    ClientReplied,
    Entry,
    RunEnded,
    RunStarted,
    RunWaited,
    ToolFinished,
    TurnBegun,
)
from angelia.core.messages import Assistant, Message, Text, ToolResult
from angelia.core.run import fold
from angelia.core.state import Ended, RunState


class Leg(Struct, frozen=True):
    """Everything behind the seq `after`, up to the seq `end`; without an `end` it is under way.

    `asks` is whether a person was asked something at its end; `answers` is whether it began with
    what the client said to that.
    """

    after: int
    end: int | None
    asks: bool = False
    answers: bool = False


def legs(facts: Iterable[Entry]) -> tuple[Leg, ...]:
    """A person may answer elsewhere; that begins a leg as well."""
    found: list[Leg] = []
    after: int | None = None
    asks = answers = False
    for entry in facts:
        match entry.event:
            case RunStarted() | ClientReplied() if after is None:
                after = entry.seq - 1
                answers = isinstance(entry.event, ClientReplied) and not entry.event.results
            case ApprovalGiven() if after is None and asks:
                after, answers = entry.seq - 1, False
            case RunWaited() | RunEnded() if after is not None:
                asks = is_question(entry)
                found.append(Leg(after, entry.seq, asks, answers))
                after = None
            case _:
                pass
    return tuple(found) if after is None else (*found, Leg(after, None, answers=answers))


def is_question(entry: Entry) -> bool:
    return isinstance(entry.event, RunWaited) and entry.event.on == "approval"


def ends_leg(entry: Entry) -> bool:
    return isinstance(entry.event, RunEnded | RunWaited)


def leg_after(facts: Iterable[Entry], after: int) -> Leg | None:
    """The leg that begins behind exactly that seq."""
    return next((leg for leg in legs(facts) if leg.after == after), None)


def leg_around(facts: Iterable[Entry], seq: int) -> Leg | None:
    """The leg that holds the entry `seq`, or the last one before it."""
    begun = [leg for leg in legs(facts) if leg.after < seq]
    return begun[-1] if begun else None


def state_at(facts: Sequence[Entry], leg: Leg) -> RunState:
    """The run as it was when the leg ended."""
    return fold(entry.event for entry in facts if leg.end is None or entry.seq <= leg.end)


def said_by(entries: Sequence[Entry], leg: Leg) -> tuple[Message, ...]:
    """All that was said up to the end of the leg, for whoever goes on from there.

    The client's turn lies within a batch of calls: what is done of it is known, and so is what
    became of the calls that a person was asked about. Text that the end of the run has cut off was
    said too, if the deltas are among the entries.
    """
    state = state_at(entries, leg)
    done = tuple(call.result for call in state.calls if call.result is not None)
    asked = {call.call.id for call in state.calls if call.status == "asked"}
    text = ""
    if isinstance(state.phase, Ended):
        text = cut_off(entry.event for entry in entries)
    rest = (Assistant((Text(text),)),) if text.strip() else ()
    return (*state.messages, *done, *_became_of(entries, asked), *rest)


def _became_of(entries: Sequence[Entry], call_ids: set[str]) -> tuple[ToolResult, ...]:
    return tuple(
        ToolResult(event.call_id, event.output, failed=event.outcome != "ok")
        for entry in entries
        if isinstance(event := entry.event, ToolFinished) and event.call_id in call_ids
    )


def had_turn(facts: Sequence[Entry]) -> bool:
    """Whether the run ever was the one that its session heard."""
    first = facts[0].event
    waited = isinstance(first, RunStarted) and first.queued
    return not waited or any(isinstance(entry.event, TurnBegun) for entry in facts)


class Words(Struct, frozen=True):
    """What a client said to begin a leg, and when; a person elsewhere said nothing to the model."""

    at: float
    event: RunStarted | ClientReplied | ApprovalGiven

    @property
    def request(self) -> Raw | UnsetType:
        return UNSET if isinstance(self.event, ApprovalGiven) else self.event.request


def words(facts: Iterable[Entry], after: int) -> Words:
    """The beginning of the leg behind `after`. Raises LookupError if there is none."""
    for entry in facts:
        if entry.seq > after and isinstance(
            entry.event, RunStarted | ClientReplied | ApprovalGiven
        ):
            return Words(entry.at, entry.event)
    raise LookupError(f"no leg begins behind {after}")
