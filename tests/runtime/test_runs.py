"""What surfaces can do with runs."""

import asyncio

import pytest

from angelia.adapters.memory.models import Hangs, calls, says
from angelia.core.events import RunWaited, TextDelta
from angelia.core.messages import ToolCall, ToolSpec, user
from angelia.core.policy import Policy
from angelia.errors import Conflict, NotFound
from angelia.ports import Claim, RunFilter, ToolOutput
from angelia.runtime.agents import Agent, Agents
from angelia.runtime.orders import Order
from tests.runtime.world import OK, Does, World


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


async def test_words_for_a_run_that_has_ended_are_refused_but_a_stop_is_not() -> None:
    world = World([says("done")])
    run_id = await world.start()
    await world.finished(run_id)
    await world.runs.stop(run_id)
    with pytest.raises(Conflict):
        await world.runs.steer(run_id, (user("late"),))
    with pytest.raises(Conflict):
        await world.runs.approve(run_id, None, "once")
    assert (await world.runs.get("key_1", run_id)).status == "completed"


async def test_an_approval_that_is_not_pending_is_refused_and_names_those_that_are() -> None:
    tool = Does("risky", ToolOutput("boom"))
    turns = [calls(ToolCall("c1", "risky", "{}")), says("done")]
    world = World(turns, tool, policy=Policy(ask=("risky",)))
    run_id = await world.start()
    await world.until(run_id, RunWaited)
    with pytest.raises(Conflict, match="apr_c1"):
        await world.runs.approve(run_id, "apr_nothing", "once")
    await world.runs.approve(run_id, None, "deny", "not today")
    await world.finished(run_id)
    assert tool.count == 0


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
    agent = Agent("angelia", model=None)
    assert Agents([agent]).resolve("gpt-4o") is agent
    with pytest.raises(NotFound) as missing:
        Agents([agent], reject_unknown=True).resolve("gpt-4o")
    assert missing.value.param == "model"
