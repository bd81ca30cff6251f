"""A run as its client lives through it: legs, each from a request to an end or to its own turn."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from angelia.core.chain import cut_off
from angelia.core.events import ClientReplied, Entry, RunEnded, RunStarted, RunWaited, TurnBegun
from angelia.core.messages import Assistant, Message, Text
from angelia.core.run import fold
from angelia.core.state import Ended, RunState


class Leg(Struct, frozen=True):
    """Everything behind the seq `after`, up to the seq `end`; without an `end` it is under way."""

    after: int
    end: int | None


def legs(facts: Iterable[Entry]) -> tuple[Leg, ...]:
    found: list[Leg] = []
    after: int | None = None
    for entry in facts:
        match entry.event:
            case RunStarted() | ClientReplied() if after is None:
                after = entry.seq - 1
            case RunWaited(on="client_tools") | RunEnded() if after is not None:
                found.append(Leg(after, entry.seq))
                after = None
            case _:
                pass
    return tuple(found) if after is None else (*found, Leg(after, None))


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

    The client's turn lies within a batch of calls: what is done of it is known. Text that the end
    of the run has cut off was said too, if the deltas are among the entries.
    """
    state = state_at(entries, leg)
    done = tuple(call.result for call in state.calls if call.result is not None)
    text = ""
    if isinstance(state.phase, Ended):
        text = cut_off(entry.event for entry in entries)
    rest = (Assistant((Text(text),)),) if text.strip() else ()
    return (*state.messages, *done, *rest)


def had_turn(facts: Sequence[Entry]) -> bool:
    """Whether the run ever was the one that its session heard."""
    first = facts[0].event
    waited = isinstance(first, RunStarted) and first.queued
    return not waited or any(isinstance(entry.event, TurnBegun) for entry in facts)


class Words(Struct, frozen=True):
    """What a client said to begin a leg, and when."""

    at: float
    event: RunStarted | ClientReplied


def words(facts: Iterable[Entry], after: int) -> Words:
    """The beginning of the leg behind `after`. Raises LookupError if there is none."""
    for entry in facts:
        if entry.seq > after and isinstance(entry.event, RunStarted | ClientReplied):
            return Words(entry.at, entry.event)
    raise LookupError(f"no leg begins behind {after}")
