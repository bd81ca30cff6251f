"""What was used, by day, key and model, in SQLite."""

from collections.abc import Sequence
from sqlite3 import Connection

from angelia.adapters.sqlite.database import Database
from angelia.core.messages import Usage
from angelia.ports import UsageFilter, UsageRow

_FIND = (
    "select day, tenant, model, runs, failed, calls, cost, input, output, cached, "
    "cache_written, reasoning from usage where day between ? and ?"
)
_COST = "select total(cost) from usage where tenant = ? and day >= ?"


class SqliteUsage:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, wanted: UsageFilter) -> Sequence[UsageRow]:
        return await self._database.read(lambda connection: _find(connection, wanted))

    async def cost(self, tenant: str, first_day: int) -> float:
        (cost,) = self._database.look(
            lambda connection: connection.execute(_COST, (tenant, first_day)).fetchone()
        )
        return cost


def _find(connection: Connection, wanted: UsageFilter) -> tuple[UsageRow, ...]:
    query, values = _FIND, (wanted.first_day, wanted.last_day)
    if wanted.tenant is not None:
        query += " and tenant = ?"
        values = (*values, wanted.tenant)
    rows = connection.execute(query + " order by day, tenant, model", values).fetchall()
    return tuple(
        UsageRow(day, tenant, model, runs, failed, calls, Usage(*tokens), cost)
        for day, tenant, model, runs, failed, calls, cost, *tokens in rows
    )
