import asyncio
from collections.abc import Sequence

import pytest

from angelia.adapters.follow import Bounds, Feed, Feeds, Page
from angelia.core.events import Completed, Entry, RunEnded, TextDelta
from angelia.errors import NotFound
from angelia.ports import Batch


def batch(*seqs: int) -> Batch:
    return Batch(tuple(Entry("run", seq, 0.0, TextDelta(str(seq))) for seq in seqs))


def ending(seq: int) -> Batch:
    return Batch((Entry("run", seq, 0.0, RunEnded(Completed())),))


class Shelf:
    """A store whose answers can be held back."""

    def __init__(self, *seqs: int) -> None:
        self.entries: list[Entry] = list(batch(*seqs).entries)
        self.held: asyncio.Event | None = None
        self.asked: list[int] = []
        self.whole = False

    async def page(self, run_id: str, after: int) -> Page | None:
        self.asked.append(after)
        entries = tuple(self.entries[after:])
        if self.held is not None:
            await self.held.wait()
        return Page(entries, ended=False, whole=self.whole) if run_id == "run" else None


async def seqs(feeds: Feeds, after: int = 0) -> list[int]:
    return [e.seq async for found in feeds.follow("run", after) for e in found.entries]


async def asleep(feeds: Feeds, readers: int = 1) -> Feed:
    """The feed, once so many readers wait for it."""
    while True:
        await asyncio.sleep(0)
        feed = feeds.get("run")
        if feed is not None and len(feed.waiters) == readers:
            return feed


def behind_a_reader(bounds: Bounds, batches: Sequence[Batch], size: int = 1) -> Feed:
    """A feed with somebody who has read nothing yet."""
    feed = Feed(bounds)
    feed.readers = 1
    for one in batches:
        feed.deliver(one, size)
    return feed


def test_a_reader_finds_the_batch_behind_its_cursor() -> None:
    one, two, three = batch(4, 5), batch(6), batch(7, 8, 9)
    feed = behind_a_reader(Bounds(), [one, two, three])
    assert feed.behind(3) is one
    assert feed.behind(5) is two
    assert feed.behind(6) is three
    assert feed.behind(9) is None


async def test_a_reader_that_has_all_of_the_store_waits_without_asking_again() -> None:
    shelf = Shelf(1, 2)
    shelf.whole = True
    feeds = Feeds(shelf.page, Bounds())
    reading = asyncio.create_task(seqs(feeds))
    feed = await asleep(feeds)
    assert shelf.asked == [0]
    feed.deliver(ending(3), 1)
    assert await reading == [1, 2, 3]


async def test_what_is_delivered_while_the_store_is_read_is_not_missed() -> None:
    shelf = Shelf(1)
    shelf.whole = True
    shelf.held = asyncio.Event()
    feeds = Feeds(shelf.page, Bounds())
    reading = asyncio.create_task(seqs(feeds))
    while not shelf.asked:
        await asyncio.sleep(0)
    feed = feeds.get("run")
    assert feed is not None
    feed.deliver(batch(2), 1)
    shelf.held.set()
    await asleep(feeds)
    feed.deliver(ending(3), 1)
    assert await reading == [1, 2, 3]


def test_a_cursor_inside_a_batch_gets_the_rest_of_it() -> None:
    feed = behind_a_reader(Bounds(), [batch(4, 5, 6)])
    found = feed.behind(4)
    assert found is not None
    assert [entry.seq for entry in found.entries] == [5, 6]


def test_a_cursor_that_the_ring_does_not_reach_is_sent_to_the_store() -> None:
    feed = behind_a_reader(Bounds(), [batch(4)])
    assert feed.behind(2) is None
    assert not feed.exhausted(2)
    assert feed.exhausted(4)
    assert not Feed(Bounds()).exhausted(0)


def test_the_ring_forgets_the_oldest_batches() -> None:
    many = [batch(seq) for seq in range(1, 11)]
    for bounds in (Bounds(batches=3), Bounds(size=3)):
        feed = behind_a_reader(bounds, many)
        assert feed.behind(6) is None
        assert feed.behind(7) is many[7]


def test_a_batch_larger_than_the_ring_is_left_to_the_store() -> None:
    feed = behind_a_reader(Bounds(size=10), [batch(1)], size=11)
    assert feed.behind(0) is None
    assert not feed.exhausted(0)
    assert feed.exhausted(1)


async def test_readers_that_keep_up_share_one_batch_and_keep_no_other() -> None:
    feeds = Feeds(Shelf().page, Bounds())
    followers = [feeds.follow("run", 0), feeds.follow("run", 0)]
    for one in (batch(1), batch(2)):
        waiting = [asyncio.ensure_future(anext(follower)) for follower in followers]
        feed = await asleep(feeds, 2)
        feed.deliver(one, 1)
        assert all([await future is one for future in waiting])
    feed = feeds.get("run")
    assert feed is not None
    assert feed.behind(0) is None
    assert feed.behind(1) is not None


async def test_what_comes_while_the_store_is_read_is_not_lost() -> None:
    shelf = Shelf()
    shelf.held = asyncio.Event()
    feeds = Feeds(shelf.page, Bounds())
    reading = asyncio.create_task(seqs(feeds))
    while not shelf.asked:
        await asyncio.sleep(0)
    feed = feeds.get("run")
    assert feed is not None
    feed.deliver(batch(1, 2), 1)
    shelf.held.set()
    feed.deliver(ending(3), 1)
    assert await reading == [1, 2, 3]
    assert shelf.asked == [0]


async def test_what_the_store_showed_first_is_not_shown_again() -> None:
    feeds = Feeds(Shelf(1, 2).page, Bounds())
    reading = asyncio.create_task(seqs(feeds))
    feed = await asleep(feeds)
    feed.deliver(batch(1), 1)
    feed.deliver(batch(2, 3), 1)
    feed.deliver(ending(4), 1)
    assert await reading == [1, 2, 3, 4]


async def test_a_run_that_nobody_follows_costs_nothing() -> None:
    feeds = Feeds(Shelf(1).page, Bounds())
    readers = [asyncio.create_task(seqs(feeds)) for _ in range(3)]
    await asleep(feeds, 3)
    assert len(feeds) == 1
    for reader in readers:
        reader.cancel()
    await asyncio.gather(*readers, return_exceptions=True)
    assert len(feeds) == 0


async def test_a_reader_that_leaves_takes_its_waiting_with_it() -> None:
    feeds = Feeds(Shelf(1).page, Bounds())
    staying = asyncio.create_task(seqs(feeds))
    for _ in range(3):
        leaving = asyncio.create_task(seqs(feeds))
        await asleep(feeds, 2)
        leaving.cancel()
        await asyncio.gather(leaving, return_exceptions=True)
    feed = await asleep(feeds, 1)
    assert feed.readers == 1
    feed.deliver(ending(2), 1)
    assert await staying == [1, 2]


async def test_a_reader_that_is_sent_back_asks_the_store_again() -> None:
    shelf = Shelf()
    feeds = Feeds(shelf.page, Bounds())
    reading = asyncio.create_task(seqs(feeds))
    feed = await asleep(feeds)
    shelf.entries += batch(1).entries
    feeds.forget("run")
    feeds.forget("another")
    feed = await asleep(feeds)
    feed.deliver(ending(2), 1)
    assert await reading == [1, 2]


async def test_an_unknown_run_is_not_found_and_leaves_no_feed() -> None:
    feeds = Feeds(Shelf().page, Bounds())
    with pytest.raises(NotFound):
        await anext(feeds.follow("nowhere", 0))
    assert len(feeds) == 0
