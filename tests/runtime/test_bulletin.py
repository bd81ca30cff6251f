"""Who hears that a run has changed, and how much of it."""

import asyncio

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.memory.models import calls, says
from angelia.core.events import RunWaited
from angelia.core.messages import ToolCall
from angelia.core.policy import Policy
from angelia.core.state import Status
from angelia.ports import RunRecord
from angelia.runtime import bulletin
from angelia.runtime.bulletin import Bulletin, Hint, Reader
from tests.runtime.world import OK, World


def run(name: str, tenant: str = "key_1", *, stored: bool = True) -> RunRecord:
    return RunRecord(name, tenant, "angelia", "session", "runs", 1.0, 1.0, stored=stored)


async def heard(reader: Reader) -> list[tuple[str, Status]]:
    """All that was told up to here; what is ended has nothing to say."""
    async for hints in reader.hints():
        return [(hint.run_id, hint.status) for hint in hints]
    return []


async def test_a_hint_says_which_run_and_what_it_is_now() -> None:
    clock, reader = ManualClock(), Reader()
    told = Bulletin(clock)
    with told.listening("key_1", reader):
        told.tell(run("run_1"), "waiting_for_client")
        hints = await anext(reader.hints())
    status: Status = "waiting_for_client"
    assert hints == (Hint("run_1", "session", status, "angelia", "runs", clock.now()),)


async def test_a_slow_reader_hears_the_latest_of_each_run_in_the_order_of_change() -> None:
    told, reader = Bulletin(ManualClock()), Reader()
    with told.listening("key_1", reader):
        for name, status in (("a", "running"), ("b", "running"), ("a", "completed")):
            told.tell(run(name), status)
        assert await heard(reader) == [("b", "running"), ("a", "completed")]
        told.tell(run("b"), "failed")
        assert await heard(reader) == [("b", "failed")]


async def test_nobody_hears_of_the_runs_of_another_key() -> None:
    told, mine, theirs = Bulletin(ManualClock()), Reader(), Reader()
    with told.listening("key_1", mine), told.listening("key_2", theirs):
        told.tell(run("a", "key_1"), "running")
        told.tell(run("b", "key_2"), "running")
        assert await heard(mine) == [("a", "running")]
        assert await heard(theirs) == [("b", "running")]


async def test_every_reader_of_a_key_hears_everything() -> None:
    told, one, other = Bulletin(ManualClock()), Reader(), Reader()
    with told.listening("key_1", one), told.listening("key_1", other):
        told.tell(run("a"), "running")
        assert await heard(one) == await heard(other) == [("a", "running")]


async def test_a_run_that_no_list_shows_is_not_told() -> None:
    told, reader = Bulletin(ManualClock()), Reader()
    with told.listening("key_1", reader):
        told.tell(run("hidden", stored=False), "running")
        told.tell(run("shown"), "running")
        assert await heard(reader) == [("shown", "running")]


async def test_a_reader_too_far_behind_ends_and_keeps_nothing() -> None:
    told, reader = Bulletin(ManualClock()), Reader()
    with told.listening("key_1", reader):
        for number in range(bulletin.MOST_RUNS):
            told.tell(run(f"run_{number}"), "running")
        assert len(await heard(reader)) == bulletin.MOST_RUNS
        for number in range(bulletin.MOST_RUNS + 2):
            told.tell(run(f"run_{number}"), "running")
        assert await heard(reader) == []


async def test_a_closed_bulletin_ends_its_readers_and_those_that_come_later() -> None:
    told, reader, late = Bulletin(ManualClock()), Reader(), Reader()
    with told.listening("key_1", reader):
        listens = asyncio.create_task(heard(reader))
        await asyncio.sleep(0)
        told.close()
        assert await listens == []
    with told.listening("key_1", late):
        assert await heard(late) == []


def test_nothing_is_remembered_of_keys_that_nobody_listens_to() -> None:
    told, one, other = Bulletin(ManualClock()), Reader(), Reader()
    with told.listening("key_1", one):
        with told.listening("key_1", other), told.listening("key_2", other):
            assert len(told) == 2
        assert len(told) == 1
    assert len(told) == 0


# ── a whole run ─────────────────────────────────────────────────────────────────────────────


async def test_a_run_tells_every_status_once_and_nothing_in_between() -> None:
    turns = [calls(ToolCall("c1", "ok", "{}")), says("a long answer in pieces")]
    world = World(turns, OK, policy=Policy(ask=("ok",)))
    seen: list[Status] = []

    class Ear(Reader):
        def take(self, hint: Hint) -> None:
            seen.append(hint.status)

    with world.runs.bulletin.listening("key_1", Ear()):
        run_id = await world.start()
        await world.until(run_id, RunWaited)
        await world.answer(run_id, "once")
        await world.finished(run_id)
        await world.runs.quiet()
    assert seen == ["running", "waiting_for_approval", "running", "completed"]
