"""What a driver makes of a run, seen in its log."""

import asyncio
import gc
from collections.abc import Sequence

import pytest

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.memory.models import Breaks, Hangs, calls, says
from angelia.adapters.memory.usage import MemoryUsage
from angelia.core.events import (
    ApprovalRequested,
    CallDelta,
    Cancelled,
    ClientReplied,
    Completed,
    Exhausted,
    Failed,
    ModelReplied,
    OutputDelta,
    ReasoningClosed,
    ReasoningDelta,
    RunEnded,
    RunTaken,
    RunWaited,
    TextDelta,
    ToolFinished,
    ToolStarted,
)
from angelia.core.latency import ENDS
from angelia.core.messages import Sampling, ToolCall, ToolChoice, ToolResult, ToolSpec, Usage, user
from angelia.core.policy import Limits, Policy
from angelia.errors import LogUnavailable, UpstreamRefused, UpstreamStalled
from angelia.ports import ToolOutput, UsageFilter, UsageRow
from angelia.runtime.driver import Driver
from angelia.runtime.step import Step
from tests.runtime.world import BAD, OK, Does, Gate, SlowLog, World, kinds, only


def call(name: str, call_id: str = "c1") -> ToolCall:
    """No two of them say the same."""
    return ToolCall(call_id, name, f'{{"n":"{call_id}"}}')


async def test_a_run_without_tools_streams_and_completes() -> None:
    world = World([says("Good morning", reasoning="hm", usage=Usage(3, 2))])
    run_id = await world.start()
    events = await world.finished(run_id)
    assert "".join(e.text for e in only(events, TextDelta)) == "Good morning"
    assert [e.text for e in only(events, ReasoningClosed)] == ["hm"]
    assert events[-1] == RunEnded(Completed("stop"), "Good morning", Usage(3, 2))
    assert kinds(events).count("RunEnded") == 1


async def test_the_clients_instructions_are_layered_on_the_agents_own() -> None:
    world = World([says("ok")])
    await world.finished(await world.start(instructions="Be brief."))
    assert world.model.asked[0].instructions == "Be kind.\n\nBe brief."


def drivers_and_steps() -> set[Driver | Step]:
    """All that there are, those of other tests among them."""
    return {each for each in gc.get_objects() if isinstance(each, Driver | Step)}


async def test_what_a_run_knew_is_let_go_of_when_it_ends() -> None:
    world = World([calls(call("ok")), says("done")], OK)
    gc.collect()
    before = drivers_and_steps()
    gc.disable()
    try:
        await world.finished(await world.start())
        await world.runs.quiet()
        # What is still being done with the last task of the run.
        await asyncio.sleep(0)
        assert drivers_and_steps() <= before
    finally:
        gc.enable()


async def test_a_tool_round_gives_the_model_its_result() -> None:
    world = World([calls(call("ok")), says("done")], OK)
    events = await world.finished(await world.start())
    started, finished = only(events, ToolStarted)[0], only(events, ToolFinished)[0]
    assert (started.call_id, finished.call_id, finished.outcome) == ("c1", "c1", "ok")
    assert world.model.asked[1].messages[-1] == ToolResult("c1", "fine")


async def test_parallel_calls_finish_one_by_one_in_their_own_time() -> None:
    gate = Gate()
    world = World([calls(call("gate", "a"), call("gate", "b")), says("done")], gate)
    run_id = await world.start()
    await gate.begins("a")
    await gate.begins("b")
    gate.let_go("b")
    first = await world.until(run_id, ToolFinished)
    assert first[-1].event.call_id == "b"
    gate.let_go("a")
    events = await world.finished(run_id)
    assert [e.call_id for e in only(events, ToolFinished)] == ["b", "a"]
    results = [m.call_id for m in world.model.asked[1].messages if isinstance(m, ToolResult)]
    assert results == ["a", "b"]


