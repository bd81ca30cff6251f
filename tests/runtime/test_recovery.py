"""A run cut off after any entry goes on to its one end."""

from collections.abc import Sequence

import pytest

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.memory.log import MemoryLog
from angelia.adapters.memory.models import Hangs, calls, says
from angelia.core.events import (
    AnyEvent,
    Completed,
    RunEnded,
    RunTaken,
    RunWaited,
    StepReset,
    TextDelta,
    ToolFinished,
    ToolResumed,
    ToolStarted,
)
from angelia.core.messages import ToolCall, ToolSpec, Usage
from angelia.core.run import fold
from angelia.errors import Fenced
from angelia.ports import RunRecord, ToolOutput
from tests.runtime.world import Does, Gate, World, kinds, only

TURNS = (
    calls(
        ToolCall("a", "safe", "{}"),
        ToolCall("b", "deed", "{}"),
        text="Let me see.",
        usage=Usage(5, 5),
    ),
    calls(ToolCall("c", "deed", "{}")),
    says("All is well.", reasoning="hm"),
)


def tools() -> tuple[Does, Does]:
    deed = Does("deed", ToolOutput("did it"))
    deed.spec = ToolSpec("deed", effect="irreversible")
    return Does("safe", ToolOutput("saw it")), deed


async def recorded() -> list[AnyEvent]:
    world = World(TURNS, *tools())
    return await world.finished(await world.start())


async def world_after(events: Sequence[AnyEvent], **wanted: object) -> tuple[World, tuple]:
    """The world as a new process finds it when the old one died behind `events`."""
    clock = ManualClock()
    log = MemoryLog(clock)
    status = fold(events).status
    record = RunRecord("run_1", "key_1", "angelia", "sess_1", "runs", 1.0, 1.0, status)
    await log.create(record, events)
    said = len(only(events, type(events[0]))) and sum(
        type(event).__name__ == "ModelReplied" for event in events
    )
    hands = tools()
    return World(TURNS[said:], *hands, log=log, **wanted), hands


async def test_a_run_cut_off_after_any_entry_reaches_its_end() -> None:
    whole = await recorded()
    assert isinstance(whole[-1], RunEnded)
    for cut in range(1, len(whole)):
        world, _ = await world_after(whole[:cut])
        assert await world.recover() == 1
        entries = await world.until("run_1")
        events = [entry.event for entry in entries]
        assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
        assert events[:cut] == whole[:cut]
        assert kinds(events).count("RunEnded") == 1
        assert isinstance(events[-1].ending, Completed)
        assert events[-1].output == "All is well."
        check_lifecycles(events)


def check_lifecycles(events: Sequence[AnyEvent]) -> None:
    started = [e.call_id for e in only(events, ToolStarted)]
    finished = [e.call_id for e in only(events, ToolFinished)]
    assert sorted(started) == sorted(finished) == ["a", "b", "c"]


async def test_no_finished_tool_runs_twice() -> None:
    whole = await recorded()
    for cut in range(1, len(whole)):
        before = {e.call_id for e in only(whole[:cut], ToolFinished)}
        begun = {e.call_id for e in only(whole[:cut], ToolStarted)}
        world, (safe, deed) = await world_after(whole[:cut])
        await world.recover()
        events = await world.finished("run_1")
        assert safe.count == (0 if "a" in before else 1)
        # An irreversible call that was begun is never begun again.
        assert deed.count == len({"b", "c"} - begun)
        doubtful = {e.call_id for e in only(events, ToolFinished) if e.outcome == "in_doubt"}
        assert doubtful == (begun - before) & {"b", "c"}
        assert {e.call_id for e in only(events, ToolResumed)} == (begun - before) & {"a"}


async def test_half_a_reply_is_void_and_asked_again() -> None:
    whole = await recorded()
    cut = next(n for n, event in enumerate(whole) if isinstance(event, TextDelta)) + 1
    world, _ = await world_after(whole[:cut])
    await world.recover()
    events = await world.finished("run_1")
    assert kinds(events[cut : cut + 2]) == ["RunTaken", "StepReset"]
    assert only(events, StepReset)[0].reason == "crash"


async def test_the_model_is_told_of_a_doubtful_call() -> None:
    whole = await recorded()
    cut = next(n for n, e in enumerate(whole) if isinstance(e, ToolStarted) and e.call_id == "b")
    world, _ = await world_after(whole[: cut + 1])
    await world.recover()
    await world.finished("run_1")
    results = [m for m in world.model.asked[0].messages if getattr(m, "call_id", "") == "b"]
    assert "may or may not have taken effect" in results[0].output
    assert results[0].failed


async def test_a_run_that_waits_for_a_client_is_left_waiting() -> None:
    world = World([calls(ToolCall("x", "lookup", "{}"))])
    run_id = await world.start(tools=(ToolSpec("lookup", owner="client"),))
    await world.until(run_id, RunWaited)
    assert await world.recover() == 0


async def test_a_driver_whose_run_was_taken_over_writes_nothing_more() -> None:
    gate = Gate()
    world = World([calls(ToolCall("a", "gate", "{}")), says("zombie")], gate)
    run_id = await world.start()
    await gate.begins("a")
    epoch = await world.store.take(run_id)
    gate.let_go("a")
    await world.runs.quiet()
    log = await world.log.read(run_id)
    assert not only([entry.event for entry in log.entries], ToolFinished)
    with pytest.raises(Fenced):
        await world.log.append(run_id, epoch - 1, (RunTaken(1),))


async def test_a_shutdown_leaves_runs_for_the_next_start() -> None:
    world = World([Hangs((TextDelta("Once"),))])
    run_id = await world.start()
    await world.until(run_id, TextDelta)
    await world.runs.close()
    assert world.runs.under_way == 0
    successor = World([says("upon a time")], log=world.log)
    assert await successor.recover() == 1
    events = await successor.finished(run_id)
    assert events[-1].output == "upon a time"
    assert only(events, StepReset)
