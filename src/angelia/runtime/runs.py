"""Start, stop, approve, steer, follow: all that surfaces can do with runs."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from typing import TypeVar

from msgspec import UNSET, Raw, Struct, UnsetType, field

from angelia.core.events import (
    AnyEvent,
    ApprovalGiven,
    Choice,
    ClientReplied,
    Entry,
    Fact,
    RunStarted,
    Steered,
    StopRequested,
)
from angelia.core.messages import Message, Sampling, ToolSpec
from angelia.core.policy import Limits
from angelia.core.run import begin, fold, takeover
from angelia.core.state import Ended, RunState
from angelia.errors import Conflict, Fenced, NotFound
from angelia.ports import Batch, Claim, Clock, EventLog, OutputStore, RunFilter, RunRecord, RunStore
from angelia.runtime.agents import Agent, Agents
from angelia.runtime.driver import INTERNAL, Driver
from angelia.runtime.ids import fresh
from angelia.runtime.toolbox import Toolbox

logger = logging.getLogger(__name__)


class Order(Struct, frozen=True):
    """What a client wants done. `tools` None means the agent's own; `()` means none at all."""

    tenant: str
    messages: tuple[Message, ...]
    surface: str
    model: str | None = None
    instructions: str = ""
    tools: tuple[ToolSpec, ...] | None = None
    sampling: Sampling = field(default_factory=Sampling)
    limits: Limits = field(default_factory=Limits)
    session_id: str | None = None
    user: str | None = None
    metadata: Raw | UnsetType = UNSET
    claim: Claim | None = None


class Started(Struct, frozen=True):
    """`replayed` when an idempotency key led to a run that exists already."""

    run: RunRecord
    replayed: bool = False


