"""A SQLite store of the test's own, and a stranger who can hold the file's write lock."""

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection

import pytest

from angelia.adapters.sqlite.schema import make_known
from tests.contracts.stores import SqliteStore


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "db")
    yield opened
    await opened.close()


@pytest.fixture
def stranger(store: SqliteStore) -> Iterator[Connection]:
    """Another connection to the same file. Its `begin immediate` keeps the writer from writing."""
    with closing(sqlite3.connect(store.path, isolation_level=None)) as connection:
        make_known(connection)
        yield connection
