"""A limit on waiting that moves."""

import asyncio
import time

import pytest
import uvloop

from angelia.adapters.upstream.watch import STOOD_STILL, Watch


async def test_a_wait_beyond_the_limit_is_cut() -> None:
    watch = Watch(0.01)
    with pytest.raises(TimeoutError):
        async with watch:
            await asyncio.Event().wait()
    assert watch.expired


async def test_a_limit_that_moves_on_cuts_nothing() -> None:
    async with Watch(0.05) as watch:
        for _ in range(6):
            await asyncio.sleep(0.02)
            watch.allow(0.05)
    assert not watch.expired


async def test_a_limit_may_be_brought_forward() -> None:
    async def waits() -> None:
        async with Watch(60) as watch:
            watch.allow(0.01)
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        await waits()


def test_a_limit_that_has_all_but_passed_can_be_moved_on() -> None:
    async def waits() -> None:
        async with Watch() as watch:
            watch.allow(0.0001)
            watch.allow(60)
            await asyncio.sleep(0.01)
            watch.allow(0.01)
            await asyncio.Event().wait()

    for each in (asyncio.run, uvloop.run):
        with pytest.raises(TimeoutError):
            each(waits())


async def test_a_pause_is_not_counted_and_the_limit_holds_behind_it() -> None:
    async def waits() -> None:
        async with Watch(0.01) as watch:
            watch.pause()
            await asyncio.sleep(0.03)
            assert not watch.expired
            watch.allow(0.01)
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        await waits()


async def test_time_in_which_the_process_itself_stood_still_is_given_again() -> None:
    arrived = asyncio.Event()
    async with Watch(0.1) as watch:
        await asyncio.sleep(0)
        time.sleep(STOOD_STILL + 0.3)
        asyncio.get_running_loop().call_later(0.02, arrived.set)
        await arrived.wait()
    assert not watch.expired


async def test_behind_a_standstill_the_limit_holds_as_before() -> None:
    async def waits() -> None:
        async with Watch(0.05):
            await asyncio.sleep(0)
            time.sleep(STOOD_STILL + 0.3)
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        await waits()


async def test_whoever_cancels_it_gets_a_cancellation() -> None:
    async def waits() -> None:
        async with Watch(60):
            await asyncio.Event().wait()

    task = asyncio.create_task(waits())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_limit_that_moves_while_it_passes_does_no_harm() -> None:
    """Bytes may arrive between the end of patience and the end of the one who waits."""
    complaints: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, about: complaints.append(about))

    async def waits() -> None:
        async with Watch(0.01) as watch:
            try:
                await asyncio.Event().wait()
            finally:
                watch.allow(-1.0)
                await asyncio.sleep(0.01)

    with pytest.raises(TimeoutError):
        await waits()
    assert complaints == []


async def test_what_comes_in_the_moment_in_which_the_limit_passes_comes_in_time() -> None:
    async with Watch() as watch:
        watch.allow(0)
        # The limit passes in the second of these rounds of the loop, and would cut in the third.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        watch.pause()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    assert not watch.expired
