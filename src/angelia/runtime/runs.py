"""Start, stop, steer, follow: all that surfaces can do with runs."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack, nullcontext, suppress
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from angelia.core.chain import Shown, shown
from angelia.core.events import (
    AnyEvent,
    ApprovalGiven,
    ClientReplied,
    DeadlinePassed,
    Fact,
    RunStarted,
    Steered,
    StepReset,
    StopRequested,
    TurnBegun,
)
from angelia.core.latency import worked
from angelia.core.messages import Message, Usage
from angelia.core.redact import redact
from angelia.core.run import begin, fold, takeover
from angelia.core.state import Ended, Queued, RunState, Waiting, pending
from angelia.errors import Conflict, LogUnavailable
from angelia.ports import (
    Briefing,
    Claim,
    Clock,
    EventLog,
    GrantStore,
    Held,
    History,
    OutputStore,
    RunRecord,
    RunStore,
    Session,
)
from angelia.runtime.agents import Agent, Agents
from angelia.runtime.bills import Pricing
from angelia.runtime.briefings import briefed
from angelia.runtime.bulletin import Bulletin
from angelia.runtime.calibration import Calibration
from angelia.runtime.deadlines import Deadlines
from angelia.runtime.driver import Driver
from angelia.runtime.ids import fresh
from angelia.runtime.library import Library
from angelia.runtime.meters import Meters
from angelia.runtime.one_by_one import OneByOne
from angelia.runtime.orders import Order, record_of, refuse_too_long, seeded, started
from angelia.runtime.stage import FIRST_PAUSE, Stage
from angelia.runtime.toolbox import Toolbox
from angelia.runtime.turns import Place, Turns

logger = logging.getLogger(__name__)


def free(usage: Usage, *names: str | None) -> float:
    return 0.0


class Started(Struct, frozen=True):
    """A run, or the leg of one that an earlier request with the same claim has begun."""

    run: RunRecord
    after: int = 0
    replayed: bool = False


class Runs(Library):
    def __init__(
        self,
        *,
        log: EventLog,
        store: RunStore,
        history: History,
        outputs: OutputStore,
        agents: Agents,
        toolbox: Toolbox,
        clock: Clock,
        price: Pricing = free,
        meters: Meters | None = None,
        announce: Callable[[RunRecord, RunStarted], Coroutine[Any, Any, None]] | None = None,
        briefings: Sequence[Briefing] = (),
        grants: GrantStore | None = None,
    ) -> None:
        self.agents = agents
        self.toolbox = toolbox
        super().__init__(log, store, outputs)
        self.bulletin = Bulletin(clock)
        self._history = history
        self._clock = clock
        self._price = price
        self._meters = meters or Meters()
        self._announce = announce
        self._briefings = briefings
        self._grants = grants
        self._stage = Stage(clock, self._rested, self._take_over_again)
        self._turns = Turns()
        self._deadlines = Deadlines(clock, self._expire)
        # Runs that wait for a person, by tenant.
        self._asking: dict[str, str] = {}
        self._calibration = Calibration()
        self._waking = asyncio.Lock()
        self._coming = OneByOne()

    # ── words ───────────────────────────────────────────────────────────────────────────

    async def start(self, order: Order) -> Started:
        """Durable once this returns; the work goes on by itself."""
        agent = self.agents.resolve(order.model, order.models)
        if order.claim is not None:
            held = await self._history.claimed(order.tenant, order.claim)
            if held is not None:
                return await self._replayed(order.tenant, held)
        if agent.bare or order.session_id is None:
            return await self._start(order, agent)
        # The order of turns is the order of the log, which a later start needs to know them by.
        place = (order.tenant, order.session_id)
        async with self._coming.at(("session", *place)):
            if order.when_busy == "refuse" and await self._gives_way(place):
                order = replace(order, when_busy="wait")
            await self._refuse_deleted(order)
            return await self._start(order, agent)

    async def _refuse_deleted(self, order: Order) -> None:
        """What was deleted since the request came in must not come back by it."""
        if order.parent is not None and order.history:
            await self.get(order.tenant, order.parent)

    async def _start(self, order: Order, agent: Agent) -> Started:
        now = self._clock.now()
        run_id = fresh("run", now)
        session_id, queued = self._seat(order, agent, run_id, now)
        with ExitStack() as undo:
            undo.callback(self._pass_on, (order.tenant, session_id), run_id)
            if order.follows and session_id and not queued:
                order = await self._caught_up(order, session_id)
            order = await self.briefed(await self.digested(order), agent)
            granted = await self._granted(order.tenant, order.user, session_id)
            order = replace(order, granted=(*order.granted, *granted))
            await self.toolbox.refresh()
            factor = self._calibration.factor(agent.name)
            fact = started(order, agent, session_id, self.toolbox, queued=queued, factor=factor)
            refuse_too_long(order, fact)
            undo.pop_all()
        return await self._write(record_of(order, fact, run_id, now), fact, order.claim)

    async def _granted(self, tenant: str, user: str | None, session_id: str) -> tuple[str, ...]:
        held = self._grants.held(tenant, user, session_id) if self._grants else None
        return () if held is None else tuple(await held)

    async def briefed(self, order: Order, agent: Agent) -> Order:
        return await briefed(self._briefings, order, agent)

    async def _write(self, record: RunRecord, fact: RunStarted, claim: Claim | None) -> Started:
        with ExitStack() as undo:
            undo.callback(self._pass_on, _place(record), record.id)
            try:
                held = await self._log.create(record, (fact,), claim)
            except asyncio.CancelledError:
                undo.pop_all()
                self._stage.keep(self._abandon(record, fact, claim))
                raise
            if held.run_id != record.id:
                return await self._replayed(record.tenant, held)
            undo.pop_all()
        self._meters.started(record)
        self.bulletin.tell(record, record.status)
        with ExitStack() as undo:
            undo.callback(lambda: self._stage.keep(self._abandon(record, fact, claim)))
            if self._announce is not None:
                await self._announce(record, fact)
            await self._begin(record, begin(fact))
            undo.pop_all()
        return Started(record)

    async def _abandon(self, record: RunRecord, fact: RunStarted, claim: Claim | None) -> None:
        """Nobody was told of the run, so nobody wants it; it may be in the log already."""
        try:
            with suppress(Conflict):
                # Answered behind the first attempt, whatever became of that.
                await self._log.create(record, (fact,), claim)
            await self.stop(record.id, by="disconnect")
        except LogUnavailable as error:
            logger.error("run %s is left as it is: %s", record.id, redact(str(error)))
        finally:
            self._pass_on(_place(record), record.id)

    async def seed(self, order: Order, session: Session | None = None) -> RunRecord:
        """A run that only holds what was said elsewhere, so that a session can go on from it.

        What `session` says of its session is written together with it. Whoever seeds a session
        that others may know holds its `session_turn`.
        """
        now = self._clock.now()
        agent = self.agents.resolve(order.model, order.models)
        order = await self.digested(order)
        record, facts, told = seeded(order, agent, fresh("run", now), now)
        await self._log.create(record, facts, None, told, session)
        return record

    async def stop(self, run_id: str, by: str = "user") -> None:
        """Asks a run to end; one that ends or has ended stays as it is."""
        driver = await self._wake(run_id)
        if driver is not None and driver.state.ending is None:
            await driver.tell(StopRequested(by))

    async def steer(self, run_id: str, messages: tuple[Message, ...]) -> int:
        return await self.tell(run_id, lambda _: (Steered(messages),))

    async def tell(
        self, run_id: str, words: Callable[[RunState], Sequence[Fact]], claim: Claim | None = None
    ) -> int:
        """Says what `words` makes of the run as it is at that moment; nothing comes in between.

        Answers with the seq it stands behind. Raises Conflict for a run that has ended.
        """
        driver = await self._wake(run_id)
        if driver is None or driver.state.ending is not None:
            raise Conflict(f"Run {run_id!r} has ended.", code="run_ended")
        return await driver.tell(*words(driver.state), claim=claim)

    async def reply(self, run_id: str, fact: ClientReplied, claim: Claim | None = None) -> int:
        """Brings the results of the client's tools; answers with the seq they stand behind.

        Raises Conflict when the run does not wait for them any more.
        """
        driver = await self._wake(run_id)
        if driver is None or not isinstance(driver.state.phase, Waiting):
            raise Conflict(f"Run {run_id!r} waits for no results.", code="run_not_waiting")
        return await driver.tell(fact, claim=claim)

    # ── views ───────────────────────────────────────────────────────────────────────────

    async def claimed(self, tenant: str, claim: Claim) -> Started | None:
        """What an earlier request with the same claim has begun."""
        held = await self._history.claimed(tenant, claim)
        return await self._replayed(tenant, held) if held is not None else None

    def claiming(self, tenant: str, claim: Claim | None) -> AbstractAsyncContextManager[None]:
        """Holds up requests with the same claim, until they can find what this one has begun."""
        return self._coming.at(("claim", tenant, claim.key)) if claim else nullcontext()

    def session_turn(self, tenant: str, session_id: str) -> AbstractAsyncContextManager[None]:
        """Holds up runs that start in the session, until they can find what was changed there."""
        return self._coming.at(("session", tenant, session_id))

    def replying(self, run_id: str) -> AbstractAsyncContextManager[None]:
        """Holds up other results for the run, until they can find that these were brought."""
        return self._coming.at(("run", run_id))

    async def state(self, run_id: str) -> RunState:
        driver = self._stage.live.get(run_id)
        return driver.state if driver is not None else await super().state(run_id)

    # ── life ────────────────────────────────────────────────────────────────────────────

    async def resume(self, record: RunRecord) -> bool:
        """Goes on with a run of an earlier process; whether there was work to take over."""
        first = self._turns.join(_place(record), record.id) if record.session_id else True
        if record.status == "queued":
            begun = self._begin_turn(record.id) if first else self._make_way(_place(record))
            self._stage.keep(begun)
            return False
        if record.status in ("waiting_for_approval", "waiting_for_client"):
            # It goes on at the word of a person or a client, but its time may run out.
            self._deadlines.watch(record, await self.state(record.id))
            if record.status == "waiting_for_approval":
                self._asking[record.id] = record.tenant
            return False
        await self.take_over(record)
        return True

    async def take_over(self, record: RunRecord) -> None:
        """Drives a run whose last driver is gone, from what the log says of it."""
        epoch = await self._store.take(record.id)
        entries = await self.read(record.id)
        events = [entry.event for entry in entries]
        self._stage.paused.discard(record.id)
        record = replace(record, epoch=epoch)
        first = takeover(events, epoch)
        seen = shown((*events, *first))
        self._host(record, fold(events), first, seen, worked(entries))

    async def quiet(self) -> None:
        """Returns when no run is under way."""
        await self._stage.quiet()

    async def close(self) -> None:
        """Whatever is under way waits in the log for the next start."""
        self.bulletin.close()
        await self._stage.close(*self._deadlines.tasks)

    @property
    def under_way(self) -> int:
        return len(self._stage.live)

    def under_way_of(self, tenant: str) -> int:
        """With those that go on by themselves: when their turn comes, or at a person's word.

        Whoever has read a run's end may begin the next one, before its driver is gone.
        """
        working = sum(
            driver.tenant == tenant and not isinstance(driver.state.phase, Ended)
            for driver in self._stage.live.values()
        )
        asking = sum(owner == tenant for owner in self._asking.values())
        return working + asking + self._turns.waiting_of(tenant)

    @property
    def queued(self) -> int:
        """Runs that wait for their turn in a session."""
        return self._turns.waiting

    @property
    def paused(self) -> int:
        """Runs that cannot go on because the log cannot be written."""
        return len(self._stage.paused)

    async def _wake(self, run_id: str) -> Driver | None:
        """The driver of a run, started anew if the run was waiting; None if the run has ended."""
        async with self._waking:
            if (live := self._stage.live.get(run_id)) is not None:
                return live
            if run_id in self._stage.paused:
                raise LogUnavailable("The run is paused: the log cannot be written at the moment.")
            record = await self._store.get(run_id)
            if record is None:
                return None
            facts = await self.facts(run_id)
            events: list[AnyEvent] = [entry.event for entry in facts]
            state = fold(events)
            if isinstance(state.phase, Ended):
                return None
            if any(isinstance(event, StepReset) for event in events):
                # Void text is in no fact, and whoever has seen it resends it.
                events = [entry.event for entry in await self.read(run_id)]
            return self._host(record, state, (), shown(events), worked(facts))

    def _host(
        self,
        record: RunRecord,
        state: RunState,
        first: Sequence[Fact] = (),
        shown_before: Shown = (),
        worked_before: float = 0.0,
    ) -> Driver:
        agent = self.agents.named(record.model)
        driver = Driver(
            record,
            state,
            chain=agent.chain,
            summarizer=agent.summarizer or agent.chain,
            calibration=self._calibration,
            log=self._log,
            toolbox=self.toolbox,
            clock=self._clock,
            price=self._price,
            meters=self._meters,
            shown=shown_before,
            worked=worked_before,
            on_asked=partial(self._deadlines.watch_approvals, record.id),
            on_status=partial(self.bulletin.tell, record),
        )
        self._asking.pop(record.id, None)
        self._deadlines.watch(record, state)
        self._stage.host(driver, first)
        return driver

    async def _take_over_again(self, run_id: str) -> None:
        record = await self._store.get(run_id)
        await self.take_over(record) if record else self._stage.paused.discard(run_id)

    async def _expire(self, run_id: str, approval_id: str | None) -> None:
        driver = await self._wake(run_id)
        if driver is None or driver.state.ending is not None:
            return
        if approval_id is None:
            await driver.tell(DeadlinePassed())
        elif any(asked.approval_id == approval_id for asked in pending(driver.state.calls)):
            await driver.tell(ApprovalGiven(approval_id, "deny", by="expired"))

    # ── turns of a session ──────────────────────────────────────────────────────────────

    def _rested(self, driver: Driver) -> None:
        """A run that has ended, or waits while its session wants to go on, makes way."""
        place = (driver.tenant, driver.state.session_id)
        if isinstance(driver.state.phase, Ended):
            self._deadlines.forget(driver.run_id)
            self._pass_on(place, driver.run_id)
        elif driver.state.status == "waiting_for_approval":
            self._asking[driver.run_id] = driver.tenant
        elif driver.state.status == "waiting_for_client" and self._turns.is_followed(place):
            self._stage.keep(self._make_way(place))

    def busy(self, tenant: str, session_id: str) -> bool:
        """Readers hear of a run's end a moment before its driver leaves the line."""
        place = (tenant, session_id)
        first = self._turns.first(place)
        driver = self._stage.live.get(first) if first is not None else None
        ended = driver is not None and isinstance(driver.state.phase, Ended)
        return first is not None and (not ended or self._turns.is_followed(place))

    def _seat(self, order: Order, agent: Agent, run_id: str, now: float) -> tuple[str, bool]:
        """The session of a new run, and whether it has to wait for its turn there."""
        if agent.bare or order.delegated_by is not None:
            return "", False
        session_id = order.session_id or fresh("sess", now)
        if self.busy(order.tenant, session_id):
            if order.yields:
                session_id = fresh("sess", now)
            elif order.when_busy == "refuse":
                raise Conflict(
                    f"Another turn of the session {session_id!r} is under way. "
                    "Wait until it has ended, or stop it.",
                    param="session_id",
                    code="session_busy",
                )
        return session_id, not self._turns.join((order.tenant, session_id), run_id)

    async def _begin(self, record: RunRecord, state: RunState) -> None:
        if record.status != "queued":
            self._host(record, state)
            return
        self._deadlines.watch(record, state)
        before = self._turns.first(_place(record))
        if before == record.id:
            self._stage.keep(self._begin_turn(record.id))
        else:
            await self._make_way(_place(record))

    async def _make_way(self, place: Place) -> None:
        before = self._turns.first(place)
        if before is not None and await self._gives_way(place):
            await self.stop(before, by="superseded")

    async def _gives_way(self, place: Place) -> bool:
        """Whoever goes on talking does not bring the results that a run waits for any more."""
        before = self._turns.first(place)
        return before is not None and (await self.state(before)).status == "waiting_for_client"

    async def _begin_turn(self, run_id: str) -> None:
        """A run that its session waits for must not be lost to a disk that is full for a while."""
        while True:
            try:
                await self._let_begin(run_id)
                return
            except LogUnavailable:
                await self._clock.sleep(FIRST_PAUSE)

    async def _let_begin(self, run_id: str) -> None:
        record = await self._store.get(run_id)
        if record is None or record.status != "queued":
            return
        first = (await self.facts(run_id))[0].event
        begun = TurnBegun()
        if isinstance(first, RunStarted) and first.follows:
            begun = await self.turn_of(record)
        granted = await self._granted(record.tenant, record.user, record.session_id)
        begun = replace(begun, granted=granted if self._grants else None)
        driver = await self._wake(run_id)
        if driver is not None and isinstance(driver.state.phase, Queued):
            await driver.tell(begun)

    def _pass_on(self, place: Place, run_id: str) -> None:
        following = self._turns.leave(place, run_id)
        if following is not None:
            self._stage.keep(self._begin_turn(following))

    async def _caught_up(self, order: Order, session_id: str) -> Order:
        history, parent = await self.said(order.tenant, session_id)
        return replace(order, history=history, parent=parent)

    async def _replayed(self, tenant: str, held: Held) -> Started:
        return Started(await self.get(tenant, held.run_id), held.after, replayed=True)


def _place(record: RunRecord) -> Place:
    return record.tenant, record.session_id
