"""What surfaces can do with runs."""

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.memory.log import MemoryLog
from angelia.adapters.memory.models import Hangs, calls, says
from angelia.core.events import (
    Cancelled,
    RunEnded,
    RunStarted,
    RunWaited,
    TextDelta,
    TurnBegun,
)
from angelia.core.messages import ToolCall, ToolSpec, user
from angelia.core.policy import Policy
from angelia.errors import Conflict, NotFound
from angelia.ports import Claim, Held, RunFilter, ToolOutput
from angelia.runtime.agents import Agent, Agents
from angelia.runtime.orders import Order
from tests.runtime.world import OK, Does, Gate, World


def claimed(fingerprint: str = "f") -> Order:
    return Order("key_1", (user("hi"),), "runs", claim=Claim("idem", fingerprint, 2e9))


async def test_twenty_orders_with_one_idempotency_key_are_one_run() -> None:
    world = World([says("once")])
    answers = await asyncio.gather(*(world.runs.start(claimed()) for _ in range(20)))
    assert len({answer.run.id for answer in answers}) == 1
    assert sum(not answer.replayed for answer in answers) == 1
    await world.finished(answers[0].run.id)
    assert len(world.model.asked) == 1


async def test_one_idempotency_key_for_two_bodies_is_a_conflict() -> None:
    world = World([says("once")])
    await world.runs.start(claimed())
    with pytest.raises(Conflict) as conflict:
        await world.runs.start(claimed("other"))
    assert conflict.value.code == "idempotency_key_conflict"


async def test_a_run_of_another_key_does_not_exist() -> None:
    world = World([says("mine")])
    run_id = await world.start()
    assert (await world.runs.get("key_1", run_id)).id == run_id
    with pytest.raises(NotFound):
        await world.runs.get("key_2", run_id)
    assert not await world.runs.find(RunFilter("key_2"))


class Lingering(MemoryLog):
    """Whoever follows a run reads what was appended long before its writer goes on."""

    async def append(self, *given: Any) -> int:
        last = await super().append(*given)
        for _ in range(50):
            await asyncio.sleep(0)
        return last


async def test_a_run_whose_end_can_be_read_makes_room_for_the_next() -> None:
    clock = ManualClock()
    world = World([says("done")], log=Lingering(clock), clock=clock)
    run_id = await world.start()
    assert world.runs.under_way_of("key_1") == 1
    await world.finished(run_id)
    assert world.runs.under_way == 1
    assert world.runs.under_way_of("key_1") == 0


async def test_words_for_a_run_that_has_ended_are_refused_but_a_stop_is_not() -> None:
    world = World([says("done")])
    run_id = await world.start()
    await world.finished(run_id)
    await world.runs.stop(run_id)
    with pytest.raises(Conflict):
        await world.runs.steer(run_id, (user("late"),))
    with pytest.raises(Conflict):
        await world.answer(run_id, "once")
    assert (await world.runs.get("key_1", run_id)).status == "completed"


async def test_a_run_under_way_cannot_be_deleted() -> None:
    world = World([Hangs((TextDelta("a"),))])
    run_id = await world.start()
    with pytest.raises(Conflict):
        await world.runs.delete(await world.runs.get("key_1", run_id))
    await world.runs.stop(run_id)
    await world.finished(run_id)
    await world.runs.delete(await world.runs.get("key_1", run_id))
    with pytest.raises(NotFound):
        await world.runs.get("key_1", run_id)


async def test_a_clients_tool_replaces_the_servers_of_the_same_name() -> None:
    world = World([says("ok"), says("ok"), says("ok")], OK)
    theirs = ToolSpec("ok", "theirs", owner="client")
    await world.finished(await world.start(tools=(theirs,)))
    await world.finished(await world.start(tools=()))
    await world.finished(await world.start())
    assert [p.tools for p in world.model.asked] == [(theirs,), (), (OK.spec,)]


def test_an_unknown_model_means_the_default_unless_it_is_rejected() -> None:
    agent = Agent("angelia", chain=None)
    assert Agents([agent]).resolve("gpt-4o") is agent
    with pytest.raises(NotFound) as missing:
        Agents([agent], reject_unknown=True).resolve("gpt-4o")
    assert missing.value.param == "model"


