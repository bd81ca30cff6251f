"""The thread that owns the only writing connection: gathers, commits, hands over, checkpoints.

A disk that cannot be written for a while holds up what runs under way have to write: the group is
kept and tried again, and nothing behind it overtakes it. Everything else is refused at once.
"""

import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, SimpleQueue
from sqlite3 import Connection

from angelia.adapters.sqlite.changes import Change
from angelia.adapters.sqlite.faults import meaning
from angelia.adapters.sqlite.recorder import Recorder
from angelia.adapters.sqlite.window import Window
from angelia.errors import LogDamaged, LogPaused, LogUnavailable
from angelia.ports import Clock

GROUP_CHANGES = 8_000
GROUP_BYTES = 1024 * 1024

# A checkpoint holds up the next commit, so it waits for a pause unless the log is far too long.
EASY_PAGES = 1_000
FORCED_PAGES = 32_000
PAGE_BYTES = 4096
DELTA_PAGES = 4
FACT_PAGES = 16

# Between two attempts to write to a disk that is full.
FIRST_PAUSE = 0.05
LONGEST_PAUSE = 2.0

logger = logging.getLogger(__name__)


class Group:
    """What one transaction commits, by run; within a run in the order of the calls."""

    __slots__ = ("at", "changes", "count", "durable", "failure", "offers", "size")

    def __init__(self) -> None:
        self.at = 0.0
        self.changes: dict[str, list[Change]] = {}
        self.count = 0
        self.durable = False
        self.offers = 0
        self.size = 0
        self.failure: LogUnavailable | None = None

    @property
    def full(self) -> bool:
        return self.count >= GROUP_CHANGES or self.size >= GROUP_BYTES

    def add(self, change: Change) -> None:
        changes = self.changes.get(change.run_id)
        if changes is None:
            self.changes[change.run_id] = [change]
        else:
            changes.append(change)
        self.count += 1
        self.size += change.size + change.carried
        if change.awaited:
            self.durable = True
        else:
            self.offers += 1

    def __iter__(self) -> Iterator[Change]:
        for changes in self.changes.values():
            yield from changes

    def refuse(self, failure: LogUnavailable) -> None:
        for change in self:
            change.error = again(failure)

    def split(self) -> tuple["Group", "Group"]:
        """Those that wait for better times, and those that do not."""
        patient, others = Group(), Group()
        for change in self:
            (patient if change.patient else others).add(change)
        return patient, others


def again(failure: LogUnavailable) -> LogUnavailable:
    """One exception cannot be raised in two places."""
    return type(failure)(*failure.args)


HandOver = Callable[[Group | None], None]
# Told why nothing can be written, and None when it can again.
OnTrouble = Callable[[LogUnavailable | None], None]


