import asyncio

from angelia.adapters.memory.clock import ManualClock


async def sleeper(clock: ManualClock, seconds: float, woken: list[float]) -> None:
    await clock.sleep(seconds)
    woken.append(seconds)


async def test_sleepers_wake_when_their_time_comes_the_earliest_first() -> None:
    clock, woken = ManualClock(now=100.0), list[float]()
    tasks = [asyncio.create_task(sleeper(clock, seconds, woken)) for seconds in (3, 1, 2, 9)]
    await clock.sleepers(4)
    clock.advance(3)
    await asyncio.gather(*tasks[:3])
    assert woken == [1, 2, 3]
    assert clock.now() == clock.monotonic() == 103.0
    clock.advance(6)
    await tasks[3]
    assert woken == [1, 2, 3, 9]


async def test_a_sleeper_that_is_cancelled_is_forgotten() -> None:
    clock, woken = ManualClock(), list[float]()
    leaving = asyncio.create_task(sleeper(clock, 1, woken))
    await clock.sleepers()
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    waiting = asyncio.create_task(clock.sleepers())
    await asyncio.sleep(0)
    assert not waiting.done()
    staying = asyncio.create_task(sleeper(clock, 2, woken))
    await waiting
    clock.advance(2)
    await staying
    assert woken == [2]
