import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from angelia.adapters.file_checkpoints import FileCheckpoints
from angelia.adapters.local_workspace import LocalWorkspace
from angelia.adapters.processes import PlainProcesses
from angelia.errors import ToolError
from angelia.ports import Tool
from angelia.tools.watched import NOT_SEEN, Watched
from tests.tools.watching import Watcher
from tests.tools.workshop import Workshop


class Desk:
    def __init__(self, folder: Path) -> None:
        self.root = folder / "workspace"
        sandbox, workspace = PlainProcesses(self.root), LocalWorkspace(self.root)
        self.plain = Workshop(sandbox=sandbox, workspace=workspace).terminal
        self.checkpoints = FileCheckpoints(folder / "kept", self.root)
        self.tool: Tool = Watched(self.plain, self.checkpoints)

    async def run(self, command: str) -> str:
        return (await self.tool.call(json.dumps({"command": command}), Watcher())).outcome

    def fill(self) -> None:
        """The checkpoints cannot grow."""
        self.checkpoints._vault._db.execute("pragma max_page_count = 1")  # pyright: ignore

    def files(self) -> dict[str, str]:
        return {p.name: p.read_text() for p in self.root.iterdir() if p.is_file()}

    async def changed(self) -> list[str]:
        return [change.path for change in (await self.checkpoints.changes("run_1")).files]


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    made = Desk(tmp_path)
    yield made
    await made.checkpoints.close()


async def test_what_commands_do_can_be_undone(desk: Desk) -> None:
    (desk.root / "a").write_text("1\n")
    (desk.root / "b").write_text("2\n")
    assert await desk.run("sed -i s/1/one/ a && rm b && mkdir d && echo 3 > d/c") == "ok"
    assert await desk.run("echo 4 > e; exit 3") == "error"
    assert await desk.changed() == ["a", "b", "d/c", "e"]
    await desk.checkpoints.undo("run_1")
    assert desk.files() == {"a": "1\n", "b": "2\n"}
    assert not (desk.root / "d").exists()


async def test_commands_side_by_side_are_undone_together(desk: Desk) -> None:
    await asyncio.gather(*(desk.run(f"sleep 0.{n}; echo {n} > f{n}") for n in range(4)))
    assert await desk.changed() == ["f0", "f1", "f2", "f3"]
    await desk.checkpoints.undo("run_1")
    assert desk.files() == {}


async def test_what_a_stopped_command_has_done_can_be_undone(desk: Desk) -> None:
    work = asyncio.create_task(desk.run("echo 1 > a; sleep 60"))
    while not (desk.root / "a").exists():
        await asyncio.sleep(0)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert (await desk.checkpoints.undo("run_1")).removed == ("a",)


async def test_a_stopped_command_does_not_wait_for_a_disk_that_is_full(desk: Desk) -> None:
    work = asyncio.create_task(desk.run("head -c 400000 /dev/urandom > big; echo 1 > a; sleep 60"))
    while not (desk.root / "a").exists():
        await asyncio.sleep(0)
    desk.fill()
    work.cancel()
    done, _ = await asyncio.wait((work,), timeout=30)
    assert done
    assert work.cancelled()


async def test_a_harmless_command_is_not_looked_at(desk: Desk) -> None:
    await desk.run("ls")
    await desk.checkpoints.close()
    with pytest.raises(Exception, match="closed"):
        await desk.run("touch x")
    assert await desk.run("ls") == "ok"


def test_it_is_the_same_tool(desk: Desk) -> None:
    arguments = '{"command": "rm x"}'
    assert desk.tool.spec is desk.plain.spec
    assert (desk.tool.emoji, desk.tool.toolset) == (desk.plain.emoji, desk.plain.toolset)
    assert desk.tool.label(arguments) == "rm x"
    assert desk.tool.lane(arguments) == desk.plain.lane(arguments)
    assert desk.tool.touched(arguments) == desk.plain.touched(arguments)


async def test_a_command_that_ran_is_told_as_it_ended_though_its_changes_cannot_be_noted(
    desk: Desk,
) -> None:
    given = json.dumps({"command": "touch a; until [ -e go ]; do sleep 0.01; done; echo done"})
    work = asyncio.create_task(desk.tool.call(given, Watcher()))
    while not (desk.root / "a").exists():
        await asyncio.sleep(0)
    await desk.checkpoints.close()
    (desk.root / "go").touch()
    output = await work
    assert (output.outcome, output.text) == ("ok", f"done\n{NOT_SEEN}")


async def test_a_command_that_could_not_be_undone_is_not_run(desk: Desk) -> None:
    await desk.checkpoints.close()
    with pytest.raises(ToolError, match="Nothing was run"):
        await desk.run("touch a")
    assert desk.files() == {}
