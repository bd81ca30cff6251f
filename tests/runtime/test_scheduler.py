"""Jobs fire when their time comes, each time once, whatever dies, waits or fails in between."""

import asyncio
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from msgspec import UNSET, json
from msgspec.structs import replace

from angelia.adapters.memory.jobs import MemoryJobs
from angelia.adapters.memory.log import MemoryLog
from angelia.adapters.memory.models import calls, says
from angelia.core.events import RunStarted
from angelia.core.messages import ToolCall
from angelia.core.policy import Policy
from angelia.errors import LogUnavailable
from angelia.ports import KeyRules
from angelia.ports.jobs import Errand, Firing, Job
from angelia.runtime.errands import Origin
from angelia.runtime.scheduler import (
    BUSY,
    CROWDED,
    HELD,
    MISSED,
    MOST_WAITING,
)
from tests.runtime.office import NOW, TENANT, Office, quiet, until
from tests.runtime.world import Gate

HOUR = 3600.0


async def test_a_job_fires_when_its_time_comes_and_again() -> None:
    office = await Office().opened()
    job = await office.make("every 1h")
    async with office.scheduler.running():
        await quiet()
        assert await office.job_runs() == []
        await office.pass_time(HOUR)
        assert len(await office.all_ended(1)) == 1
        await office.pass_time(HOUR)
        runs = await office.all_ended(2)
    assert await office.statuses(job) == ["started", "started"]
    assert [firing.run_id for firing in await office.firings(job)] == [run.id for run in runs]
    assert [firing.planned_at for firing in await office.firings(job)] == [
        NOW + HOUR,
        NOW + 2 * HOUR,
    ]
    assert (await office.job(job)).next_at == NOW + 3 * HOUR


async def test_a_run_knows_the_job_it_comes_from() -> None:
    office = await Office().opened()
    job = await office.make(
        "in 1m", name="sweep", errand=Errand("go", "Be brief.", user="bob", session_key="k")
    )
    async with office.scheduler.running():
        await office.pass_time(60)
        (run,) = await office.all_ended(1)
    assert (run.surface, run.user, run.question) == ("job", "bob", "go")
    assert run.session_key == "k"
    first = (await office.runs.facts(run.id))[0].event
    assert isinstance(first, RunStarted)
    assert first.instructions.endswith("Be brief.")
    assert first.metadata is not UNSET
    assert json.decode(first.metadata, type=Origin) == Origin(job.id, "sweep", NOW + 60, 0)


async def test_every_firing_has_a_session_of_its_own_unless_one_is_named() -> None:
    office = await Office().opened()
    await office.make("every 1h", left=2)
    await office.make("every 1h", left=2, errand=Errand("go on", session_id="log"))
    async with office.scheduler.running():
        await office.pass_time(HOUR)
        await office.all_ended(2)
        await office.pass_time(HOUR)
        runs = await office.all_ended(4)
    sessions = Counter(run.session_id for run in runs)
    assert sessions["log"] == 2
    assert len(sessions) == 3
    last = next(p for p in reversed(office.model.asked) if len(p.messages) > 1)
    assert len(last.messages) == 3


async def test_a_job_that_is_made_wakes_the_scheduler() -> None:
    office = await Office().opened()
    async with office.scheduler.running():
        await office.clock.sleepers(1)
        await office.make("in 5 s")
        await office.pass_time(5)
        await office.all_ended(1)


async def test_a_job_with_an_end_is_finished_after_it() -> None:
    office = await Office().opened()
    twice = await office.make("every 1h", left=2)
    brief = await office.make("every 1h", until=NOW + HOUR)
    once = await office.make("in 30 minutes")
    async with office.scheduler.running():
        for _ in range(8):
            await office.pass_time(HOUR / 2)
        await office.all_ended(4)
    assert [len(await office.firings(job)) for job in (twice, brief, once)] == [2, 1, 1]
    assert {(await office.job(job)).status for job in (twice, brief, once)} == {"finished"}


async def test_hundreds_that_are_due_at_once_are_worked_on_a_few_at_a_time() -> None:
    gate = Gate()
    turns = [calls(ToolCall("c", "gate", "{}"))] * 4
    office = await Office(gate, turns=turns, concurrent=4, max_jobs=1000).opened()
    for number in range(300):
        await office.make("0 10 * * *", name=str(number))
    async with office.scheduler.running():
        await office.pass_time(HOUR)
        await quiet(3000)
        assert len(await office.job_runs()) == 4
        assert len(await office.jobs_store.pending(NOW + 2 * HOUR, 1000)) == 296


