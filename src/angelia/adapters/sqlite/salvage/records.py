"""Records of runs that cannot be read, made anew: indexes know who, the first entry knows what."""

import sqlite3
from collections.abc import Iterator
from sqlite3 import Connection
from typing import Any

from msgspec import Struct

from angelia.adapters.sqlite.rows import decode
from angelia.core.events import RunStarted
from angelia.core.messages import Message, Text, User

# Each of these is read from an index alone.
_IDS = "select key, id from runs indexed by sqlite_autoindex_runs_1"
_TENANTS = "select key, tenant from runs indexed by runs_of_session"
_LISTED = "select key, tenant from runs indexed by runs_of_tenant where stored = 1"
_STRAYS = "select distinct run from events where run not in (select key from runs)"
_FIRST = (
    "select first_seq, last_seq, at, body, (select max(at) from events where run = ?1) "
    "from events where run = ?1 and first_seq = 1"
)

QUESTION_LIMIT = 500
Values = dict[str, Any]


class Restored(Struct, frozen=True):
    """`keys` are those of runs with a new record: nobody knows how far their logs went.

    `names` are the ids of all runs that an index knows, by their keys.
    """

    keys: frozenset[int]
    names: dict[int, str]
    nameless: tuple[str, ...]


def restore(source: Connection, target: Connection) -> Restored:
    """Gives logs without a record one, and lets go of those that nobody has a name for."""
    names, tenants = dict(_indexed(source, _IDS)), dict(_indexed(source, _TENANTS))
    listed = dict(_indexed(source, _LISTED))
    strays = {key for (key,) in target.execute(_STRAYS)}
    known = {key for key in strays if key in names and key in tenants}
    for key in known:
        if (first := _first(target, key)) is not None:
            who = {"key": key, "id": names[key], "tenant": tenants[key], "stored": key in listed}
            _insert(target, {**who, **first})
    target.execute("delete from events where run not in (select key from runs)")
    nameless = tuple(f"run number {key}" for key in sorted(strays - names.keys()))
    return Restored(frozenset(known), names, nameless)


def _indexed(source: Connection, query: str) -> Iterator[tuple[int, str]]:
    """As far as the index can be read."""
    try:
        yield from source.execute(query)
    except sqlite3.Error:
        return


def _first(target: Connection, key: int) -> Values | None:
    """What the first entry says. How the run stands is settled with all the others."""
    row = target.execute(_FIRST, (key,)).fetchone()
    try:
        event = decode("", [row[:4]], 0)[0].event if row else None
    except ValueError:
        event = None
    if not isinstance(event, RunStarted):
        return None
    return {
        "model": event.model,
        "session_id": event.session_id,
        "surface": event.surface,
        "user": event.user,
        "parent": event.parent,
        "delegated_by": event.delegated_by,
        "question": _question(event.messages[event.history :]),
        "status": "running",
        "epoch": 1,
        "last_seq": 0,
        "created_at": row[2],
        "updated_at": row[4],
    }


def _question(messages: tuple[Message, ...]) -> str:
    texts = [
        part.text
        for message in messages
        if isinstance(message, User)
        for part in message.parts
        if isinstance(part, Text)
    ]
    return "\n".join(texts)[:QUESTION_LIMIT]


def _insert(target: Connection, values: Values) -> None:
    given = known_of(target, values)
    marks = ", ".join("?" * len(given))
    insert = f"insert or ignore into runs ({', '.join(given)}) values ({marks})"  # noqa: S608
    target.execute(insert, tuple(given.values()))


def known_of(target: Connection, values: Values) -> Values:
    """Those that a record can hold: older formats have fewer columns."""
    columns = [row[1] for row in target.execute("pragma table_info(runs)")]
    return {name: value for name, value in values.items() if name in columns}
