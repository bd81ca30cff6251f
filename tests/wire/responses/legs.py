"""Runs cut into the legs that responses are views of, and what is told of them."""

from collections.abc import Sequence

from hypothesis import settings
from hypothesis import strategies as st
from msgspec import UNSET, Raw, Struct, UnsetType, json

from angelia.core.events import AnyEvent, ClientReplied, Completed, Entry, RunEnded, RunWaited
from angelia.wire.responses.dialects import Dialect
from angelia.wire.responses.ids import response_id
from angelia.wire.responses.server import Frame, Subject, Writer
from tests.core import interpreter
from tests.wire.chat import runs as chat_runs


class Leg(Struct, frozen=True):
    after: int
    entries: tuple[Entry, ...]

    @property
    def ended(self) -> bool:
        return isinstance(self.entries[-1].event, RunEnded)


def legs(log: Sequence[Entry]) -> list[Leg]:
    """Each from where it begins to its end or to the client's turn."""
    starts = [0, *(e.seq - 1 for e in log if isinstance(e.event, ClientReplied))]
    return [Leg(after, _leg(log[after:])) for after in starts]


def _leg(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    for index, entry in enumerate(entries):
        event = entry.event
        if isinstance(event, RunEnded) or (isinstance(event, RunWaited) and event.on != "approval"):
            return tuple(entries[: index + 1])
    raise AssertionError("a leg without an end")


def entries(*events: AnyEvent) -> list[Entry]:
    return chat_runs.entries(*events)


ENDED = RunEnded(Completed())
# A run is much to draw.
FEW = settings(max_examples=35, deadline=None)
FEWEST = settings(max_examples=20, deadline=None)

DIALECTS: tuple[Dialect, ...] = ("pair", "mcp", "off")
dialects = st.sampled_from(DIALECTS)
logs = st.one_of(
    chat_runs.runs().filter(lambda log: not isinstance(log[-1].event, ClientReplied)),
    interpreter.runs().map(lambda run: entries(*run.done.log)),
)
any_leg = logs.flatmap(lambda log: st.sampled_from(legs(log)))


def writer(
    dialect: Dialect | None = "mcp", request: Raw | UnsetType = UNSET, after: int = 0
) -> Writer:
    subject = Subject(response_id("run_1", after), "angelia", 7, request)
    return Writer(subject, dialect=dialect)


def written(leg: Leg, dialect: Dialect = "mcp") -> tuple[Writer, list[Frame]]:
    made = writer(dialect, after=leg.after)
    return made, made.write(leg.entries)


# ── what is told of a leg ───────────────────────────────────────────────────────────────────


def told(frames: list[Frame]) -> list[dict]:
    return [json.decode(frame.data) for frame in frames]


def types(frames: list[Frame]) -> list[str]:
    return [frame.type.removeprefix("response.") for frame in frames]


def stream(*events, dialect: Dialect = "mcp") -> tuple[dict, list[Frame]]:
    """The response at the end, and how it came about."""
    made = writer(dialect)
    frames = made.write(entries(*events))
    return json.decode(made.response()), frames


def output(*events, dialect: Dialect = "mcp") -> list[dict]:
    return stream(*events, dialect=dialect)[0]["output"]
