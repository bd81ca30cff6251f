"""Following a run: a cursor, a ring of the last batches, and the store behind it.

Above: the logs, which deliver what they have committed. Below: whatever reads pages from the store.
A reader is a position, not a queue: however slow it is, it costs the writer nothing.
"""

from asyncio import Future, get_running_loop
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable

from msgspec import Struct

from angelia.adapters.refusals import no_run
from angelia.core.events import Entry, RunEnded
from angelia.ports import Batch


class Bounds(Struct, frozen=True):
    """What a followed run may hold in memory, and how many rows one look at the store fetches."""

    batches: int = 256
    size: int = 128 * 1024
    page: int = 500


class Page(Struct, frozen=True):
    """Entries behind a cursor. `ended` is whether the run has its last entry in the store.

    `whole` is whether the store had nothing behind them.
    """

    entries: tuple[Entry, ...]
    ended: bool
    whole: bool = False


ReadPage = Callable[[str, int], Awaitable[Page | None]]


class Feed:
    """The last batches of one run that somebody follows, without a gap between them."""

    __slots__ = ("_bounds", "_last", "_ring", "_size", "deliveries", "ended", "readers", "waiters")

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._ring: deque[tuple[int, Batch, int]] = deque()
        self._size = 0
        # The seq that the ring ends with; 0 while it holds nothing.
        self._last = 0
        self.waiters: set[Future[None]] = set()
        self.deliveries = 0
        self.readers = 0
        self.ended = False

    def deliver(self, batch: Batch, size: int) -> None:
        ring = self._ring
        if len(self.waiters) == self.readers:
            # Everybody has seen everything, and whoever joins begins with the store.
            ring.clear()
            self._size = 0
        last = batch.entries[-1]
        ring.append((batch.entries[0].seq, batch, size))
        self._last = last.seq
        self._size += size
        # However large it is, the last one is shared: else every reader would read its own.
        while len(ring) > 1 and (
            self._size > self._bounds.size or len(ring) > self._bounds.batches
        ):
            self._size -= ring.popleft()[2]
        self.ended = type(last.event) is RunEnded
        self.wake()

    def wake(self) -> None:
        self.deliveries += 1
        for waiter in self.waiters:
            if not waiter.done():
                waiter.set_result(None)
        self.waiters.clear()

    def forget(self) -> None:
        """Sends every reader back to the store."""
        self._ring.clear()
        self._size = self._last = 0
        self.wake()

    def behind(self, cursor: int) -> Batch | None:
        """The next batch, if the ring holds it."""
        if self._last > cursor:
            for first, batch, _size in reversed(self._ring):
                if first <= cursor + 1:
                    return batch if first == cursor + 1 else batch.after(cursor)
        return None

    def exhausted(self, cursor: int) -> bool:
        """Whether the store is known to have nothing behind `cursor`."""
        return 0 < self._last <= cursor

    def waiter(self) -> Future[None]:
        """Done with the next delivery."""
        waiter = get_running_loop().create_future()
        self.waiters.add(waiter)
        return waiter


class Feeds:
    """The feeds of all runs that have a reader. A run that nobody follows has none."""

    def __init__(self, read_page: ReadPage, bounds: Bounds) -> None:
        self._read_page = read_page
        self._bounds = bounds
        self._feeds: dict[str, Feed] = {}

    def __len__(self) -> int:
        return len(self._feeds)

    def get(self, run_id: str) -> Feed | None:
        return self._feeds.get(run_id)

    def forget(self, run_id: str) -> None:
        if feed := self._feeds.get(run_id):
            feed.forget()

    def forget_all(self) -> None:
        for feed in self._feeds.values():
            feed.forget()

    async def follow(self, run_id: str, after: int) -> AsyncIterator[Batch]:
        feed = self._feeds.setdefault(run_id, Feed(self._bounds))
        feed.readers += 1
        waiter: Future[None] | None = None
        # How many deliveries there were when the store had nothing more.
        whole_at = -1
        try:
            while True:
                batch = feed.behind(after)
                if batch is None and not (feed.exhausted(after) or feed.deliveries == whole_at):
                    deliveries = feed.deliveries
                    page = await self._stored(run_id, after)
                    if page.whole:
                        whole_at = deliveries
                    if page.entries:
                        batch = Batch(page.entries)
                    elif page.ended:
                        return
                    elif feed.deliveries != deliveries:
                        # What was committed after the page was read has come through the ring.
                        continue
                if batch is not None:
                    last = batch.entries[-1]
                    after = last.seq
                    yield batch
                    if type(last.event) is RunEnded:
                        return
                elif feed.ended:
                    return
                else:
                    waiter = feed.waiter()
                    await waiter
        finally:
            self._leave(run_id, feed, waiter)

    async def _stored(self, run_id: str, after: int) -> Page:
        page = await self._read_page(run_id, after)
        if page is None:
            raise no_run(run_id)
        return page

    def _leave(self, run_id: str, feed: Feed, waiter: Future[None] | None) -> None:
        if waiter is not None:
            feed.waiters.discard(waiter)
        feed.readers -= 1
        if not feed.readers:
            del self._feeds[run_id]