async def test_a_run_that_waits_for_a_person_takes_up_no_room() -> None:
    gate = Gate()
    turns = [calls(ToolCall("c", "gate", "{}")), says("done")]
    policy = Policy(ask=("gate",))
    office = await Office(gate, turns=turns, concurrent=1, policy=policy).opened()
    first = await office.make("in 1m")
    second = await office.make("in 2m")
    async with office.scheduler.running():
        await office.pass_time(60)
        await office.pass_time(60)

        async def both() -> bool:
            return len(await office.job_runs()) == 2

        await until(both)
    assert await office.statuses(first) == await office.statuses(second) == ["started"]


# ── missed ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("policy", "runs"), [("skip", 0), ("once", 1), ("all", 5)])
async def test_what_was_missed_while_nobody_was_there(policy: Any, runs: int) -> None:
    office = await Office().opened()
    job = await office.make("every 1h", catch_up=policy)
    office.clock.advance(5 * HOUR + 120)
    async with office.scheduler.running():
        await quiet(2000)
        found = await office.all_ended(runs)
    assert len(found) == runs
    assert (await office.job(job)).next_at == NOW + 6 * HOUR
    if policy == "skip":
        (firing,) = await office.firings(job)
        assert (firing.status, firing.reason) == ("skipped", MISSED)
    if policy == "once":
        assert [firing.planned_at for firing in await office.firings(job)] == [NOW + 5 * HOUR]


# ── overlapping ─────────────────────────────────────────────────────────────────────────────


async def overlapping(policy: Any, **fields: Any) -> tuple[Office, Job, Gate]:
    gate = Gate()
    turns = [calls(ToolCall("c", "gate", "{}")), *[says("done")] * 9]
    office = await Office(gate, turns=turns).opened()
    return office, await office.make("every 1h", overlap=policy, **fields), gate


def let_all_go(gate: Gate) -> None:
    for call in list(gate.begun):
        gate.let_go(call)


async def began(gate: Gate) -> None:
    async def so() -> bool:
        return bool(gate.begun)

    await until(so)


async def test_a_time_during_the_run_before_it_is_skipped() -> None:
    office, job, gate = await overlapping("skip")
    async with office.scheduler.running():
        await office.pass_time(HOUR)
        await began(gate)
        await office.pass_time(HOUR)
        assert await office.statuses(job) == ["started", "skipped"]
        assert (await office.firings(job))[1].reason == BUSY
        let_all_go(gate)
        await office.all_ended(1)
        await office.pass_time(HOUR)
        await office.all_ended(2)
    assert await office.statuses(job) == ["started", "skipped", "started"]


async def test_a_time_during_the_run_before_it_waits_in_the_queue() -> None:
    office, job, gate = await overlapping("queue")
    async with office.scheduler.running():
        await office.pass_time(HOUR)
        await began(gate)
        await office.pass_time(HOUR)
        await office.pass_time(HOUR)
        assert len(await office.job_runs()) == 1
        assert [one.reason for one in await office.firings(job)] == ["", HELD, HELD]
        let_all_go(gate)
        runs = await office.all_ended(3)
    ends = [(run.created_at, run.updated_at) for run in runs]
    assert all(before[1] <= after[0] for before, after in pairwise(ends))


async def test_a_time_during_the_run_before_it_runs_beside_it() -> None:
    office, _, gate = await overlapping("parallel")
    async with office.scheduler.running():
        await office.pass_time(HOUR)
        await began(gate)
        await office.pass_time(HOUR)

        async def second_is_over() -> bool:
            return [run.status for run in await office.job_runs()] == ["running", "completed"]

        await until(second_is_over)
        let_all_go(gate)
        await office.all_ended(2)


async def test_only_so_many_wait_in_a_queue() -> None:
    office, job, gate = await overlapping("queue")
    async with office.scheduler.running():
        await office.pass_time(HOUR)
        await began(gate)
        for _ in range(MOST_WAITING + 2):
            await office.pass_time(HOUR)
    statuses = Counter(await office.statuses(job))
    assert statuses == {"started": 1, "due": MOST_WAITING, "skipped": 2}
    assert (await office.firings(job))[-1].reason == CROWDED


# ── words ───────────────────────────────────────────────────────────────────────────────────


async def test_a_paused_job_does_not_fire_and_makes_up_for_nothing() -> None:
    office = await Office().opened()
    job = await office.make("every 1h", catch_up="all")
    async with office.scheduler.running():
        await office.jobs.pause(TENANT, job.id)
        await office.pass_time(3.5 * HOUR)
        assert await office.firings(job) == []
        resumed = await office.jobs.resume(TENANT, job.id)
        assert resumed.job.next_at == NOW + 4 * HOUR
        await office.pass_time(0.5 * HOUR)
        assert len(await office.all_ended(1)) == 1