class LateLog(MemoryLog):
    """Tells that a run was written only when it is let, as a disk may take its time."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__(clock)
        self.written = asyncio.Event()
        self.told = asyncio.Event()

    async def create(self, *given: Any) -> Held:
        held = await super().create(*given)
        self.written.set()
        await self.told.wait()
        return held


async def test_a_run_whose_client_leaves_before_it_was_told_of_it_never_begins() -> None:
    log = LateLog(ManualClock())
    world = World([says("to nobody"), says("to somebody")], log=log)
    starting = asyncio.create_task(world.start("first", session_id="s", follows=True))
    await log.written.wait()
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    log.told.set()
    (run,) = await world.runs.find(RunFilter("key_1"))
    await world.finished(run.id)
    assert (await world.runs.get("key_1", run.id)).status == "cancelled"
    # Its session goes on without it.
    await world.finished(await world.start("second", session_id="s", follows=True))
    assert [prompt.messages[-1] for prompt in world.model.asked] == [user("second")]


async def test_turns_are_written_in_the_order_they_came() -> None:
    """Also if the first has to look up what was said before, and the others have not."""
    world = World([says(str(number)) for number in range(5)])
    order = [f"turn {number}" for number in range(5)]
    runs = await asyncio.gather(
        *(world.start(text, session_id="s", follows=True) for text in order)
    )
    for run_id in runs:
        await world.finished(run_id)
    written = [run.question for run in await world.runs.find(RunFilter("key_1"))]
    assert written[::-1] == order
    assert [len(prompt.messages) for prompt in world.model.asked] == [1, 3, 5, 7, 9]


async def test_a_turn_that_comes_to_wait_for_its_client_makes_way_for_one_in_line() -> None:
    theirs, gate = ToolSpec("theirs", owner="client"), Gate()
    asks = calls(ToolCall("g", "gate", "{}")), calls(ToolCall("c1", "theirs", "{}"))
    world = World([*asks, says("second")], gate)
    first = await world.start("a", session_id="s", tools=(theirs,))
    await gate.begins("g")
    second = await world.start("b", session_id="s", follows=True)
    gate.let_go("g")
    assert (await world.finished(first))[-1] == RunEnded(Cancelled("superseded"))
    assert isinstance((await world.finished(second))[-1], RunEnded)
    assert len(world.model.asked) == 3


async def test_a_turn_that_waits_for_its_client_is_no_reason_to_refuse_the_next() -> None:
    theirs = ToolSpec("theirs", owner="client")
    world = World([calls(ToolCall("c1", "theirs", "{}")), Hangs(), says("never")])
    first = await world.start("a", session_id="s", tools=(theirs,))
    await world.until(first, RunWaited)
    second = await world.start("b", session_id="s", follows=True, when_busy="refuse")
    assert (await world.finished(first))[-1] == RunEnded(Cancelled("superseded"))
    await world.until(second, TurnBegun)
    with pytest.raises(Conflict) as refused:
        await world.start("c", session_id="s", follows=True, when_busy="refuse")
    assert refused.value.code == "session_busy"
    await world.runs.close()


async def test_after_a_crash_a_turn_in_line_does_not_wait_for_a_client_that_went_on() -> None:
    theirs = ToolSpec("theirs", owner="client")
    world = World([calls(ToolCall("c1", "theirs", "{}"))])
    first = await world.start("a", session_id="s", tools=(theirs,))
    await world.until(first, RunWaited)
    # As it is when the process dies before the run in front is stopped.
    queued = RunStarted("angelia", (user("b"),), session_id="s", queued=True, follows=True)
    record = replace(await world.runs.get("key_1", first), id="run_b", status="queued", last_seq=0)
    await world.log.create(record, (queued,))
    again = World([says("second")], log=world.log)
    await again.recover()
    assert (await again.finished(first))[-1] == RunEnded(Cancelled("superseded"))
    await again.finished("run_b")
    assert (await again.runs.get("key_1", "run_b")).status == "completed"


async def test_what_goes_on_by_itself_counts_as_under_way() -> None:
    send = Does("send", ToolOutput("sent"))
    world = World(
        [calls(ToolCall("c1", "send", "{}")), Hangs()], send, policy=Policy(ask=("send",))
    )
    asks = await world.start("a", session_id="s")
    await world.until(asks, RunWaited)
    assert (world.runs.under_way, world.runs.under_way_of("key_1")) == (0, 1)
    await world.start("b", session_id="s", follows=True)
    assert world.runs.under_way_of("key_1") == 2
    assert world.runs.under_way_of("key_2") == 0
    again = World([], send, log=world.log)
    await again.recover()
    assert again.runs.under_way_of("key_1") == 2
    await again.runs.stop(asks)
    await again.finished(asks)
    await again.runs.close()
    await world.runs.close()


async def test_a_turn_hears_what_was_said_before_it_however_many_are_in_line_behind() -> None:
    world = World([Hangs()])
    await world.start("a", session_id="s")
    line = [await world.start(text, session_id="s", follows=True) for text in "bcdefghij"]
    _, run_id = await world.runs.said("key_1", "s", before=line[0])
    assert run_id is not None
    assert run_id not in line
    await world.runs.close()


async def test_what_was_deleted_does_not_come_back_by_a_request_that_was_on_its_way() -> None:
    world = World([says("a"), says("never")])
    first = await world.start("a", session_id="s")
    await world.finished(first)
    said, parent = await world.runs.said("key_1", "s")
    await world.runs.delete(await world.runs.get("key_1", first))
    with pytest.raises(NotFound):
        await world.start("b", session_id="s", history=said, parent=parent)
    assert not await world.runs.find(RunFilter("key_1"))


async def test_a_session_is_free_as_soon_as_anybody_can_know_of_its_runs_end() -> None:
    world = World([says("a"), says("b")])
    first = await world.start("a", session_id="s")
    async for batch in world.runs.follow(first):
        if isinstance(batch.entries[-1].event, RunEnded):
            assert not world.runs.busy("key_1", "s")
            second = await world.start("b", session_id="s", follows=True, when_busy="refuse")
    await world.finished(second)
    assert len(world.model.asked[-1].messages) == 3
