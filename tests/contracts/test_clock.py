"""What every clock promises."""

import asyncio

import pytest

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.system_clock import SystemClock
from angelia.ports import Clock


@pytest.fixture(params=[SystemClock, ManualClock])
def clock(request: pytest.FixtureRequest) -> Clock:
    return request.param()


async def sleep(clock: Clock, seconds: float) -> None:
    """Moves a clock that does not move by itself."""
    sleeping = asyncio.ensure_future(clock.sleep(seconds))
    if isinstance(clock, ManualClock) and seconds > 0:
        await clock.sleepers()
        clock.advance(seconds)
    await sleeping


async def test_a_sleep_takes_its_time(clock: Clock) -> None:
    now, monotonic = clock.now(), clock.monotonic()
    await sleep(clock, 0.02)
    assert clock.monotonic() - monotonic >= 0.019
    assert clock.now() > now


@pytest.mark.parametrize("seconds", [0, -1])
async def test_a_sleep_of_no_time_lets_others_run_and_ends(clock: Clock, seconds: float) -> None:
    ran: list[str] = []
    other = asyncio.get_running_loop().create_task(note(ran))
    await sleep(clock, seconds)
    await other
    assert ran == ["ran"]


async def note(ran: list[str]) -> None:
    ran.append("ran")
