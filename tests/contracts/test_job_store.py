"""What every store of jobs and firings promises."""

from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw, Struct
from msgspec.structs import replace

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.memory.jobs import KEPT, MemoryJobs
from angelia.adapters.sqlite.database import Database
from angelia.adapters.sqlite.jobs import SqliteJobs
from angelia.core.policy import Limits
from angelia.errors import NotFound
from angelia.ports.jobs import Errand, Firing, FiringFilter, Job, JobFilter, JobStore

PLAIN = Job("job_1", "key_1", "first", "every 2h", "UTC", Errand("hello"), 1.0, 2.0, 3.0)
FULL = Job(
    id="job_2",
    tenant="key_1",
    name="zwei",
    schedule="0 9 * * *",
    timezone="Europe/Berlin",
    errand=Errand(
        "grüße",
        "be brief",
        "angelia",
        "s1",
        ("files",),
        Limits(max_steps=3),
        "ann",
        Raw(b'{"url":"https://example.com/"}'),
        "scope",
    ),
    created_at=1.5,
    updated_at=2.5,
    anchor=3.5,
    next_at=100.0,
    catch_up="all",
    overlap="queue",
    until=500.0,
    left=7,
    depth=2,
)
FIRING = Firing("job_1", "100", "key_1", 0.1, 0.2)


class Opened(Struct):
    store: JobStore
    reopen: Callable[[], Coroutine[Any, Any, None]]


@pytest.fixture(params=["memory", "sqlite"])
async def opened(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Opened]:
    if request.param == "memory":
        yield Opened(MemoryJobs(), nothing)
        return
    databases = [Database.open(tmp_path / "db", clock=ManualClock())]

    async def reopen() -> None:
        await databases[-1].close()
        databases.append(Database.open(tmp_path / "db", clock=ManualClock()))
        opened.store = SqliteJobs(databases[-1])

    opened = Opened(SqliteJobs(databases[-1]), reopen)
    yield opened
    await databases[-1].close()


async def nothing() -> None:
    """Memory has nothing to come back to."""


async def ids(store: JobStore, **wanted: Any) -> list[str]:
    return [job.id for job in await store.find(JobFilter("key_1", **wanted))]


async def marks(store: JobStore, **wanted: Any) -> list[str]:
    return [one.mark for one in await store.firings(FiringFilter("job_1", **wanted))]


async def test_a_job_is_kept_whole_also_after_a_restart(opened: Opened) -> None:
    await opened.store.put(PLAIN)
    await opened.store.put(FULL)
    await opened.reopen()
    assert await opened.store.get("key_1", "job_1") == PLAIN
    assert await opened.store.get("key_1", "job_2") == FULL


async def test_a_job_of_another_key_does_not_exist(opened: Opened) -> None:
    await opened.store.put(PLAIN)
    assert await opened.store.get("key_2", "job_1") is None
    assert await opened.store.find(JobFilter("key_2")) in ([], ())


async def test_a_job_takes_the_place_of_the_one_of_its_id(opened: Opened) -> None:
    await opened.store.put(PLAIN)
    await opened.store.put(FULL)
    await opened.store.put(replace(PLAIN, name="changed", status="paused"))
    assert await ids(opened.store) == ["job_2", "job_1"]
    assert await ids(opened.store, status="paused") == ["job_1"]


async def test_jobs_are_listed_newest_first_in_pages(opened: Opened) -> None:
    for number in range(5):
        user = "ann" if number % 2 else None
        errand = replace(PLAIN.errand, user=user)
        await opened.store.put(replace(PLAIN, id=f"job_{number}", errand=errand))
    assert await ids(opened.store, limit=2) == ["job_4", "job_3"]
    assert await ids(opened.store, limit=2, before="job_3") == ["job_2", "job_1"]
    assert await ids(opened.store, user="ann") == ["job_3", "job_1"]
    with pytest.raises(NotFound):
        await ids(opened.store, before="job_9")
    with pytest.raises(NotFound):
        await opened.store.find(JobFilter("key_2", before="job_3"))


async def test_only_jobs_that_are_not_finished_are_counted(opened: Opened) -> None:
    await opened.store.put(PLAIN)
    await opened.store.put(replace(FULL, status="finished"))
    await opened.store.put(replace(PLAIN, id="job_3", status="paused"))
    await opened.store.put(replace(PLAIN, id="job_4", tenant="key_2"))
    assert await opened.store.count("key_1") == 2