async def test_what_was_noted_before_a_pause_is_skipped() -> None:
    office = await Office().opened()
    job = await office.make("every 1h")
    office.clock.advance(HOUR)
    await office.jobs_store.put(
        replace(job, status="paused", next_at=None),
        (Firing(job.id, "1", TENANT, NOW + HOUR, NOW + HOUR),),
    )
    async with office.scheduler.running():
        await quiet(1000)
    assert await office.statuses(job) == ["skipped"]


async def test_a_job_whose_key_is_revoked_is_paused_and_says_why() -> None:
    office = await Office().opened()
    job = await office.make("every 1h")
    await office.keys.revoke(TENANT, NOW)
    async with office.scheduler.running():
        await office.pass_time(HOUR)
        await quiet(1000)
    paused = await office.job(job)
    assert (paused.status, paused.next_at) == ("paused", None)
    assert paused.reason == "The key 'ann' is revoked."
    assert await office.statuses(job) == ["failed"]
    assert await office.job_runs() == []


async def test_the_rules_of_the_key_hold_for_runs_of_its_jobs() -> None:
    rules = KeyRules(tools=("none",), policy=Policy(deny=("gate",)))
    office = await Office(Gate()).opened(rules)
    await office.make("in 1m")
    async with office.scheduler.running():
        await office.pass_time(60)
        (run,) = await office.all_ended(1)
    first = (await office.runs.facts(run.id))[0].event
    assert isinstance(first, RunStarted)
    assert first.tools == ()
    assert first.policy.deny == ("gate",)


async def test_what_the_key_may_not_do_yet_is_tried_again_later() -> None:
    office = await Office().opened(KeyRules(requests_per_minute=1))
    jobs = [await office.make("in 1m", name=name) for name in "ab"]
    async with office.scheduler.running():
        await office.pass_time(60)
        await office.all_ended(1)
        (waiting,) = await office.jobs_store.pending(NOW + 9 * HOUR, 9)
        assert "1 times a minute" in waiting.reason
        assert waiting.attempts == 1
        await office.pass_time(61)
        await office.all_ended(2)
    assert [await office.statuses(job) for job in jobs] == [["started"], ["started"]]


async def test_a_start_that_can_never_succeed_fails_and_the_job_goes_on() -> None:
    office = await Office().opened(KeyRules(models=("nobody",)))
    job = await office.make("every 1h")
    async with office.scheduler.running():
        await office.pass_time(HOUR)
        await quiet(1000)
    (firing,) = await office.firings(job)
    assert firing.status == "failed"
    assert "does not exist" in firing.reason
    assert (await office.job(job)).status == "active"


# ── clocks ──────────────────────────────────────────────────────────────────────────────────


async def test_a_clock_that_jumps_ahead_fires_once_for_all_it_has_jumped_over() -> None:
    office = await Office().opened()
    job = await office.make("every 1h")
    async with office.scheduler.running():
        await office.pass_time(1000 * HOUR)
        await office.all_ended(1)
        await quiet(1000)
    assert len(await office.firings(job)) == 1


async def test_a_clock_that_is_set_back_fires_nothing_twice_and_puts_nothing_off() -> None:
    office = await Office().opened()
    job = await office.make("every 1h")
    async with office.scheduler.running():
        await office.pass_time(HOUR)
        await office.all_ended(1)
        # The clock was wrong by a year for a moment.
        await office.pass_time(8760 * HOUR)
        await office.all_ended(2)
        office.clock.advance(-8760 * HOUR - 600)
        # Whoever sleeps by a clock that is set by hand does not notice it.
        office.jobs.changed.set()
        await office.pass_time(600)
        assert len(await office.job_runs()) == 2
        await office.pass_time(HOUR)
        await office.all_ended(3)
    planned = [firing.planned_at for firing in await office.firings(job)]
    assert sorted(planned) == [NOW + HOUR, NOW + 2 * HOUR, NOW + 8761 * HOUR]


# ── what dies in between ────────────────────────────────────────────────────────────────────


class Crash(Exception):
    pass


class Cut:
    """The process ends before or behind the write of that number."""

    def __init__(self) -> None:
        self.at: tuple[int, str] | None = None
        self.writes = 0

    def before(self) -> None:
        self.writes += 1
        if self.at is not None and (self.writes > self.at[0] or self.at == (self.writes, "before")):
            raise Crash

    def behind(self) -> None:
        if self.at is not None and self.writes >= self.at[0]:
            raise Crash


class CutJobs(MemoryJobs):
    def __init__(self, cut: Cut) -> None:
        super().__init__()
        self._cut = cut

    async def put(self, *given: Any) -> None:
        self._cut.before()
        await super().put(*given)
        self._cut.behind()

    async def settle(self, firing: Firing) -> None:
        self._cut.before()
        await super().settle(firing)
        self._cut.behind()


