"""The `delegate` tool: parts of the work, done side by side in runs of their own."""

import asyncio
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from angelia.core.events import SubagentCompleted, SubagentStarted
from angelia.core.excerpt import excerpt
from angelia.core.policy import Touched
from angelia.errors import RequestError, ToolError
from angelia.ports import Tool, ToolContext, ToolOutput
from angelia.ports.delegation import Deed, Delegation, Task
from angelia.tools.define import Arguments, one_line, tool

MOST_TASKS = 8
# Several results have to fit into what a model is shown of one call.
RESULT_LIMIT = 24_000
SUMMARY_LIMIT = 500


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    goal: Annotated[
        str, Meta(min_length=1, description="What to do and what to report, complete in itself.")
    ]
    context: Annotated[
        str, Meta(description="What it has to know; it sees nothing of this conversation.")
    ] = ""
    toolsets: (
        Annotated[
            tuple[str, ...],
            Meta(min_length=1, description="The tools or toolsets it may use; all if left out."),
        ]
        | UnsetType
    ) = UNSET


class Delegate(Arguments, frozen=True):
    tasks: Annotated[
        tuple[Part, ...],
        Meta(min_length=1, max_length=MOST_TASKS, description="Parts that need no other part."),
    ]


def delegate(delegation: Delegation, breadth: int = MOST_TASKS) -> Tool:
    """`breadth` is how many tasks of one call are worked on at a time."""

    @tool(
        Delegate,
        name="delegate",
        description=(
            "Have other agents do parts of the work, side by side. Each starts with nothing but "
            "its goal and context, works with tools of its own, and answers with one report. Use "
            "it for parts that are large or need no other part; do small things yourself."
        ),
        effect="idempotent",
        emoji="🤝",
        label=lambda arguments: " · ".join(one_line(part.goal, 40) for part in arguments.tasks),
        touched=lambda _: Touched(harmless=True),
    )
    async def run(arguments: Delegate, context: ToolContext) -> ToolOutput:
        places = asyncio.Semaphore(breadth)
        room = RESULT_LIMIT // len(arguments.tasks)
        async with asyncio.TaskGroup() as group:
            works = [
                group.create_task(_do(delegation, _task(part, number, context), context, places))
                for number, part in enumerate(arguments.tasks)
            ]
        done = [work.result() for work in works]
        reports = [_report(n, child, deed, room) for n, (child, deed) in enumerate(done, 1)]
        failed = all(deed.status != "completed" for _, deed in done)
        return ToolOutput("\n\n".join(reports), "error" if failed else "ok")

    return run


def _task(part: Part, number: int, context: ToolContext) -> Task:
    toolsets = None if part.toolsets is UNSET else part.toolsets
    return Task(context.run_id, context.call_id, number, part.goal, part.context, toolsets)


async def _do(
    delegation: Delegation, task: Task, context: ToolContext, places: asyncio.Semaphore
) -> tuple[str, Deed]:
    async with places:
        try:
            child = await delegation.begin(task)
        except (ToolError, RequestError) as error:
            # One that cannot be begun takes nothing from the others.
            return "", Deed("failed", "", str(error))
        over = False
        try:
            deed = await _watched(delegation, task, child, context)
            over = True
        finally:
            if not over:
                await delegation.forsake(task, child)
        return child, deed


async def _watched(delegation: Delegation, task: Task, child: str, context: ToolContext) -> Deed:
    goal = one_line(task.goal, SUMMARY_LIMIT)
    await context.tell(SubagentStarted(child, task.call_id, goal))
    deed = await delegation.deed(child, context.show)
    said = one_line(deed.output or deed.error, SUMMARY_LIMIT)
    seconds = round(deed.seconds, 6)
    await context.tell(SubagentCompleted(child, task.call_id, deed.status, said, seconds))
    return deed


def _report(number: int, child: str, deed: Deed, room: int) -> str:
    head = f"[task {number}: {deed.status}; run {child}]" if child else f"[task {number}: refused]"
    why = f"\n[{deed.error}]" if deed.error else ""
    said = excerpt(deed.output, room, f"the whole is the output of {child}").text
    return f"{head}{why}\n{said}".rstrip()
