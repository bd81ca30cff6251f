"""Notes in SQLite."""

from collections.abc import Callable, Sequence
from sqlite3 import Connection
from typing import Any

from msgspec import UNSET, json

from angelia.adapters.refusals import no_notes_after
from angelia.adapters.sqlite.changes import Statement
from angelia.adapters.sqlite.database import Database
from angelia.core.notes import Note
from angelia.ports.memories import NoteFilter

_SELECT = (
    "select id, tenant, text, created_at, updated_at, kind, user, session_key, run_id "
    "from memories where "
)
_PUT = (
    "insert into memories (id, tenant, text, created_at, updated_at, kind, user, session_key, "
    "run_id) values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (tenant, id) do update set "
    "text = excluded.text, created_at = excluded.created_at, updated_at = excluded.updated_at, "
    "kind = excluded.kind, user = excluded.user, session_key = excluded.session_key, "
    "run_id = excluded.run_id"
)
_DELETE = "delete from memories where "
_ONE = "tenant = ? and id = ?"

Values = list[str | int | None]


class SqliteMemories:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, tenant: str, note_id: str) -> Note | None:
        found = self._database.look(lambda connection: _select(connection, _ONE, [tenant, note_id]))
        return found[0] if found else None

    async def find(self, wanted: NoteFilter) -> Sequence[Note]:
        if wanted.user is not UNSET and wanted.session_key is not UNSET:
            # The few notes of one owner, which every run that begins asks for.
            return self._database.look(lambda connection: _find(connection, wanted))
        return await self._database.read(lambda connection: _find(connection, wanted))

    async def put(self, note: Note) -> None:
        # Text that is not Unicode must fail here, where only its caller is hurt.
        json.encode(note)
        named = (note.id, note.tenant, note.text, note.created_at, note.updated_at)
        row = (*named, note.kind, note.user, note.session_key, note.run_id)
        await self._change(lambda connection: connection.execute(_PUT, row).rowcount)

    async def delete(self, tenant: str, note_id: str) -> bool:
        json.encode((tenant, note_id))
        values = (tenant, note_id)
        return await self._change(lambda c: c.execute(_DELETE + _ONE, values).rowcount) > 0

    async def clear(self, wanted: NoteFilter) -> int:
        where, values = _fitting(wanted)
        json.encode(values)
        return await self._change(lambda c: c.execute(_DELETE + where, values).rowcount)

    async def _change(self, work: Callable[[Connection], int]) -> int:
        future = self._database.future()
        self._database.submit(Statement(work, future, patient=True))
        return await future


def _select(connection: Connection, where: str, values: Values) -> tuple[Note, ...]:
    return tuple(map(_note, connection.execute(_SELECT + where, values).fetchall()))


def _note(row: tuple[Any, ...]) -> Note:
    return Note(*row)


def _fitting(wanted: NoteFilter) -> tuple[str, Values]:
    where, values = "tenant = ?", Values([wanted.tenant])
    if wanted.user is not UNSET:
        where += " and user is ?"
        values.append(wanted.user)
    if wanted.session_key is not UNSET:
        where += " and session_key is ?"
        values.append(wanted.session_key)
    return where, values


def _find(connection: Connection, wanted: NoteFilter) -> tuple[Note, ...]:
    where, values = _fitting(wanted)
    if wanted.after is not None:
        where += " and key > ?"
        values.append(_key(connection, wanted.tenant, wanted.after))
    where += " order by key limit ?"
    return _select(connection, where, [*values, -1 if wanted.limit is None else wanted.limit])


def _key(connection: Connection, tenant: str, note_id: str) -> int:
    found = connection.execute(
        f"select key from memories where {_ONE}",  # noqa: S608
        (tenant, note_id),
    ).fetchone()
    if found is None:
        raise no_notes_after(note_id)
    return found[0]
