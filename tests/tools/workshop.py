"""The terminal and its background over any sandbox, with a log in which runs can be stopped."""

import asyncio
import json
from collections.abc import Mapping

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.memory.folders import MemoryFolders
from angelia.adapters.memory.log import MemoryLog
from angelia.adapters.memory.sandbox import Script, ScriptedSandbox
from angelia.adapters.memory.workspace import MemoryWorkspace
from angelia.core.events import AnyEvent, RunStarted
from angelia.core.messages import user
from angelia.ports import Caller, RunRecord, Sandbox, ToolOutput, Workspace
from angelia.tools.background import Background, Child, place_of
from angelia.tools.process import process
from angelia.tools.terminal import terminal
from angelia.tools.whereabouts import Whereabouts
from tests.tools.watching import SOMEBODY, Watcher


class Workshop:
    """`scripts` are for the sandbox in memory, unless another one is given."""

    def __init__(
        self,
        scripts: Mapping[str, Script] | None = None,
        sandbox: Sandbox | None = None,
        workspace: Workspace | None = None,
        timeout: float = 120.0,
        moment: float = 0.02,
    ) -> None:
        self.clock = ManualClock()
        self.log = MemoryLog(self.clock)
        self.scripted = ScriptedSandbox(scripts)
        self.sandbox = sandbox or self.scripted
        self.folders = MemoryFolders()
        self.workspace = workspace or MemoryWorkspace()
        self.background = Background(self.sandbox, self.log, self.clock, moment)
        whereabouts = Whereabouts(self.folders, self.workspace)
        self.terminal = terminal(self.sandbox, self.background, whereabouts, timeout)
        self.process = process(self.background)

    async def run(self, command: str, watcher: Watcher | None = None, **more: object) -> ToolOutput:
        arguments = json.dumps({"command": command, **more})
        return await self.terminal.call(arguments, watcher or Watcher())

    async def begin(
        self, command: str = "serve", watcher: Watcher | None = None, **more: object
    ) -> Child:
        """A command in the background, its run in the log."""
        watcher = watcher or Watcher()
        await self.known(watcher.run_id, watcher.caller)
        await self.run(command, watcher, background=True, **more)
        return self.background.all(place_of(watcher))[-1]

    async def ask(
        self, action: str, name: str = "", watcher: Watcher | None = None, **more: object
    ) -> str:
        given = {"id": name} if name else {}
        arguments = json.dumps({"action": action, **given, **more})
        return (await self.process.call(arguments, watcher or Watcher())).text

    async def known(self, run_id: str, caller: Caller = SOMEBODY) -> None:
        if await self.log.read(run_id) is None:
            now = self.clock.now()
            record = RunRecord(
                run_id, caller.tenant, "angelia", caller.session_id, "runs", now, now
            )
            await self.log.create(record, (RunStarted("angelia", (user("go"),)),))

    async def log_of(self, run_id: str, *events: AnyEvent) -> None:
        await self.log.append(run_id, 1, events)


async def ended(child: Child) -> None:
    async with asyncio.timeout(20):
        while child.exit is None:
            await child.news()


async def printed(child: Child, words: bytes) -> None:
    async with asyncio.timeout(20):
        while words not in child.output.since(0)[1]:
            await child.news()
