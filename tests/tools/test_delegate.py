"""The tool that hands parts of the work to others."""

import asyncio
import json

import pytest

from angelia.core.events import SubagentCompleted, SubagentStarted
from angelia.errors import ToolError
from angelia.ports.delegation import Deed, Show, Task
from angelia.tools.delegate import RESULT_LIMIT, delegate
from tests.tools.watching import Watcher


class Others:
    """Does what it is told to say; `busy` holds the most that were at work at once."""

    def __init__(self, *deeds: Deed, refuses: bool = False) -> None:
        self._deeds = deeds
        self._refuses = refuses
        self.tasks: list[Task] = []
        self.forsaken: list[str] = []
        self.working = self.busy = 0

    async def begin(self, task: Task) -> str:
        if self._refuses:
            raise ToolError("Too deep.")
        self.tasks.append(task)
        return f"run_{task.number}"

    async def deed(self, child: str, show: Show) -> Deed:
        self.working += 1
        self.busy = max(self.busy, self.working)
        await show(f"{child} works\n")
        if not self._deeds:
            await asyncio.Event().wait()
        await asyncio.sleep(0)
        self.working -= 1
        return self._deeds[int(child.removeprefix("run_"))]

    async def forsake(self, task: Task, child: str) -> None:
        self.forsaken.append(child)


def arguments(*goals: str, **more: object) -> str:
    return json.dumps({"tasks": [{"goal": goal, **more} for goal in goals]})


async def test_every_report_comes_back_in_order() -> None:
    others = Others(Deed("completed", "one"), Deed("failed", "", "no key"))
    watcher = Watcher()
    output = await delegate(others).call(arguments("a", "b", context="c"), watcher)
    first, second = output.text.split("\n\n")
    assert first == "[task 1: completed; run run_0]\none"
    assert second == "[task 2: failed; run run_1]\n[no key]"
    assert output.outcome == "ok"
    assert [task.context for task in others.tasks] == ["c", "c"]
    assert {type(event) for event in watcher.told} == {SubagentStarted, SubagentCompleted}
    assert "run_1 works" in watcher.text()


async def test_it_fails_only_if_all_do() -> None:
    others = Others(Deed("failed", "", "x"), Deed("cancelled", ""))
    assert (await delegate(others).call(arguments("a", "b"), Watcher())).outcome == "error"


@pytest.mark.parametrize(("breadth", "busy"), [(1, 1), (2, 2), (8, 3)])
async def test_only_so_many_work_at_once(breadth: int, busy: int) -> None:
    others = Others(*(Deed("completed", str(n)) for n in range(3)))
    await delegate(others, breadth).call(arguments("a", "b", "c"), Watcher())
    assert others.busy == busy


async def test_long_reports_share_the_room() -> None:
    others = Others(Deed("completed", "x" * 10**6), Deed("completed", "y" * 10**6))
    output = await delegate(others).call(arguments("a", "b"), Watcher())
    assert len(output.text) < RESULT_LIMIT + 1000
    assert "the whole is the output of run_1" in output.text


async def test_whoever_is_cut_short_forsakes_its_children() -> None:
    others = Others()
    call = asyncio.ensure_future(delegate(others).call(arguments("a", "b"), Watcher()))
    while others.working < 2:
        await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert sorted(others.forsaken) == ["run_0", "run_1"]


async def test_what_cannot_be_delegated_is_the_models_to_correct() -> None:
    output = await delegate(Others(refuses=True)).call(arguments("a"), Watcher())
    assert (output.text, output.outcome) == ("[task 1: refused]\n[Too deep.]", "error")


@pytest.mark.parametrize("wrong", ['{"tasks": []}', "{}", '{"tasks": [{"goal": ""}]}'])
async def test_a_task_needs_a_goal(wrong: str) -> None:
    with pytest.raises(ToolError, match="Invalid arguments"):
        await delegate(Others()).call(wrong, Watcher())