class Runs:
    def __init__(
        self,
        *,
        log: EventLog,
        store: RunStore,
        outputs: OutputStore,
        agents: Agents,
        toolbox: Toolbox,
        clock: Clock,
    ) -> None:
        self.agents = agents
        self.toolbox = toolbox
        self._log = log
        self._store = store
        self._outputs = outputs
        self._clock = clock
        self._live: dict[str, Driver] = {}
        self._hosts: set[asyncio.Task[None]] = set()
        self._waking = asyncio.Lock()

    # ── words ───────────────────────────────────────────────────────────────────────────

    async def start(self, order: Order) -> Started:
        """Durable once this returns; the work goes on by itself."""
        now = self._clock.now()
        agent = self.agents.resolve(order.model)
        fact = _started(order, agent, order.session_id or fresh("sess", now))
        record = RunRecord(
            id=fresh("run", now),
            tenant=order.tenant,
            model=fact.model,
            session_id=fact.session_id,
            surface=order.surface,
            created_at=now,
            updated_at=now,
            last_seq=1,
        )
        held = await self._log.create(record, (fact,), order.claim)
        if held != record.id:
            return Started(await self.get(order.tenant, held), replayed=True)
        self._host(record, begin(fact))
        return Started(record)

    async def stop(self, run_id: str, by: str = "user") -> None:
        """Asks a run to end; one that ends or has ended stays as it is."""
        driver = await self._wake(run_id)
        if driver is not None and driver.state.ending is None:
            await driver.tell(StopRequested(by))

    async def steer(self, run_id: str, messages: tuple[Message, ...]) -> int:
        return await self._tell(run_id, Steered(messages))

    async def approve(
        self, run_id: str, approval_id: str | None, choice: Choice, reason: str = ""
    ) -> int:
        """Answers the approval of that id, or the only one that is pending."""
        calls = (await self.state(run_id)).calls
        pending = [
            call.approval_id for call in calls if call.status == "asked" and call.approval_id
        ]
        wanted = approval_id or (pending[0] if len(pending) == 1 else None)
        if wanted not in pending:
            raise Conflict(
                f"No such approval is pending. Pending: {', '.join(pending) or 'none'}.",
                param="approval_id",
                code="approval_not_pending",
            )
        return await self._tell(run_id, ApprovalGiven(wanted, choice, reason=reason))

    async def reply(self, run_id: str, fact: ClientReplied) -> int:
        """Brings the results of the client's tools; answers with the seq they stand behind."""
        return await self._tell(run_id, fact)

    # ── views ───────────────────────────────────────────────────────────────────────────

    async def get(self, tenant: str, run_id: str) -> RunRecord:
        """What belongs to another tenant does not exist."""
        record = await self._store.get(run_id)
        if record is None or record.tenant != tenant:
            raise NotFound(f"There is no run {run_id!r}.", param="run_id", code="run_not_found")
        return record

    async def find(self, wanted: RunFilter) -> Sequence[RunRecord]:
        return await self._store.find(wanted)

    async def state(self, run_id: str) -> RunState:
        if (driver := self._live.get(run_id)) is not None:
            return driver.state
        return fold(entry.event for entry in await self.facts(run_id))

    async def facts(self, run_id: str) -> tuple[Entry, ...]:
        """What the run is made of, without the deltas."""
        facts = await self._log.read(run_id, facts_only=True)
        if facts is None:
            raise NotFound(f"There is no run {run_id!r}.", param="run_id", code="run_not_found")
        return facts.entries

    def follow(self, run_id: str, after: int = 0) -> AsyncIterator[Batch]:
        return self._log.follow(run_id, after)

    async def delete(self, record: RunRecord) -> None:
        if record.status not in ("completed", "failed", "cancelled"):
            raise Conflict(
                f"Run {record.id!r} is {record.status}; stop it before deleting it.",
                code="run_not_finished",
            )
        await self._store.delete(record.id)
        await self._outputs.delete(record.id)

    # ── life ────────────────────────────────────────────────────────────────────────────

    def resume(self, record: RunRecord, log: Sequence[AnyEvent]) -> None:
        """Drives a run whose last driver died, under the epoch of `record`."""
        self._host(record, fold(log), first=takeover(log, record.epoch))

    async def close(self, grace: float = 0.0) -> None:
        """Gives runs under way `grace` seconds; the others wait in the log for the next start."""
        if self._hosts and grace > 0:
            await asyncio.wait(self._hosts, timeout=grace)
        for host in tuple(self._hosts):
            host.cancel()
        if self._hosts:
            await asyncio.wait(self._hosts)

    @property
    def under_way(self) -> int:
        return len(self._live)

    async def _tell(self, run_id: str, fact: Fact) -> int:
        driver = await self._wake(run_id)
        if driver is None or driver.state.ending is not None:
            raise Conflict(f"Run {run_id!r} has ended.", code="run_ended")
        return await driver.tell(fact)

    async def _wake(self, run_id: str) -> Driver | None:
        """The driver of a run, started anew if the run was waiting; None if the run has ended."""
        async with self._waking:
            if (live := self._live.get(run_id)) is not None:
                return live
            record, state = await self._store.get(run_id), await self.state(run_id)
            if record is None or isinstance(state.phase, Ended):
                return None
            return self._host(record, state)

    def _host(self, record: RunRecord, state: RunState, first: Sequence[Fact] = ()) -> Driver:
        driver = Driver(
            record.id,
            record.epoch,
            state,
            model=self.agents.named(record.model).model,
            log=self._log,
            toolbox=self.toolbox,
            clock=self._clock,
        )
        self._live[record.id] = driver
        task = asyncio.create_task(self._run(driver, first, record.created_at))
        self._hosts.add(task)
        task.add_done_callback(self._hosts.discard)
        return driver

    async def _run(self, driver: Driver, first: Sequence[Fact], created_at: float) -> None:
        deadline = self._deadline(driver, created_at)
        try:
            await driver.drive(first)
        except asyncio.CancelledError:
            await driver.leave()
            raise
        except Fenced:
            await driver.leave()
        # A run must never hang: what nobody foresaw ends it as failed.
        except Exception:
            logger.exception("run %s ended by an internal error", driver.run_id)
            await driver.fail(INTERNAL)
        finally:
            self._live.pop(driver.run_id, None)
            if deadline is not None:
                deadline.cancel()

    def _deadline(self, driver: Driver, created_at: float) -> "asyncio.Task[None] | None":
        seconds = driver.state.limits.max_seconds
        if seconds is None:
            return None
        left = created_at + seconds - self._clock.now()
        return asyncio.create_task(driver.watch_deadline(left))


def _started(order: Order, agent: Agent, session_id: str) -> RunStarted:
    layers = (agent.instructions, order.instructions)
    return RunStarted(
        model=agent.name,
        messages=order.messages,
        instructions="\n\n".join(layer for layer in layers if layer),
        session_id=session_id,
        tools=tools_for(agent, order.tools),
        sampling=order.sampling,
        limits=_tighter(agent.limits, order.limits),
        policy=agent.policy,
        surface=order.surface,
        user=order.user,
        metadata=order.metadata,
    )


def tools_for(agent: Agent, wanted: tuple[ToolSpec, ...] | None) -> tuple[ToolSpec, ...]:
    """The agent's tools and the client's; of two with one name the client's is used."""
    if wanted is None:
        return agent.tools
    if not wanted:
        return ()
    taken = {tool.name for tool in wanted}
    return (*(tool for tool in agent.tools if tool.name not in taken), *wanted)


def _tighter(ours: Limits, theirs: Limits) -> Limits:
    """A client may lower a budget, never raise it."""
    return Limits(
        max_steps=_lower(ours.max_steps, theirs.max_steps),
        max_tokens=_lower(ours.max_tokens, theirs.max_tokens),
        max_seconds=_lower(ours.max_seconds, theirs.max_seconds),
    )


N = TypeVar("N", int, float)


def _lower(ours: N | None, theirs: N | None) -> N | None:
    return min((limit for limit in (ours, theirs) if limit is not None), default=None)
