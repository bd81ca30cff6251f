"""All that agents work with: their tools, the places those work in, and what agents are told."""

from collections.abc import Callable
from contextlib import AsyncExitStack

from msgspec import Struct

from angelia.adapters.mcp.servers import McpServers
from angelia.adapters.sqlite.added_servers import SqliteAddedServers
from angelia.adapters.sqlite.folders import SqliteFolders
from angelia.adapters.sqlite.log import SqliteLog
from angelia.adapters.sqlite.switches import SqliteSwitches
from angelia.assembly.ground import Ground
from angelia.assembly.jobs import jobs_of
from angelia.assembly.mcp import mcp_servers
from angelia.assembly.memory import Knowledge, knowledge
from angelia.assembly.sandbox import sandbox_of
from angelia.assembly.tools import World, bounds_of, tools_of
from angelia.assembly.web import WebTools, egress_of
from angelia.config import Settings
from angelia.ports import Briefing, Sandbox, Tool, ToolSource
from angelia.runtime.delegation import Delegations
from angelia.runtime.jobs import Jobs
from angelia.runtime.runs import Runs
from angelia.tools.background import Background
from angelia.tools.schedule import schedule


class Equipment(Struct, frozen=True):
    """`off` are names of tools that are switched off."""

    sandbox: Sandbox
    background: Background
    tools: tuple[Tool, ...]
    known: Knowledge
    jobs: Jobs
    mcp: McpServers
    off: frozenset[str]

    @property
    def briefings(self) -> tuple[Briefing, ...]:
        return self.known.briefings

    @property
    def sources(self) -> tuple[ToolSource, ...]:
        return (self.mcp,)


async def equipment_of(
    ground: Ground, closing: AsyncExitStack, runs: Callable[[], Runs]
) -> Equipment:
    settings = ground.settings
    sandbox = await _sandbox(settings, closing)
    background = Background(sandbox, SqliteLog(ground.database), ground.clock)
    closing.push_async_callback(background.close)
    folders = SqliteFolders(ground.database)
    delegations = Delegations(runs, ground.clock, bounds_of(settings))
    known = knowledge(settings, ground.database, ground.outputs, ground.redact)
    world = World(
        sandbox=sandbox,
        background=background,
        folders=folders,
        outputs=ground.outputs,
        journal=ground.checkpoints,
        store=ground.store,
        delegation=delegations,
    )
    web = WebTools(settings)
    closing.push_async_callback(web.close)
    jobs = jobs_of(settings, ground.database)
    tools = tools_of(settings, world, (*known.tools, *web.tools, schedule(jobs)))
    switches = SqliteSwitches(ground.database)
    added = await SqliteAddedServers(ground.database).list()
    off = await switches.off("mcp")
    mcp = mcp_servers(settings, ground.clock, ground.redact, added, off)
    closing.push_async_callback(mcp.close)
    return Equipment(sandbox, background, tools, known, jobs, mcp, await switches.off("tool"))


async def _sandbox(settings: Settings, closing: AsyncExitStack) -> Sandbox:
    egress = egress_of(settings)
    if egress is not None:
        await egress.start()
        closing.push_async_callback(egress.close)
    sandbox = sandbox_of(settings, egress.path if egress is not None else None)
    closing.push_async_callback(sandbox.close)
    return sandbox
