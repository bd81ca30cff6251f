import sqlite3
from contextlib import closing

import pytest

from angelia.adapters.sqlite.bulk import SIZE, Bulk

INSERT = Bulk("insert into t (a, b) values", width=2)
UPDATE = Bulk("update t set b = new.column2 from (values", 2, ") as new where a = new.column1")


@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 127, 128, 129, 128 + 16 + 1, 1000])
def test_any_number_of_rows_is_written_in_order(count: int) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("create table t (a integer primary key, b)")
        rows = [(number, number * 2) for number in range(count)]
        assert INSERT.execute(connection, rows) == count
        assert connection.execute("select a, b from t").fetchall() == rows


def test_only_rows_that_are_there_are_touched() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("create table t (a integer primary key, b)")
        INSERT.execute(connection, [(number, 0) for number in range(100)])
        assert UPDATE.execute(connection, [(number, 7) for number in range(50, 200)]) == 50
        assert connection.execute("select count(*) from t where b = 7").fetchone() == (50,)


def test_a_thousand_rows_are_few_statements() -> None:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute("create table t (a integer primary key, b)")
        seen: list[str] = []
        connection.set_trace_callback(seen.append)
        INSERT.execute(connection, [(number, 0) for number in range(1000)])
        assert len(seen) <= 1000 // SIZE + 4


def test_all_numbers_of_rows_share_a_few_statements() -> None:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute("create table t (a integer primary key, b)")
        shapes: set[int] = set()
        connection.set_trace_callback(lambda statement: shapes.add(statement.count("(")))
        for count in range(200):
            connection.execute("delete from t")
            assert INSERT.execute(connection, [(number, 0) for number in range(count)]) == count
        assert len(shapes) < 16
