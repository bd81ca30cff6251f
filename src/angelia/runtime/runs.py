"""Start, stop, approve, steer, follow: all that surfaces can do with runs."""

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from msgspec import UNSET, Raw, Struct, UnsetType, field
from msgspec.structs import replace

from angelia.core.events import (
    ApprovalGiven,
    Choice,
    ClientReplied,
    DeadlinePassed,
    Entry,
    Fact,
    RunStarted,
    Steered,
    StopRequested,
)
from angelia.core.messages import Message, Sampling, ToolSpec
from angelia.core.policy import Limits
from angelia.core.redact import redact
from angelia.core.run import begin, fold, takeover
from angelia.core.state import Ended, RunState
from angelia.errors import Conflict, Fenced, LogUnavailable, NotFound, StorageError
from angelia.ports import Batch, Claim, Clock, EventLog, OutputStore, RunFilter, RunRecord, RunStore
from angelia.runtime.agents import Agent, Agents
from angelia.runtime.driver import INTERNAL, Driver
from angelia.runtime.ids import fresh
from angelia.runtime.toolbox import Toolbox

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 10.0

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
        self._deadlines: dict[str, asyncio.Task[None]] = {}
        self._paused: set[str] = set()
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

    async def take_over(self, record: RunRecord) -> None:
        """Drives a run whose last driver is gone, from what the log says of it."""
        epoch = await self._store.take(record.id)
        written = await self._log.read(record.id)
        events = [entry.event for entry in written.entries] if written else []
        self._paused.discard(record.id)
        self._host(replace(record, epoch=epoch), fold(events), takeover(events, epoch))

    async def keep_waiting(self, record: RunRecord) -> None:
        """A run that waits has nothing to take over, but its time may run out."""
        self._watch(record, await self.state(record.id))

    async def close(self, grace: float = 0.0) -> None:
        """Gives runs under way `grace` seconds; the others wait in the log for the next start."""
        if self._hosts and grace > 0:
            await asyncio.wait(self._hosts, timeout=grace)
        tasks = {*self._hosts, *self._deadlines.values()}
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    @property
    def under_way(self) -> int:
        return len(self._live)

    @property
    def paused(self) -> int:
        """Runs that cannot go on because the log cannot be written."""
        return len(self._paused)

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
            if run_id in self._paused:
                raise LogUnavailable("The run is paused: the log cannot be written at the moment.")
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
        self._watch(record, state)
        self._keep(self._run(driver, first))
        return driver

    def _keep(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._hosts.add(task)
        task.add_done_callback(self._hosts.discard)

    async def _run(self, driver: Driver, first: Sequence[Fact]) -> None:
        try:
            await self._drive(driver, first)
        except Fenced:
            await driver.leave()
        except LogUnavailable as error:
            logger.error("run %s is paused: %s", driver.run_id, redact(str(error)))
            await driver.leave()
            self._paused.add(driver.run_id)
            self._keep(self._go_on_later(driver.run_id))
        finally:
            self._live.pop(driver.run_id, None)
            if isinstance(driver.state.phase, Ended):
                self._unwatch(driver.run_id)

    async def _drive(self, driver: Driver, first: Sequence[Fact]) -> None:
        try:
            await driver.drive(first)
        except asyncio.CancelledError:
            await driver.leave()
            raise
        except (StorageError, Fenced):
            raise
        # A run must never hang: what nobody foresaw ends it as failed.
        except Exception:
            logger.exception("run %s ended by an internal error", driver.run_id)
            await driver.fail(INTERNAL)

    async def _go_on_later(self, run_id: str) -> None:
        """Takes a run over as soon as the log can be written again."""
        pause = FIRST_PAUSE
        while run_id in self._paused:
            await self._clock.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)
            record = await self._store.get(run_id)
            with suppress(LogUnavailable):
                await self.take_over(record) if record else self._paused.discard(run_id)

    # ── deadlines ───────────────────────────────────────────────────────────────────────

    def _watch(self, record: RunRecord, state: RunState) -> None:
        """A deadline holds whether the run is driven or waits."""
        seconds = state.limits.max_seconds
        if seconds is not None and record.id not in self._deadlines:
            left = record.created_at + seconds - self._clock.now()
            self._deadlines[record.id] = asyncio.create_task(self._expire(record.id, left))

    def _unwatch(self, run_id: str) -> None:
        if (deadline := self._deadlines.pop(run_id, None)) is not None:
            deadline.cancel()

    async def _expire(self, run_id: str, seconds: float) -> None:
        await self._clock.sleep(max(0.0, seconds))
        driver = await self._wake(run_id)
        if driver is not None and driver.state.ending is None:
            await driver.tell(DeadlinePassed())


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