class CutLog(MemoryLog):
    cut: Cut

    async def create(self, *given: Any) -> Any:
        self.cut.before()
        held = await super().create(*given)
        self.cut.behind()
        return held


CUTS = [(number, side) for number in range(1, 5) for side in ("before", "behind")]


@pytest.mark.parametrize("at", CUTS)
@pytest.mark.filterwarnings("ignore")
async def test_a_crash_anywhere_around_a_firing_neither_loses_nor_doubles_it(
    at: tuple[int, str],
) -> None:
    cut = Cut()
    plain = Office()
    log = CutLog(plain.clock)
    log.cut = cut
    office = await Office(store=CutJobs(cut), log=log, clock=plain.clock).opened()
    job = await office.make("in 1h")
    cut.writes, cut.at = 0, at
    office.clock.advance(HOUR)
    scheduler = office.scheduler
    looking = asyncio.create_task(scheduler.go())
    await quiet(2000)
    # One write notes it, one tells that it is tried, one makes the run, one notes the run.
    assert cut.writes >= at[0]
    looking.cancel()
    await asyncio.wait((looking,))
    cut.at = None

    after = office.reborn()
    await after.recover()
    async with after.scheduler.running():
        await quiet(500)
        await after.pass_time(10)
        (run,) = await after.all_ended(1)
        await quiet(500)
    assert await after.statuses(job) == ["started"]
    assert [firing.run_id for firing in await after.firings(job)] == [run.id]


class SlowLog(MemoryLog):
    """A run takes a while to be durable."""

    creating = False

    async def create(self, *given: Any) -> Any:
        self.creating = True
        await quiet()
        return await super().create(*given)


async def test_a_scheduler_that_closes_does_not_break_off_what_it_starts() -> None:
    log = SlowLog((plain := Office()).clock)
    office = await Office(log=log, clock=plain.clock).opened()
    job = await office.make("in 1m")
    office.clock.advance(60)
    async with office.scheduler.running():

        async def in_the_middle() -> bool:
            return log.creating

        await until(in_the_middle)
    assert await office.statuses(job) == ["started"]
    (run,) = await office.job_runs()
    await office.finished(run.id)
    (run,) = await office.job_runs()
    assert run.status == "completed"


class StuckJobs(MemoryJobs):
    """Nothing can be written for as long as anybody waits."""

    stuck = False

    async def settle(self, firing: Firing) -> None:
        self.stuck = True
        await asyncio.Event().wait()


async def test_a_scheduler_that_closes_does_not_wait_for_a_disk_that_is_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("angelia.runtime.scheduler.LAST_STARTS", 0.05)
    store = StuckJobs()
    office = await Office(store=store).opened()
    job = await office.make("in 1m")
    office.clock.advance(60)
    async with asyncio.timeout(60), office.scheduler.running():

        async def in_the_middle() -> bool:
            return store.stuck

        await until(in_the_middle)
    assert await office.statuses(job) == ["due"]


class BrokenJobs(MemoryJobs):
    broken = False

    async def due(self, now: float, limit: int) -> Any:
        if self.broken:
            raise LogUnavailable("The disk is full.")
        return await super().due(now, limit)


async def test_a_disk_that_is_full_for_a_while_only_delays() -> None:
    store = BrokenJobs()
    office = await Office(store=store).opened()
    await office.make("in 1m")
    store.broken = True
    async with office.scheduler.running():
        await office.pass_time(60)
        store.broken = False
        await office.pass_time(60)
        await office.all_ended(1)


class OddJobs(MemoryJobs):
    odd = False

    async def due(self, now: float, limit: int) -> Any:
        if self.odd:
            raise ValueError("nobody foresaw this")
        return await super().due(now, limit)


async def test_a_defect_does_not_end_the_scheduler(caplog: pytest.LogCaptureFixture) -> None:
    store = OddJobs()
    office = await Office(store=store).opened()
    await office.make("in 1m")
    store.odd = True
    async with office.scheduler.running():
        await office.pass_time(60)
        store.odd = False
        await office.pass_time(60)
        await office.all_ended(1)
    assert "nobody foresaw this" in caplog.text


async def test_a_start_that_fails_of_a_defect_is_tried_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    cut = Cut()
    log = CutLog((plain := Office()).clock)
    log.cut = cut
    office = await Office(log=log, clock=plain.clock).opened()
    job = await office.make("in 1m")
    cut.at = (1, "before")
    async with office.scheduler.running():
        await office.pass_time(60)
        assert await office.statuses(job) == ["due"]
        cut.at = None
        await office.pass_time(2)
        await office.all_ended(1)
    assert "could not be started" in caplog.text
    assert await office.statuses(job) == ["started"]
