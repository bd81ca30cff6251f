"""What was said in a run, as whoever goes on from it must know it."""

from collections.abc import Iterable

from angelia.core.events import Compacted, Entry, RunStarted, TurnBegun
from angelia.core.history import closed
from angelia.core.messages import Message
from angelia.core.run import fold
from angelia.core.state import Ended
from angelia.core.window import WHOLE, Digest


def digests(facts: Iterable[Entry]) -> tuple[tuple[Digest, tuple[Message, ...]], ...]:
    """The digests that a run has had, the last one first, with the conversation they are of."""
    events = [entry.event for entry in facts]
    found = [
        event.digest for event in events if isinstance(event, RunStarted | TurnBegun | Compacted)
    ]
    known = [digest for digest in dict.fromkeys(reversed(found)) if digest != WHOLE]
    if not known:
        return ()
    messages = fold(events).messages
    return tuple((digest, messages) for digest in known)


def transcript(facts: Iterable[Entry]) -> tuple[Message, ...] | None:
    """What a run knows to have been said. Every call has its result once the run has ended.

    None for a run that waits for its turn or ended before it: what was said before in its session
    is told to it only then.
    """
    events = [entry.event for entry in facts]
    first = events[0]
    waits = isinstance(first, RunStarted) and first.follows
    if waits and not any(isinstance(event, TurnBegun) for event in events):
        return None
    state = fold(events)
    if isinstance(state.phase, Ended):
        return closed(state.messages)
    return state.messages + tuple(c.result for c in state.calls if c.result is not None)
