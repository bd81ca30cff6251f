"""What the loop knows of runs under way: who may write, how much is unwritten, who follows."""

from asyncio import Future, get_running_loop
from collections import deque

from angelia.adapters.follow import Feeds
from angelia.adapters.refusals import fenced
from angelia.adapters.sqlite.rows import StoredRow
from angelia.errors import LogUnavailable

UNWRITTEN_BYTES = 256 * 1024


class Line:
    """The writing end of one run, while it has no end in the log.

    `last` is the seq of its last event while nothing is `flying`, which counts the changes that the
    writer has not answered. `unsettled` are the rows that lie in the spool and, as far as is known
    here, not in the database; those up to the seq `_sent` are on their way there.
    """

    __slots__ = (
        "_lost",
        "_sent",
        "_waiters",
        "ended",
        "epoch",
        "flying",
        "last",
        "run_id",
        "unsent_bytes",
        "unsettled",
        "unwritten",
    )

    def __init__(self, run_id: str, epoch: int, last: int = 0) -> None:
        self.run_id = run_id
        self.epoch = epoch
        self.last = self._sent = last
        self.ended = False
        self.flying = 0
        self.unwritten = 0
        self.unsettled: deque[StoredRow] = deque()
        self.unsent_bytes = 0
        self._lost: LogUnavailable | None = None
        self._waiters: list[Future[None]] = []

    def admit(self, epoch: int) -> None:
        """Raises what a writer must know before it writes on."""
        if self._lost is not None:
            lost, self._lost = self._lost, None
            raise lost
        if self.ended or epoch != self.epoch:
            raise fenced(self.run_id)

    async def room(self, most: int = UNWRITTEN_BYTES) -> None:
        """Returns when little enough is unwritten; raises if some of it cannot be written."""
        while self.unwritten > most:
            waiter = get_running_loop().create_future()
            self._waiters.append(waiter)
            await waiter

    # ── rows in the spool ───────────────────────────────────────────────────────────────────

    def spool(self, row: StoredRow) -> None:
        self.unsettled.append(row)
        self.last = row[1]
        self.unsent_bytes += len(row[3])

    def send(self) -> tuple[StoredRow, ...]:
        """The rows that are not on their way to the database yet; whoever asks takes them there."""
        if not self.unsent_bytes:
            return ()
        rows = tuple(row for row in self.unsettled if row[0] > self._sent)
        self._sent, self.unsent_bytes = self.last, 0
        return rows

    def settle(self, rows: tuple[StoredRow, ...]) -> None:
        """They have come to the database."""
        for _first, last, _at, body in rows:
            while self.unsettled and self.unsettled[0][1] <= last:
                self.unsettled.popleft()
            self.written(len(body))

    def resend(self) -> None:
        """What was on its way has not arrived."""
        if self.unsettled:
            self._sent = self.unsettled[0][0] - 1
            self.unsent_bytes = sum(len(row[3]) for row in self.unsettled)

    # ── room ────────────────────────────────────────────────────────────────────────────────

    def written(self, size: int) -> None:
        self.unwritten -= size
        if self._waiters and self.unwritten <= UNWRITTEN_BYTES:
            for waiter in self._waiters:
                if not waiter.done():
                    waiter.set_result(None)
            self._waiters.clear()

    def lose(self, error: LogUnavailable) -> None:
        """Deltas that nobody awaits are lost: whoever waits is told, else whoever writes next."""
        told = False
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_exception(error)
                told = True
        self._waiters.clear()
        if not told:
            self._lost = error


class Live:
    """Only the loop's thread touches it."""

    __slots__ = ("feeds", "lines")

    def __init__(self, feeds: Feeds) -> None:
        self.feeds = feeds
        self.lines: dict[str, Line] = {}

    def held(self, run_id: str) -> tuple[StoredRow, ...]:
        """What may not be in the database yet, for whoever looks into it after this."""
        line = self.lines.get(run_id)
        return tuple(line.unsettled) if line is not None else ()

    def last(self, run_id: str) -> int:
        """The seq of the last event that is known here."""
        line = self.lines.get(run_id)
        return line.last if line is not None else 0
