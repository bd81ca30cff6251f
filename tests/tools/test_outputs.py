"""Reading on in a result that was shown in part."""

import pytest

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.memory.log import MemoryLog, MemoryRuns
from angelia.adapters.memory.outputs import MemoryOutputs
from angelia.core.events import RunStarted
from angelia.core.messages import user
from angelia.errors import ToolError
from angelia.ports import RunRecord, Tool
from angelia.tools.outputs import read_output
from tests.tools.watching import Watcher

TEXT = "äöü" * 5000


@pytest.fixture
async def reading() -> Tool:
    clock = ManualClock()
    log, outputs = MemoryLog(clock), MemoryOutputs()
    for tenant in ("key_1", "other"):
        run = RunRecord(f"run_{tenant}", tenant, "m", "s", "runs", 0.0, 0.0)
        await log.create(run, (RunStarted("m", (user("hi"),)),))
        await outputs.put(run.id, "call_1", TEXT.encode())
    return read_output(outputs, MemoryRuns(log))


async def read(tool: Tool, of: str = "run_key_1/call_1", offset: int = 0, limit: int = 1001) -> str:
    arguments = f'{{"of": "{of}", "offset": {offset}, "limit": 1001}}'
    return (await tool.call(arguments, Watcher())).text


async def test_pages_put_together_are_the_whole(reading: Tool) -> None:
    pages: list[str] = []
    offset = 0
    while True:
        text, _, note = (await read(reading, offset=offset)).rpartition("\n[")
        pages.append(text)
        if note == "end]":
            break
        offset = int(note.removeprefix("read on with offset=").removesuffix("]"))
    assert "".join(pages) == TEXT


@pytest.mark.parametrize("of", ["run_other/call_1", "run_none/call_1", "run_key_1/call_2", "x"])
async def test_what_belongs_to_others_or_was_never_kept_is_not_there(
    reading: Tool, of: str
) -> None:
    with pytest.raises(ToolError, match="no kept result"):
        await read(reading, of)


async def test_nothing_is_behind_the_end(reading: Tool) -> None:
    with pytest.raises(ToolError, match="behind the end"):
        await read(reading, offset=10**9)