async def test_calls_that_touch_the_same_thing_keep_their_order() -> None:
    one = Does("one", ToolOutput("1"), lane="file")
    two = Does("two", ToolOutput("2"), lane="file")
    world = World([calls(call("one", "a"), call("two", "b")), says("done")], one, two)
    events = await world.finished(await world.start())
    lifecycle = [e for e in events if isinstance(e, ToolStarted | ToolFinished)]
    assert [(type(e).__name__, e.call_id) for e in lifecycle] == [
        ("ToolStarted", "a"),
        ("ToolFinished", "a"),
        ("ToolStarted", "b"),
        ("ToolFinished", "b"),
    ]


@pytest.mark.parametrize(
    ("tool", "outcome", "part"),
    [
        (BAD, "error", "wrong path"),
        (Does("bad", ToolOutput("so far", "timeout")), "timeout", "so far"),
        (Does("bad", ValueError("a defect of the tool")), "error", "a defect of the tool"),
    ],
)
async def test_a_failing_tool_is_a_result_for_the_model(tool, outcome, part) -> None:
    world = World([calls(call("bad")), says("sorry")], tool)
    events = await world.finished(await world.start())
    (finished,) = only(events, ToolFinished)
    assert finished.outcome == outcome
    assert part in finished.output
    assert isinstance(events[-1].ending, Completed)


async def test_an_unknown_tool_is_named_with_its_nearest_neighbour() -> None:
    world = World([calls(call("okk")), says("sorry")], OK)
    events = await world.finished(await world.start())
    (finished,) = only(events, ToolFinished)
    assert finished.outcome == "error"
    assert "Did you mean 'ok'?" in finished.output
    assert len(only(events, ToolStarted)) == 1


async def test_a_long_output_is_cut_for_the_model_and_kept_whole() -> None:
    world = World([calls(call("ok")), says("done")], Does("ok", ToolOutput("x" * 100_000)))
    run_id = await world.start()
    (finished,) = only(await world.finished(run_id), ToolFinished)
    assert finished.truncated
    assert finished.size == 100_000
    assert len(finished.output) < 40_000
    assert "100,000 characters" in finished.output
    assert await world.outputs.get(run_id, "c1", 0, 200_000) == b"x" * 100_000


async def test_keys_in_tool_output_never_reach_the_log() -> None:
    secret = "sk-abcdefghijklmnopqrstuvwx0123456789"
    world = World([calls(call("ok")), says("done")], Does("ok", ToolOutput(f"key {secret}")))
    events = await world.finished(await world.start())
    assert secret not in repr(events)


async def test_live_output_carries_its_offset() -> None:
    gate = Gate()
    world = World([calls(call("gate")), says("done")], gate)
    run_id = await world.start()
    await gate.begins("c1")
    gate.let_go("c1")
    shown = only(await world.finished(run_id), OutputDelta)
    assert "".join(delta.text for delta in shown) == "at the gate"
    assert {delta.call_id for delta in shown} == {"c1"}
    for before, delta in enumerate(shown):
        assert delta.offset == sum(len(earlier.text) for earlier in shown[:before])


async def test_a_provider_that_fails_ends_the_run_as_failed() -> None:
    error = UpstreamRefused("no credit for key sk-abcdefghijklmnopqrstuvwx", status=402)
    world = World([Breaks(error)])
    events = await world.finished(await world.start())
    ending = events[-1].ending
    assert isinstance(ending, Failed)
    assert ending.code == "upstream_refused"
    assert "sk-abc" not in ending.message


async def test_an_answer_that_nobody_completes_is_the_runs_answer_as_far_as_it_came() -> None:
    world = World([Breaks(UpstreamStalled("Silent."), (TextDelta("Well"),))])
    events = await world.finished(await world.start())
    assert events[-1] == RunEnded(Completed("length"), "Well")
    (replied,) = only(events, ModelReplied)
    assert replied.reply.message.text == "Well"


async def test_a_call_that_was_cut_off_is_never_made() -> None:
    half = (CallDelta(0, id="c1", name="ok"), CallDelta(0, '{"pa'))
    world = World([Breaks(UpstreamStalled("Silent."), half)], OK)
    events = await world.finished(await world.start())
    assert not only(events, ToolStarted)
    assert OK.spec.name in events[-1].output
    assert events[-1].ending == Completed("length")


