"""Child runs: with a log, a budget and tools of their own, on behalf of a run that waits for them.

A child is begun under a claim that names the call it belongs to, so that a call that is run again
after a crash finds the run that it has begun before.
"""

import asyncio
from collections.abc import Callable
from contextlib import aclosing, suppress
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from angelia.core.events import RunStarted, ToolStarted
from angelia.core.messages import user
from angelia.core.policy import Limits, answered
from angelia.core.state import RunState
from angelia.errors import ToolError
from angelia.ports import Claim, Clock, RunRecord, RunStore
from angelia.ports.delegation import Deed, Show, Task
from angelia.runtime.library import ENDED
from angelia.runtime.marks import error_of
from angelia.runtime.orders import Order
from angelia.runtime.runs import Runs

SURFACE = "delegate"
CLAIMED_SECONDS = 7 * 24 * 3600.0
# How long a stop waits for a child to really end.
END_GRACE = 10.0
ALONE = (
    "You do one part of a larger task for another agent. Nobody can be asked: calls that would "
    "need a person's approval are refused, so report what you would have done instead. Your last "
    "message is all that the other agent gets to read; put every result into it."
)


class Bounds(Struct, frozen=True):
    """How far delegation may go. `asks` tells whether children may wait for a person.

    `model` is the agent that does the work; None is the one that delegates.
    """

    depth: int = 2
    limits: Limits = Limits(max_steps=30)
    asks: bool = False
    model: str | None = None


class Delegations:
    """`runs` is known only when the tools are, so it is looked up when it is needed."""

    def __init__(self, runs: Callable[[], Runs], clock: Clock, bounds: Bounds) -> None:
        self._runs = runs
        self._clock = clock
        self._bounds = bounds

    async def begin(self, task: Task) -> str:
        runs = self._runs()
        parent, state = await runs.record(task.run_id), await runs.state(task.run_id)
        if state.depth >= self._bounds.depth:
            raise ToolError(
                f"This run is {state.depth} delegations deep, which is as far as they go; "
                "do the work yourself."
            )
        return (await runs.start(self._order(task, parent, state))).run.id

    async def deed(self, child: str, show: Show) -> Deed:
        begun = self._clock.monotonic()
        async with aclosing(self._runs().entries(child)) as entries:
            async for entry in entries:
                if isinstance(entry.event, ToolStarted):
                    await show(f"{entry.event.emoji} {entry.event.label or entry.event.name}\n")
        state = await self._runs().state(child)
        error = error_of(state.ending)
        seconds = self._clock.monotonic() - begun
        return Deed(state.status, state.output, error.message if error else "", seconds)

    async def forsake(self, task: Task, child: str) -> None:
        """A run that is only let go, as when the server stops, finds its children again."""
        if (await self._runs().state(task.run_id)).ending is None:
            return
        await self._runs().stop(child, by="parent")
        with suppress(TimeoutError):
            async with asyncio.timeout(END_GRACE):
                async for _ in self._runs().entries(child):
                    pass

    def _order(self, task: Task, parent: RunRecord, state: RunState) -> Order:
        known = sha256(f"{task.goal}\0{task.context}".encode(errors="surrogatepass")).hexdigest()
        expires_at = self._clock.now() + CLAIMED_SECONDS
        said = f"{task.goal}\n\n{task.context}".strip()
        return Order(
            tenant=parent.tenant,
            messages=(user(said),),
            surface=SURFACE,
            model=self._bounds.model or parent.model,
            instructions="" if self._bounds.asks else ALONE,
            limits=_left(self._bounds.limits, state),
            session_key=parent.session_key,
            user=parent.user,
            claim=Claim(f"{SURFACE}:{task.run_id}:{task.call_id}:{task.number}", known, expires_at),
            allowed=self._allowed(state),
            policy=state.policy if self._bounds.asks else answered(state.policy, "deny"),
            toolsets=task.toolsets,
            granted=tuple(sorted(state.granted)),
            delegated_by=parent.id,
            delegated_call=task.call_id,
            depth=state.depth + 1,
            stored=parent.stored,
        )

    def _allowed(self, state: RunState) -> tuple[str, ...]:
        """What the run itself has; the last in a line has nobody to delegate to."""
        last = state.depth + 1 >= self._bounds.depth
        own = (tool.name for tool in state.tools if tool.owner == "server")
        return tuple(name for name in own if not (last and name == SURFACE))


def _left(limits: Limits, state: RunState) -> Limits:
    """A child may spend what its parent has left, and no more than its own budget."""
    most = state.limits.max_cost
    if most is None:
        return limits
    left = max(0.0, most - state.cost)
    return replace(limits, max_cost=left if limits.max_cost is None else min(left, limits.max_cost))


async def stop_orphans(runs: Runs, store: RunStore) -> None:
    """Children whose parent has ended without them, because a crash was faster than its stop."""
    for record in await store.unfinished():
        if record.surface != SURFACE:
            continue
        first = (await runs.facts(record.id))[0].event
        parent = first.delegated_by if isinstance(first, RunStarted) else None
        known = await store.get(parent) if parent is not None else None
        if known is None or known.status in ENDED:
            await runs.stop(record.id, by="parent")
