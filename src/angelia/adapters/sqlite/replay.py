"""What a process that died has left in the spool, brought into the database."""

import logging
import sqlite3
from itertools import groupby
from pathlib import Path
from sqlite3 import Connection

from angelia.adapters.sqlite.recorder import Head, Recorder
from angelia.adapters.sqlite.spool import Spooled, discard, spooled

logger = logging.getLogger(__name__)


def bring_in(connection: Connection, database: Path) -> None:
    """Durable once this returns. What does not follow from the database is left out, and told."""
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
    """Whether something between the database and the rows is missing."""
    if head is None or head.ended:
        return False
    for row in rows:
        if row.first > head.seq + 1:
            return True
        recorder.bring_in(head, (row.row,))
    return False
