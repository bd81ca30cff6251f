"""What every sandbox promises."""

import asyncio
from pathlib import Path

import pytest

from angelia.adapters.memory.sandbox import Script, ScriptedSandbox
from angelia.adapters.processes import PlainProcesses
from angelia.ports import Sandbox, Stream

BOTH = "printf out; printf err >&2; exit 3"
ENDLESS = "echo started; sleep 1000"
SCRIPTS = {
    "true": Script(),
    "printf 'a b'": Script(((b"a b", "stdout"),)),
    BOTH: Script(((b"out", "stdout"), (b"err", "stderr")), code=3),
    ENDLESS: Script(((b"started\n", "stdout"),), hangs=True),
}


class Printed:
    def __init__(self) -> None:
        self.data: dict[Stream, bytes] = {"stdout": b"", "stderr": b""}
        self.something = asyncio.Event()

    async def __call__(self, data: bytes, stream: Stream) -> None:
        self.data[stream] += data
        self.something.set()


@pytest.fixture(params=["plain processes", "scripted"])
def sandbox(request: pytest.FixtureRequest, tmp_path: Path) -> Sandbox:
    if request.param == "scripted":
        return ScriptedSandbox(SCRIPTS)
    return PlainProcesses(tmp_path)


async def test_it_says_how_far_commands_are_kept_apart(sandbox: Sandbox):
    assert sandbox.level


async def test_a_command_without_output_ends_with_its_code(sandbox: Sandbox):
    printed = Printed()
    assert await sandbox.run("true", printed) == 0
    assert printed.data == {"stdout": b"", "stderr": b""}


async def test_output_comes_as_it_is(sandbox: Sandbox):
    printed = Printed()
    assert await sandbox.run("printf 'a b'", printed) == 0
    assert printed.data["stdout"] == b"a b"


async def test_both_streams_are_told_apart(sandbox: Sandbox):
    printed = Printed()
    assert await sandbox.run(BOTH, printed) == 3
    assert printed.data == {"stdout": b"out", "stderr": b"err"}


async def test_an_unknown_command_is_127(sandbox: Sandbox):
    printed = Printed()
    assert await sandbox.run("no-such-command-anywhere", printed) == 127
    assert b"not found" in printed.data["stderr"]


async def test_output_arrives_while_the_command_runs_and_cancelling_ends_it(sandbox: Sandbox):
    printed = Printed()
    task = asyncio.create_task(sandbox.run(ENDLESS, printed))
    await printed.something.wait()
    assert not task.done()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert printed.data["stdout"] == b"started\n"


async def test_what_the_reader_raises_ends_the_command(sandbox: Sandbox):
    async def refuse(data: bytes, stream: Stream) -> None:
        raise LookupError("nobody listens")

    with pytest.raises(LookupError, match="nobody listens"):
        await sandbox.run(ENDLESS, refuse)


async def test_commands_run_side_by_side(sandbox: Sandbox):
    printed = [Printed() for _ in range(5)]
    codes = await asyncio.gather(*(sandbox.run(BOTH, one) for one in printed))
    assert codes == [3] * 5
    assert all(one.data == {"stdout": b"out", "stderr": b"err"} for one in printed)
