"""Where the commands of sessions go on, in SQLite."""

from sqlite3 import Connection

from msgspec import json

from angelia.adapters.sqlite.changes import Statement
from angelia.adapters.sqlite.database import Database

_GET = "select folder from folders where tenant = ? and session_id = ?"
_PUT = (
    "insert into folders (tenant, session_id, folder) values (?, ?, ?) "
    "on conflict (tenant, session_id) do update set folder = excluded.folder"
)


class SqliteFolders:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, tenant: str, session_id: str) -> str:
        row = self._database.look(
            lambda connection: connection.execute(_GET, (tenant, session_id)).fetchone()
        )
        return row[0] if row else "."

    async def put(self, tenant: str, session_id: str, folder: str) -> None:
        row = (tenant, session_id, folder)
        # Text that is not Unicode must fail here, where only its caller is hurt.
        json.encode(row)

        def work(connection: Connection) -> None:
            connection.execute(_PUT, row)

        future = self._database.future()
        self._database.submit(Statement(work, future, patient=True))
        await future
