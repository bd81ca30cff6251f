import asyncio

import pytest

from angelia.adapters.demo import PAUSE, DemoModel
from angelia.adapters.memory.clock import ManualClock
from angelia.core.events import TextDelta
from tests.adapters.upstream.asking import HastyClock, Seen, prompt


async def test_words_come_one_at_a_time_with_a_pause_behind_each():
    clock, seen = HastyClock(), Seen()
    await DemoModel(clock).ask(prompt("long 3"), seen.emit)
    assert seen.batches == [
        (TextDelta("word1"),),
        (TextDelta(" word2"),),
        (TextDelta(" word3"),),
    ]
    assert clock.slept == [PAUSE] * 3


async def test_without_a_pause_nobody_sleeps():
    clock = HastyClock()
    await DemoModel(clock, pause=0).ask(prompt("long 3"), Seen().emit)
    assert clock.slept == []


async def test_it_stops_in_the_middle_of_a_pause():
    clock, seen = ManualClock(), Seen()
    task = asyncio.create_task(DemoModel(clock).ask(prompt("long 3"), seen.emit))
    await clock.sleepers()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert seen.text == "word1"


async def test_the_same_question_has_the_same_answer():
    model = DemoModel(HastyClock(), pause=0)
    asked = prompt("think, `ls` and read a.txt")
    assert await model.ask(asked, Seen().emit) == await model.ask(asked, Seen().emit)
