"""Does what `decide` says and appends what came of it: the only writer of a run under way.

Above: Runs, which starts drivers and passes them words from outside. Below: ports. Nothing else
ever writes to the log of a run that has a driver, so its state in memory is the folded log.
"""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import closing
from functools import partial
from typing import Any, TypeVar, assert_never

from msgspec.structs import replace

from angelia.core.actions import (
    AskHuman,
    AskModel,
    Await,
    CallTools,
    Compact,
    Dismiss,
    Finish,
    Halt,
    PassOver,
    Refuse,
    Rest,
    Settle,
)
from angelia.core.chain import Shown, aside, spoken
from angelia.core.events import (
    DELTA_TYPES,
    AnyEvent,
    ApprovalRequested,
    Asked,
    Ending,
    Fact,
    Failed,
    ModelReplied,
    Notice,
    Overflowed,
    RunEnded,
    RunWaited,
    StepReset,
    ToolFinished,
    ToolResumed,
    UsageReported,
)
from angelia.core.identity import approval_code
from angelia.core.messages import Message, Prompt, ToolCall
from angelia.core.policy import NOTHING
from angelia.core.run import decide, evolve
from angelia.core.state import Calling, Ended, RunState, Status, pending
from angelia.core.suggest import unknown_tool
from angelia.core.window import Plan
from angelia.errors import (
    AngeliaError,
    Conflict,
    Fenced,
    RequestError,
    StorageError,
    UpstreamError,
    UpstreamOverflow,
)
from angelia.ports import Bill, Caller, Claim, Clock, Emit, EventLog, RunRecord, Took
from angelia.runtime.asking import Answer, Asking
from angelia.runtime.bills import Pricing, estimated, summed
from angelia.runtime.calibration import Calibration
from angelia.runtime.compacting import compacted, summarised
from angelia.runtime.marks import mark
from angelia.runtime.meters import Meters
from angelia.runtime.routes import Chain
from angelia.runtime.step import Step
from angelia.runtime.toolbox import CallContext, Toolbox, cancelled, denied, in_doubt

T = TypeVar("T")
INTERNAL = Failed("An internal error ended the run.", "internal_error")


