"""What every record of usage promises."""

import pytest

from angelia.core.events import StopRequested
from angelia.core.latency import bucket_of
from angelia.core.messages import Usage
from angelia.errors import Fenced
from angelia.ports import Bill, LatencyRow, Mark, Took, UsageFilter, UsageRow
from tests.contracts.stores import ENDED, STARTED, Store, begin, end, record

pytestmark = pytest.mark.parametrize("store", ["memory", "sqlite"], indirect=True)

DAY = 86_400
# The clock of a store begins at a million seconds.
TODAY = 11
ALL_DAYS = UsageFilter(0, 1000)


async def call(
    store: Store, run_id: str = "run", model: str = "big", *, cost: float = 0.5, tokens: int = 10
) -> None:
    bill = Bill(model, Usage(tokens, 2, 3, 4, 1), cost)
    await store.log.append(run_id, 1, [StopRequested()], Mark("running", bill=bill))


async def test_model_calls_add_up_by_the_providers_model(store: Store) -> None:
    await begin(store)
    await call(store)
    await call(store, tokens=100)
    await call(store, model="small", cost=0.25)
    await store.reopen()
    assert list(await store.usage.find(ALL_DAYS)) == [
        UsageRow(TODAY, "tenant", "big", 0, 0, 2, Usage(110, 4, 6, 8, 2), 1.0),
        UsageRow(TODAY, "tenant", "small", 0, 0, 1, Usage(10, 2, 3, 4, 1), 0.25),
    ]


async def test_runs_are_counted_when_they_end_under_the_name_they_were_asked_for(
    store: Store,
) -> None:
    for name in ("good", "bad", "stopped", "open"):
        await begin(store, name, model="agent")
    assert list(await store.usage.find(ALL_DAYS)) == []
    await end(store, "good")
    await store.log.append("bad", 1, [ENDED], Mark("failed"))
    await store.log.append("stopped", 1, [ENDED], Mark("cancelled"))
    assert list(await store.usage.find(ALL_DAYS)) == [UsageRow(TODAY, "tenant", "agent", 3, 1)]


async def test_the_last_call_of_a_run_and_its_end_come_together(store: Store) -> None:
    await begin(store, model="agent")
    bill = Bill("agent", Usage(1, 1), 0.5)
    await store.log.append("run", 1, [ENDED], Mark("failed", bill=bill))
    expected = UsageRow(TODAY, "tenant", "agent", 1, 1, 1, Usage(1, 1), 0.5)
    assert list(await store.usage.find(ALL_DAYS)) == [expected]


async def test_a_run_that_is_created_whole_was_no_work(store: Store) -> None:
    await store.log.create(record("run", status="completed"), [STARTED, ENDED])
    assert list(await store.usage.find(ALL_DAYS)) == []


async def test_a_day_begins_at_midnight_in_utc(store: Store) -> None:
    await begin(store)
    store.clock.advance(12 * DAY - store.clock.now() - 0.5)
    await call(store)
    store.clock.advance(0.5)
    await call(store)
    rows = await store.usage.find(ALL_DAYS)
    assert [(row.day, row.calls) for row in rows] == [(11, 1), (12, 1)]


async def test_rows_come_by_day_tenant_and_model(store: Store) -> None:
    for tenant in ("b", "a"):
        await begin(store, tenant, tenant=tenant)
    for _ in range(3):
        for run_id in ("b", "a"):
            for model in ("y", "x"):
                await call(store, run_id, model)
        store.clock.advance(DAY)
    rows = await store.usage.find(ALL_DAYS)
    found = [(row.day, row.tenant, row.model) for row in rows]
    assert found == [(d, t, m) for d in (11, 12, 13) for t in "ab" for m in "xy"]
    middle = await store.usage.find(UsageFilter(12, 12, "b"))
    assert [(row.day, row.tenant, row.model) for row in middle] == [(12, "b", "x"), (12, "b", "y")]
    assert len(await store.usage.find(UsageFilter(12, 13))) == 8


