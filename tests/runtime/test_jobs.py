"""Jobs are made, changed, paused, resumed, removed and run at once, each by its own key."""

import pytest
from msgspec import UNSET, Raw, json
from msgspec.structs import replace

from angelia.core.events import RunStarted
from angelia.core.messages import user
from angelia.errors import BadRequest, Conflict, NotFound, RateLimited
from angelia.ports import KeyRules, RunRecord
from angelia.ports.jobs import Draft, Errand, FiringFilter, JobFilter
from angelia.runtime import jobs as desk
from angelia.runtime.errands import Origin
from angelia.runtime.jobs import DEEPEST, MOST_FINISHED
from tests.runtime.office import NOW, TENANT, Office, quiet
from tests.runtime.world import OK

HOUR = 3600.0


async def test_a_job_is_made_with_what_it_needs() -> None:
    office = await Office().opened()
    job = await office.make("every 2h", "  look\nat this")
    assert (job.name, job.timezone, job.status) == ("look", "UTC", "active")
    assert (job.anchor, job.next_at) == (NOW, NOW + 2 * HOUR)
    planned = await office.jobs.get(TENANT, job.id)
    assert planned.times[0] == "2026-12-01T11:00:00+00:00"
    assert len(planned.times) == desk.PREVIEW


async def test_a_job_with_an_id_is_made_once() -> None:
    office = await Office().opened()
    first = await office.make(id="job_x")
    again = await office.make(id="job_x", schedule="every 5h")
    assert again == first
    assert len(await office.jobs.find(JobFilter(TENANT))) == 1


async def test_a_key_may_have_so_many_jobs() -> None:
    office = await Office(max_jobs=2).opened()
    job = await office.make()
    await office.make()
    with pytest.raises(Conflict) as refused:
        await office.make()
    assert refused.value.code == "too_many_jobs"
    await office.jobs.remove(TENANT, job.id)
    await office.make()


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"schedule": "soon"}, "schedule"),
        ({"timezone": "Nowhere/Else"}, "timezone"),
        ({"until": "soon"}, "until"),
        ({"schedule": "2020-01-01"}, "schedule"),
    ],
)
async def test_a_job_that_cannot_be_is_refused(fields: dict[str, str], param: str) -> None:
    office = await Office().opened()
    with pytest.raises(BadRequest) as refused:
        await office.make(**fields)
    assert refused.value.param == param
    assert await office.jobs.find(JobFilter(TENANT)) == []


async def test_the_end_of_a_job_is_told_by_the_clocks_of_its_zone() -> None:
    office = await Office().opened()
    job = await office.make(timezone="asia/tokyo", until="2026-12-02T00:00")
    assert job.until == NOW + 6 * HOUR


async def test_nothing_of_a_job_exists_for_another_key() -> None:
    office = await Office().opened()
    job = await office.make()
    for word in (office.jobs.get, office.jobs.pause, office.jobs.resume, office.jobs.remove):
        with pytest.raises(NotFound):
            await word("key_2", job.id)
    with pytest.raises(NotFound):
        await office.jobs.run_now("key_2", job.id, "now")
    with pytest.raises(NotFound):
        await office.jobs.change("key_2", job.id, lambda job: job)
    assert await office.job(job) == job


# ── changes ─────────────────────────────────────────────────────────────────────────────────


async def test_another_schedule_counts_from_the_change_on() -> None:
    office = await Office().opened()
    job = await office.make("every 2h")
    office.clock.advance(1800)
    changed = await office.jobs.change(
        TENANT, job.id, lambda job: replace(job, schedule="every 1h")
    )
    assert changed.job.next_at == NOW + 1800 + HOUR


async def test_another_name_leaves_the_time_alone_even_if_it_has_come() -> None:
    office = await Office().opened()
    job = await office.make("every 2h")
    office.clock.advance(3 * HOUR)
    changed = await office.jobs.change(TENANT, job.id, lambda job: replace(job, name="new"))
    assert changed.job.next_at == NOW + 2 * HOUR


async def test_a_change_that_cannot_be_changes_nothing() -> None:
    office = await Office().opened()
    job = await office.make("every 2h")
    with pytest.raises(BadRequest):
        await office.jobs.change(TENANT, job.id, lambda job: replace(job, schedule="2020-01-01"))
    assert await office.job(job) == job


async def test_a_paused_job_stays_paused_when_its_schedule_changes() -> None:
    office = await Office().opened()
    job = await office.make("every 2h")
    await office.jobs.pause(TENANT, job.id, "enough")
    changed = await office.jobs.change(
        TENANT, job.id, lambda job: replace(job, schedule="every 1h")
    )
    assert (changed.job.status, changed.job.next_at) == ("paused", None)


async def test_a_finished_job_is_active_again_with_another_time() -> None:
    office = await Office().opened()
    job = await office.make("in 1h")
    async with office.scheduler.running():
        await office.pass_time(HOUR)
        await office.all_ended(1)
    with pytest.raises(Conflict) as refused:
        await office.jobs.pause(TENANT, job.id)
    assert refused.value.code == "job_finished"
    with pytest.raises(Conflict, match="another schedule"):
        await office.jobs.resume(TENANT, job.id)
    changed = await office.jobs.change(TENANT, job.id, lambda job: replace(job, schedule="in 2h"))
    assert (changed.job.status, changed.job.next_at) == ("active", NOW + 3 * HOUR)


