"""Runs cut into the legs that responses are views of, and what is told of them."""

from collections.abc import Sequence

from hypothesis import settings
from hypothesis import strategies as st
from msgspec import UNSET, Raw, Struct, UnsetType, json

from angelia.core import legs as core
from angelia.core.approval_text import question
from angelia.core.events import (
    AnyEvent,
    ClientReplied,
    Completed,
    Entry,
    RunEnded,
    RunWaited,
    TextDelta,
)
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
    """Each from where it begins to its end or to where somebody outside comes next."""
    return [Leg(leg.after, tuple(log[leg.after : leg.end])) for leg in core.legs(log)]


def said(leg: Leg, dialect: Dialect) -> str:
    """All the text of a leg; a person is asked in words where there are no items for that."""
    last = leg.entries[-1].event
    asks = isinstance(last, RunWaited) and last.on == "approval" and dialect != "mcp"
    texts = [entry.event.text for entry in leg.entries if isinstance(entry.event, TextDelta)]
    return "".join(texts) + (question(last.asked) if asks else "")


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
