import asyncio
import json
from collections.abc import Awaitable, Callable

import pytest

from angelia.adapters.memory.sandbox import Script, ScriptedSandbox
from angelia.errors import ToolError
from angelia.ports import Stream, ToolOutput
from angelia.tools.terminal import LIVE_END, LIVE_LIMIT, terminal
from angelia.tools.transcript import KEPT
from tests.tools.watching import Watcher


def call(command: str, **more: object) -> str:
    return json.dumps({"command": command, **more})


async def run(script: Script, watcher: Watcher | None = None, **more: object) -> ToolOutput:
    tool = terminal(ScriptedSandbox({"it": script}))
    return await tool.call(call("it", **more), watcher or Watcher())


@pytest.mark.parametrize(
    ("script", "output"),
    [
        (Script(((b"hello\n", "stdout"),)), ToolOutput("hello\n")),
        (Script(((b"no newline", "stdout"),)), ToolOutput("no newline")),
        (Script(()), ToolOutput("[no output]")),
        (Script((), code=3), ToolOutput("[exit code 3]", "error")),
        (Script(((b"oh\n", "stderr"),), code=1), ToolOutput("oh\n[exit code 1]", "error")),
        (Script(((b"oh", "stderr"),), code=1), ToolOutput("oh\n[exit code 1]", "error")),
        (Script(((b"\xff\xfe!", "stdout"),)), ToolOutput("\ufffd\ufffd!")),
        (Script(((b"cut \xe2\x82", "stdout"),)), ToolOutput("cut \ufffd")),
    ],
)
async def test_what_a_command_came_to(script: Script, output: ToolOutput):
    assert await run(script) == output


async def test_streams_are_shown_apart_and_returned_in_order_of_arrival():
    watcher = Watcher()
    pieces: tuple[tuple[bytes, Stream], ...] = (
        (b"one \xe2", "stdout"),
        (b"two ", "stderr"),
        (b"\x82\xac three", "stdout"),
    )
    output = await run(Script(pieces), watcher)
    assert output.text == "one two € three"
    assert watcher.shown == [("one ", "stdout"), ("two ", "stderr"), ("€ three", "stdout")]


async def test_live_output_ends_with_one_marker():
    watcher = Watcher()
    euro = "€".encode() * 20_000
    output = await run(Script(((euro, "stdout"),) * 10), watcher)
    assert output.text == "€" * 200_000
    live = watcher.text()
    assert live.endswith(LIVE_END)
    assert live.count(LIVE_END) == 1
    assert "\ufffd" not in live
    assert LIVE_LIMIT - 3 < len(live.encode()) - len(LIVE_END.encode()) <= LIVE_LIMIT


async def test_of_too_much_output_head_and_tail_are_returned():
    script = Script(
        ((b"first\n", "stdout"), *((b"x" * 65536, "stdout"),) * 40, (b"last", "stdout"))
    )
    output = await run(script)
    assert output.text.startswith("first\n")
    assert output.text.endswith("last")
    assert f"[… {40 * 65536 + 10 - KEPT:,} bytes left out …]" in output.text


async def test_a_command_that_takes_too_long_is_stopped_and_its_output_kept():
    sandbox = ScriptedSandbox({"it": Script(((b"so far", "stdout"),), hangs=True)})
    output = await terminal(sandbox).call(call("it", timeout=0.05), Watcher())
    assert output == ToolOutput("so far\n[timed out after 0.05 s]", "timeout")
    assert sandbox.running == []


async def test_without_a_timeout_the_configured_one_holds():
    sandbox = ScriptedSandbox({"it": Script(hangs=True)})
    output = await terminal(sandbox, 0.02).call(call("it"), Watcher())
    assert output == ToolOutput("[timed out after 0.02 s]", "timeout")


class LosesPatience:
    level = "none"

    async def run(self, command: str, output: Callable[[bytes, Stream], Awaitable[None]]) -> int:
        raise TimeoutError("not ours")


async def test_a_timeout_that_is_not_its_own_is_not_called_one():
    with pytest.raises(TimeoutError, match="not ours"):
        await terminal(LosesPatience()).call(call("it"), Watcher())


async def test_a_cancelled_call_stays_cancelled():
    sandbox = ScriptedSandbox({"it": Script(hangs=True)})
    task = asyncio.create_task(terminal(sandbox).call(call("it"), Watcher()))
    while not sandbox.running:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert sandbox.running == []


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (call("a\0b"), "NUL"),
        (call(""), "'command'"),
        (call("x", timeout=0), "'timeout'"),
        (call("x", timeout=601), "expected float <= 600.0 for 'timeout'"),
    ],
)
async def test_impossible_calls_are_refused_before_anything_runs(arguments: str, fault: str):
    sandbox = ScriptedSandbox()
    with pytest.raises(ToolError, match=fault):
        await terminal(sandbox).call(arguments, Watcher())
    assert sandbox.commands == []


def test_label_is_the_first_line_and_there_is_no_lane():
    tool = terminal(ScriptedSandbox())
    assert tool.label(call("echo 'a b'\nrm x")) == "echo 'a b'"
    assert tool.lane(call("echo")) is None
    assert (tool.spec.effect, tool.emoji) == ("irreversible", "💻")
    assert "Stops after 120 s" in tool.spec.description
