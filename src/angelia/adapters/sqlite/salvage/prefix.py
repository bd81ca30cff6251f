"""How far the log of a run can be believed: no gap, every entry read, each one legal."""

from collections.abc import Iterable
from sqlite3 import Connection

from msgspec import DecodeError, Struct

from angelia.adapters.sqlite.rows import decode
from angelia.core.events import DELTA_TYPES
from angelia.core.run import evolve
from angelia.core.state import Ended, RunState
from angelia.errors import IllegalTransition

# Row id, first seq, last seq, time and body.
LogRow = tuple[int, int, int, float, bytes]

_RUNS = "select key, id, last_seq, ended from runs order by key"
_ROWS = "select id, first_seq, last_seq, at, body from events where run = ? order by last_seq"


class Prefix(Struct, frozen=True):
    """What holds of the run `key`. `complete` is whether all of it does; no `state` is nothing."""

    key: int
    run_id: str
    state: RunState | None
    last_seq: int
    at: float
    complete: bool

    @property
    def ended(self) -> bool:
        return self.state is not None and isinstance(self.state.phase, Ended)


def prefixes(connection: Connection) -> Iterable[Prefix]:
    for key, run_id, last_seq, ended in connection.execute(_RUNS).fetchall():
        rows = connection.execute(_ROWS, (key,)).fetchall()
        yield _prefix(key, run_id, rows, last_seq, ended=bool(ended))


def _prefix(key: int, run_id: str, rows: list[LogRow], told: int, *, ended: bool) -> Prefix:
    """`told` is the seq of the last fact that the run's record knows of."""
    state: RunState | None = None
    last, at, used = 0, 0.0, 0
    for _, first, final, when, body in rows:
        after = _evolved(run_id, state, (first, final, when, body)) if first == last + 1 else None
        if after is None:
            break
        state, last, at, used = after, final, when, used + 1
    complete = used == len(rows) and last >= told and isinstance(_phase(state), Ended) == ended
    return Prefix(key, run_id, state, last, at, complete)


def _phase(state: RunState | None) -> object:
    return state.phase if state is not None else None


def _evolved(
    run_id: str, state: RunState | None, row: tuple[int, int, float, bytes]
) -> RunState | None:
    """The state behind the row; None if the row cannot be believed."""
    try:
        for entry in decode(run_id, [row], 0):
            if not isinstance(entry.event, DELTA_TYPES):
                state = evolve(state, entry.event)
    except (DecodeError, ValueError, TypeError, IllegalTransition):
        return None
    return state
