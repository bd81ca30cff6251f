"""Records of runs in SQLite."""

from collections.abc import Iterator, Sequence
from sqlite3 import Connection

from msgspec import json
from msgspec.structs import replace

from angelia.adapters.refusals import no_page_before
from angelia.adapters.sqlite.changes import Delete, Take
from angelia.adapters.sqlite.database import Database
from angelia.adapters.sqlite.records import select
from angelia.ports import SEEDS, RunFilter, RunRecord

NEWER_THAN_ALL = 2**62
PAGE = 100


class SqliteRuns:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, run_id: str) -> RunRecord | None:
        found = self._database.look(lambda connection: select(connection, "id = ?", run_id))
        return _at_least(found[0], self._database.live.last(run_id)) if found else None

    async def find(self, wanted: RunFilter) -> Sequence[RunRecord]:
        # Before the look: what leaves the spool until it is over is in the database.
        known = self._database.live.lasts()
        found = await self._database.read(lambda connection: _find(connection, wanted))
        return tuple(_at_least(run, known.get(run.id, 0)) for run in found)

    async def unfinished(self) -> Sequence[RunRecord]:
        return await self._database.read(
            lambda connection: select(connection, "ended = 0 order by key")
        )

    async def take(self, run_id: str) -> int:
        # Text that is not Unicode must fail here, where only its caller is hurt.
        json.encode(run_id)
        future = self._database.future()
        self._database.spooling.flush()
        line = self._database.live.lines.get(run_id)
        self._database.submit(Take(run_id, line, future))
        return await future

    async def delete(self, run_id: str) -> None:
        json.encode(run_id)
        future = self._database.future()
        self._database.spooling.flush()
        self._database.submit(Delete(run_id, future))
        await future


class SqliteExpired:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def over(self, before: float, *, stored: bool) -> Sequence[RunRecord]:
        where = (
            f"stored = {int(stored)} and ended = 1 and updated_at < ? "
            f"order by updated_at, key limit {PAGE}"
        )
        return await self._database.read(lambda connection: select(connection, where, before))


def _at_least(run: RunRecord, last: int) -> RunRecord:
    """The record of a run that is known to have come to the seq `last`."""
    return replace(run, last_seq=last) if last > run.last_seq else run


def _find(connection: Connection, wanted: RunFilter) -> tuple[RunRecord, ...]:
    where, values = "stored = 1 and tenant = ?", [wanted.tenant]
    for condition, *given in _conditions(wanted):
        where += f" and {condition}"
        values += given
    where += " and key < ? order by key desc limit ?"
    return select(connection, where, *values, _older_than(connection, wanted), wanted.limit)


def _conditions(wanted: RunFilter) -> Iterator[tuple[str, *tuple[str | float, ...]]]:
    """Each with the values of its marks."""
    for condition, value in (
        ("session_id = ?", wanted.session_id),
        ("model = ?", wanted.model),
        ("surface = ?", wanted.surface),
        ("created_at >= ?", wanted.since),
        ("created_at < ?", wanted.until),
        ("holds(question, ?)", wanted.words),
    ):
        if value is not None:
            yield condition, value
    if wanted.statuses:
        # A session has few runs, whereas many have the same status: its index is the better one.
        status = "status" if wanted.session_id is None else "+status"
        yield f"{status} in ({_marks(wanted.statuses)})", *wanted.statuses
    if not wanted.seeds:
        yield f"surface not in ({_marks(SEEDS)})", *SEEDS
    if not wanted.delegated:
        yield ("delegated_by is null",)


def _marks(values: Sequence[str]) -> str:
    return ", ".join("?" * len(values))


def _older_than(connection: Connection, wanted: RunFilter) -> int:
    """Every run of the page has a smaller key than this."""
    if wanted.before is None:
        return NEWER_THAN_ALL
    row = connection.execute(
        "select key from runs where id = ? and tenant = ? and stored = 1",
        (wanted.before, wanted.tenant),
    ).fetchone()
    if row is None:
        raise no_page_before(wanted.before)
    return row[0]
