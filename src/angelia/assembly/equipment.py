"""All that agents work with: their tools, the places those work in, and what agents are told."""

from collections.abc import Callable
from contextlib import AsyncExitStack

from msgspec import Struct

from angelia.assembly.ground import Ground
from angelia.assembly.jobs import jobs_of
from angelia.assembly.memory import Knowledge, knowledge
from angelia.assembly.tools import World, bounds_of, sandbox_of, tools_of
from angelia.ports import Briefing, Sandbox, Tool
from angelia.runtime.delegation import Delegations
from angelia.runtime.jobs import Jobs
from angelia.runtime.runs import Runs
from angelia.tools.schedule import schedule


class Equipment(Struct, frozen=True):
    sandbox: Sandbox
    tools: tuple[Tool, ...]
    known: Knowledge
    jobs: Jobs

    @property
    def briefings(self) -> tuple[Briefing, ...]:
        return self.known.briefings


async def equipment_of(
    ground: Ground, closing: AsyncExitStack, runs: Callable[[], Runs]
) -> Equipment:
    settings = ground.settings
    sandbox = sandbox_of(settings)
    closing.push_async_callback(sandbox.close)
    delegations = Delegations(runs, ground.clock, bounds_of(settings))
    known = knowledge(settings, ground.database, ground.outputs, ground.redact)
    world = World(sandbox, ground.outputs, ground.store, delegations)
    jobs = jobs_of(settings, ground.database)
    tools = tools_of(settings, world, (*known.tools, schedule(jobs)))
    return Equipment(sandbox, tools, known, jobs)
