"""Webhooks that are still to be told, in SQLite."""

from collections.abc import Sequence
from sqlite3 import Connection

from msgspec import json

from angelia.adapters.sqlite.changes import Statement
from angelia.adapters.sqlite.database import Database
from angelia.ports.deliveries import Delivery

_PUT = (
    "insert into deliveries (run_id, tenant, url, events, seq) values (?, ?, ?, ?, ?) "
    "on conflict (run_id) do update set tenant = excluded.tenant, url = excluded.url, "
    "events = excluded.events, seq = excluded.seq"
)
_LIST = "select run_id, tenant, url, events, seq from deliveries order by rowid"
_DELETE = "delete from deliveries where run_id = ?"

_decode_events = json.Decoder(tuple[str, ...]).decode


class SqliteDeliveries:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, delivery: Delivery) -> None:
        # Text that is not Unicode must fail here, where only its caller is hurt.
        json.encode(delivery)
        events = json.encode(delivery.events).decode()
        row = (delivery.run_id, delivery.tenant, delivery.url, events, delivery.seq)
        await self._execute(_PUT, row)

    async def list(self) -> Sequence[Delivery]:
        return await self._database.read(_list)

    async def delete(self, run_id: str) -> None:
        json.encode(run_id)
        await self._execute(_DELETE, (run_id,))

    async def _execute(self, statement: str, values: tuple[object, ...]) -> None:
        def work(connection: Connection) -> None:
            connection.execute(statement, values)

        future = self._database.future()
        self._database.submit(Statement(work, future, patient=True))
        await future


def _list(connection: Connection) -> tuple[Delivery, ...]:
    rows = connection.execute(_LIST).fetchall()
    return tuple(
        Delivery(run_id, tenant, url, _decode_events(events), seq)
        for run_id, tenant, url, events, seq in rows
    )