async def test_pausing_and_resuming_again_changes_nothing() -> None:
    office = await Office().opened()
    job = await office.make("every 2h")
    assert (await office.jobs.resume(TENANT, job.id)).job == job
    await office.jobs.pause(TENANT, job.id)
    assert (await office.jobs.pause(TENANT, job.id)).job.status == "paused"
    assert (await office.jobs.resume(TENANT, job.id)).job.next_at == NOW + 2 * HOUR


async def test_finished_jobs_do_not_pile_up() -> None:
    office = await Office(max_jobs=1000).opened()
    for number in range(MOST_FINISHED + 3):
        job = await office.make(name=str(number))
        await office.jobs_store.put(replace(job, status="finished", next_at=None))
    await office.jobs.forget_finished(TENANT)
    kept = await office.jobs.find(JobFilter(TENANT, limit=1000))
    assert [kept[0].job.name, kept[-1].job.name, len(kept)] == ["202", "3", MOST_FINISHED]


# ── run now ─────────────────────────────────────────────────────────────────────────────────


async def started(office: Office, job_id: str, mark: str) -> tuple[RunRecord, bool]:
    return await office.jobs.run_now(TENANT, job_id, mark)


async def test_a_job_runs_now_whatever_its_status_and_keeps_its_times() -> None:
    office = await Office().opened()
    job = await office.make("every 2h", left=1)
    await office.jobs.pause(TENANT, job.id)
    run, replayed = await started(office, job.id, "now_1")
    await office.finished(run.id)
    assert not replayed
    (firing,) = await office.firings(job)
    assert (firing.asked, firing.status, firing.run_id) == (True, "started", run.id)
    assert (await office.job(job)).left == 1


async def test_the_same_word_twice_is_the_same_run() -> None:
    office = await Office().opened()
    job = await office.make()
    first, _ = await started(office, job.id, "a")
    again, replayed = await started(office, job.id, "a")
    other, _ = await started(office, job.id, "b")
    assert (again.id, replayed) == (first.id, True)
    assert other.id != first.id


async def test_a_run_that_is_refused_now_is_told_and_may_be_asked_for_again() -> None:
    office = await Office().opened(KeyRules(requests_per_minute=1))
    job = await office.make()
    await started(office, job.id, "a")
    with pytest.raises(RateLimited):
        await started(office, job.id, "b")
    assert await office.statuses(job) == ["started", "failed"]
    office.clock.advance(61)
    run, _ = await started(office, job.id, "b")
    assert [firing.run_id for firing in await office.firings(job)][1] == run.id


async def test_what_a_dead_process_was_asked_to_run_now_is_run_after_all() -> None:
    office = await Office().opened()
    job = await office.make()
    await started(office, job.id, "a")
    (firing,) = await office.firings(job)
    lost = replace(firing, mark="b", status="due", run_id=None, retry_at=NOW + 30)
    await office.jobs_store.put(job, (lost,))
    async with office.scheduler.running():
        await quiet()
        assert len(await office.job_runs()) == 1
        await office.pass_time(30)
        await office.all_ended(2)
    kept = await office.jobs.firings(FiringFilter(job.id, limit=1))
    assert kept[0].status == "started"


# ── depth ───────────────────────────────────────────────────────────────────────────────────


async def run_of(office: Office, surface: str, delegated_by: str | None, depth: int | None) -> str:
    origin = UNSET if depth is None else Raw(json.encode(Origin("job_1", depth=depth)))
    fact = RunStarted(
        "angelia", (user("x"),), surface=surface, delegated_by=delegated_by, metadata=origin
    )
    run_id = f"run_{surface}_{delegated_by}_{depth}"
    await office.log.create(RunRecord(run_id, TENANT, "angelia", "s", surface, NOW, NOW), (fact,))
    return run_id


async def test_jobs_that_make_each_other_come_to_an_end() -> None:
    office = await Office().opened()
    assert await office.jobs.depth_below(await run_of(office, "runs", None, 99)) == 0
    assert await office.jobs.depth_below(await run_of(office, "job", None, 0)) == 1
    delegating = await run_of(office, "job", None, 2)
    child = await run_of(office, "delegate", delegating, None)
    assert await office.jobs.depth_below(child) == 3
    deep = await run_of(office, "job", None, DEEPEST)
    with pytest.raises(Conflict, match="5 deep"):
        await office.jobs.depth_below(deep)


async def test_the_depth_of_a_job_is_in_its_runs() -> None:
    office = await Office().opened()
    draft = Draft(tenant=TENANT, schedule="every 1h", errand=Errand("x"), depth=DEEPEST)
    job = (await office.jobs.create(draft)).job
    run, _ = await started(office, job.id, "a")
    with pytest.raises(Conflict):
        await office.jobs.depth_below(run.id)


# ── tools ───────────────────────────────────────────────────────────────────────────────────


async def test_a_job_has_no_more_tools_than_the_run_that_makes_it() -> None:
    office = await Office(OK).opened()
    narrow = await office.start(toolsets=("none of ours",))
    assert await office.jobs.toolsets_below(narrow) == ()
    assert await office.jobs.toolsets_below(await office.start()) is None
