import asyncio

import pytest

from angelia.adapters.sqlite.changes import Append, Offer, Statement
from angelia.adapters.sqlite.lines import Line
from angelia.adapters.sqlite.writer import GROUP_BYTES, GROUP_CHANGES, Group
from angelia.core.events import StopRequested
from angelia.errors import LogUnavailable
from tests.contracts.stores import SqliteStore, begin, text


def offer(size: int = 10, run_id: str = "run") -> Offer:
    return Offer(run_id, (text("a"),), b"x" * size, size, Line(run_id, 1))


async def test_a_group_is_synced_when_somebody_waits_for_it() -> None:
    group = Group()
    group.add(offer())
    assert not group.durable
    future = asyncio.get_running_loop().create_future()
    group.add(Append("run", 1, (StopRequested(),), None, None, future))
    assert group.durable
    assert (group.count, group.offers) == (2, 1)


def test_a_group_keeps_the_order_of_each_run() -> None:
    changes = [offer(run_id=run_id) for run_id in "abacab"]
    group = Group()
    for change in changes:
        group.add(change)
    assert group.changes["a"] == [changes[0], changes[2], changes[4]]
    assert group.changes["b"] == [changes[1], changes[5]]


@pytest.mark.parametrize(("size", "count"), [(GROUP_BYTES // 4, 4), (1, GROUP_CHANGES)])
def test_a_group_is_full_at_some_point(size: int, count: int) -> None:
    group = Group()
    for _ in range(count - 1):
        group.add(offer(size))
    assert not group.full
    group.add(offer(size))
    assert group.full


async def test_more_than_a_group_is_written_in_order(store: SqliteStore) -> None:
    await begin(store)
    for number in range(GROUP_CHANGES + 500):
        await store.log.offer("run", 1, [text(str(number))])
    assert await store.log.append("run", 1, [StopRequested()]) == GROUP_CHANGES + 502
    batch = await store.log.read("run", after=1)
    assert batch is not None
    assert [e.event for e in batch.entries[:-1]] == [
        text(str(number)) for number in range(GROUP_CHANGES + 500)
    ]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
async def test_a_writer_that_dies_leaves_nobody_waiting(store: SqliteStore) -> None:
    await begin(store)
    future = store.database.future()
    store.database.submit(Statement(lambda _: 1 / 0, future))
    waiting = [
        asyncio.ensure_future(store.log.append("run", 1, [StopRequested()])) for _ in range(20)
    ]
    answers = await asyncio.gather(future, *waiting, return_exceptions=True)
    assert {type(answer) for answer in answers} == {LogUnavailable}
    with pytest.raises(LogUnavailable):
        await store.log.append("run", 1, [StopRequested()])
    run = await store.runs.get("run")
    assert run is not None
    assert run.last_seq == 1
