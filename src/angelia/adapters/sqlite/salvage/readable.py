"""The rows of a damaged table that can be read, around those that cannot."""

import sqlite3
from collections.abc import Iterator, Sequence
from sqlite3 import Connection
from typing import Any

from msgspec import Struct

Row = tuple[Any, ...]

# How far behind the last row that can be read others are looked for, if nobody knows the last.
BEYOND = 4096


class Table(Struct, frozen=True):
    """`keys` are the columns of the primary key, for a table without row ids."""

    name: str
    columns: tuple[str, ...]
    keys: tuple[str, ...] = ()

    @property
    def listed(self) -> str:
        return ", ".join(f'"{column}"' for column in self.columns)


def tables(connection: Connection) -> list[Table]:
    """Those that hold something of their own; what is derived can be made again."""
    found = connection.execute(
        "select name, sql from sqlite_schema where type = 'table' and name not like 'sqlite_%' "
        "and name <> 'said' and name not like 'said\\_%' escape '\\'"
    ).fetchall()
    return [_table(connection, name, sql) for name, sql in found]


def _table(connection: Connection, name: str, sql: str) -> Table:
    info = connection.execute(f"pragma table_info({name})").fetchall()
    columns = tuple(column[1] for column in info)
    if "without rowid" not in sql.lower():
        return Table(name, columns)
    keyed = sorted((column[5], column[1]) for column in info if column[5])
    return Table(name, columns, tuple(column for _place, column in keyed))


def readable(connection: Connection, table: Table) -> Iterator[Row]:
    """None twice, but for those of tables without row ids."""
    return _from_both_ends(connection, table) if table.keys else _by_row_id(connection, table)


class _Stretch:
    """The rows of a query up to the first that cannot be read; `whole` if there is no such row."""

    def __init__(self, connection: Connection, query: str, values: Sequence[int] = ()) -> None:
        self.whole = False
        self._connection = connection
        self._query = query
        self._values = values

    def __iter__(self) -> Iterator[Row]:
        found = 0
        try:
            for row in self._connection.execute(self._query, self._values):
                found += 1
                yield row
            self.whole = True
        except sqlite3.Error:
            yield from self._last(found)

    def _last(self, found: int) -> Iterator[Row]:
        """Python looks at the next row before it hands out one, and so loses the last good one."""
        try:
            query = f"{self._query} limit 1 offset {found}"
            yield from self._connection.execute(query, self._values)
        except sqlite3.Error:
            return


def _by_row_id(connection: Connection, table: Table) -> Iterator[Row]:
    """A stretch that cannot be read is halved, until what cannot be read is single rows."""
    query = (
        f"select rowid, {table.listed} from {table.name} "  # noqa: S608
        "where rowid between ? and ? order by rowid"
    )
    stretches = [(1, _last_row_id(connection, table.name))]
    while stretches:
        low, high = stretches.pop()
        stretch = _Stretch(connection, query, (low, high))
        for row_id, *values in stretch:
            # A row id that is damaged may lie before the stretch, which must not grow by it.
            low = max(low, row_id + 1)
            yield tuple(values)
        if low < high and not (stretch.whole and _empty(connection, table.name, low, high)):
            middle = (low + high) // 2
            stretches += [(middle + 1, high), (low, middle)]


def _empty(connection: Connection, name: str, low: int, high: int) -> bool:
    """A row id that is damaged may lie behind the stretch, and end it where others follow."""
    query = f"select rowid from {name} where rowid between ? and ? order by rowid desc limit 1"  # noqa: S608
    try:
        return connection.execute(query, (low, high)).fetchone() is None
    except sqlite3.Error:
        return False


def _last_row_id(connection: Connection, name: str) -> int:
    try:
        (last,) = connection.execute(f"select max(rowid) from {name}").fetchone()  # noqa: S608
    except sqlite3.Error:
        return max(_probed(connection, name), default=0) + BEYOND
    return last or 0


def _probed(connection: Connection, name: str) -> Iterator[int]:
    """Row ids that can be found from some place in the table."""
    query = f"select rowid from {name} where rowid >= ? order by rowid limit 1"  # noqa: S608
    for power in range(62):
        try:
            yield from (row_id for (row_id,) in connection.execute(query, (1 << power,)))
        except sqlite3.Error:
            continue


def _from_both_ends(connection: Connection, table: Table) -> Iterator[Row]:
    for direction in ("asc", "desc"):
        order = ", ".join(f'"{key}" {direction}' for key in table.keys)
        query = f"select {table.listed} from {table.name} order by {order}"  # noqa: S608
        stretch = _Stretch(connection, query)
        yield from stretch
        if stretch.whole:
            return


def count(connection: Connection, named: Sequence[Table]) -> dict[str, int]:
    """How many rows each table has, where there are any."""
    found = {
        table.name: connection.execute(f"select count(*) from {table.name}").fetchone()[0]  # noqa: S608
        for table in named
    }
    return {name: rows for name, rows in found.items() if rows}
