"""Results of a client's own tools, brought once, twice, too late or in part."""

import asyncio

import pytest

from angelia.adapters.memory.models import Hangs, Turn, calls, says
from angelia.core.events import ClientReplied, RunWaited
from angelia.core.messages import Sampling, ToolCall, ToolResult, ToolSpec, user
from angelia.errors import BadRequest, Conflict
from angelia.ports import Claim
from angelia.runtime.replies import Reply, go_on
from tests.runtime.world import OK, SlowLog, World, only

THEIRS = ToolSpec("theirs", owner="client")
MORE = ToolSpec("more", owner="client")
ASKS = calls(ToolCall("a", "theirs", "{}"), ToolCall("b", "theirs", "{}"))


async def waiting(*turns: Turn, slow: bool = False) -> tuple[World, str]:
    world = World([ASKS, *turns], OK)
    if slow:
        world = World([ASKS, *turns], OK, log=SlowLog(world.clock))
    run_id = await world.start(tools=(THEIRS,))
    await world.until(run_id, RunWaited)
    return world, run_id


async def results(world: World, run_id: str, output: str = "here") -> tuple[ToolResult, ...]:
    pending = (await world.runs.state(run_id)).calls
    return tuple(ToolResult(call.call.id, output) for call in pending)


def reply(*messages: object, claim: Claim | None = None, tenant: str = "key_1") -> Reply:
    return Reply(tenant, messages, (THEIRS, MORE), Sampling(temperature=0.5), "messages", claim)


async def test_the_run_goes_on_with_what_was_brought_and_what_holds_from_then_on() -> None:
    world, run_id = await waiting(says("thanks"))
    brought = await results(world, run_id)
    started = await go_on(world.runs, reply(user("hi"), *brought, user("and?")))
    assert started is not None
    assert (started.run.id, started.replayed) == (run_id, False)
    await world.finished(run_id)
    asked = world.model.asked[-1]
    assert asked.messages[-3:] == (*brought, user("and?"))
    assert asked.tools == (OK.spec, THEIRS, MORE)
    assert asked.sampling.temperature == 0.5
    entries = await world.runs.read(run_id, started.after)
    assert isinstance(entries[0].event, ClientReplied)


async def test_all_results_are_brought_or_none() -> None:
    world, run_id = await waiting(says("thanks"))
    first, second = await results(world, run_id)
    with pytest.raises(BadRequest) as refused:
        await go_on(world.runs, reply(first))
    assert refused.value.param == "messages"
    assert second.call_id in refused.value.message
    assert (await world.runs.state(run_id)).status == "waiting_for_client"


async def test_results_that_nobody_waits_for_are_not_for_a_run() -> None:
    world, run_id = await waiting(says("thanks"))
    brought = await results(world, run_id)
    strange = ToolResult(f"{brought[0].call_id[:-1]}9", "here")
    for messages, tenant in (
        ((), "key_1"),
        ((user("hi"),), "key_1"),
        ((ToolResult("call_of_nobody", "x"),), "key_1"),
        ((*brought, strange), "key_1"),
        (brought, "key_2"),
    ):
        assert await go_on(world.runs, reply(*messages, tenant=tenant)) is None
    assert (await world.runs.state(run_id)).status == "waiting_for_client"


async def test_earlier_results_of_the_conversation_do_not_count() -> None:
    world, run_id = await waiting(says("thanks"))
    old = ToolResult("call_of_nobody", "x")
    started = await go_on(world.runs, reply(old, user("hi"), *await results(world, run_id)))
    assert started is not None


async def test_the_same_results_again_join_the_run_while_it_works() -> None:
    world, run_id = await waiting(Hangs())
    brought = await results(world, run_id)
    first = await go_on(world.runs, reply(*brought))
    again = await go_on(world.runs, reply(*brought))
    assert first is not None
    assert again is not None
    assert (again.run.id, again.after, again.replayed) == (run_id, first.after, True)
    others = (ToolResult(brought[0].call_id, "other"), brought[1])
    assert await go_on(world.runs, reply(*others)) is None
    await world.runs.stop(run_id)
    await world.finished(run_id)
    assert await go_on(world.runs, reply(*brought)) is None


async def test_the_same_results_at_once_are_brought_once() -> None:
    """Also while the first of them is still being written."""
    world, run_id = await waiting(Hangs(), slow=True)
    brought = await results(world, run_id)
    answers = await asyncio.gather(*(go_on(world.runs, reply(*brought)) for _ in range(5)))
    assert {(answer.run.id, answer.after) for answer in answers if answer} == {
        (run_id, answers[0].after)
    }
    assert [answer.replayed for answer in answers if answer] == [False, *[True] * 4]
    facts = [entry.event for entry in await world.runs.facts(run_id)]
    assert len(only(facts, ClientReplied)) == 1
    await world.runs.close()


async def test_a_claim_leads_to_the_leg_it_was_brought_with() -> None:
    world, run_id = await waiting(says("thanks"))
    brought = await results(world, run_id)
    claim = Claim("key:x", "f", 2e9)
    first = await go_on(world.runs, reply(*brought, claim=claim))
    await world.finished(run_id)
    found = await world.runs.claimed("key_1", claim)
    assert first is not None
    assert found is not None
    assert (found.run.id, found.after, found.replayed) == (run_id, first.after, True)


async def test_a_claim_that_is_held_already_is_what_the_request_means() -> None:
    world, run_id = await waiting(says("thanks"), says("another"))
    claim = Claim("key:x", "f", 2e9)
    other = await world.start(claim=claim)
    started = await go_on(world.runs, reply(*await results(world, run_id), claim=claim))
    assert started is not None
    assert (started.run.id, started.replayed) == (other, True)
    assert (await world.runs.state(run_id)).status == "waiting_for_client"
    different = reply(*await results(world, run_id), claim=Claim("key:x", "g", 2e9))
    with pytest.raises(Conflict):
        await go_on(world.runs, different)


async def test_a_client_that_says_nothing_of_tools_changes_nothing_about_them() -> None:
    world = World([ASKS, says("thanks")], OK)
    run_id = await world.start(tools=(THEIRS,), allowed=())
    await world.until(run_id, RunWaited)
    silent = Reply("key_1", await results(world, run_id), None, Sampling(), "messages")
    assert await go_on(world.runs, silent) is not None
    await world.finished(run_id)
    assert world.model.asked[-1].tools == (THEIRS,)


async def test_the_bare_model_gains_no_tools_on_the_way() -> None:
    world = World([ASKS, says("thanks")], OK)
    run_id = await world.start(tools=(THEIRS,), model="angelia:bare")
    await world.until(run_id, RunWaited)
    assert await go_on(world.runs, reply(*await results(world, run_id))) is not None
    await world.finished(run_id)
    assert world.model.asked[-1].tools == (THEIRS, MORE)
    assert world.model.asked[-1].instructions == ""


async def test_a_reply_brings_back_none_of_the_tools_that_its_run_goes_without() -> None:
    world = World([ASKS, says("thanks")], OK)
    run_id = await world.start(tools=(THEIRS,), toolsets=("none of ours",))
    await world.until(run_id, RunWaited)
    assert await go_on(world.runs, reply(*await results(world, run_id))) is not None
    await world.finished(run_id)
    assert world.model.asked[-1].tools == (THEIRS, MORE)
