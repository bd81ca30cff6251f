"""Whoever has the same name waits; nobody else does."""

import asyncio

import pytest

from angelia.runtime.one_by_one import OneByOne


async def test_those_of_one_name_come_through_one_by_one_in_their_order() -> None:
    gate = OneByOne()
    seen: list[str] = []

    async def come(number: int) -> None:
        async with gate.at("door"):
            seen.append(f"{number} in")
            await asyncio.sleep(0)
            seen.append(f"{number} out")

    await asyncio.gather(*(come(number) for number in range(3)))
    assert seen == ["0 in", "0 out", "1 in", "1 out", "2 in", "2 out"]


async def test_another_name_does_not_wait() -> None:
    gate = OneByOne()
    async with gate.at("one"), gate.at("two"):
        assert len(gate) == 2


async def test_nothing_is_kept_of_those_who_are_through_or_gave_up() -> None:
    gate = OneByOne()
    async with gate.at("door"):
        waiting = asyncio.create_task(gate.at("door").__aenter__())
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    with pytest.raises(ValueError, match="inside"):
        async with gate.at("door"):
            raise ValueError("inside")
    assert len(gate) == 0
