import sqlite3
from collections.abc import Iterator
from contextlib import closing
from sqlite3 import Connection

import pytest

from angelia.adapters.sqlite.ledger import MOST_TOKENS, Ledger
from angelia.adapters.sqlite.schema import MIGRATIONS, migrate
from angelia.core.messages import Usage
from angelia.ports import Bill


@pytest.fixture
def connection() -> Iterator[Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as opened:
        migrate(opened, sorted(MIGRATIONS.glob("*.sql")))
        yield opened


def test_a_group_is_added_up_and_written_in_one_statement(connection: Connection) -> None:
    ledger = Ledger()
    for number in range(30):
        ledger.bill("tenant", Bill(f"model{number % 3}", Usage(1, 2, 3, 4, 5), 0.5))
        ledger.ended("tenant", "agent", failed=number % 10 == 0)
    seen: list[str] = []
    connection.set_trace_callback(seen.append)
    ledger.write(connection, 86_400.0)
    connection.set_trace_callback(None)
    assert len(seen) == 1
    rows = connection.execute("select * from usage order by model").fetchall()
    assert rows == [
        ("tenant", 1, "agent", 30, 3, 0, 0, 0, 0, 0, 0, 0.0),
        *(("tenant", 1, f"model{n}", 0, 0, 10, 10, 20, 30, 40, 50, 5.0) for n in range(3)),
    ]


def test_what_was_written_is_not_written_again(connection: Connection) -> None:
    ledger = Ledger()
    for _ in range(2):
        ledger.ended("tenant", "agent", failed=False)
        assert ledger
        ledger.write(connection, 0.0)
        assert not ledger
    assert connection.execute("select runs from usage").fetchone() == (2,)


def test_what_is_given_up_is_never_written(connection: Connection) -> None:
    ledger = Ledger()
    ledger.ended("tenant", "agent", failed=False)
    ledger.clear()
    ledger.write(connection, 0.0)
    assert connection.execute("select count(*) from usage").fetchone() == (0,)


def test_numbers_that_no_model_can_mean_harm_nobody(connection: Connection) -> None:
    ledger = Ledger()
    for _ in range(3):
        ledger.bill("tenant", Bill("liar", Usage(2**70, -(2**70)), 1.0))
        ledger.bill("tenant", Bill("honest", Usage(1), 1.0))
        ledger.write(connection, 0.0)
    rows = connection.execute("select model, calls, input, output, cost from usage").fetchall()
    assert rows == [
        ("honest", 3, 3, 0, 3.0),
        ("liar", 3, 3 * MOST_TOKENS, -3 * MOST_TOKENS, 3.0),
    ]
