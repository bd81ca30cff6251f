"""API keys in SQLite."""

import sqlite3
from asyncio import Future
from collections.abc import Sequence
from sqlite3 import Connection
from typing import Any

from msgspec import json

from angelia.adapters.refusals import key_exists
from angelia.adapters.sqlite.changes import Statement
from angelia.adapters.sqlite.database import Database
from angelia.ports import ApiKey, KeyRules, Scope

_KEYS = (
    "select id, name, digest, scopes, created_at, hint, rules, expires_at, revoked_at "
    "from api_keys where "
)
_ADD = (
    "insert into api_keys (id, name, digest, scopes, created_at, hint, rules, expires_at, "
    "revoked_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do update set "
    "name = excluded.name, digest = excluded.digest, scopes = excluded.scopes, "
    "created_at = excluded.created_at, hint = excluded.hint, rules = excluded.rules, "
    "expires_at = excluded.expires_at, revoked_at = excluded.revoked_at"
)
_REVOKE = "update api_keys set revoked_at = ? where id = ? and revoked_at is null"

_decode_scopes = json.Decoder(tuple[Scope, ...]).decode
_decode_rules = json.Decoder(KeyRules).decode


class SqliteKeys:
    """Remembers keys that were found: every request asks, and no other process changes them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._found: dict[str, ApiKey] = {}

    async def add(self, key: ApiKey) -> None:
        # Text that is not Unicode must fail here, where only its caller is hurt.
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
    return tuple(map(_key, connection.execute(_KEYS + where, values).fetchall()))


def _key(row: tuple[Any, ...]) -> ApiKey:
    id_, name, digest, scopes, created_at, hint, rules, *times = row
    known = (id_, name, digest, _decode_scopes(scopes), created_at, hint, _decode_rules(rules))
    return ApiKey(*known, *times)


def _add(connection: Connection, key: ApiKey) -> None:
    scopes, rules = json.encode(key.scopes).decode(), json.encode(key.rules).decode()
    named = (key.id, key.name, key.digest, scopes, key.created_at, key.hint, rules)
    try:
        connection.execute(_ADD, (*named, key.expires_at, key.revoked_at))
    except sqlite3.IntegrityError:
        raise key_exists(key.name) from None