async def test_a_stop_while_the_model_writes_cancels_its_request() -> None:
    world = World([Hangs((TextDelta("Once upon"),))])
    run_id = await world.start()
    await world.until(run_id, TextDelta)
    await world.runs.stop(run_id)
    events = await world.finished(run_id)
    assert events[-1].ending == Cancelled("user")
    assert world.model.cancelled == 1
    assert not only(events, ModelReplied)


async def test_a_stop_while_tools_work_completes_each_of_them_once() -> None:
    gate = Gate()
    world = World([calls(call("gate", "a"), call("gate", "b"))], gate)
    run_id = await world.start()
    await gate.begins("a")
    await gate.begins("b")
    await world.runs.stop(run_id)
    await world.runs.stop(run_id)
    events = await world.finished(run_id)
    finished = only(events, ToolFinished)
    assert {(e.call_id, e.outcome) for e in finished} == {("a", "cancelled"), ("b", "cancelled")}
    assert len(finished) == 2
    assert events[-1].ending == Cancelled("user")
    await world.runs.stop(run_id)


async def test_budgets_of_steps_and_tokens_end_the_run_as_exhausted() -> None:
    world = World([calls(call("ok", f"c{n}")) for n in range(9)], OK, limits=Limits(max_steps=2))
    events = await world.finished(await world.start())
    assert events[-1].ending == Exhausted("max_steps")
    world = World([calls(call("ok"), usage=Usage(90, 20))], OK, limits=Limits(max_tokens=100))
    events = await world.finished(await world.start())
    assert events[-1].ending == Exhausted("max_tokens")


async def test_a_deadline_stops_whatever_is_under_way() -> None:
    gate = Gate()
    world = World([calls(call("gate"))], gate)
    run_id = await world.start(limits=Limits(max_seconds=5))
    await gate.begins("c1")
    await world.clock.sleepers(1)
    world.clock.advance(5)
    events = await world.finished(run_id)
    assert events[-1].ending == Exhausted("max_seconds")
    assert only(events, ToolFinished)[0].outcome == "cancelled"


async def test_a_client_may_lower_a_budget_but_not_raise_it() -> None:
    world = World([calls(call("ok", f"c{n}")) for n in range(9)], OK, limits=Limits(max_steps=3))
    await world.finished(await world.start(limits=Limits(max_steps=100)))
    assert len(world.model.asked) == 3


async def test_a_repeated_call_id_becomes_distinct() -> None:
    world = World([calls(call("ok")), calls(call("ok")), says("done")], OK)
    events = await world.finished(await world.start())
    ids = [e.call_id for e in only(events, ToolStarted)]
    assert len(set(ids)) == 2


async def test_a_client_tool_waits_for_the_client_after_the_servers_own_are_done() -> None:
    gate = Gate()
    theirs = ToolSpec("lookup", owner="client")
    turns = [calls(call("lookup", "x"), call("gate", "y")), says("It is 7.")]
    world = World(turns, gate)
    run_id = await world.start(tools=(theirs,))
    await gate.begins("y")
    assert (await world.runs.state(run_id)).status == "running"
    gate.let_go("y")
    waited = (await world.until(run_id, RunWaited))[-1]
    (wanted,) = waited.event.call_ids
    assert wanted.startswith("call_")
    assert (await world.runs.state(run_id)).status == "waiting_for_client"
    after = await world.runs.reply(run_id, ClientReplied((ToolResult(wanted, "7"),)))
    assert after == waited.seq
    events = await world.finished(run_id)
    assert events[-1].output == "It is 7."
    results = [m for m in world.model.asked[1].messages if isinstance(m, ToolResult)]
    assert results == [ToolResult(wanted, "7"), ToolResult("y", "through y")]


async def test_a_forced_tool_is_forced_once() -> None:
    world = World([calls(call("ok")), says("done")], OK)
    forced = Sampling(tool_choice=ToolChoice("named", "ok"))
    await world.finished(await world.start(sampling=forced))
    assert [p.sampling.tool_choice.mode for p in world.model.asked] == ["named", "auto"]