class Driver:
    """One run from wherever it stands to its end, or to where only somebody outside can go on."""

    def __init__(
        self,
        run: RunRecord,
        state: RunState,
        *,
        chain: Chain,
        summarizer: Chain,
        calibration: Calibration,
        log: EventLog,
        toolbox: Toolbox,
        clock: Clock,
        price: Pricing,
        meters: Meters,
        on_asked: Callable[[RunState], None],
        on_status: Callable[[Status], None],
        shown: Shown = (),
        worked: float = 0.0,
    ) -> None:
        """`shown` is what the run has shown before this driver; `on_…` are told what is new.

        `worked` is how many seconds others have worked on it.
        """
        self._run = run
        self._meters = meters
        self.run_id = run.id
        self.tenant = run.tenant
        self.state = state
        self._price = price
        self._shown: list[str | Message] = list(shown)
        self._on_asked = on_asked
        self._on_status = on_status
        self._status = state.status
        self._epoch = run.epoch
        self._chain = chain
        self._summarizer = summarizer
        self._calibration = calibration
        self._log = log
        self._offer: Emit = partial(log.offer, run.id, run.epoch)
        self._toolbox = toolbox
        self._clock = clock
        self._begun = clock.monotonic() - worked
        self._changed = asyncio.Event()
        self._asking = False
        self._under_way: set[asyncio.Task[Any]] = set()
        self._working: set[asyncio.Task[None]] = set()
        self._defect: BaseException | None = None
        self._leaving = False
        # What a call that never became a reply has used, as far as anybody can tell.
        self._unbilled: Bill | None = None
        self._telling = 0

    # ── for Runs ────────────────────────────────────────────────────────────────────────

    async def drive(self, first: Sequence[Fact] = ()) -> None:
        """Returns when the run has ended or waits for somebody outside."""
        await self._toolbox.prepare()
        await self._record(*first)
        while True:
            if self._defect is not None:
                raise self._defect
            # Nothing begins on a word from outside before it is written down.
            if self._telling:
                await self._change()
                continue
            match decide(self.state):
                case AskModel(prompt=prompt):
                    await self._ask(prompt)
                case Compact(plan=plan):
                    await self._compact(plan)
                case Halt():
                    await self._change()
                case Rest():
                    if not isinstance(self.state.phase, Calling):
                        return
                    await self._change()
                case _:
                    await self._record()

    async def tell(self, *facts: Fact, claim: Claim | None = None) -> int:
        """Words from outside; answers with the seq they stand behind. Durable once this returns.

        Raises Conflict when the claim is held already; then nothing was said.
        """
        # What is said may let calls begin at once.
        await self._toolbox.prepare()
        self._telling += 1
        try:
            return await self._record(*facts, claim=claim)
        finally:
            self._telling -= 1
            self._changed.set()

    async def fail(self, ending: Failed) -> None:
        """The end of a run whose driver met something it has no rule for."""
        await self.leave()
        if isinstance(self.state.phase, Ended):
            return
        cut = [cancelled(c.call) for c in self.state.calls if c.status in ("running", "orphaned")]
        await self._record(*cut, self._ended(ending))

    async def leave(self) -> None:
        """Lets go without ending the run: the next driver finds it as a crash would leave it."""
        self._leaving = True
        working = tuple(self._working)
        for task in working:
            task.cancel()
        if working:
            await asyncio.wait(working)

    # ── the record ──────────────────────────────────────────────────────────────────────

    async def _record(
        self, *events: AnyEvent, claim: Claim | None = None, took: Took | None = None
    ) -> int:
        """Appends events and whatever follows from them without any work, as one.

        Answers with the seq they stand behind. `took` is of the model call that they come from.
        """
        if isinstance(self._defect, StorageError | Fenced):
            # What the log has missed cannot be followed by anything.
            raise self._defect
        before = self.state
        for event in events:
            if not isinstance(event, DELTA_TYPES):
                self.state = evolve(self.state, event)
        if self.state.ending is not None:
            self._interrupt()
        follow, begin = self._consequences()
        written = (*events, *self._news(before), *follow)
        if not written:
            return 0
        try:
            last = await self._append(written, claim, took)
        except Conflict:
            self.state = before
            raise
        for call in begin:
            self._begin(call)
        if any(isinstance(event, ApprovalRequested) for event in written):
            self._on_asked(self.state)
        self._changed.set()
        return last - len(written)

    async def _append(
        self, written: Sequence[AnyEvent], claim: Claim | None, took: Took | None
    ) -> int:
        asides = [piece for event in written for piece in aside(event)]
        shown = [*self._shown, *asides] if asides else self._shown
        begun = self._clock.monotonic()
        changed = mark(self.state, written, shown, claim, took, begun - self._begun)
        if self._unbilled is not None:
            changed = replace(changed, bill=summed(self._unbilled, changed.bill))
            self._unbilled = None
        try:
            last = await self._log.append(self.run_id, self._epoch, written, changed)
        except Conflict:
            raise
        except AngeliaError as error:
            # The state is ahead of the log: whoever drives on must read the log anew.
            self._defect = error
            self._interrupt()
            self._changed.set()
            raise
        self._shown += asides
        spent = self._clock.monotonic() - begun
        self._meters.appended(self._run, changed.status, written, spent)
        if changed.status != self._status:
            self._status = changed.status
            self._on_status(changed.status)
        return last

    def _consequences(self) -> tuple[list[Fact], list[ToolCall]]:
        """Facts that need nothing but to be written down, and the calls to begin behind them."""
        facts: list[Fact] = []
        begin: list[ToolCall] = []
        while not self._leaving and (more := self._follow_up(begin)):
            facts += more
            for fact in more:
                self.state = evolve(self.state, fact)
        return facts, begin

    def _follow_up(self, begin: list[ToolCall]) -> list[Fact]:
        action = decide(self.state)
        match action:
            case CallTools(calls=calls):
                begin += calls
                return [self._toolbox.started(call) for call in calls]
            case Refuse(calls=calls):
                return [fact for call in calls for fact in self._refusal(*call)]
            case Dismiss(calls=calls):
                return [fact for call in calls for fact in self._dismissal(call)]
            case PassOver(calls=calls):
                return [fact for call in calls for fact in self._repetition(*call)]
            case AskHuman(calls=calls):
                return self._approvals(calls)
            case Settle(again=again, doubtful=doubtful):
                begin += again
                return [*(ToolResumed(call.id) for call in again), *map(in_doubt, doubtful)]
            case Await(on=on, calls=calls):
                asked = self._questions() if on == "approval" else ()
                return [RunWaited(on, tuple(call.id for call in calls), asked)]
            case Finish(ending=ending):
                # The model may still be writing; the run ends when that has really stopped.
                return [] if self._asking else [self._ended(ending)]
            case Compact(plan=plan) if not plan.condense:
                return [compacted(plan)]
            case AskModel() | Compact() | Halt() | Rest():
                return []
            case _:
                assert_never(action)

    def _refusal(self, call: ToolCall, reason: str) -> tuple[Fact, Fact]:
        return self._toolbox.started(call), denied(call, self._toolbox.redact(reason))

    def _dismissal(self, call: ToolCall) -> tuple[Fact, Fact]:
        message = unknown_tool(call.name, (tool.name for tool in self.state.tools))
        return self._toolbox.started(call), ToolFinished(call.id, call.name, "error", message)

    def _repetition(self, call: ToolCall, earlier: str) -> tuple[Fact, Fact]:
        message = (
            f"This repeats the call {earlier} of the same reply and was not run again. "
            "The result is the one of that call."
        )
        return self._toolbox.started(call), ToolFinished(call.id, call.name, "error", message)

    def _news(self, before: RunState) -> list[AnyEvent]:
        """What people should hear of that no fact says."""
        if self.state.factor != before.factor:
            self._calibration.learn(self.state.model, self.state.factor)
        if self.state.warned == before.warned:
            return []
        message = "The model makes the same calls with the same results; it was told so."
        return [Notice("loop", message)]

    def _approvals(self, calls: Sequence[tuple[ToolCall, str]]) -> list[Fact]:
        patience = self.state.patience
        expires_at = None if patience is None else self._clock.now() + patience
        taken = set(self.state.codes)
        facts: list[Fact] = []
        for call, reason in calls:
            code = approval_code(self.run_id, call.id, taken)
            taken.add(code)
            facts.append(
                ApprovalRequested(
                    approval_id=f"apr_{call.id}",
                    call_id=call.id,
                    name=call.name,
                    reason=reason,
                    label=self._shown_to_people(call),
                    expires_at=expires_at,
                    code=code,
                )
            )
        return facts

    def _questions(self) -> tuple[Asked, ...]:
        redact = self._toolbox.redact
        return tuple(
            replace(
                asked, arguments=redact(asked.arguments), covers=tuple(map(redact, asked.covers))
            )
            for asked in pending(self.state.calls)
        )

    def _shown_to_people(self, call: ToolCall) -> str:
        """Whoever agrees to a command has seen all of it."""
        touched = next((c.touched for c in self.state.calls if c.call.id == call.id), NOTHING)
        return self._toolbox.redact(touched.command) or self._toolbox.label(call)

    def _ended(self, ending: Ending) -> RunEnded:
        return RunEnded(ending, self.state.output, self.state.usage, self.state.cost)

    async def _change(self) -> None:
        await self._changed.wait()
        self._changed.clear()

    # ── the work ────────────────────────────────────────────────────────────────────────

    async def _attempt(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Does what a stop may cut short. It is really over once this returns."""
        task = asyncio.create_task(work)
        self._under_way.add(task)
        if self.state.ending is not None:
            task.cancel()
        try:
            await asyncio.wait((task,))
        finally:
            self._under_way.discard(task)
            if not task.done():
                task.cancel()
                await asyncio.wait((task,))
        return task

    def _interrupt(self) -> None:
        while self._under_way:
            self._under_way.pop().cancel()

    async def _ask(self, prompt: Prompt) -> None:
        step = Step(self.run_id, self.state, self._offer, self._void, self._clock.monotonic)
        with closing(step):
            asking = Asking(
                self._chain,
                prompt,
                step,
                self._clock,
                seconds_left=self._seconds_left,
                meters=self._meters,
            )
            begun = self._clock.monotonic()
            self._asking = True
            try:
                asked = await self._attempt(asking.answer())
            finally:
                self._asking = False
                self._shown += [*step.said, "\n\n"]
            self._unbilled = self._estimated(prompt, step, asked)
            first = None if step.first_at is None else step.first_at - begun
            took = Took(self._clock.monotonic() - begun, first)
            if not asked.cancelled():
                self._meters.asked(self._run.model, took.seconds, first)
            if self.state.ending is None:
                await self._record(*self._answer(step, asked), took=took)

    async def _void(self, fact: StepReset) -> None:
        if self.state.ending is None:
            await self._record(fact)

    @property
    def _seconds_left(self) -> float | None:
        seconds = self.state.limits.max_seconds
        return None if seconds is None else self._run.created_at + seconds - self._clock.now()

    def _estimated(self, prompt: Prompt, step: Step, asked: asyncio.Task[Answer]) -> Bill | None:
        whole = None
        if not asked.cancelled() and asked.exception() is None and not asked.result().cut:
            whole = asked.result().attempt
        cut_off = (attempt for attempt in step.attempts if attempt is not whole)
        return estimated(self.state.model, prompt, cut_off, self._price)

    def _answer(self, step: Step, asked: asyncio.Task[Answer]) -> list[AnyEvent]:
        if asked.cancelled():
            return [self._ended(INTERNAL)]
        try:
            answer = asked.result()
        except UpstreamOverflow as error:
            return [Overflowed(error.limit)]
        except (UpstreamError, RequestError) as error:
            return [
                self._ended(
                    Failed(self._toolbox.redact(error.message), error.code or "invalid_request")
                )
            ]
        shown, reply = answer.attempt.close(answer.reply)
        if not step.said:
            self._shown.append(spoken(reply.message))
        cost = self._price(reply.usage, reply.model, answer.attempt.model) if reply.usage else 0.0
        usage = [UsageReported(reply.usage, reply.model or "", cost)] if reply.usage else []
        lanes = {
            call.id: lane for call in reply.message.calls if (lane := self._toolbox.lane(call))
        }
        touches = {
            call.id: touched
            for call in reply.message.calls
            if (touched := self._toolbox.touched(call)) != NOTHING
        }
        return [*shown, *usage, ModelReplied(reply, lanes, cost, touches)]

    async def _compact(self, plan: Plan) -> None:
        """A summary is cut short by a stop, as any answer; the next driver plans it anew."""
        begun = self._clock.monotonic()
        self._asking = True
        try:
            asked = await self._attempt(
                summarised(
                    plan, self.state, self._summarizer, self._offer, self._clock, self._meters
                )
            )
        finally:
            self._asking = False
        if self.state.ending is None:
            answer = None if asked.cancelled() else asked.result()
            cost = 0.0
            if answer is not None and answer.reply.usage is not None:
                cost = self._price(answer.reply.usage, answer.reply.model, answer.attempt.model)
            took = Took(self._clock.monotonic() - begun)
            await self._record(compacted(plan, answer and answer.reply, cost), took=took)

    def _begin(self, call: ToolCall) -> None:
        task = asyncio.create_task(self._work(call))
        self._working.add(task)
        task.add_done_callback(self._worked)

    async def _work(self, call: ToolCall) -> None:
        begun = self._clock.monotonic()
        caller = Caller(
            self.tenant,
            self.state.session_id,
            self.state.user,
            self.state.model,
            self.state.depth,
            self._run.session_key,
        )
        context = CallContext(self.run_id, call.id, caller, self._offer)
        done = await self._attempt(self._toolbox.work(call, context))
        spent = self._clock.monotonic() - begun
        await self._record(cancelled(call, spent) if done.cancelled() else done.result())

    def _worked(self, task: asyncio.Task[None]) -> None:
        self._working.discard(task)
        if not task.cancelled() and (defect := task.exception()) is not None:
            self._defect = defect
            self._changed.set()
