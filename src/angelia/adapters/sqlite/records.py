"""Records of runs as rows, and back."""

from sqlite3 import Connection
from typing import Any, NamedTuple

from msgspec import json

from angelia.core.events import Failed
from angelia.core.messages import Usage
from angelia.ports import RunRecord, Summary

# The record of a run knows the seq of its last fact; deltas behind it stand in the log alone.
LAST_SEQ = "coalesce((select max(last_seq) from events where run = runs.key), last_seq)"
SELECT = (
    "select id, tenant, model, session_id, surface, created_at, updated_at, status, epoch, user, "  # noqa: S608
    f"session_key, parent, question, stored, {LAST_SEQ}, output, usage, cost, error, "
    "delegated_by, delegated_call "
    "from runs where "
)
_INSERT = (
    "insert into runs (id, tenant, model, session_id, surface, created_at, updated_at, status, "
    "epoch, user, session_key, parent, question, stored, delegated_by, delegated_call, last_seq) "
    "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)"
)

_encode = json.Encoder().encode
_decode_usage = json.Decoder(Usage).decode
_decode_error = json.Decoder(Failed).decode


class Told(NamedTuple):
    """A summary as columns."""

    output: str
    usage: str
    cost: float
    error: str | None


def told(summary: Summary) -> Told:
    error = _encode(summary.error).decode() if summary.error is not None else None
    return Told(summary.output, _encode(summary.usage).decode(), summary.cost, error)


def insert(connection: Connection, run: RunRecord, at: float) -> int:
    """The key of the new row. What a summary says is not in it."""
    values = (
        run.id,
        run.tenant,
        run.model,
        run.session_id,
        run.surface,
        run.created_at,
        at,
        run.status,
        run.epoch,
        run.user,
        run.session_key,
        run.parent,
        run.question,
        run.stored,
        run.delegated_by,
        run.delegated_call,
    )
    return connection.execute(_INSERT, values).lastrowid or 0


def select(connection: Connection, where: str, *values: str | float) -> tuple[RunRecord, ...]:
    return tuple(map(_record, connection.execute(SELECT + where, values).fetchall()))


def _record(row: tuple[Any, ...]) -> RunRecord:
    *known, stored, last_seq, output, usage, cost, error, delegated_by, delegated_call = row
    return RunRecord(
        *known,
        stored=bool(stored),
        last_seq=last_seq,
        output=output,
        usage=_decode_usage(usage),
        cost=cost,
        error=_decode_error(error) if error is not None else None,
        delegated_by=delegated_by,
        delegated_call=delegated_call,
    )
