import asyncio

import pytest

from angelia.adapters.memory.models import Breaks, Hangs, ScriptedModel, calls, says
from angelia.core.events import TextDelta
from angelia.core.messages import Reasoning, Text, ToolCall, Usage
from angelia.errors import UpstreamGarbled, UpstreamRefused
from tests.adapters.upstream.asking import Seen, prompt

CALL = ToolCall("call_1", "terminal", '{"command":"ls"}')


def test_what_is_said_and_what_is_called_make_replies():
    said = says("hello", reasoning="hm", usage=Usage(1, 2))
    assert said.message.parts == (Reasoning("hm"), Text("hello"))
    assert (said.finish, said.usage) == ("stop", Usage(1, 2))
    assert calls(CALL).message.parts == (CALL,)
    assert calls(CALL, text="see").message.parts == (Text("see"), CALL)
    assert calls(CALL).finish == "tool_calls"


async def test_turns_come_in_order_and_questions_are_remembered():
    model = ScriptedModel([calls(CALL), says("done")])
    assert await model.ask(prompt("a"), Seen().emit) == calls(CALL)
    assert await model.ask(prompt("b"), Seen().emit) == says("done")
    assert model.asked == [prompt("a"), prompt("b")]


async def test_a_script_that_is_over_refuses():
    with pytest.raises(UpstreamRefused):
        await ScriptedModel([]).ask(prompt(), Seen().emit)


async def test_a_break_comes_behind_what_was_shown():
    seen = Seen()
    error = UpstreamGarbled("cut off")
    with pytest.raises(UpstreamGarbled):
        await ScriptedModel([Breaks(error, (TextDelta("half"),))]).ask(prompt(), seen.emit)
    assert seen.text == "half"


async def test_a_hanging_turn_hangs_until_it_is_cancelled():
    model, begun = ScriptedModel([Hangs((TextDelta("half"),))]), asyncio.Event()

    async def emit(_: object) -> None:
        begun.set()

    task = asyncio.create_task(model.ask(prompt(), emit))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert model.cancelled == 1
