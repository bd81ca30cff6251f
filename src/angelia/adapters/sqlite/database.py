"""One SQLite file: the writer thread, the readers, and what the loop knows of runs under way.

Above: SqliteLog and the stores, which share it. Below: the file. What is committed
comes back from the writer one group at a time and is delivered here, in the loop's thread.
"""

import asyncio
import logging
import os
from asyncio import Future
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from sqlite3 import Connection
from typing import Any, TypeVar

from angelia.adapters.follow import Bounds, Feed, Feeds, Page
from angelia.adapters.sqlite.changes import Change
from angelia.adapters.sqlite.damage import (
    refuse_damaged,
    refuse_damaged_pages,
    refuse_missing,
)
from angelia.adapters.sqlite.faults import explained
from angelia.adapters.sqlite.lines import Live
from angelia.adapters.sqlite.reading import read_page
from angelia.adapters.sqlite.replay import catch_up
from angelia.adapters.sqlite.schema import connect_reader, connect_writer, lock, prepare
from angelia.adapters.sqlite.spool import Spool
from angelia.adapters.sqlite.spooling import Spooling
from angelia.adapters.sqlite.writer import Group, Writer, again
from angelia.core.events import Entry
from angelia.errors import LogDamaged, LogUnavailable
from angelia.ports import Batch, Clock

READERS = 2
FIRST_ROWS = 8
BATCH_BYTES = 16 * 1024

T = TypeVar("T")

logger = logging.getLogger(__name__)


