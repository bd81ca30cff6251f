"""What every store of run records promises."""

import pytest

from angelia.core.events import StopRequested
from angelia.errors import NotFound
from angelia.ports import RunFilter
from tests.contracts.stores import STARTED, Store, begin, end, record, text


async def create(store: Store, run_id: str, **fields: str) -> None:
    await store.log.create(record(run_id, **fields), [STARTED])  # pyright: ignore


async def found(store: Store, **wanted: object) -> list[str]:
    return [run.id for run in await store.runs.find(RunFilter("tenant", **wanted))]  # pyright: ignore


async def test_a_record_is_what_was_created(store: Store) -> None:
    await create(store, "run", session_id="s", tenant="t", status="queued")
    await store.reopen()
    run = await store.runs.get("run")
    assert run is not None
    expected = record("run", tenant="t", session_id="s", status="queued")
    assert (run.id, run.tenant, run.session_id, run.status) == ("run", "t", "s", "queued")
    assert (run.model, run.surface, run.created_at) == ("angelia", "runs", expected.created_at)
    assert (run.epoch, run.last_seq) == (1, 1)


async def test_an_unknown_run_has_no_record(store: Store) -> None:
    assert await store.runs.get("nowhere") is None


async def test_a_record_keeps_up_with_the_log(store: Store) -> None:
    await begin(store)
    store.clock.advance(7)
    await store.log.offer("run", 1, [text("a"), text("b")])
    await store.log.append("run", 1, [StopRequested()], "stopping")
    run = await store.runs.get("run")
    assert run is not None
    assert (run.status, run.last_seq, run.updated_at) == ("stopping", 4, store.clock.now())


async def test_events_without_a_status_leave_the_status_alone(store: Store) -> None:
    await begin(store)
    await store.log.append("run", 1, [StopRequested()], "stopping")
    await store.log.append("run", 1, [StopRequested()])
    run = await store.runs.get("run")
    assert run is not None
    assert run.status == "stopping"


async def test_a_status_can_change_without_an_event(store: Store) -> None:
    await begin(store)
    assert await store.log.append("run", 1, [], "stopping") == 1
    run = await store.runs.get("run")
    assert run is not None
    assert run.status == "stopping"


async def test_the_newest_runs_come_first(store: Store) -> None:
    for number in range(5):
        await create(store, f"run{number}")
    assert await found(store) == ["run4", "run3", "run2", "run1", "run0"]
    assert await found(store, limit=2) == ["run4", "run3"]


async def test_pages_join_without_a_gap(store: Store) -> None:
    for number in range(7):
        await create(store, f"run{number}")
    listed: list[str] = []
    while page := await found(store, limit=3, before=listed[-1] if listed else None):
        listed += page
    assert listed == [f"run{number}" for number in reversed(range(7))]


async def test_paging_from_an_unknown_run_is_not_found(store: Store) -> None:
    await create(store, "mine")
    await create(store, "theirs", tenant="other")
    for before in ("nowhere", "theirs"):
        with pytest.raises(NotFound, match=before) as caught:
            await found(store, before=before)
        assert caught.value.param == "before"


async def test_tenants_do_not_see_each_other(store: Store) -> None:
    await create(store, "mine")
    await create(store, "theirs", tenant="other")
    assert await found(store) == ["mine"]


async def test_runs_are_found_by_session_and_status(store: Store) -> None:
    await create(store, "one", session_id="a")
    await create(store, "two", session_id="b")
    await create(store, "three", session_id="a")
    await end(store, "one")
    assert await found(store, session_id="a") == ["three", "one"]
    assert await found(store, status="completed") == ["one"]
    assert await found(store, session_id="a", status="running") == ["three"]
    assert await found(store, session_id="a", before="three") == ["one"]
    assert await found(store, session_id="c") == []


async def test_unfinished_are_those_without_an_end_oldest_first(store: Store) -> None:
    for name in ("one", "two", "three"):
        await create(store, name)
    await end(store, "two")
    await store.reopen()
    assert [run.id for run in await store.runs.unfinished()] == ["one", "three"]


async def test_taking_a_run_raises_its_epoch(store: Store) -> None:
    await begin(store)
    assert await store.runs.take("run") == 2
    await store.reopen()
    assert await store.runs.take("run") == 3
    run = await store.runs.get("run")
    assert run is not None
    assert run.epoch == 3


async def test_an_unknown_run_cannot_be_taken(store: Store) -> None:
    with pytest.raises(NotFound, match="nowhere"):
        await store.runs.take("nowhere")


async def test_a_deleted_run_leaves_nothing(store: Store) -> None:
    await begin(store)
    await create(store, "other")
    await store.log.offer("run", 1, [text("a")])
    await store.runs.delete("run")
    assert await store.runs.get("run") is None
    assert await store.log.read("run") is None
    assert await found(store) == ["other"]
    assert await begin(store) == "run"
    assert await store.log.append("run", 1, [StopRequested()]) == 2


async def test_deleting_an_unknown_run_is_harmless(store: Store) -> None:
    await store.runs.delete("nowhere")
