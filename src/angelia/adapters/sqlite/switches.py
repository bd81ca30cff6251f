"""What is switched off, in SQLite."""

from sqlite3 import Connection

from msgspec import json

from angelia.adapters.sqlite.changes import Statement
from angelia.adapters.sqlite.database import Database
from angelia.ports.switches import Switched

_OFF = "select name from switched_off where kind = ?"
_SWITCH_OFF = "insert or ignore into switched_off (kind, name) values (?, ?)"
_SWITCH_ON = "delete from switched_off where kind = ? and name = ?"


class SqliteSwitches:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def off(self, kind: Switched) -> frozenset[str]:
        rows = await self._database.read(
            lambda connection: connection.execute(_OFF, (kind,)).fetchall()
        )
        return frozenset(name for (name,) in rows)

    async def switch(self, kind: Switched, name: str, *, on: bool) -> None:
        # Text that is not Unicode must fail here, where only its caller is hurt.
        json.encode(name)

        def work(connection: Connection) -> None:
            connection.execute(_SWITCH_ON if on else _SWITCH_OFF, (kind, name))

        future = self._database.future()
        self._database.submit(Statement(work, future))
        await future