class Database:
    """Opened by `open`; its thread starts with the first change."""

    def __init__(
        self, path: Path, clock: Clock, bounds: Bounds, writing: Connection, lock_file: int
    ) -> None:
        self.path = path
        self.clock = clock
        self.bounds = bounds
        self.live = Live(Feeds(self._page, bounds))
        # Why nothing can be written at the moment.
        self.trouble: LogUnavailable | None = None
        self.spooling = Spooling(Spool(path), self.live, clock, self.submit)
        self._writer = Writer(writing, clock, path)
        self._writing = writing
        self._lock_file = lock_file
        self._looking = connect_reader(path)
        self._idle: SimpleQueue[Connection] = SimpleQueue()
        for _ in range(READERS):
            self._idle.put(connect_reader(path))
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="angelia-log-reader")
        self._searching = connect_reader(path)
        self._searcher = ThreadPoolExecutor(1, thread_name_prefix="angelia-search")
        self._finished: Future[None] | None = None
        self._generation = 0
        self._writable = self._readable = True
        self._closing = False

    @classmethod
    def open(cls, path: Path, clock: Clock, bounds: Bounds | None = None) -> "Database":
        """Raises LogUnavailable, which names the file and the way out."""
        with explained(path, "open the database"), ExitStack() as undo:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock_file = lock(path)
            undo.callback(os.close, lock_file)
            refuse_missing(path)
            refuse_damaged(path)
            writing = connect_writer(path)
            undo.callback(writing.close)
            refuse_damaged_pages(path, writing)
            prepare(writing)
            catch_up(writing, path)
            database = cls(path, clock, bounds or Bounds(), writing, lock_file)
            undo.pop_all()
        return database

    @property
    def groups(self) -> int:
        """How many transactions the writer has committed."""
        return self._writer.groups

    @property
    def short_way(self) -> bool:
        """Whether deltas may be written beside the file for now."""
        return self._writable and self.spooling.brisk

    # ── writing ─────────────────────────────────────────────────────────────────────────────

    def submit(self, change: Change) -> None:
        """Takes the change's place in the order of the log."""
        if not self._writable:
            raise _closed()
        if (trouble := self.trouble) is not None and (
            isinstance(trouble, LogDamaged) or not change.patient
        ):
            raise again(trouble)
        if self._finished is None:
            self._start()
        change.generation = self._generation
        if change.flies:
            self.live.take_off(change.run_id)
        self._writer.put(change)

    def future(self) -> "Future[Any]":
        return asyncio.get_running_loop().create_future()

    def _start(self) -> None:
        loop = asyncio.get_running_loop()
        self._finished = loop.create_future()

        def hand_over(group: Group | None) -> None:
            # Once the loop is gone, so is everybody who waited for the group.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._settle, group)

        def on_trouble(trouble: LogUnavailable | None) -> None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._find, trouble)

        self._writer.start(hand_over, on_trouble)

    def _find(self, trouble: LogUnavailable | None) -> None:
        """Damage stays, whatever else is found."""
        if not isinstance(self.trouble, LogDamaged):
            self.trouble = trouble

    def _settle(self, group: Group | None) -> None:
        if group is None:
            self._end()
            return
        if group.failure is not None:
            self._generation += 1
            group.refuse(group.failure)
        feeds = self.live.feeds
        for run_id, changes in group.changes.items():
            if feed := feeds.get(run_id):
                _deliver(feed, run_id, group.at, changes)
            for change in changes:
                if change.flies:
                    self.live.land(run_id)
                change.settle(self.live)
        self.spooling.go_on()

    def _end(self) -> None:
        self._writable = False
        self._settle(self._writer.leftovers())
        if self._finished is not None and not self._finished.done():
            self._finished.set_result(None)

    # ── reading ─────────────────────────────────────────────────────────────────────────────

    async def read(self, query: Callable[[Connection], T]) -> T:
        """The answer from a snapshot of what is committed, read beside the loop."""
        if not self._readable:
            raise _closed()
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, self._with_reader, query)

    async def search(self, query: Callable[[Connection], T]) -> T:
        """As `read`, for what may take long: nobody who reads the log waits for it."""
        if not self._readable:
            raise _closed()
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._searcher, self._with_searcher, query)

    def look(self, query: Callable[[Connection], T]) -> T:
        """For lookups by a unique index, which cost less than a change of threads."""
        if not self._readable:
            raise _closed()
        with self._explained("read the database"):
            return query(self._looking)

    def _with_searcher(self, query: Callable[[Connection], T]) -> T:
        with self._explained("search the database"):
            return query(self._searching)

    @contextmanager
    def _explained(self, doing: str) -> Generator[None]:
        """Whoever reads what is damaged tells everybody."""
        try:
            with explained(self.path, doing):
                yield
        except LogDamaged as damage:
            if not isinstance(self.trouble, LogDamaged):
                logger.error("%s", damage)
                self.trouble = damage
            raise

    def _with_reader(self, query: Callable[[Connection], T]) -> T:
        connection = self._idle.get()
        try:
            with self._explained("read the database"):
                return query(connection)
        finally:
            self._idle.put(connection)

    async def _page(self, run_id: str, after: int) -> Page | None:
        # Before the store is looked into: what leaves the spool until then is in the store.
        held = self.live.held(run_id)
        if after <= 0:
            # Most readers come to a run that has just begun; its few rows are at hand.
            rows = min(FIRST_ROWS, self.bounds.page)
            return self.look(lambda connection: read_page(connection, run_id, 0, rows, held))
        rows = self.bounds.page
        return await self.read(lambda connection: read_page(connection, run_id, after, rows, held))

    # ── the end ─────────────────────────────────────────────────────────────────────────────

    async def close(self) -> None:
        """Everything accepted is written first. Whoever still follows gets LogUnavailable."""
        if self._closing:
            return
        self._closing = True
        self.spooling.settle_all()
        await self._close_writer()
        self.spooling.close()
        self._readable = False
        self.live.feeds.forget_all()
        await self._close_readers()
        os.close(self._lock_file)

    async def _close_writer(self) -> None:
        self._writable = False
        if self._finished is None:
            self._writing.close()
        else:
            self._writer.put(None)
            await self._finished
            self._writer.join()

    async def _close_readers(self) -> None:
        self._looking.close()
        loop = asyncio.get_running_loop()
        for _ in range(READERS):
            await loop.run_in_executor(self._readers, self._close_reader)
        self._readers.shutdown()
        await loop.run_in_executor(self._searcher, self._searching.close)
        self._searcher.shutdown()

    def _close_reader(self) -> None:
        self._idle.get().close()


def _closed() -> LogUnavailable:
    return LogUnavailable("The log is closed.")


def _deliver(feed: Feed, run_id: str, at: float, changes: list[Change]) -> None:
    """In batches that are small enough to be held by every reader that takes nothing."""
    entries: list[Entry] = []
    size = 0
    for change in changes:
        if change.error is None:
            seq = change.first
            size += change.size
            for event in change.events:
                entries.append(Entry(run_id, seq, at, event))
                seq += 1
        if size >= BATCH_BYTES and entries:
            feed.deliver(Batch(tuple(entries)), size)
            entries, size = [], 0
    if entries:
        feed.deliver(Batch(tuple(entries)), size)
