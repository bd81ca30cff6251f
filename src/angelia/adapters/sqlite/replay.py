"""What a process that died has left in the spool, brought into the database."""

import logging
import sqlite3
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from sqlite3 import Connection

from msgspec import DecodeError

from angelia.adapters.sqlite.recorder import Head, Recorder
from angelia.adapters.sqlite.rows import StoredRow, decode
from angelia.adapters.sqlite.spool import Spooled, discard, spooled

logger = logging.getLogger(__name__)


def catch_up(connection: Connection, database: Path) -> None:
    """All of it is committed once this returns, but what does not follow: that is told."""
    rows = spooled(database)
    if rows:
        connection.execute("pragma synchronous = full")
        recorder = Recorder(connection)
        recorder.open(0.0)
        try:
            missing = sum(
                _bring_in(recorder, recorder.head(run_id), list(group))
                for run_id, group in groupby(rows, lambda row: row.run_id)
            )
            recorder.commit()
        except sqlite3.Error:
            recorder.abandon()
            raise
        if missing:
            logger.warning("%d runs lack what comes before their last deltas", missing)
    discard(database)


def _bring_in(recorder: Recorder, head: Head | None, rows: list[Spooled]) -> bool:
    """Whether there is something that does not follow from the database."""
    if head is None or head.ended:
        return False
    recorder.bring_in(head, following(rows, head.epoch, head.seq))
    return rows[-1].last > head.seq


def following(rows: Iterable[Spooled], epoch: int, last: int) -> Iterator[StoredRow]:
    """Those behind `last`, as far as they can be read and nothing between them is missing.

    A database that went on without its spool has another epoch.
    """
    for row in rows:
        if row.last <= last:
            continue
        if row.first != last + 1 or row.epoch != epoch or not _is_readable(row):
            return
        last = row.last
        yield row.row


def _is_readable(row: Spooled) -> bool:
    try:
        return bool(decode(row.run_id, (row.row,), 0))
    except (DecodeError, ValueError):
        return False
