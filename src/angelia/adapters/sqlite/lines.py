"""What the loop knows of runs under way: who may write, how much is unwritten, who follows."""

from asyncio import Future, get_running_loop

from angelia.adapters.follow import Feeds
from angelia.adapters.refusals import fenced
from angelia.errors import LogUnavailable

UNWRITTEN_BYTES = 256 * 1024


class Line:
    """The writing end of one run, while it has no end in the log."""

    __slots__ = ("_lost", "_waiters", "ended", "epoch", "run_id", "unwritten")

    def __init__(self, run_id: str, epoch: int) -> None:
        self.run_id = run_id
        self.epoch = epoch
        self.ended = False
        self.unwritten = 0
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
