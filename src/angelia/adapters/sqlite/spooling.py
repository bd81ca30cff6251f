"""The short way of deltas: on disk and delivered in the same turn of the loop, stored later.

Above: Database. Below: the spool. What is written here goes into the database together with the
run's next fact, or once there is enough of it. A run that has a change under way in the writer
takes the long way instead, so that the order of calls stays the order of the log.
"""

import logging
from asyncio import AbstractEventLoop, get_running_loop
from collections.abc import Callable, Sequence
from typing import NamedTuple

from angelia.adapters.sqlite.changes import Change, Offer, Settle
from angelia.adapters.sqlite.lines import Line, Live
from angelia.adapters.sqlite.recorder import ROW_BYTES
from angelia.adapters.sqlite.spool import Spool, Spooled
from angelia.core.events import AnyEvent, Entry
from angelia.ports import Batch, Clock

logger = logging.getLogger(__name__)


class _Gathered(NamedTuple):
    line: Line
    events: list[AnyEvent]
    bodies: list[bytes]


class Spooling:
    def __init__(
        self, spool: Spool, live: Live, clock: Clock, submit: Callable[[Change], None]
    ) -> None:
        self._spool = spool
        self._live = live
        self._clock = clock
        self._submit = submit
        self._gathered: dict[str, _Gathered] = {}
        self._loop: AbstractEventLoop | None = None
        # What must be in the database before the file that rests can be emptied: lines and seqs.
        self._resting: int | None = None
        self._awaited: dict[Line, int] = {}

    def add(self, line: Line, events: Sequence[AnyEvent], body: bytes) -> None:
        """All that comes before the loop's next turn is written at once."""
        gathered = self._gathered
        known = gathered.get(line.run_id)
        if known is not None:
            known.events.extend(events)
            known.bodies.append(body)
            return
        if not gathered:
            loop = self._loop or get_running_loop()
            self._loop = loop
            loop.call_soon(self.flush)
        gathered[line.run_id] = _Gathered(line, list(events), [body])

    def flush(self) -> None:
        if not self._gathered:
            return
        gathered, self._gathered = self._gathered, {}
        at = self._clock.now()
        rows = [
            Spooled(run_id, line.last + 1, line.last + len(events), at, b"".join(bodies))
            for run_id, (line, events, bodies) in gathered.items()
        ]
        try:
            self._spool.write(rows)
        except OSError as error:
            logger.warning("could not write beside the database: %s", error)
            for line, events, bodies in gathered.values():
                self.pass_by(line, events, b"".join(bodies))
            return
        for row, (line, events, _) in zip(rows, gathered.values(), strict=True):
            self._deliver(line, row, events)
        if self._spool.full:
            self._turn()

    def _deliver(self, line: Line, row: Spooled, events: list[AnyEvent]) -> None:
        line.spool(row.row)
        if feed := self._live.feeds.get(row.run_id):
            entries = tuple(
                Entry(row.run_id, seq, row.at, event) for seq, event in enumerate(events, row.first)
            )
            feed.deliver(Batch(entries), len(row.body))
        if line.unsent_bytes >= ROW_BYTES:
            self.settle(line)

    def settle(self, line: Line) -> None:
        """Into the database with all of the line that is not on its way there."""
        if rows := line.send():
            size = sum(len(row[3]) for row in rows)
            self._submit(Settle(line.run_id, line, rows, size))

    def pass_by(self, line: Line, events: Sequence[AnyEvent], body: bytes) -> None:
        """The long way, behind all that has come before."""
        self.flush()
        self.settle(line)
        self._submit(Offer(line.run_id, tuple(events), body, len(body), line))
        line.flying += 1

    # ── the files take turns ────────────────────────────────────────────────────────────────

    def _turn(self) -> None:
        if self._resting is not None or (resting := self._spool.turn()) is None:
            return
        self._resting = resting
        self._awaited = {line: line.last for line in self._live.lines.values() if line.unsettled}
        for line in self._awaited:
            self.settle(line)
        self.tidy()

    def tidy(self) -> None:
        """Empties the file that rests, once nothing of it is missing in the database."""
        if self._resting is None:
            return
        self._awaited = {
            line: last
            for line, last in self._awaited.items()
            if line.unsettled and line.unsettled[0][0] <= last
        }
        if not self._awaited:
            self._spool.empty(self._resting)
            self._resting = None

    # ── the end ─────────────────────────────────────────────────────────────────────────────

    def settle_all(self) -> None:
        self.flush()
        for line in self._live.lines.values():
            self.settle(line)

    def close(self) -> None:
        self._spool.close(empty=not any(line.unsettled for line in self._live.lines.values()))
