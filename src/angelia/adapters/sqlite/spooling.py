"""The short way of deltas: on disk and delivered in the same turn of the loop, stored later.

Above: Database. Below: the spool. What is written here goes into the database together with the
run's next fact, or once there is enough of it. A run that has a change under way in the writer
takes the long way instead, so that the order of calls stays the order of the log; so do all runs
for a while where the disk takes its time, since the loop cannot wait for it.
"""

import logging
from asyncio import AbstractEventLoop, get_running_loop
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence

from angelia.adapters.sqlite.changes import Change, Offer, Settle
from angelia.adapters.sqlite.lines import Line, Live
from angelia.adapters.sqlite.recorder import ROW_BYTES
from angelia.adapters.sqlite.spool import Spool, Spooled
from angelia.core.events import AnyEvent, Entry
from angelia.errors import LogUnavailable
from angelia.ports import Batch, Clock

# The writer's thread holds the interpreter for about half a millisecond to bring in so many.
PORTION_ROWS = 400

# The part of the loop's time that may go into writing, and how much of it at once. A disk that
# takes more than the system's memory does is left to the writer until that is made up for.
SHARE = 0.05
SECONDS_AT_ONCE = 0.02

logger = logging.getLogger(__name__)


class _Gathered:
    __slots__ = ("bodies", "events", "line", "size")

    def __init__(self, line: Line) -> None:
        self.line = line
        self.events: list[AnyEvent] = []
        self.bodies: list[bytes] = []
        self.size = 0

    def add(self, events: Sequence[AnyEvent], body: bytes) -> None:
        self.events.extend(events)
        self.bodies.append(body)
        self.size += len(body)

    def row(self, at: float) -> Spooled:
        line, last = self.line, self.line.last
        first, end = last + 1, last + len(self.events)
        return Spooled(line.run_id, line.epoch, first, end, at, b"".join(self.bodies))


class Spooling:
    def __init__(
        self, spool: Spool, live: Live, clock: Clock, submit: Callable[[Change], None]
    ) -> None:
        """`submit` raises LogUnavailable when nothing will be written any more."""
        self._spool = spool
        self._live = live
        self._clock = clock
        self._submit = submit
        self._gathered: dict[str, _Gathered] = {}
        self._loop: AbstractEventLoop | None = None
        self._failing = False
        # Whether the disk has taken what it was given at once, of late.
        self.brisk = True
        self._spent = self._spent_at = 0.0
        # Lines that have something for the database, in the order in which they are served.
        self._due: OrderedDict[Line, None] = OrderedDict()
        # What must be in the database before the file that rests can be emptied: lines and seqs.
        self._resting: int | None = None
        self._awaited: deque[tuple[Line, int]] = deque()

    def add(self, line: Line, events: Sequence[AnyEvent], body: bytes) -> None:
        """All that comes before the loop's next turn is written at once, but no row too large."""
        gathered = self._gathered.get(line.run_id)
        if gathered is None:
            if not self._gathered:
                loop = self._loop or get_running_loop()
                self._loop = loop
                loop.call_soon(self.flush)
            gathered = self._gathered[line.run_id] = _Gathered(line)
        gathered.add(events, body)
        if gathered.size >= ROW_BYTES:
            self.flush()

    def flush(self) -> None:
        if not self._gathered:
            return
        gathered, self._gathered = self._gathered, {}
        at, begun = self._clock.now(), self._clock.monotonic()
        rows = [each.row(at) for each in gathered.values()]
        try:
            self._spool.write(rows)
        except OSError as error:
            self._fail(error)
            for row, each in zip(rows, gathered.values(), strict=True):
                self._hand_on(each.line, each.events, row.body)
            return
        self._failing = False
        self._spend(begun, self._clock.monotonic())
        for row, each in zip(rows, gathered.values(), strict=True):
            self._deliver(each.line, row, each.events)
        if self._spool.full:
            self._turn()
        elif self._due:
            self.go_on()

    def _spend(self, begun: float, ended: float) -> None:
        left = max(0.0, self._spent - SHARE * (begun - self._spent_at))
        self._spent, self._spent_at = left + ended - begun, ended
        if self._spent > SECONDS_AT_ONCE and self.brisk:
            self.brisk = False
            get_running_loop().call_later(self._spent / SHARE, self._wake)

    def _wake(self) -> None:
        self.brisk = True

    def _fail(self, error: OSError) -> None:
        if not self._failing:
            logger.warning("could not write beside the database: %s", error)
        self._failing = True

    def _hand_on(self, line: Line, events: Sequence[AnyEvent], body: bytes) -> None:
        """Nobody waits here, so whoever writes next is told what is lost."""
        try:
            self.pass_by(line, events, body)
        except LogUnavailable as failure:
            line.lose(failure)
            line.written(len(body))

    def _deliver(self, line: Line, row: Spooled, events: list[AnyEvent]) -> None:
        line.spool(row.row)
        if feed := self._live.feeds.get(row.run_id):
            entries = tuple(
                Entry(row.run_id, seq, row.at, event) for seq, event in enumerate(events, row.first)
            )
            feed.deliver(Batch(entries), len(row.body))
        if line.unsent_bytes >= ROW_BYTES:
            self._due[line] = None

    def pass_by(self, line: Line, events: Sequence[AnyEvent], body: bytes) -> None:
        """The long way, behind all that has come before."""
        self.flush()
        self._settle(line)
        self._submit(Offer(line.run_id, tuple(events), body, len(body), line))

    # ── into the database ───────────────────────────────────────────────────────────────────

    def _settle(self, line: Line) -> int:
        """How many rows are on their way now, that were not before."""
        rows = line.send()
        if not rows:
            return 0
        try:
            self._submit(Settle(line.run_id, line, rows))
        except LogUnavailable as failure:
            line.resend(failure)
            return 0
        self._live.settling += 1
        return len(rows)

    def go_on(self) -> None:
        """A portion at a time, the next one when the last has come back."""
        awaited = self._awaited
        while awaited and awaited[0][0].settled(awaited[0][1]):
            awaited.popleft()
        if self._resting is not None and not awaited:
            self._empty(self._resting)
        if self._due and not self._live.settling:
            rows = 0
            while self._due and rows < PORTION_ROWS:
                rows += self._settle(self._due.popitem(last=False)[0])

    # ── the files take turns ────────────────────────────────────────────────────────────────

    def _turn(self) -> None:
        if self._resting is None and (resting := self._spool.turn()) is not None:
            self._resting = resting
            self._awaited.extend(
                (line, line.last) for line in self._live.lines.values() if line.unsettled
            )
        # Those that have failed are asked for again, as long as there is too much in the files.
        self._due.update((line, None) for line, _ in self._awaited)
        self.go_on()

    def _empty(self, resting: int) -> None:
        try:
            self._spool.empty(resting)
        except OSError as error:
            self._fail(error)
        else:
            self._resting = None

    # ── the end ─────────────────────────────────────────────────────────────────────────────

    def settle_all(self) -> None:
        self.flush()
        for line in self._live.lines.values():
            self._settle(line)

    def close(self) -> None:
        """What is not in the database is left in the files, for whoever opens it next."""
        self._spool.close(empty=not any(line.unsettled for line in self._live.lines.values()))
