"""Which runs are let go, and when."""

from angelia.adapters.memory.log import MemoryExpired
from angelia.adapters.memory.models import Hangs, calls, says
from angelia.core.events import RunWaited
from angelia.core.messages import ToolCall, ToolSpec
from angelia.runtime.retention import DAY, UNSTORED_SECONDS, UNSTORED_WAIT, Sweeper
from tests.runtime.world import World


def sweeper(world: World, days: float | None) -> Sweeper:
    return Sweeper(MemoryExpired(world.log), world.store, world.runs, world.clock, days)


async def finished(world: World, **wanted: object) -> str:
    run_id = await world.start(**wanted)
    await world.finished(run_id)
    return run_id


async def test_a_run_that_is_not_stored_is_gone_soon_after_its_end() -> None:
    world = World([says("a"), says("b")])
    passing, kept = await finished(world, stored=False), await finished(world)
    assert await sweeper(world, None).sweep() == 0
    world.clock.advance(UNSTORED_SECONDS + 1)
    assert await sweeper(world, None).sweep() == 1
    assert set(world.log.runs) == {kept}
    assert passing != kept


async def test_runs_are_kept_for_good_unless_days_are_set() -> None:
    world = World([says("a")])
    await finished(world)
    world.clock.advance(1000 * DAY)
    assert await sweeper(world, None).sweep() == 0
    assert await sweeper(world, 1001).sweep() == 0
    assert await sweeper(world, 999).sweep() == 1
    assert not world.log.runs


async def test_a_run_that_is_not_stored_does_not_wait_for_its_client_for_good() -> None:
    theirs = ToolSpec("theirs", owner="client")
    asks = calls(ToolCall("c1", "theirs", "{}"))
    world = World([asks, asks])
    waits = [await world.start(tools=(theirs,), stored=stored) for stored in (False, True)]
    for run_id in waits:
        await world.until(run_id, RunWaited)
    await sweeper(world, None).sweep()
    assert (await world.runs.get("key_1", waits[0])).status == "waiting_for_client"
    world.clock.advance(UNSTORED_WAIT + 1)
    await sweeper(world, None).sweep()
    statuses = [(await world.runs.get("key_1", run_id)).status for run_id in waits]
    assert statuses == ["cancelled", "waiting_for_client"]


async def test_a_run_under_way_is_let_be() -> None:
    world = World([Hangs()])
    run_id = await world.start(stored=False)
    world.clock.advance(1000 * DAY)
    assert await sweeper(world, 1).sweep() == 0
    assert run_id in world.log.runs
