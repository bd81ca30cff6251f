"""What lies in the spool of a damaged database, behind what could be read of it."""

from collections.abc import Sequence
from itertools import groupby
from sqlite3 import Connection

from angelia.adapters.sqlite.replay import following
from angelia.adapters.sqlite.spool import Spooled

_RUN = (
    "select key, epoch, (select coalesce(max(last_seq), 0) from events where run = key) "
    "from runs where id = ? and ended = 0"
)
_INSERT = "insert into events (run, last_seq, first_seq, fact, at, body) values (?, ?, ?, 0, ?, ?)"


def add_spooled(target: Connection, rows: Sequence[Spooled]) -> None:
    """As a start does it, for a file of any format."""
    for run_id, group in groupby(rows, lambda row: row.run_id):
        run = target.execute(_RUN, (run_id,)).fetchone()
        if run is not None:
            key, epoch, seq = run
            found = following(group, epoch, seq)
            new = [(key, last, first, at, body) for first, last, at, body in found]
            target.executemany(_INSERT, new)
