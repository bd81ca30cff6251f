"""How quick an endpoint has been, and the waiting for one answer."""

import asyncio

import pytest
from msgspec.structs import replace

from angelia.adapters.upstream.pace import Pace, Vigil
from angelia.adapters.upstream.watch import Watch
from angelia.core.providers.patience import Observed, Patience
from angelia.errors import UpstreamError
from angelia.surfaces.upstream.script import Fault, Script, Step
from angelia.surfaces.upstream.server import UpstreamServer
from tests.adapters.upstream.asking import (
    ANSWER,
    PROTOCOLS,
    SOON_BEGUN,
    SOON_GONE_ON,
    Seen,
    endpoint,
    prompt,
    upstream,
)

LONG = Patience(connect=10, first_token=10, between_chunks=10, whole=10)


async def test_the_budget_of_the_first_token_begins_with_the_question():
    watch = Watch()
    vigil = Vigil(watch, replace(LONG, first_token=0.01), Pace(), stream=True)

    async def waits() -> None:
        async with watch:
            await asyncio.sleep(0.05)
            assert not watch.expired
            vigil.begin()
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        await waits()


async def test_bytes_before_the_first_token_do_not_move_its_limit():
    watch = Watch()
    vigil = Vigil(watch, replace(LONG, first_token=0.05), Pace(), stream=True)

    async def waits() -> None:
        async with watch:
            vigil.begin()
            while True:
                await asyncio.sleep(0.01)
                vigil.heard()

    with pytest.raises(TimeoutError):
        await waits()


def test_only_the_last_answers_are_remembered():
    pace = Pace()
    for seconds in range(1_000):
        pace.began(seconds)
        pace.went_on(seconds)
    assert pace.seen == Observed(tuple(range(872, 1_000)), tuple(range(872, 1_000)))


async def observed(step: Step, protocol: str, times: int = 1, **more: object) -> Observed:
    async with UpstreamServer(Script((step,))) as server, upstream() as pool:
        there = endpoint(server.base_url, protocol, **more)
        for _ in range(times):
            try:
                await pool.model(there).ask(prompt(), Seen().emit)
            except UpstreamError:
                continue
        return pool.seen(there)


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_every_streamed_answer_is_observed(protocol: str):
    seen = await observed(replace(ANSWER, delay=0.03), protocol, times=3)
    assert len(seen.first_tokens) == len(seen.gaps) == 3
    assert all(seconds >= 0.03 for seconds in seen.first_tokens)


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_a_stall_is_observed_as_long_as_it_was_waited_for(protocol: str):
    silent = replace(ANSWER, fault=Fault(stall="start"))
    seen = await observed(silent, protocol, timeouts=SOON_BEGUN)
    assert len(seen.first_tokens) == 1
    assert seen.first_tokens[0] >= (SOON_BEGUN.first_token or 0)
    assert seen.gaps == ()
    broken = replace(ANSWER, fault=Fault(stall="text"))
    seen = await observed(broken, protocol, timeouts=SOON_GONE_ON)
    assert len(seen.gaps) == 1
    assert seen.gaps[0] >= (SOON_GONE_ON.between_chunks or 0)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    "step",
    [
        ANSWER,
        replace(ANSWER, fault=Fault(status=500)),
        replace(ANSWER, fault=Fault(no_stream="ignore")),
    ],
)
async def test_neither_whole_answers_nor_refusals_teach_anything_about_streams(
    protocol: str, step: Step
):
    stream = step is not ANSWER
    assert await observed(step, protocol, stream=stream) == Observed()


async def test_a_slow_listener_is_not_observed_as_a_slow_provider():
    dawdled: list[float] = []

    async def dawdle(_: object) -> None:
        begun = asyncio.get_running_loop().time()
        await asyncio.sleep(0.3)
        dawdled.append(asyncio.get_running_loop().time() - begun)

    script = Script((Step(text="one two", pace=0.01),))
    async with UpstreamServer(script) as server, upstream() as pool:
        there = endpoint(server.base_url)
        await pool.model(there).ask(prompt(), dawdle)
        (gap,) = pool.seen(there).gaps
    assert gap < max(dawdled)


async def test_what_was_learnt_of_an_endpoint_is_learnt_for_each_of_its_models_apart():
    async with UpstreamServer(Script((ANSWER,))) as server, upstream() as pool:
        there = endpoint(server.base_url)
        await pool.model(there).ask(prompt(), Seen().emit)
        assert pool.seen(replace(there, key="another-key")) == pool.seen(there)
        assert pool.seen(replace(there, model="another")) == Observed()
