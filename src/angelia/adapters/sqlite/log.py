"""The event log in SQLite."""

from collections.abc import AsyncIterator, Sequence
from functools import partial

from msgspec import json

from angelia.adapters.sqlite.changes import Append, Create
from angelia.adapters.sqlite.database import Database
from angelia.adapters.sqlite.lines import UNWRITTEN_BYTES
from angelia.adapters.sqlite.reading import read_all, read_outlines
from angelia.adapters.sqlite.rows import encode_lines
from angelia.adapters.sqlite.sessions import put
from angelia.adapters.sqlite.writer import again
from angelia.core.events import AnyEvent, Delta, Entry
from angelia.errors import LogDamaged
from angelia.ports import Batch, Claim, Held, Mark, RunRecord, Session, Summary


class SqliteLog:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._live = database.live

    async def create(
        self,
        run: RunRecord,
        events: Sequence[AnyEvent],
        claim: Claim | None = None,
        summary: Summary | None = None,
        session: Session | None = None,
    ) -> Held:
        # Text that is not Unicode must fail here, where only its caller is hurt.
        json.encode((run, claim, summary, session))
        future = self._database.future()
        along = partial(put, session=session) if session is not None else None
        self._database.submit(Create(run, tuple(events), claim, summary, along, future))
        return await future

    async def append(
        self, run_id: str, epoch: int, events: Sequence[AnyEvent], mark: Mark | None = None
    ) -> int:
        """Cancelled, it may still have happened."""
        line = self._live.lines.get(run_id)
        if line is not None:
            line.admit(epoch)
        json.encode((run_id, mark))
        future = self._database.future()
        self._database.spooling.flush()
        self._database.submit(Append(run_id, epoch, tuple(events), mark, line, future))
        return await future

    async def offer(self, run_id: str, epoch: int, deltas: Sequence[Delta]) -> None:
        """The first offer to a run that this process has not written waits until it is durable."""
        if not deltas:
            return
        line = self._live.lines.get(run_id)
        if line is None:
            await self.append(run_id, epoch, deltas)
            return
        line.admit(epoch)
        body = encode_lines(deltas)
        database = self._database
        sound = database.trouble is None
        if sound and run_id not in self._live.flying and database.short_way:
            database.spooling.add(line, deltas, body)
        else:
            database.spooling.pass_by(line, deltas, body)
        line.unwritten += len(body)
        if line.unwritten > UNWRITTEN_BYTES or not sound:
            await line.room(self._most)

    def _most(self) -> int:
        """While nothing can be written, nobody goes on ahead of the disk.

        Raises what will never pass: nobody would end the wait for it.
        """
        trouble = self._database.trouble
        if isinstance(trouble, LogDamaged):
            raise again(trouble)
        return UNWRITTEN_BYTES if trouble is None else 0

    def follow(self, run_id: str, after: int = 0) -> AsyncIterator[Batch]:
        return self._live.feeds.follow(run_id, after)

    async def read(self, run_id: str, after: int = 0, *, facts_only: bool = False) -> Batch | None:
        held = () if facts_only else self._live.held(run_id)
        entries = await self._database.read(
            lambda connection: read_all(connection, run_id, after, held, facts_only=facts_only)
        )
        return Batch(entries) if entries else None

    async def outlines(self, run_ids: Sequence[str]) -> Sequence[tuple[Entry, ...]]:
        held = {run_id: self._live.held(run_id) for run_id in run_ids}
        return await self._database.read(lambda connection: read_outlines(connection, held))
