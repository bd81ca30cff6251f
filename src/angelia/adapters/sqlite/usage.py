"""What was used, by day, key and model, in SQLite."""

from collections.abc import Sequence
from sqlite3 import Connection
from typing import Any

from angelia.adapters.sqlite.database import Database
from angelia.core.messages import Usage
from angelia.ports import LatencyRow, UsageFilter, UsageRow

_FIND = (
    "select day, tenant, model, runs, failed, calls, cost, input, output, cached, "
    "cache_written, reasoning from usage where day between ? and ?"
)
_LATENCIES = (
    "select day, tenant, model, kind, bucket, count from latencies where day between ? and ?"
)
_COST = "select total(cost) from usage where tenant = ? and day >= ?"


class SqliteUsage:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, wanted: UsageFilter) -> Sequence[UsageRow]:
        return await self._database.read(lambda connection: _find(connection, wanted))

    async def latencies(self, wanted: UsageFilter) -> Sequence[LatencyRow]:
        return await self._database.read(lambda connection: _latencies(connection, wanted))

    async def cost(self, tenant: str, first_day: int) -> float:
        (cost,) = self._database.look(
            lambda connection: connection.execute(_COST, (tenant, first_day)).fetchone()
        )
        return cost


def _find(connection: Connection, wanted: UsageFilter) -> tuple[UsageRow, ...]:
    rows = _rows(connection, _FIND, wanted, "day, tenant, model")
    return tuple(
        UsageRow(day, tenant, model, runs, failed, calls, Usage(*tokens), cost)
        for day, tenant, model, runs, failed, calls, cost, *tokens in rows
    )


def _latencies(connection: Connection, wanted: UsageFilter) -> tuple[LatencyRow, ...]:
    rows = _rows(connection, _LATENCIES, wanted, "day, tenant, model, kind, bucket")
    return tuple(LatencyRow(*row) for row in rows)


def _rows(connection: Connection, query: str, wanted: UsageFilter, order: str) -> list[Any]:
    values = (wanted.first_day, wanted.last_day)
    if wanted.tenant is not None:
        query += " and tenant = ?"
        values = (*values, wanted.tenant)
    return connection.execute(f"{query} order by {order}", values).fetchall()
