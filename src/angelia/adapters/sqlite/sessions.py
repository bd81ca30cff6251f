"""Sessions in SQLite."""

from collections.abc import Sequence
from sqlite3 import Connection
from typing import Any

from msgspec import Raw, json

from angelia.adapters.refusals import no_sessions_before
from angelia.adapters.sqlite.changes import DeleteSession, Statement
from angelia.adapters.sqlite.database import Database
from angelia.adapters.sqlite.search import search
from angelia.ports import Hit, Search, Session, SessionFilter

_SELECT = (
    "select id, tenant, created_at, updated_at, title, user, session_key, forked_from, metadata, "
    "question, last_run, runs from sessions where "
)
_PUT = (
    "insert into sessions (tenant, id, created_at, updated_at, changed_at, title, user, "
    "session_key, forked_from, metadata) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
    "on conflict (tenant, id) do update set created_at = excluded.created_at, "
    "updated_at = excluded.updated_at, changed_at = excluded.changed_at, "
    "title = excluded.title, user = excluded.user, session_key = excluded.session_key, "
    "forked_from = excluded.forked_from, metadata = excluded.metadata"
)


class SqliteSessions:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, tenant: str, session_id: str) -> Session | None:
        found = self._database.look(
            lambda connection: _select(connection, "tenant = ? and id = ?", tenant, session_id)
        )
        return found[0] if found else None

    async def find(self, wanted: SessionFilter) -> Sequence[Session]:
        return await self._database.read(lambda connection: _find(connection, wanted))

    async def put(self, session: Session) -> None:
        # Text that is not Unicode must fail here, where only its caller is hurt.
        json.encode(session)
        future = self._database.future()
        self._database.submit(Statement(lambda connection: put(connection, session), future))
        await future

    async def delete(self, tenant: str, session_id: str) -> Sequence[str]:
        """Raises Conflict while a run of it has not ended."""
        json.encode((tenant, session_id))
        future = self._database.future()
        self._database.submit(DeleteSession(tenant, session_id, future))
        return await future

    async def search(self, wanted: Search) -> Sequence[Hit]:
        return await self._database.search(lambda connection: search(connection, wanted))


def _select(connection: Connection, where: str, *values: str | float) -> tuple[Session, ...]:
    return tuple(map(_session, connection.execute(_SELECT + where, values).fetchall()))


def _session(row: tuple[Any, ...]) -> Session:
    *named, metadata, question, last_run, runs = row
    told = {"question": question, "last_run": last_run, "runs": runs}
    return Session(*named, metadata=Raw(metadata.encode()), **told)


def put(connection: Connection, session: Session) -> None:
    times = (session.created_at, session.updated_at, session.updated_at)
    named = (session.title, session.user, session.key, session.forked_from)
    metadata = bytes(session.metadata).decode()
    connection.execute(_PUT, (session.tenant, session.id, *times, *named, metadata))


def _find(connection: Connection, wanted: SessionFilter) -> tuple[Session, ...]:
    where, values = "tenant = ?", [wanted.tenant]
    if wanted.user is not None:
        where += " and user = ?"
        values.append(wanted.user)
    if wanted.key is not None:
        where += " and session_key = ?"
        values.append(wanted.key)
    if wanted.before is not None:
        at = _updated_at(connection, wanted.tenant, wanted.before)
        where += " and updated_at <= ? and (updated_at < ? or id > ?)"
        values += [at, at, wanted.before]
    where += " order by updated_at desc, id limit ?"
    return _select(connection, where, *values, wanted.limit)


def _updated_at(connection: Connection, tenant: str, before: str) -> float:
    row = connection.execute(
        "select updated_at from sessions where tenant = ? and id = ?", (tenant, before)
    ).fetchone()
    if row is None:
        raise no_sessions_before(before)
    return row[0]
