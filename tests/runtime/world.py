"""A whole runtime in memory, and tools that a test can hold by the hand."""

import asyncio
from collections.abc import Sequence
from typing import Any

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.memory.grants import MemoryGrants
from angelia.adapters.memory.history import MemoryHistory
from angelia.adapters.memory.log import MemoryLog, MemoryRuns
from angelia.adapters.memory.models import ScriptedModel, Turn
from angelia.adapters.memory.outputs import MemoryOutputs
from angelia.core.events import AnyEvent, Entry
from angelia.core.messages import Effect, ToolSpec, user
from angelia.core.policy import NOTHING, Limits, Policy, Touched
from angelia.errors import LogUnavailable, ToolError
from angelia.ports import ToolContext, ToolOutput
from angelia.runtime.agents import Agent, Agents
from angelia.runtime.approvals import Approvals, Decision
from angelia.runtime.orders import Order
from angelia.runtime.recovery import recover
from angelia.runtime.routes import Chain, alone
from angelia.runtime.runs import Runs
from angelia.runtime.sessions import Sessions
from angelia.runtime.toolbox import Toolbox


class SlowLog(MemoryLog):
    """A log whose appends take a moment, as a disk does, and that can be broken."""

    broken = False

    async def append(self, *given: Any) -> int:
        await self._work()
        return await super().append(*given)

    async def _work(self) -> None:
        for _ in range(5):
            await asyncio.sleep(0)
        if self.broken:
            raise LogUnavailable("The disk is full.")


class Gate:
    """A tool that begins, waits until it is let go, and counts its beginnings."""

    emoji = "🚪"
    toolset = "gates"

    def __init__(self, name: str = "gate", effect: Effect = "irreversible") -> None:
        self.spec = ToolSpec(name, effect=effect)
        self.begun: list[str] = []
        self._let_go: dict[str, asyncio.Event] = {}
        self._beginnings = asyncio.Condition()

    def label(self, arguments: str) -> str:
        return arguments

    def touched(self, arguments: str) -> Touched:
        return NOTHING

    def lane(self, arguments: str) -> str | None:
        return None

    def let_go(self, call_id: str) -> None:
        self._let_go.setdefault(call_id, asyncio.Event()).set()

    async def begins(self, call_id: str) -> None:
        async with self._beginnings:
            await self._beginnings.wait_for(lambda: call_id in self.begun)

    async def call(self, arguments: str, context: ToolContext) -> ToolOutput:
        async with self._beginnings:
            self.begun.append(context.call_id)
            self._beginnings.notify_all()
        await context.show("at the gate")
        await self._let_go.setdefault(context.call_id, asyncio.Event()).wait()
        return ToolOutput(f"through {context.call_id}")


class Does:
    """A tool that does one thing at once."""

    emoji = "🔧"
    toolset = "deeds"

    def touched(self, arguments: str) -> Touched:
        return NOTHING

    def __init__(self, name: str, result: ToolOutput | Exception, lane: str | None = None) -> None:
        self.spec = ToolSpec(name, effect="idempotent")
        self._result = result
        self._lane = lane
        self.count = 0

    def label(self, arguments: str) -> str:
        return self.spec.name

    def lane(self, arguments: str) -> str | None:
        return self._lane

    async def call(self, arguments: str, context: ToolContext) -> ToolOutput:
        self.count += 1
        if isinstance(self._result, Exception):
            raise self._result
        return self._result


OK = Does("ok", ToolOutput("fine"))
BAD = Does("bad", ToolError("wrong path"))


class World:
    def __init__(
        self,
        turns: Sequence[Turn],
        *tools: Gate | Does,
        limits: Limits | None = None,
        policy: Policy | None = None,
        log: MemoryLog | None = None,
        chain: Chain | None = None,
        clock: ManualClock | None = None,
        patience: float | None = None,
        grants: MemoryGrants | None = None,
    ) -> None:
        self.clock = clock or ManualClock()
        self.model = ScriptedModel(turns)
        self.log = log or MemoryLog(self.clock)
        self.store = MemoryRuns(self.log)
        self.history = MemoryHistory(self.log)
        self.outputs = MemoryOutputs()
        agent = Agent(
            "angelia",
            chain or alone(self.model),
            "Be kind.",
            None,
            limits or Limits(),
            policy or Policy(),
            patience=patience,
        )
        self.grants = grants or MemoryGrants()
        self.runs = Runs(
            log=self.log,
            store=self.store,
            history=self.history,
            outputs=self.outputs,
            agents=Agents([agent]),
            toolbox=Toolbox(tools, self.outputs, self.clock),
            clock=self.clock,
            grants=self.grants,
        )
        self.approvals = Approvals(self.runs, self.grants, self.clock)
        self.sessions = Sessions(self.runs, self.history)

    async def answer(self, run_id: str, *given: object) -> None:
        await self.approvals.answer(await self.runs.get("key_1", run_id), Decision(*given))

    async def start(self, text: str = "hello", **wanted: object) -> str:
        order = Order("key_1", (user(text),), "runs", **wanted)
        return (await self.runs.start(order)).run.id

    async def until(self, run_id: str, *kinds: type[AnyEvent]) -> list[Entry]:
        """Entries from the start up to the first of these kinds, or to the end."""
        entries: list[Entry] = []
        async for batch in self.runs.follow(run_id):
            for entry in batch.entries:
                entries.append(entry)
                if isinstance(entry.event, kinds):
                    return entries
        return entries

    async def finished(self, run_id: str) -> list[AnyEvent]:
        return [entry.event for entry in await self.until(run_id)]

    async def recover(self) -> int:
        return await recover(self.runs, self.store)


def kinds(events: Sequence[AnyEvent]) -> list[str]:
    return [type(event).__name__ for event in events]


def only(events: Sequence[AnyEvent], kind: type) -> list:
    return [event for event in events if isinstance(event, kind)]
