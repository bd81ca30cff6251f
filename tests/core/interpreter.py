"""Does what `decide` says, at once and without a world: scripted replies, tools that only end."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import assert_never

from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from angelia.core.actions import (
    Action,
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
from angelia.core.events import (
    DELTA_TYPES,
    AnyEvent,
    ApprovalGiven,
    ApprovalRequested,
    CallDelta,
    ClientReplied,
    Compacted,
    ModelReplied,
    OutputDelta,
    Overflowed,
    ReasoningDelta,
    RunEnded,
    RunStarted,
    RunWaited,
    Steered,
    TextDelta,
    ToolFinished,
    ToolResumed,
    ToolStarted,
    UsageReported,
)
from angelia.core.messages import (
    Assistant,
    Prompt,
    Reasoning,
    Reply,
    Text,
    ToolCall,
    ToolResult,
    ToolSpec,
    Usage,
    user,
)
from angelia.core.policy import Limits, Policy
from angelia.core.run import decide, evolve, fold
from angelia.core.state import BETWEEN_LANES, Calling, RunState, pending

TOOLS = (
    ToolSpec("look", effect="pure"),
    ToolSpec("save", effect="idempotent"),
    ToolSpec("send", effect="irreversible"),
    ToolSpec("theirs", owner="client"),
)


class Step(Struct, frozen=True):
    """What the model says in one step."""

    reply: Reply
    lanes: dict[str, str] = {}


class Interpreter:
    """A run from the end of `log` on. `running` is what this process works on itself."""

    def __init__(self, log: Iterable[AnyEvent], script: Sequence[Step], random: Random) -> None:
        self.log: list[AnyEvent] = list(log)
        self.state: RunState = fold(self.log)
        self.running = [call.call for call in self.state.calls if call.status == "running"]
        self.prompts: list[Prompt] = []
        self.actions: list[tuple[RunState, Action]] = []
        # What a provider that refuses a prompt says it can read, refusal after refusal.
        self.refusals: list[int | None] = []
        self._script = list(script)
        self._random = random

    def record(self, *events: AnyEvent) -> None:
        for event in events:
            self.log.append(event)
            if not isinstance(event, DELTA_TYPES):
                self.state = evolve(self.state, event)

    def drive(self, *, words: Sequence[AnyEvent] = (), limit: int = 500) -> None:
        """To the end, or to where somebody outside must go on. `words` come in at any time."""
        words = list(words)
        for _ in range(limit):
            if words and self.state.ending is None and self._random.random() < 0.2:
                self.record(words.pop(0))
            if not self.step():
                return
        raise AssertionError("the run does not come to an end")

    def drive_to_the_end(self, *, words: Sequence[AnyEvent] = ()) -> None:
        """Whoever is waited for answers."""
        self.drive(words=words)
        while any(call.status in ("asked", "client") for call in self.state.calls):
            self.record(self.answer())
            self.drive()

    def step(self) -> bool:
        """One action, or one call that ends. False when there is nothing to do."""
        action = decide(self.state)
        self.actions.append((self.state, action))
        if self.running and isinstance(self.state.phase, Calling) and self._random.random() < 0.5:
            self._end_one("ok")
            return True
        return self._perform(action)

    def answer(self) -> AnyEvent:
        asked = [call for call in self.state.calls if call.status == "asked"]
        if asked:
            choice = self._random.choice(["once", "session", "always", "deny"])
            return ApprovalGiven(self._random.choice(asked).approval_id or "", choice)
        theirs = [call.call for call in self.state.calls if call.status == "client"]
        return ClientReplied(tuple(ToolResult(call.id, "from the client") for call in theirs))

    def _perform(self, action: Action) -> bool:
        match action:
            case AskModel(prompt=prompt):
                self._ask(prompt)
            case CallTools(calls=calls):
                self.record(*map(self._started, calls))
                self.running += calls
            case Refuse(calls=calls):
                for call, _ in calls:
                    self.record(self._started(call), finished(call, "denied"))
            case Dismiss(calls=calls):
                for call in calls:
                    self.record(self._started(call), finished(call, "error"))
            case PassOver(calls=calls):
                for call, _ in calls:
                    self.record(self._started(call), finished(call, "error"))
            case Compact(plan=plan):
                self.record(Compacted(replace(plan.digest, summary="s" * plan.room)))
            case AskHuman(calls=calls):
                self.record(
                    *(
                        ApprovalRequested(f"apr_{c.id}", c.id, c.name, why, code=f"2{c.id}".upper())
                        for c, why in calls
                    )
                )
            case Settle(again=again, doubtful=doubtful):
                self.record(*(ToolResumed(call.id) for call in again))
                self.running += again
                self.record(*(finished(call, "in_doubt") for call in doubtful))
            case Await(on=on, calls=calls):
                asked = pending(self.state.calls) if on == "approval" else ()
                self.record(RunWaited(on, tuple(call.id for call in calls), asked))
            case Halt():
                self._end_one("cancelled")
            case Finish(ending=ending):
                self.record(RunEnded(ending, self.state.output, self.state.usage))
            case Rest():
                if not self.running:
                    return False
                self._end_one("ok")
            case _:
                assert_never(action)
        return True

    def _ask(self, prompt: Prompt) -> None:
        self.prompts.append(prompt)
        if self.refusals:
            self.record(Overflowed(self.refusals.pop(0)))
            return
        step = self._script.pop(0) if self._script else spoken("That is all.")
        self.record(*shown(step.reply), UsageReported(step.reply.usage or Usage(), "m"))
        self.record(ModelReplied(step.reply, step.lanes))

    def _started(self, call: ToolCall) -> ToolStarted:
        spec = self.state.spec(call.name)
        return ToolStarted(call.id, call.name, call.arguments, spec.effect if spec else "pure")

    def _end_one(self, outcome: str) -> None:
        call = self.running.pop(self._random.randrange(len(self.running)))
        self.record(OutputDelta(call.id, "working…"), finished(call, outcome))


def finished(call: ToolCall, outcome: str, output: str | None = None) -> ToolFinished:
    return ToolFinished(call.id, call.name, outcome, output or f"{call.id} {outcome}")


def spoken(text: str, tokens: int = 10) -> Step:
    return Step(Reply(Assistant((Text(text),)), "stop", Usage(output=tokens)))


def calling(*calls: tuple[str, str], lanes: dict[str, str] | None = None) -> Step:
    """Calls as pairs of id and tool; no two of them say the same."""
    parts = tuple(ToolCall(call_id, tool, f'{{"n":"{call_id}"}}') for call_id, tool in calls)
    return Step(Reply(Assistant(parts), "tool_calls", Usage(output=10)), lanes or {})


def shown(reply: Reply) -> list[AnyEvent]:
    deltas: list[AnyEvent] = []
    for index, part in enumerate(reply.message.parts):
        match part:
            case Text(text=text):
                deltas.append(TextDelta(text))
            case Reasoning(text=text):
                deltas.append(ReasoningDelta(text))
            case ToolCall():
                deltas.append(CallDelta(index, part.arguments, part.id, part.name))
            case _:
                pass
    return deltas


def begun(log: Sequence[AnyEvent], call_id: str) -> int:
    return sum(isinstance(e, ToolStarted) and e.call_id == call_id for e in log)


def ended(log: Sequence[AnyEvent], call_id: str) -> int:
    return sum(isinstance(e, ToolFinished) and e.call_id == call_id for e in log)


# ── strategies ──────────────────────────────────────────────────────────────────────────────

tool_names = st.sampled_from([*(tool.name for tool in TOOLS), "unheard_of"])
started = st.builds(
    RunStarted,
    st.just("m"),
    st.just((user("Do it."),)),
    tools=st.just(TOOLS),
    policy=st.builds(
        Policy,
        ask=st.lists(st.sampled_from(["look", "send", "idempotent"]), max_size=2).map(tuple),
        deny=st.lists(st.sampled_from(["save", "irreversible"]), max_size=1).map(tuple),
    ),
    limits=st.sampled_from(
        [Limits(max_repeats=2), Limits(), Limits(max_steps=2), Limits(max_tokens=25)]
    ),
    context=st.sampled_from([None, None, 40, 400]),
)


@st.composite
def scripts(draw: st.DrawFn) -> list[Step]:
    steps: list[Step] = []
    for n in range(draw(st.integers(0, 3))):
        tools = draw(st.lists(tool_names, max_size=4))
        said = draw(st.sampled_from(["{{}}", '{{"n":{}}}']))
        calls = tuple(ToolCall(f"c{n}_{k}", tool, said.format(k)) for k, tool in enumerate(tools))
        lanes = {
            call.id: draw(st.sampled_from(["", "x", "y", f"x{BETWEEN_LANES}y"])) for call in calls
        }
        parts = (*draw(st.sampled_from([(), (Text(f"Step {n}."),), (Reasoning("hm"),)])), *calls)
        reply = Reply(Assistant(parts or (Text("Well."),)), "stop", Usage(output=10))
        steps.append(Step(reply, {call_id: lane for call_id, lane in lanes.items() if lane}))
    return steps


steers = st.integers(0, 3).map(lambda n: [Steered((user(f"steer {k}"),)) for k in range(n)])
randoms = st.randoms(use_true_random=False)


class Run(Struct):
    """A run that was driven to its end, and how."""

    done: Interpreter
    script: list[Step]
    random: Random


@st.composite
def runs(draw: st.DrawFn) -> Run:
    script, random = draw(scripts()), Random(draw(st.integers(0, 2**32)))
    interpreter = Interpreter([draw(started)], script, random)
    interpreter.refusals = draw(st.lists(st.sampled_from([None, 30, 3000]), max_size=3))
    interpreter.drive_to_the_end(words=draw(steers))
    return Run(interpreter, script, random)