async def test_a_steering_message_is_read_at_the_next_step() -> None:
    gate = Gate()
    world = World([calls(call("gate")), says("done")], gate)
    run_id = await world.start()
    await gate.begins("c1")
    await world.runs.steer(run_id, (user("and hurry"),))
    gate.let_go("c1")
    await world.finished(run_id)
    assert world.model.asked[1].messages[-2:] == (ToolResult("c1", "through c1"), user("and hurry"))


async def test_an_approval_lets_the_call_begin() -> None:
    tool = Does("risky", ToolOutput("boom"))
    world = World([calls(call("risky")), says("done")], tool, policy=Policy(ask=("risky",)))
    run_id = await world.start()
    asked = (await world.until(run_id, RunWaited))[-2].event
    assert isinstance(asked, ApprovalRequested)
    assert tool.count == 0
    assert (await world.runs.state(run_id)).status == "waiting_for_approval"
    await world.answer(run_id, "once", asked.approval_id)
    events = await world.finished(run_id)
    assert tool.count == 1
    assert isinstance(events[-1].ending, Completed)


async def test_a_denied_call_starts_and_ends_in_the_log_and_never_runs() -> None:
    tool = Does("risky", ToolOutput("boom"))
    world = World([calls(call("risky")), says("fine")], tool, policy=Policy(deny=("risky",)))
    events = await world.finished(await world.start())
    assert tool.count == 0
    assert len(only(events, ToolStarted)) == 1
    assert [e.outcome for e in only(events, ToolFinished)] == ["denied"]


async def test_a_defect_in_the_model_client_fails_the_run_instead_of_hanging_it() -> None:
    world = World([Breaks(UpstreamStalled("x"))])
    world.model._play = None
    events = await world.finished(await world.start())
    assert events[-1].ending.code == "internal_error"


async def test_a_tool_that_was_not_offered_is_not_called_although_the_server_has_it() -> None:
    tool = Does("ok", ToolOutput("fine"))
    world = World([calls(call("ok")), says("then not")], tool)
    events = await world.finished(await world.start(tools=()))
    assert tool.count == 0
    (finished,) = only(events, ToolFinished)
    assert finished.outcome == "error"
    assert "Available: none" in finished.output


async def test_a_deadline_holds_while_a_run_waits() -> None:
    world = World([calls(call("lookup"))])
    theirs = ToolSpec("lookup", owner="client")
    run_id = await world.start(tools=(theirs,), limits=Limits(max_seconds=5))
    await world.until(run_id, RunWaited)
    await world.clock.sleepers(1)
    world.clock.advance(5)
    events = await world.finished(run_id)
    assert events[-1].ending == Exhausted("max_seconds")


async def test_a_steering_message_is_not_lost_when_the_client_replies_at_once() -> None:
    turns = [calls(call("lookup", "x")), says("ok")]
    world = World(turns, log=SlowLog(ManualClock()))
    run_id = await world.start(tools=(ToolSpec("lookup", owner="client"),))
    (wanted,) = (await world.until(run_id, RunWaited))[-1].event.call_ids
    await asyncio.gather(
        world.runs.steer(run_id, (user("and hurry"),)),
        world.runs.reply(run_id, ClientReplied((ToolResult(wanted, "7"),))),
    )
    await world.finished(run_id)
    assert user("and hurry") in world.model.asked[1].messages


async def test_a_run_pauses_while_the_log_cannot_be_written_and_then_goes_on() -> None:
    log = SlowLog(ManualClock())
    gate = Gate(effect="idempotent")
    world = World([calls(call("gate")), says("done")], gate, log=log)
    run_id = await world.start()
    await gate.begins("c1")
    log.broken = True
    gate.let_go("c1")
    await world.clock.sleepers(1)
    assert world.runs.paused == 1
    with pytest.raises(LogUnavailable):
        await world.runs.steer(run_id, (user("hello?"),))
    log.broken = False
    world.clock.advance(1)
    events = await world.finished(run_id)
    assert world.runs.paused == 0
    assert isinstance(events[-1].ending, Completed)
    assert len(only(events, ToolFinished)) == len(only(events, ToolStarted)) == 1