class Writer:
    def __init__(self, connection: Connection, clock: Clock, path: Path) -> None:
        self.groups = 0
        self._path = path
        self._connection = connection
        self._clock = clock
        self._queue: SimpleQueue[Change | None] = SimpleQueue()
        self.put: Callable[[Change | None], None] = self._queue.put
        self._recorder = Recorder(connection)
        self._window = Window()
        self._generation = 0
        self._synchronous = ""
        self._unmoved_pages = 0
        self._stopping = False
        self._thread: threading.Thread | None = None

    def start(self, hand_over: HandOver, on_trouble: OnTrouble) -> None:
        """Both are called in the thread: `hand_over` for each group, and with None at the end."""
        self._hand_over = hand_over
        self._on_trouble = on_trouble
        self._thread = threading.Thread(target=self._work, name="angelia-log", daemon=True)
        self._thread.start()

    def join(self) -> None:
        if self._thread is not None:
            self._thread.join()

    def _work(self) -> None:
        try:
            crowded = False
            while not self._stopping:
                group = self._gather(hurry=crowded)
                crowded = group.full
                if group.changes:
                    self._commit(group)
                    self._checkpoint_at_leisure()
        finally:
            self._checkpoint("truncate")
            self._connection.close()
            self._hand_over(None)

    def _gather(self, *, hurry: bool) -> Group:
        """At least one change, and all that came while the last commit ran."""
        group = Group()
        # Before the first change is taken: every time this thread wakes up, it waits for its turn.
        if not hurry and (pause := self._window.seconds):
            time.sleep(pause)
        change = self._queue.get()
        try:
            while change is not None:
                group.add(change)
                if group.full:
                    return group
                change = self._queue.get_nowait()
        except Empty:
            return group
        self._stopping = True
        return group

    def _commit(self, group: Group) -> None:
        group.failure = LogUnavailable("The log's writer has stopped; start Angelia again.")
        failure = None
        try:
            failure = self._attempt(group)
            if isinstance(failure, LogPaused):
                group, failure = self._hold(group, failure)
            group.failure = failure
        finally:
            if failure is not None:
                self._give_up(group, failure)
            self._hand_over(group)
        self._window.observe(group.offers, time.monotonic())

    def _attempt(self, group: Group) -> LogUnavailable | None:
        """Why the group could not be written; then it is as if nobody had tried."""
        try:
            self._transact(group) if group.changes else self._probe()
        except sqlite3.Error as error:
            self._recorder.abandon()
            return meaning(error, self._path, "write to the database")
        return None

    def _give_up(self, group: Group, failure: LogUnavailable) -> None:
        logger.error("could not write %d runs to the log: %s", len(group.changes), failure)
        self._generation += 1
        if isinstance(failure, LogDamaged):
            self._on_trouble(failure)

    # ── a disk that cannot be written for a while ───────────────────────────────────────────

    def _hold(self, group: Group, failure: LogUnavailable) -> tuple[Group, LogUnavailable | None]:
        """Waits until the group is written, or whoever closes the log does not want to wait."""
        logger.error("the log is paused: %s", failure)
        self._on_trouble(failure)
        group = self._turn_away(group, failure)
        pause, left = FIRST_PAUSE, failure
        while isinstance(left, LogPaused) and not self._stopping:
            group = self._turn_away(self._listen(group, pause), left)
            pause = min(2 * pause, LONGEST_PAUSE)
            left = self._attempt(group)
        if left is None:
            logger.warning("the log can be written again")
        if not isinstance(left, LogPaused):
            self._on_trouble(None)
        return group, left

    def _turn_away(self, group: Group, failure: LogUnavailable) -> Group:
        """The part of the group that waits, as if nobody had tried; the others are told."""
        patient, others = group.split()
        if others.changes:
            others.refuse(failure)
            self._hand_over(others)
        for change in patient:
            change.error = None
        return patient

    def _listen(self, group: Group, seconds: float) -> Group:
        """The group with what comes in the meantime; who does not want to wait ends the pause."""
        until = time.monotonic() + seconds
        try:
            while (left := until - time.monotonic()) > 0:
                change = self._queue.get(timeout=left)
                if change is None:
                    self._stopping = True
                    self._connection.execute("pragma busy_timeout = 0")
                    return group
                group.add(change)
                if not change.patient:
                    return group
        except Empty:
            pass
        return group

    def _probe(self) -> None:
        """A transaction that changes nothing, and is written all the same."""
        self._synchronize("full")
        (version,) = self._connection.execute("pragma user_version").fetchone()
        self._connection.execute(f"pragma user_version = {version}")

    def _transact(self, group: Group) -> None:
        self._synchronize("full" if group.durable else "normal")
        group.at = self._clock.now()
        self._recorder.open(group.at)
        for change in group:
            if change.generation == self._generation:
                change.apply(self._recorder)
            else:
                change.error = LogUnavailable("Could not write to the log.")
        self._recorder.commit()
        self.groups += 1
        # About: a page of events, of their index and of the records for each run, and what is
        # changed once for all of them: sessions, search and usage only where there are facts.
        once = FACT_PAGES if group.durable else DELTA_PAGES
        self._unmoved_pages += once + 3 * len(group.changes) + group.size // PAGE_BYTES

    def _synchronize(self, mode: str) -> None:
        if mode != self._synchronous:
            self._connection.execute(f"pragma synchronous = {mode}")
            self._synchronous = mode

    def _checkpoint_at_leisure(self) -> None:
        pages = self._unmoved_pages
        if pages > FORCED_PAGES or (pages > EASY_PAGES and self._queue.empty()):
            self._unmoved_pages = self._checkpoint("passive")

    def _checkpoint(self, mode: str) -> int:
        """How many pages it had to leave in the log."""
        try:
            row = self._connection.execute(f"pragma wal_checkpoint({mode})").fetchone()
        except sqlite3.Error as error:
            logger.error("could not checkpoint the log: %s", error)
            return 0
        _busy, pages, moved = row
        return pages - moved

    def leftovers(self) -> Group:
        """What nobody will commit any more, for whoever learns that the thread has ended."""
        group = Group()
        group.failure = LogUnavailable("The log is closed.")
        while not self._queue.empty():
            if change := self._queue.get():
                group.add(change)
        return group
