"""Grants in SQLite."""

from collections.abc import Sequence
from sqlite3 import Connection
from typing import Any

from msgspec import json

from angelia.adapters.sqlite.changes import Statement
from angelia.adapters.sqlite.database import Database
from angelia.ports.grants import Grant

_PUT = (
    "insert into grants (id, tenant, user, session_id, what, created_at, run_id) "
    "values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing"
)
_FIND = (
    "select id, tenant, what, created_at, run_id, user, session_id from grants "
    "where tenant = ? order by created_at desc, rowid desc"
)
_HELD = (
    "select distinct what from grants where tenant = ? and user = ? and session_id in ('', ?) "
    "order by what"
)
_DELETE = "delete from grants where tenant = ? and id = ?"


class SqliteGrants:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, grants: Sequence[Grant]) -> None:
        # Text that is not Unicode must fail here, where only its caller is hurt.
        json.encode(grants)
        rows = [_row(grant) for grant in grants]
        future = self._database.future()
        self._database.submit(Statement(lambda c: _put(c, rows), future))
        await future

    async def find(self, tenant: str) -> Sequence[Grant]:
        return await self._database.read(
            lambda connection: tuple(map(_grant, connection.execute(_FIND, (tenant,)).fetchall()))
        )

    async def held(self, tenant: str, user: str | None, session_id: str) -> Sequence[str]:
        rows = self._database.look(
            lambda connection: connection.execute(
                _HELD, (tenant, user or "", session_id)
            ).fetchall()
        )
        return tuple(what for (what,) in rows)

    async def delete(self, tenant: str, grant_id: str) -> bool:
        json.encode((tenant, grant_id))
        known = any(grant.id == grant_id for grant in await self.find(tenant))
        future = self._database.future()
        values = (tenant, grant_id)
        self._database.submit(Statement(lambda c: _execute(c, _DELETE, values), future))
        await future
        return known


def _put(connection: Connection, rows: Sequence[tuple[object, ...]]) -> None:
    connection.executemany(_PUT, rows)


def _execute(connection: Connection, statement: str, values: tuple[object, ...]) -> None:
    connection.execute(statement, values)


def _row(grant: Grant) -> tuple[object, ...]:
    whose = (grant.tenant, grant.user or "", grant.session_id or "")
    return (grant.id, *whose, grant.what, grant.created_at, grant.run_id)


def _grant(row: tuple[Any, ...]) -> Grant:
    *named, user, session_id = row
    return Grant(*named, user=user or None, session_id=session_id or None)
