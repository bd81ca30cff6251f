"""Reading the log from the file. Every function here leaves no transaction open behind it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from sqlite3 import Connection

from angelia.adapters.follow import Page
from angelia.adapters.sqlite.rows import StoredRow, decode, decode_outline, stamped, unstamped
from angelia.core.events import Entry

# A reader that takes nothing holds a page in memory, ten times as large as values and frames.
PAGE_BYTES = 16 * 1024
LAST_POSSIBLE = 2**62

_BEHIND = (
    "select first_seq, last_seq, at, body from events "
    "where run = ? and last_seq > ? order by last_seq"
)
_FACTS_BEHIND = (
    "select first_seq, last_seq, at, body from events indexed by facts_of_run "
    "where run = ? and last_seq > ? and fact = 1 order by last_seq"
)
_WHOLE = (
    "select first_seq, last_seq, at, body from events "
    "where run = (select key from runs where id = ?) order by last_seq"
)


def read_page(
    connection: Connection, run_id: str, after: int, rows: int, held: Sequence[StoredRow] = ()
) -> Page | None:
    """At most `rows` rows, fewer when they are large; None if there is no such run.

    `held` are rows that may not be in the store yet.
    """
    # The flag is read before the rows: a run that has ended has no rows to come.
    run = connection.execute("select key, ended from runs where id = ?", (run_id,)).fetchone()
    if run is None:
        return None
    after = min(after, LAST_POSSIBLE)
    with closing(connection.execute(_BEHIND, (run[0], after))) as cursor:
        behind = _with(held, cursor, after)
        found = list(_up_to(PAGE_BYTES, islice(behind, rows)))
        whole = next(behind, None) is None
    kept = _cut_to(PAGE_BYTES, found, after)
    # Of a row that was cut there is more behind the page.
    complete = not found or kept[-1][1] == found[-1][1]
    return Page(decode(run_id, kept, after), bool(run[1]), whole and complete)


def _up_to(size: int, rows: Iterable[StoredRow]) -> Iterator[StoredRow]:
    """Rows until their bodies reach `size`; at least one."""
    for row in rows:
        yield row
        size -= len(row[3])
        if size <= 0:
            return


def _cut_to(size: int, rows: list[StoredRow], after: int) -> list[StoredRow]:
    """The same without the end of the last one, where all together are larger than `size`."""
    excess = sum(len(row[3]) for row in rows) - size
    if excess <= 0:
        return rows
    return [*rows[:-1], _cut(rows[-1], after, len(rows[-1][3]) - excess)]


def _cut(row: StoredRow, after: int, size: int) -> StoredRow:
    """The events of one row behind `after`, as many as it takes to reach `size`."""
    times, body = unstamped(row)
    start = max(after - row[0] + 1, 0)
    lines = body.splitlines(keepends=True)[start:]
    count = 0
    while count < len(lines) and size > 0:
        size -= len(lines[count])
        count += 1
    return stamped(row[0] + start, times[start : start + count], b"".join(lines[:count]))


def read_all(
    connection: Connection,
    run_id: str,
    after: int,
    held: Sequence[StoredRow] = (),
    *,
    facts_only: bool,
) -> tuple[Entry, ...]:
    """All that lies behind `after`, of the store and of the rows that are `held` beside it."""
    run = connection.execute("select key from runs where id = ?", (run_id,)).fetchone()
    if run is None:
        return ()
    after = min(after, LAST_POSSIBLE)
    query = (
        connection.execute(_FACTS_BEHIND, (run[0], after))
        if facts_only
        else connection.execute(_BEHIND, (run[0], after))
    )
    with closing(query) as cursor:
        return decode(run_id, _with(held, cursor, after), after)


def _with(
    held: Sequence[StoredRow], stored: Iterable[StoredRow], after: int = 0
) -> Iterator[StoredRow]:
    """The rows of the store, then those of the others that are not among them."""
    last = after
    for row in stored:
        yield row
        last = row[1]
    yield from (row for row in held if row[1] > last)


def read_outlines(
    connection: Connection, held: Mapping[str, Sequence[StoredRow]]
) -> tuple[tuple[Entry, ...], ...]:
    """Of each of these runs, with the rows of it that may not be in the store yet."""
    return tuple(_outline(connection, run_id, rows) for run_id, rows in held.items())


def _outline(connection: Connection, run_id: str, held: Sequence[StoredRow]) -> tuple[Entry, ...]:
    with closing(connection.execute(_WHOLE, (run_id,))) as cursor:
        return decode_outline(run_id, _with(held, cursor))
