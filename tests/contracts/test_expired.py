"""What every store promises about runs whose time is over."""

from tests.contracts.stores import Store, begin, end


async def over(store: Store, before: float, *, stored: bool) -> list[str]:
    return [run.id for run in await store.expired.over(before, stored=stored)]


async def test_runs_that_ended_long_ago_are_over_oldest_first(store: Store) -> None:
    for run_id in ("a", "b", "c"):
        await begin(store, run_id, tenant=f"tenant of {run_id}")
    await end(store, "b")
    await end(store, "a")
    store.clock.advance(10)
    await end(store, "c")
    now = store.clock.now()
    assert await over(store, now - 5, stored=True) == ["a", "b"]
    assert await over(store, now + 1, stored=True) == ["a", "b", "c"]
    assert await over(store, now + 1, stored=False) == []


async def test_a_run_under_way_is_never_over(store: Store) -> None:
    await begin(store, "a")
    store.clock.advance(1e6)
    assert await over(store, store.clock.now(), stored=True) == []


async def test_what_was_not_to_be_stored_is_told_apart(store: Store) -> None:
    await begin(store, "kept")
    await begin(store, "passing", stored=False)
    await end(store, "kept")
    await end(store, "passing")
    await store.reopen()
    later = store.clock.now() + 1
    assert await over(store, later, stored=False) == ["passing"]
    assert await over(store, later, stored=True) == ["kept"]
    await store.runs.delete("passing")
    assert await over(store, later, stored=False) == []