async def test_what_is_due_comes_the_earliest_first(opened: Opened) -> None:
    for number, at in enumerate((30.0, 10.0, None, 20.0, 40.0)):
        await opened.store.put(replace(PLAIN, id=f"job_{number}", next_at=at))
    assert [job.id for job in await opened.store.due(30.0, 10)] == ["job_1", "job_3", "job_0"]
    assert [job.id for job in await opened.store.due(30.0, 1)] == ["job_1"]
    assert await opened.store.next_time(0.0) == 10.0


async def test_a_firing_of_the_same_mark_is_noted_once(opened: Opened) -> None:
    await opened.store.put(PLAIN, (FIRING,))
    await opened.store.settle(replace(FIRING, status="started", run_id="run_1"))
    await opened.store.put(PLAIN, (FIRING, replace(FIRING, mark="200")))
    await opened.reopen()
    assert await marks(opened.store) == ["200", "100"]
    kept = await opened.store.firing("job_1", "100")
    assert kept == replace(FIRING, status="started", run_id="run_1")


async def test_two_jobs_may_fire_at_the_same_time(opened: Opened) -> None:
    await opened.store.put(PLAIN, (FIRING,))
    await opened.store.put(FULL, (replace(FIRING, job_id="job_2"),))
    assert len(await opened.store.pending(1.0, 10)) == 2


async def test_firings_are_listed_newest_first_in_pages(opened: Opened) -> None:
    firings = [replace(FIRING, mark=str(number)) for number in range(5)]
    await opened.store.put(PLAIN, firings)
    await opened.store.settle(replace(firings[3], status="failed"))
    assert await marks(opened.store, limit=2) == ["4", "3"]
    assert await marks(opened.store, limit=2, before="job_1.3") == ["2", "1"]
    assert await marks(opened.store, status="failed") == ["3"]
    for unknown in ("job_1.9", "3", "job_2.3"):
        with pytest.raises(NotFound):
            await marks(opened.store, before=unknown)


async def test_pending_are_those_that_may_be_started(opened: Opened) -> None:
    await opened.store.put(
        PLAIN,
        [
            replace(FIRING, mark="late", planned_at=30.0),
            replace(FIRING, mark="early", planned_at=10.0),
            replace(FIRING, mark="later", planned_at=5.0, retry_at=60.0),
            replace(FIRING, mark="over", status="skipped"),
        ],
    )
    assert [one.mark for one in await opened.store.pending(50.0, 10)] == ["early", "late"]
    assert [one.mark for one in await opened.store.pending(60.0, 1)] == ["later"]
    assert await opened.store.next_time(50.0) == 60.0
    assert await opened.store.next_time(60.0) is None


async def test_a_deleted_job_takes_its_firings_with_it(opened: Opened) -> None:
    await opened.store.put(PLAIN, (FIRING,))
    await opened.store.delete("job_1")
    await opened.store.delete("job_1")
    await opened.store.settle(replace(FIRING, status="started"))
    await opened.reopen()
    assert await opened.store.get("key_1", "job_1") is None
    assert await opened.store.firing("job_1", "100") is None
    assert await opened.store.pending(1.0, 10) == []


async def test_the_oldest_firings_are_forgotten_unless_they_are_due(opened: Opened) -> None:
    await opened.store.put(PLAIN, (replace(FIRING, mark="due"),))
    over = replace(FIRING, status="skipped")
    for first in range(0, KEPT + 100, 100):
        batch = [replace(over, mark=str(number)) for number in range(first, first + 100)]
        await opened.store.put(PLAIN, batch)
    found = await marks(opened.store, limit=10_000)
    assert found == [*(str(number) for number in range(KEPT + 99, 99, -1)), "due"]


async def test_text_that_is_not_unicode_hurts_its_caller_alone(opened: Opened) -> None:
    if isinstance(opened.store, SqliteJobs):
        with pytest.raises(UnicodeEncodeError):
            await opened.store.put(replace(PLAIN, name="\ud800"))
    await opened.store.put(FULL)
    assert await ids(opened.store) == ["job_2"]
