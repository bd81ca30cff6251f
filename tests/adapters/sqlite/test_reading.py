import asyncio
import sqlite3

import pytest

from angelia.adapters.follow import Page
from angelia.adapters.sqlite import reading
from angelia.adapters.sqlite.reading import PAGE_BYTES, read_page
from angelia.adapters.sqlite.rows import encode_lines
from angelia.adapters.sqlite.schema import connect_reader, connect_writer
from angelia.core.events import Entry, StopRequested
from tests.contracts.stores import SqliteStore, begin, text


async def test_a_page_of_large_rows_is_cut_short(store: SqliteStore) -> None:
    await begin(store)
    for _ in range(4):
        await store.log.append("run", 1, [text("x" * (PAGE_BYTES // 2))])
    page = await store.database.read(lambda connection: read_page(connection, "run", 1, 500))
    assert page is not None
    assert [entry.seq for entry in page.entries] == [2, 3]


async def test_a_row_larger_than_a_page_is_still_read(store: SqliteStore) -> None:
    await begin(store)
    await store.log.append("run", 1, [text("x" * (PAGE_BYTES + 1))])
    page = await store.database.read(lambda connection: read_page(connection, "run", 1, 500))
    assert page is not None
    assert [entry.seq for entry in page.entries] == [2]


@pytest.mark.parametrize("start", [1, 2, 700, 2_001])
async def test_a_row_of_many_events_is_read_in_pages(store: SqliteStore, start: int) -> None:
    await begin(store)
    with sqlite3.connect(store.path) as connection:
        body = encode_lines([text(f"word {number}") for number in range(2_000)])
        row = (2, 2_001, 0, store.clock.now(), body)
        connection.execute(
            "insert into events (run, first_seq, last_seq, fact, at, body) "
            "values ((select key from runs), ?, ?, ?, ?, ?)",
            row,
        )
    seqs: list[int] = []
    while (page := await page_behind(store, max([start, *seqs]))).entries:
        seqs += [entry.seq for entry in page.entries]
        assert len(encode_lines([entry.event for entry in page.entries])) < PAGE_BYTES + 100
        assert page.whole is (seqs[-1] == 2_001)
    assert seqs == list(range(start + 1, 2_002))


async def page_behind(store: SqliteStore, after: int) -> Page:
    page = await store.database.read(lambda connection: read_page(connection, "run", after, 500))
    assert page is not None
    return page


async def test_a_page_that_was_cut_short_holds_no_snapshot(store: SqliteStore) -> None:
    await begin(store)
    for _ in range(4):
        await store.log.append("run", 1, [StopRequested()])
    reader, writer = connect_reader(store.path), connect_writer(store.path)
    page = read_page(reader, "run", 0, 2)
    await store.log.append("run", 1, [StopRequested()])
    busy, *_ = writer.execute("pragma wal_checkpoint(truncate)").fetchone()
    assert page is not None
    assert busy == 0
    reader.close()
    writer.close()


@pytest.mark.parametrize(
    ("query", "index"), [("_BEHIND", "events_of_run"), ("_FACTS_BEHIND", "facts_of_run")]
)
async def test_no_query_walks_or_sorts_the_log(store: SqliteStore, query: str, index: str) -> None:
    sql = getattr(reading, query)
    values = (1, 5)
    plan = await store.database.read(
        lambda connection: connection.execute(f"explain query plan {sql}", values).fetchall()
    )
    assert [step[3] for step in plan] == [
        f"SEARCH events USING INDEX {index} (run=? AND last_seq>?)"
    ]


@pytest.mark.parametrize("start", [1, 2, 40, 99])
async def test_a_packed_row_is_read_in_pages_with_its_times(store: SqliteStore, start: int) -> None:
    await begin(store)
    for _ in range(100):
        store.clock.advance(1)
        await store.log.offer("run", 1, [text("x" * 200)])
        await asyncio.sleep(0)
    shown = await store.log.read("run", start)
    await store.log.append("run", 1, [StopRequested()])
    seen: list[Entry] = []
    while (page := await page_behind(store, seen[-1].seq if seen else start)).entries:
        seen += page.entries
    assert shown is not None
    assert seen[:-1] == list(shown.entries)
    assert len({entry.at for entry in seen}) > 100 - start
