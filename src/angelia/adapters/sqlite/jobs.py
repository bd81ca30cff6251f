"""Jobs and their firings in SQLite."""

from collections.abc import Callable, Sequence
from sqlite3 import Connection
from typing import Any

from msgspec import json

from angelia.adapters.refusals import no_firings_before, no_jobs_before
from angelia.adapters.sqlite.changes import Statement
from angelia.adapters.sqlite.database import Database
from angelia.ports.jobs import Firing, FiringFilter, Job, JobFilter

# How many firings of a job are remembered.
KEPT = 500

_PUT = (
    "insert into jobs (id, tenant, status, user, next_at, body) values (?, ?, ?, ?, ?, ?) "
    "on conflict (id) do update set tenant = excluded.tenant, status = excluded.status, "
    "user = excluded.user, next_at = excluded.next_at, body = excluded.body"
)
_NOTE = (
    "insert or ignore into firings (job_id, mark, status, retry_at, planned_at, body) "
    "values (?, ?, ?, ?, ?, ?)"
)
_FORGET = (
    "delete from firings where job_id = ? and status <> 'due' and key <= "
    "(select key from firings where job_id = ? order by key desc limit 1 offset ?)"
)
_SETTLE = (
    "update firings set status = ?, retry_at = ?, planned_at = ?, body = ? "
    "where job_id = ? and mark = ?"
)
_COUNT = "select count(*) from jobs where tenant = ? and status <> 'finished'"
_DUE = "select body from jobs where next_at <= ? order by next_at, key limit ?"
_PENDING = (
    "select body from firings where status = 'due' and retry_at <= ? "
    "order by planned_at, key limit ?"
)
_NEXT = (
    "select min(at) from (select min(next_at) as at from jobs where next_at is not null union all "
    "select min(retry_at) from firings where status = 'due' and retry_at > ?)"
)

_job = json.Decoder(Job).decode
_firing = json.Decoder(Firing).decode


class SqliteJobs:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, job: Job, firings: Sequence[Firing] = ()) -> None:
        # Text that is not Unicode must fail here, where only its caller is hurt.
        user, body = job.errand.user, json.encode(job).decode()
        row = (job.id, job.tenant, job.status, user, job.next_at, body)
        rows = [(firing.job_id, firing.mark, *_values(firing)) for firing in firings]

        def work(connection: Connection) -> None:
            connection.execute(_PUT, row)
            connection.executemany(_NOTE, rows)
            if rows:
                connection.execute(_FORGET, (job.id, job.id, KEPT))

        await self._write(work)

    async def get(self, tenant: str, job_id: str) -> Job | None:
        asked = "select body from jobs where id = ? and tenant = ?"
        found = self._database.look(lambda connection: _one(connection, asked, job_id, tenant))
        return None if found is None else _job(found)

    async def find(self, wanted: JobFilter) -> Sequence[Job]:
        return await self._database.read(lambda connection: _find(connection, wanted))

    async def count(self, tenant: str) -> int:
        return self._database.look(lambda connection: _one(connection, _COUNT, tenant))

    async def delete(self, job_id: str) -> None:
        json.encode(job_id)
        await self._write(lambda c: c.execute("delete from jobs where id = ?", (job_id,)))

    async def due(self, now: float, limit: int) -> Sequence[Job]:
        return [_job(body) for body in await self._bodies(_DUE, now, limit)]

    async def settle(self, firing: Firing) -> None:
        row = (*_values(firing), firing.job_id, firing.mark)
        await self._write(lambda connection: connection.execute(_SETTLE, row))

    async def firing(self, job_id: str, mark: str) -> Firing | None:
        asked = "select body from firings where job_id = ? and mark = ?"
        found = self._database.look(lambda connection: _one(connection, asked, job_id, mark))
        return None if found is None else _firing(found)

    async def firings(self, wanted: FiringFilter) -> Sequence[Firing]:
        return await self._database.read(lambda connection: _firings(connection, wanted))

    async def pending(self, now: float, limit: int) -> Sequence[Firing]:
        return [_firing(body) for body in await self._bodies(_PENDING, now, limit)]

    async def next_time(self, now: float) -> float | None:
        return self._database.look(lambda connection: _one(connection, _NEXT, now))

    async def _bodies(self, asked: str, *values: float) -> list[str]:
        rows = await self._database.read(lambda c: c.execute(asked, values).fetchall())
        return [body for (body,) in rows]

    async def _write(self, work: Callable[[Connection], object]) -> None:
        future = self._database.future()
        self._database.submit(Statement(work, future, patient=True))
        await future


def _values(firing: Firing) -> tuple[object, ...]:
    body = json.encode(firing).decode()
    return (firing.status, firing.retry_at, firing.planned_at, body)


def _one(connection: Connection, asked: str, *values: object) -> Any:
    row = connection.execute(asked, values).fetchone()
    return None if row is None else row[0]


def _find(connection: Connection, wanted: JobFilter) -> tuple[Job, ...]:
    where, values = "tenant = ?", [wanted.tenant]
    if wanted.user is not None:
        where, values = where + " and user = ?", [*values, wanted.user]
    if wanted.status is not None:
        where, values = where + " and status = ?", [*values, wanted.status]
    if wanted.before is not None:
        mine = "select key from jobs where id = ? and tenant = ?"
        key = _one(connection, mine, wanted.before, wanted.tenant)
        if key is None:
            raise no_jobs_before(wanted.before)
        where, values = where + " and key < ?", [*values, key]
    asked = f"select body from jobs where {where} order by key desc limit ?"  # noqa: S608
    rows = connection.execute(asked, (*values, wanted.limit)).fetchall()
    return tuple(_job(body) for (body,) in rows)


def _firings(connection: Connection, wanted: FiringFilter) -> tuple[Firing, ...]:
    where, values = "job_id = ?", [wanted.job_id]
    if wanted.status is not None:
        where, values = where + " and status = ?", [*values, wanted.status]
    if wanted.before is not None:
        mine = "select key from firings where job_id = ? and job_id || '.' || mark = ?"
        key = _one(connection, mine, wanted.job_id, wanted.before)
        if key is None:
            raise no_firings_before(wanted.before)
        where, values = where + " and key < ?", [*values, key]
    asked = f"select body from firings where {where} order by key desc limit ?"  # noqa: S608
    rows = connection.execute(asked, (*values, wanted.limit)).fetchall()
    return tuple(_firing(body) for (body,) in rows)
