"""All that agents work with: their tools, the places those work in, and what agents are told."""

from collections.abc import Callable
from contextlib import AsyncExitStack

from msgspec import Struct

from angelia.adapters.sqlite.folders import SqliteFolders
from angelia.adapters.sqlite.log import SqliteLog
from angelia.assembly.ground import Ground
from angelia.assembly.memory import Knowledge, knowledge
from angelia.assembly.tools import World, bounds_of, sandbox_of, tools_of
from angelia.assembly.web import WebTools
from angelia.ports import Briefing, Sandbox, Tool
from angelia.runtime.delegation import Delegations
from angelia.runtime.runs import Runs
from angelia.tools.background import Background


class Equipment(Struct, frozen=True):
    sandbox: Sandbox
    background: Background
    tools: tuple[Tool, ...]
    known: Knowledge

    @property
    def briefings(self) -> tuple[Briefing, ...]:
        return self.known.briefings


async def equipment_of(
    ground: Ground, closing: AsyncExitStack, runs: Callable[[], Runs]
) -> Equipment:
    settings = ground.settings
    sandbox = sandbox_of(settings)
    closing.push_async_callback(sandbox.close)
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
        store=ground.store,
        delegation=delegations,
    )
    web = WebTools(settings)
    closing.push_async_callback(web.close)
    tools = tools_of(settings, world, (*known.tools, *web.tools))
    return Equipment(sandbox, background, tools, known)