async def test_a_disk_that_is_full_for_a_moment_does_not_end_the_run() -> None:
    log = SlowLog(ManualClock())
    world = World([Hangs((TextDelta("Half"),)), says("Whole.")], log=log)
    run_id = await world.start()
    await world.until(run_id, TextDelta)
    log.broken = True
    with pytest.raises(LogUnavailable):
        await world.runs.steer(run_id, (user("hello?"),))
    log.broken = False
    await world.clock.sleepers(1)
    world.clock.advance(1)
    events = await world.finished(run_id)
    assert events[-1] == RunEnded(Completed("stop"), "Whole.")


async def test_a_word_that_could_not_be_written_has_no_effect() -> None:
    log = SlowLog(ManualClock())
    turns = [calls(call("lookup", "x")), says("ok")]
    world = World(turns, log=log)
    run_id = await world.start(tools=(ToolSpec("lookup", owner="client"),))
    (wanted,) = (await world.until(run_id, RunWaited))[-1].event.call_ids
    log.broken = True
    with pytest.raises(LogUnavailable):
        await world.runs.reply(run_id, ClientReplied((ToolResult(wanted, "7"),)))
    await world.clock.sleepers(1)
    log.broken = False
    world.clock.advance(1)
    await world.until(run_id, RunTaken)
    assert (await world.runs.state(run_id)).status == "waiting_for_client"
    await world.runs.reply(run_id, ClientReplied((ToolResult(wanted, "7"),)))
    events = await world.finished(run_id)
    assert isinstance(events[-1].ending, Completed)


@pytest.mark.parametrize("kind", [TextDelta, ReasoningDelta])
async def test_a_model_call_that_was_cut_off_is_paid_for_as_far_as_it_came(kind) -> None:
    world = World([Hangs((kind("a few words of an answer"),))])
    run_id = await world.start("a question of some length")
    await world.until(run_id, kind)
    await world.runs.stop(run_id)
    await world.finished(run_id)
    (row,) = [row for row in await used(world) if row.calls]
    assert (row.calls, row.tenant) == (1, "key_1")
    assert row.usage.input > 0
    assert row.usage.output > 0


async def test_a_model_call_that_never_said_a_word_costs_nothing() -> None:
    world = World([Hangs()])
    run_id = await world.start()
    await world.runs.stop(run_id)
    await world.finished(run_id)
    assert not [row for row in await used(world) if row.calls]


async def used(world: World) -> Sequence[UsageRow]:
    return await MemoryUsage(world.log).find(UsageFilter(0, 10**6))


async def times(world: World, run_id: str) -> dict[str, float]:
    """The end of the bucket of everything that was timed, by kind."""
    await world.finished(run_id)
    rows = await MemoryUsage(world.log).latencies(UsageFilter(0, 1000))
    assert all(row.count == 1 for row in rows)
    return {row.kind: ENDS[row.bucket] for row in rows}


async def test_the_time_of_a_run_is_without_the_time_it_waited_for_a_person() -> None:
    gate = Gate("risky")
    world = World([calls(call("risky"))], gate, policy=Policy(ask=("risky",)))
    run_id = await world.start()
    (asked,) = only([e.event for e in await world.until(run_id, RunWaited)], ApprovalRequested)
    await quiet(world)
    world.clock.advance(3600)
    await world.answer(run_id, "once", asked.approval_id)
    await gate.begins(asked.call_id)
    world.clock.advance(8)
    gate.let_go(asked.call_id)
    took = await times(world, run_id)
    assert 8 <= took["run"] < 10


async def quiet(world: World) -> None:
    """Until no driver is at work."""
    while world.runs.under_way:
        await asyncio.sleep(0)


async def test_a_run_that_was_stopped_is_not_timed() -> None:
    world = World([Hangs((TextDelta("well"),))])
    run_id = await world.start()
    await world.until(run_id, TextDelta)
    await world.runs.stop(run_id)
    assert await times(world, run_id) == {}
