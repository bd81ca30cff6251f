"""Records of runs, and API keys, in SQLite."""

import sqlite3
from asyncio import Future
from collections.abc import Sequence
from sqlite3 import Connection
from typing import Any

from msgspec import json

from angelia.adapters.refusals import key_exists, no_page_before
from angelia.adapters.sqlite.changes import Delete, Statement, Take
from angelia.adapters.sqlite.database import Database
from angelia.adapters.sqlite.recorder import LAST_SEQ
from angelia.ports import ApiKey, RunFilter, RunRecord, Scope

NEWER_THAN_ALL = 2**62

_RUNS = (
    f"select {', '.join(RunRecord.__struct_fields__[:-1])}, {LAST_SEQ} "  # noqa: S608
    "from runs where "
)
_KEYS = (
    "select id, name, digest, scopes, created_at, tool_events, on_disconnect, revoked_at "
    "from api_keys where "
)
_ADD_KEY = (
    "insert into api_keys (id, name, digest, scopes, created_at, tool_events, on_disconnect, "
    "revoked_at) values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do update set "
    "name = excluded.name, digest = excluded.digest, scopes = excluded.scopes, "
    "created_at = excluded.created_at, tool_events = excluded.tool_events, "
    "on_disconnect = excluded.on_disconnect, revoked_at = excluded.revoked_at"
)
_REVOKE = "update api_keys set revoked_at = ? where id = ? and revoked_at is null"

_decode_scopes = json.Decoder(tuple[Scope, ...]).decode


class SqliteRuns:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, run_id: str) -> RunRecord | None:
        found = self._database.look(lambda connection: _runs(connection, "id = ?", run_id))
        return found[0] if found else None

    async def find(self, wanted: RunFilter) -> Sequence[RunRecord]:
        return await self._database.read(lambda connection: _find(connection, wanted))

    async def unfinished(self) -> Sequence[RunRecord]:
        return await self._database.read(
            lambda connection: _runs(connection, "ended = 0 order by key")
        )

    async def take(self, run_id: str) -> int:
        # Text that is not Unicode must fail here, where only its caller is hurt.
        json.encode(run_id)
        future = self._database.future()
        self._database.submit(Take(run_id, future))
        return await future

    async def delete(self, run_id: str) -> None:
        json.encode(run_id)
        future = self._database.future()
        self._database.submit(Delete(run_id, future))
        await future


def _runs(connection: Connection, where: str, *values: str | int) -> tuple[RunRecord, ...]:
    rows = connection.execute(_RUNS + where, values).fetchall()
    return tuple(RunRecord(*row) for row in rows)


def _find(connection: Connection, wanted: RunFilter) -> tuple[RunRecord, ...]:
    where, values = "tenant = ?", [wanted.tenant]
    if wanted.session_id is not None:
        where += " and session_id = ?"
        values.append(wanted.session_id)
    if wanted.status is not None:
        where += " and status = ?"
        values.append(wanted.status)
    where += " and key < ? order by key desc limit ?"
    return _runs(connection, where, *values, _older_than(connection, wanted), wanted.limit)


def _older_than(connection: Connection, wanted: RunFilter) -> int:
    """Every run of the page has a smaller key than this."""
    if wanted.before is None:
        return NEWER_THAN_ALL
    row = connection.execute(
        "select key from runs where id = ? and tenant = ?", (wanted.before, wanted.tenant)
    ).fetchone()
    if row is None:
        raise no_page_before(wanted.before)
    return row[0]


class SqliteKeys:
    """Remembers keys that were found: every request asks, and no other process changes them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._found: dict[str, ApiKey] = {}

    async def add(self, key: ApiKey) -> None:
        json.encode(key)
        future = self._database.future()
        self._database.submit(Statement(lambda connection: _add(connection, key), future))
        await self._changed(future)

    async def find(self, digest: str) -> ApiKey | None:
        """A revoked key is not found."""
        if (known := self._found.get(digest)) is not None:
            return known
        found = self._database.look(
            lambda connection: _keys(connection, "digest = ? and revoked_at is null", digest)
        )
        self._found.update((key.digest, key) for key in found)
        return found[0] if found else None

    async def list(self) -> Sequence[ApiKey]:
        return await self._database.read(
            lambda connection: _keys(connection, "true order by rowid")
        )

    async def revoke(self, key_id: str, at: float) -> bool:
        json.encode(key_id)
        future = self._database.future()
        self._database.submit(
            Statement(
                lambda connection: connection.execute(_REVOKE, (at, key_id)).rowcount > 0, future
            )
        )
        return await self._changed(future)

    async def _changed(self, future: "Future[Any]") -> Any:
        try:
            return await future
        finally:
            self._found.clear()


def _keys(connection: Connection, where: str, *values: str) -> tuple[ApiKey, ...]:
    rows = connection.execute(_KEYS + where, values).fetchall()
    return tuple(
        ApiKey(id_, name, digest, _decode_scopes(scopes), *rest)
        for id_, name, digest, scopes, *rest in rows
    )


def _add(connection: Connection, key: ApiKey) -> None:
    scopes = json.encode(key.scopes).decode()
    values = (key.id, key.name, key.digest, scopes, key.created_at)
    rest = (key.tool_events, key.on_disconnect, key.revoked_at)
    try:
        connection.execute(_ADD_KEY, (*values, *rest))
    except sqlite3.IntegrityError:
        raise key_exists(key.name) from None