async def test_the_cost_of_a_tenant_is_summed_from_a_day_on(store: Store) -> None:
    await begin(store)
    await begin(store, "theirs", tenant="other")
    assert await store.usage.cost("tenant", TODAY) == 0.0
    for cost in (1.0, 2.0, 4.0):
        await call(store, cost=cost)
        await call(store, "theirs", cost=100.0)
        store.clock.advance(DAY)
    assert await store.usage.cost("tenant", 0) == 7.0
    assert await store.usage.cost("tenant", 12) == 6.0
    assert await store.usage.cost("tenant", 14) == 0.0


async def test_no_tenant_sees_what_another_used(store: Store) -> None:
    await begin(store)
    await call(store)
    assert list(await store.usage.find(UsageFilter(0, 1000, "other"))) == []
    assert await store.usage.cost("other", 0) == 0.0


@pytest.mark.parametrize("fields", [{"stored": False}, {"session_id": ""}])
async def test_what_nobody_can_find_was_used_all_the_same(
    store: Store, fields: dict[str, object]
) -> None:
    await begin(store, **fields)  # pyright: ignore
    await call(store, model="angelia")
    await end(store)
    (row,) = await store.usage.find(ALL_DAYS)
    assert (row.runs, row.calls, row.cost) == (1, 1, 0.5)


async def test_usage_outlives_its_run(store: Store) -> None:
    await begin(store)
    await call(store)
    await end(store)
    before = await store.usage.find(ALL_DAYS)
    await store.sessions.delete("tenant", "session")
    assert await store.usage.find(ALL_DAYS) == before


async def test_an_append_that_is_refused_costs_nothing(store: Store) -> None:
    await begin(store)
    await store.runs.take("run")
    with pytest.raises(Fenced):
        await call(store)
    assert list(await store.usage.find(ALL_DAYS)) == []


async def timed(store: Store, run_id: str, seconds: float, first: float | None = None) -> None:
    bill = Bill("big", Usage(1, 1), 0.0, Took(seconds, first))
    await store.log.append(run_id, 1, [StopRequested()], Mark("running", bill=bill))


async def test_times_are_counted_by_kind_and_bucket(store: Store) -> None:
    await begin(store, model="agent")
    await timed(store, "run", 3.0, 0.1)
    await timed(store, "run", 3.001, None)
    await call(store)
    await store.log.append("run", 1, [ENDED], Mark("completed", worked=60.0))
    await store.reopen()
    three, tenth, minute = map(bucket_of, (3.0, 0.1, 60.0))
    assert list(await store.usage.latencies(ALL_DAYS)) == [
        LatencyRow(TODAY, "tenant", "agent", "run", minute, 1),
        LatencyRow(TODAY, "tenant", "big", "call", three, 2),
        LatencyRow(TODAY, "tenant", "big", "first", tenth, 1),
    ]


async def test_times_of_a_tenant_and_of_days_are_found_alone(store: Store) -> None:
    for tenant in ("a", "b"):
        await begin(store, tenant, tenant=tenant)
    for _ in range(2):
        for run_id in ("a", "b"):
            await timed(store, run_id, 1.0)
        store.clock.advance(DAY)
    (only,) = await store.usage.latencies(UsageFilter(12, 12, "b"))
    assert (only.day, only.tenant, only.count) == (12, "b", 1)
    assert len(await store.usage.latencies(UsageFilter(11, 11))) == 2
    assert len(await store.usage.latencies(ALL_DAYS)) == 4


async def test_what_nobody_timed_has_no_times(store: Store) -> None:
    await begin(store)
    await call(store)
    await end(store)
    assert list(await store.usage.latencies(ALL_DAYS)) == []


async def test_times_outlive_their_run(store: Store) -> None:
    await begin(store)
    await timed(store, "run", 1.0)
    await end(store)
    before = await store.usage.latencies(ALL_DAYS)
    await store.sessions.delete("tenant", "session")
    assert list(await store.usage.latencies(ALL_DAYS)) == list(before) != []
