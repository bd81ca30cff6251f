import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest

from angelia.adapters.sqlite.salvage.readable import Table, count, readable, tables

PAGE = 4096
ROWS = 2000
PLAIN = Table("plain", ("a", "b"))
KEYED = Table("keyed", ("a", "b"), ("a",))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("create table plain (a, b)")
        connection.execute("create table keyed (a primary key, b) without rowid")
        rows = [(f"row-{number:05}", "x" * 100) for number in range(ROWS)]
        connection.execute("begin")
        for table in ("plain", "keyed"):
            connection.executemany(f"insert into {table} values (?, ?)", rows)
        connection.execute("commit")
    return path


def pages_with(path: Path, words: bytes, kind: int) -> Iterator[int]:
    """Leaves of the wanted kind of tree: 13 is a table, 10 is one without row ids."""
    data = path.read_bytes()
    for at in range(PAGE, len(data), PAGE):
        if data[at] == kind and words in data[at : at + PAGE]:
            yield at


def spoil(path: Path, at: int) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(b"\x5a" * PAGE)


def read_on(path: Path, table: Table) -> Iterator[str]:
    with closing(sqlite3.connect(path)) as connection:
        yield from (row[0] for row in readable(connection, table))


def read(path: Path, table: Table) -> list[str]:
    return list(read_on(path, table))


@pytest.mark.parametrize("table", [PLAIN, KEYED])
def test_a_sound_table_is_read_once_and_in_order(path: Path, table: Table) -> None:
    assert read(path, table) == [f"row-{number:05}" for number in range(ROWS)]


@pytest.mark.parametrize("number", [0, 1000, ROWS - 1])
def test_only_the_rows_of_a_lost_page_are_lost(path: Path, number: int) -> None:
    (at,) = pages_with(path, f"row-{number:05}".encode(), 13)
    data = path.read_bytes()[at : at + PAGE]
    gone = {f"row-{n:05}" for n in range(ROWS) if f"row-{n:05}".encode() in data}
    spoil(path, at)
    assert read(path, PLAIN) == [f"row-{n:05}" for n in range(ROWS) if f"row-{n:05}" not in gone]
    assert 10 < len(gone) < 60


def test_good_rows_between_two_lost_pages_are_found(path: Path) -> None:
    for number in (500, 700):
        (at,) = pages_with(path, f"row-{number:05}".encode(), 13)
        spoil(path, at)
    found = read(path, PLAIN)
    assert {"row-00400", "row-00600", "row-00800"} <= set(found)
    assert not {"row-00500", "row-00700"} & set(found)


@pytest.mark.parametrize(
    "row_id",
    [
        pytest.param(b"\x80\x05", id="back"),
        pytest.param(b"\xff\x7f", id="far ahead"),
    ],
)
def test_a_row_id_that_is_wrong_costs_no_more_than_its_page(path: Path, row_id: bytes) -> None:
    (at,) = pages_with(path, b"row-01000", 13)
    page = bytearray(path.read_bytes()[at : at + PAGE])
    # In the middle of the list that says where in the page each row is.
    middle = 8 + int.from_bytes(page[3:5], "big") // 2 * 2
    cell, after = (int.from_bytes(page[entry : entry + 2], "big") for entry in (middle, middle + 2))
    # Behind one byte of length are two of the row id. The row after it cannot be read: where its
    # columns begin is behind its end.
    page[cell + 1 : cell + 3] = row_id
    page[after + 3] = 0x7F
    with path.open("r+b") as file:
        file.seek(at)
        file.write(page)
    found = list(islice(read_on(path, PLAIN), 2 * ROWS))
    assert ROWS - 60 < len(set(found)) <= len(found) < ROWS + 60


def test_a_table_without_row_ids_is_read_from_both_ends(path: Path) -> None:
    (at,) = pages_with(path, b"row-01000", 10)
    spoil(path, at)
    found = set(read(path, KEYED))
    assert {"row-00000", "row-00900", "row-01100", f"row-{ROWS - 1:05}"} <= found
    assert "row-01000" not in found


def test_tables_are_those_with_something_of_their_own(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("create virtual table said using fts5 (words)")
        assert tables(connection) == [PLAIN, KEYED]
        assert count(connection, [PLAIN, KEYED]) == {"plain": ROWS, "keyed": ROWS}


def test_a_table_that_is_not_there_has_no_rows(path: Path) -> None:
    assert read(path, Table("nowhere", ("a",))) == []
