"""MCP servers that were added over HTTP, in SQLite."""

import sqlite3
from collections.abc import Sequence
from sqlite3 import Connection

from msgspec import json

from angelia.adapters.refusals import server_exists
from angelia.adapters.sqlite.changes import Statement
from angelia.adapters.sqlite.database import Database
from angelia.ports import AddedServer

_LIST = "select name, section, added_at from added_servers order by rowid"
_ADD = "insert into added_servers (name, section, added_at) values (?, ?, ?)"
_REMOVE = "delete from added_servers where name = ?"


class SqliteAddedServers:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def list(self) -> Sequence[AddedServer]:
        return await self._database.read(_list)

    async def add(self, server: AddedServer) -> None:
        # Text that is not Unicode must fail here, where only its caller is hurt.
        json.encode(server)
        future = self._database.future()
        self._database.submit(Statement(lambda connection: _add(connection, server), future))
        await future

    async def remove(self, name: str) -> bool:
        json.encode(name)
        future = self._database.future()
        self._database.submit(
            Statement(lambda connection: connection.execute(_REMOVE, (name,)).rowcount > 0, future)
        )
        return await future


def _list(connection: Connection) -> tuple[AddedServer, ...]:
    return tuple(AddedServer(*row) for row in connection.execute(_LIST).fetchall())


def _add(connection: Connection, server: AddedServer) -> None:
    try:
        connection.execute(_ADD, (server.name, server.section, server.added_at))
    except sqlite3.IntegrityError:
        raise server_exists(server.name) from None
