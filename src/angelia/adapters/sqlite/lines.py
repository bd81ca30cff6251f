"""What the loop knows of runs under way: who may write, how much is unwritten, who follows."""

from asyncio import Future, get_running_loop
from collections import deque
from collections.abc import Callable

from angelia.adapters.follow import Feeds
from angelia.adapters.refusals import fenced
from angelia.adapters.sqlite.rows import StoredRow
from angelia.errors import AngeliaError, LogUnavailable

UNWRITTEN_BYTES = 256 * 1024


def usual() -> int:
    return UNWRITTEN_BYTES


class Line:
    """The writing end of one run, while it has no end in the log.

    `last` is the seq of its last event while nothing of the run is flying. `unsettled` are the rows
    that lie in the spool and, as far as is known here, not in the database; those up to the seq
    `_sent` are on their way there.
    """

    __slots__ = (
        "_lost",
        "_sent",
        "_waiters",
        "ended",
        "epoch",
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

    async def room(self, most: Callable[[], int] = usual) -> None:
        """Returns when little enough is unwritten; raises if some of it cannot be written."""
        while self.unwritten > most():
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
        if not rows:
            return
        last, size = rows[-1][1], 0
        while self.unsettled and self.unsettled[0][1] <= last:
            first, _, _, body = self.unsettled.popleft()
            size += len(body)
            if first > self._sent:
                self.unsent_bytes -= len(body)
        self._sent = max(self._sent, last)
        self.written(size)

    def settled(self, last: int) -> bool:
        """Whether nothing up to that seq is missing in the database."""
        return not self.unsettled or self.unsettled[0][0] > last

    def resend(self, failure: AngeliaError) -> None:
        """What was on its way has not arrived; it is not lost, but whoever waits for it is told."""
        if self.unsettled:
            self._sent = self.unsettled[0][0] - 1
            self.unsent_bytes = sum(len(row[3]) for row in self.unsettled)
            self._tell(failure)

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
        if not self._tell(error):
            self._lost = error

    def _tell(self, error: AngeliaError) -> bool:
        waiting = [waiter for waiter in self._waiters if not waiter.done()]
        self._waiters.clear()
        for waiter in waiting:
            waiter.set_exception(error)
        return bool(waiting)


class Live:
    """Only the loop's thread touches it.

    `flying` counts, by run, the changes with a place in the log that the writer has not answered;
    `settling` those that only bring in what has a place already.
    """

    __slots__ = ("feeds", "flying", "lines", "settling")

    def __init__(self, feeds: Feeds) -> None:
        self.feeds = feeds
        self.lines: dict[str, Line] = {}
        self.flying: dict[str, int] = {}
        self.settling = 0

    def take_off(self, run_id: str) -> None:
        self.flying[run_id] = self.flying.get(run_id, 0) + 1

    def land(self, run_id: str) -> None:
        left = self.flying.pop(run_id) - 1
        if left:
            self.flying[run_id] = left

    def held(self, run_id: str) -> tuple[StoredRow, ...]:
        """What may not be in the database yet, for whoever looks into it after this."""
        line = self.lines.get(run_id)
        return tuple(line.unsettled) if line is not None else ()

    def last(self, run_id: str) -> int:
        """The seq of the last event that is known here."""
        line = self.lines.get(run_id)
        return line.last if line is not None else 0

    def lasts(self) -> dict[str, int]:
        return {run_id: line.last for run_id, line in self.lines.items()}
