"""One model step along a chain of routes: what is asked, what is shown, what comes of it."""

import asyncio
from collections.abc import Sequence

import pytest
from msgspec import Struct

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.memory.models import Breaks, Hangs, ScriptedModel, Turn, calls, says
from angelia.core.events import (
    AnyEvent,
    CallDelta,
    Notice,
    ReasoningDelta,
    RunStarted,
    StepReset,
    TextDelta,
)
from angelia.core.messages import Assistant, Prompt, Reply, ToolCall, ToolResult, user
from angelia.core.policy import Limits
from angelia.core.run import begin
from angelia.errors import (
    UpstreamEmpty,
    UpstreamError,
    UpstreamOverflow,
    UpstreamRefused,
    UpstreamStalled,
    UpstreamUnreachable,
)
from angelia.runtime.asking import Answer, Asking
from angelia.runtime.routes import Chain, Provider, Route
from angelia.runtime.step import Step

PROMPT = Prompt("angelia", "", (user("hello"),))
CALLED = Assistant((ToolCall("c1", "ok", "{}"),))
AFTER_A_TOOL = Prompt("angelia", "", (user("hello"), CALLED, ToolResult("c1", "fine")))
SILENCE = UpstreamEmpty("Nothing.", reply=Reply(Assistant(()), "stop"))
TOO_LONG = UpstreamRefused(
    "This model's maximum context length is 8192 tokens.",
    status=400,
    their_code="context_length_exceeded",
)
HALF = (TextDelta("Half "), TextDelta("an"))
HALF_CALL = (TextDelta("I look."), CallDelta(0, id="c1", name="terminal"), CallDelta(0, '{"comm'))


class SwiftClock(ManualClock):
    """Nobody waits; `waits` is how long they would have."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.advance(seconds)
        await asyncio.sleep(0)


class Asked(Struct):
    """What a step came to: the answer or the error, and the log of it."""

    events: list[AnyEvent]
    answer: Answer | None = None
    error: UpstreamError | None = None

    @property
    def notices(self) -> list[str]:
        return [event.code for event in self.events if isinstance(event, Notice)]

    @property
    def resets(self) -> list[StepReset]:
        return [event for event in self.events if isinstance(event, StepReset)]

    @property
    def text(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, TextDelta))

    @property
    def told(self) -> str:
        return " ".join(event.message for event in self.events if isinstance(event, Notice))


def broken(*after, status: int | None = None, **headers: str) -> Breaks:
    if status is not None:
        return Breaks(refusal(status, **headers), after)
    return Breaks(UpstreamUnreachable("The connection was lost."), after)


def refusal(status: int, **headers: str) -> UpstreamRefused:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return UpstreamRefused(f"Status {status}.", status=status, headers=named)


def route(
    name: str, *turns: Turn, keys: int = 1, retries: int = 2, faults: int = 5
) -> tuple[Route, list[ScriptedModel]]:
    """With several keys, each has a model of its own that answers all turns."""
    models = [ScriptedModel(turns) for _ in range(keys)]
    provider = Provider(f"provider of {name}", keys, faults=faults)
    return Route(name, f"{name}-model", provider, models, retries), models


async def ask(
    *routes: Route,
    clock: ManualClock | None = None,
    hedge_after: float | None = None,
    seconds_left: float | None = None,
    prompt: Prompt = PROMPT,
) -> Asked:
    clock = clock or SwiftClock()
    asked = Asked([])

    async def note(events: Sequence[AnyEvent]) -> None:
        asked.events.extend(events)

    async def reset(fact: StepReset) -> None:
        asked.events.append(fact)

    state = begin(RunStarted("angelia", prompt.messages, limits=Limits()))
    step = Step("run_1", state, note, reset, clock.monotonic)
    chain = Chain(routes, hedge_after, chance=lambda: 0.0)
    try:
        asked.answer = await Asking(chain, prompt, step, clock, seconds_left=seconds_left).answer()
    except UpstreamError as error:
        asked.error = error
    return asked


# ── before anything was shown ───────────────────────────────────────────────────────────────


async def test_a_fault_before_the_first_word_is_only_a_notice() -> None:
    a, (model,) = route("a", broken(), says("Good."))
    asked = await ask(a)
    assert asked.answer.reply == says("Good.")
    assert asked.notices == ["retry"]
    assert asked.resets == []
    assert asked.text == "Good."
    assert len(model.asked) == 2


async def test_waits_between_attempts_grow() -> None:
    clock = SwiftClock()
    a, _ = route("a", broken(), broken(), says("Good."))
    await ask(a, clock=clock)
    assert clock.waits == [0.5, 1.0]


async def test_when_all_attempts_fail_the_last_error_remains() -> None:
    a, (model,) = route("a", broken(), broken(), broken(status=500))
    asked = await ask(a)
    assert isinstance(asked.error, UpstreamRefused)
    assert asked.error.message == "Status 500."
    assert len(model.asked) == 3


async def test_a_stall_is_named_as_one() -> None:
    a, _ = route("a", Breaks(UpstreamStalled("Silent for 5 s.")), says("Good."))
    assert (await ask(a)).notices == ["stall"]


@pytest.mark.parametrize("status", [400, 422])
async def test_what_nobody_will_answer_is_asked_once(status) -> None:
    a, (model,) = route("a", broken(status=status), says("no"))
    b, (other,) = route("b", says("no"))
    asked = await ask(a, b)
    assert asked.error.status == status
    assert len(model.asked) == 1
    assert other.asked == []


# ── the chain ───────────────────────────────────────────────────────────────────────────────


async def test_the_next_route_answers_when_the_first_has_none() -> None:
    a, (first,) = route("a", *[broken()] * 3)
    b, (second,) = route("b", says("From b."))
    asked = await ask(a, b)
    assert asked.answer.reply == says("From b.")
    assert asked.answer.attempt.model == "b-model"
    assert asked.notices == ["retry", "retry", "fallback"]
    assert (len(first.asked), len(second.asked)) == (3, 1)


async def test_a_missing_model_falls_back_at_once() -> None:
    a, (first,) = route("a", broken(status=404))
    b, _ = route("b", says("From b."))
    asked = await ask(a, b)
    assert asked.text == "From b."
    assert len(first.asked) == 1


async def test_when_every_route_fails_each_says_why() -> None:
    a, _ = route("a", *[broken()] * 3)
    b, _ = route("b", broken(status=404))
    asked = await ask(a, b)
    assert "a: The connection was lost." in asked.error.message
    assert "b: Status 404." in asked.error.message


async def test_a_provider_that_keeps_failing_is_asked_last_for_a_while() -> None:
    clock = SwiftClock()
    a, (first,) = route("a", *[broken()] * 3, says("a is back"), retries=0, faults=2)
    b, _ = route("b", *[says("From b.")] * 4)
    for _ in range(3):
        assert (await ask(a, b, clock=clock)).text == "From b."
    assert len(first.asked) == 2
    clock.advance(15.0)
    assert (await ask(a, b, clock=clock)).text == "From b."
    assert len(first.asked) == 3
    clock.advance(30.0)
    assert (await ask(a, b, clock=clock)).text == "a is back"


async def test_a_failing_provider_is_asked_all_the_same_if_it_is_the_only_one() -> None:
    clock = SwiftClock()
    a, _ = route("a", broken(), broken(), says("Good."), retries=0, faults=1)
    await ask(a, clock=clock)
    await ask(a, clock=clock)
    assert (await ask(a, clock=clock)).text == "Good."


# ── keys ────────────────────────────────────────────────────────────────────────────────────


async def test_another_key_is_used_at_once_and_the_refused_one_rests() -> None:
    clock = SwiftClock()
    provider = Provider("p", keys=2)
    bad, good = ScriptedModel([broken(status=401)]), ScriptedModel([says("One."), says("Two.")])
    both = Route("a", "m", provider, (bad, good), retries=0)
    assert (await ask(both, clock=clock)).notices == ["rotate"]
    assert (await ask(both, clock=clock)).text == "Two."
    assert clock.waits == [0.0]
    assert provider.pool.resting(clock.monotonic()) == 1


async def test_with_all_keys_refused_the_next_provider_is_asked() -> None:
    a, models = route("a", broken(status=401), keys=3)
    b, _ = route("b", says("From b."))
    asked = await ask(a, b)
    assert asked.text == "From b."
    assert [len(model.asked) for model in models] == [1, 1, 1]


async def test_a_limited_key_is_waited_for_as_long_as_it_wishes() -> None:
    clock = SwiftClock()
    a, _ = route("a", broken(status=429, retry_after="7"), says("Good."))
    assert (await ask(a, clock=clock)).text == "Good."
    assert clock.waits == [7.0]


async def test_a_key_that_was_asked_too_often_is_left_alone_by_others_too() -> None:
    clock = SwiftClock()
    limited = broken(status=429, retry_after="30")
    a, (model,) = route("a", limited, says("Good."), retries=0)
    assert (await ask(a, clock=clock)).error.status == 429
    asked = await ask(a, clock=clock)
    assert (asked.text, asked.notices) == ("Good.", ["retry"])
    assert clock.waits == [30.0]
    assert len(model.asked) == 2


async def test_a_key_that_rests_for_too_long_is_tried_all_the_same() -> None:
    clock = SwiftClock()
    a, _ = route("a", broken(status=401), says("Good."), retries=0)
    await ask(a, clock=clock)
    assert (await ask(a, clock=clock)).text == "Good."
    assert clock.waits == []


async def test_a_key_that_may_be_used_again_at_once_is_not_used_forever() -> None:
    a, (model,) = route("a", *[broken(status=429, retry_after="0")] * 9)
    b, (first, second) = route("b", *[broken(status=429, retry_after="0")] * 9, keys=2)
    await ask(a)
    assert len(model.asked) == 3
    await ask(b)
    assert len(first.asked) + len(second.asked) == 4


async def test_nobody_waits_long_where_another_can_answer() -> None:
    clock = SwiftClock()
    a, _ = route("a", broken(status=429, retry_after="7"))
    b, _ = route("b", says("From b."))
    assert (await ask(a, b, clock=clock)).text == "From b."
    assert clock.waits == []


async def test_a_wish_beyond_all_patience_is_not_waited_for() -> None:
    clock = SwiftClock()
    a, (model,) = route("a", broken(status=503, retry_after="3600"))
    asked = await ask(a, clock=clock)
    assert asked.error.status == 503
    assert clock.waits == []
    assert len(model.asked) == 1


async def test_a_wait_beyond_the_end_of_the_run_is_not_begun() -> None:
    clock = SwiftClock()
    a, _ = route("a", broken(status=429, retry_after="7"), says("too late"))
    asked = await ask(a, clock=clock, seconds_left=5.0)
    assert asked.error.status == 429
    assert clock.waits == []


# ── after something was shown ───────────────────────────────────────────────────────────────


async def test_what_was_shown_is_void_when_the_next_attempt_shows_something() -> None:
    a, _ = route("a", broken(*HALF), says("Whole."))
    asked = await ask(a)
    assert asked.answer.reply == says("Whole.")
    kinds = [type(event).__name__ for event in asked.events]
    assert kinds == ["TextDelta", "TextDelta", "Notice", "StepReset", "TextDelta"]
    assert asked.resets == [StepReset("unreachable")]


async def test_an_attempt_that_shows_nothing_voids_nothing() -> None:
    a, _ = route("a", broken(*HALF), broken(), says("Whole."))
    asked = await ask(a)
    assert len(asked.resets) == 1
    assert asked.text == "Half anWhole."


async def test_text_that_nobody_can_complete_is_delivered_as_it_is() -> None:
    a, (model,) = route("a", broken(*HALF), broken(), broken(status=500))
    asked = await ask(a)
    assert asked.answer.cut
    assert asked.answer.reply.message.text == "Half an"
    assert asked.answer.reply.finish == "length"
    assert asked.resets == []
    assert asked.notices == ["retry", "retry", "cut_off"]
    assert asked.text == "Half an"
    assert len(model.asked) == 3


async def test_of_several_halves_the_last_one_stands() -> None:
    a, _ = route("a", broken(*HALF), broken(TextDelta("Another")), broken())
    asked = await ask(a)
    assert asked.answer.reply.message.text == "Another"
    assert len(asked.resets) == 1


async def test_a_call_that_was_cut_off_is_named_and_asked_again() -> None:
    a, _ = route("a", broken(*HALF_CALL), calls(ToolCall("c2", "terminal", "{}")))
    asked = await ask(a)
    assert asked.resets == [StepReset("unreachable", ("terminal",))]
    assert "terminal" in asked.told
    assert [call.id for call in asked.answer.reply.message.calls] == ["c2"]


async def test_a_call_that_nobody_completes_is_not_made_and_the_reader_is_warned() -> None:
    a, _ = route("a", broken(*HALF_CALL), broken(), broken())
    asked = await ask(a)
    reply = asked.answer.reply
    assert reply.message.calls == ()
    assert reply.finish == "length"
    last = asked.events[-1]
    assert isinstance(last, TextDelta)
    assert "terminal" in last.text
    assert reply.message.text == asked.text == "I look." + last.text


async def test_another_route_takes_over_in_the_middle_of_a_call() -> None:
    a, _ = route("a", *[broken(*HALF_CALL)] * 3)
    b, _ = route("b", says("Done otherwise."))
    asked = await ask(a, b)
    assert asked.answer.reply == says("Done otherwise.")
    assert [reset.dropped_tools for reset in asked.resets] == [("terminal",)] * 3
    assert asked.notices == ["retry", "retry", "fallback"]


async def test_thoughts_alone_are_nothing_to_deliver() -> None:
    a, _ = route("a", *[broken(ReasoningDelta("hm"))] * 3)
    asked = await ask(a)
    assert isinstance(asked.error, UpstreamUnreachable)


async def test_a_refusal_in_the_middle_of_an_answer_is_a_failure() -> None:
    error = UpstreamRefused("Against the policy.", their_type="content_policy_violation")
    a, _ = route("a", Breaks(error, HALF))
    asked = await ask(a)
    assert asked.error is error


async def test_what_stands_is_delivered_though_the_next_route_refuses() -> None:
    a, _ = route("a", broken(*HALF), retries=0)
    b, _ = route("b", broken(status=400))
    asked = await ask(a, b)
    assert asked.answer.reply.message.text == "Half an"


async def test_an_overflow_voids_what_stands_and_is_left_to_the_driver() -> None:
    a, _ = route("a", broken(*HALF), Breaks(TOO_LONG))
    asked = await ask(a)
    assert isinstance(asked.error, UpstreamOverflow)
    assert asked.error.limit == 8192
    assert len(asked.resets) == 1


async def test_a_model_that_adds_nothing_to_its_tools_has_answered() -> None:
    a, _ = route("a", *[Breaks(SILENCE)] * 3)
    asked = await ask(a, prompt=AFTER_A_TOOL)
    assert asked.answer.reply == SILENCE.reply
    assert not asked.answer.cut


async def test_words_that_were_shown_are_not_lost_to_a_model_that_adds_nothing() -> None:
    a, _ = route("a", broken(*HALF), Breaks(SILENCE), Breaks(SILENCE))
    asked = await ask(a, prompt=AFTER_A_TOOL)
    assert asked.answer.cut
    assert asked.answer.reply.message.text == "Half an"
    assert asked.notices[-1] == "cut_off"


class Late(ScriptedModel):
    """Says nothing before the gate is open."""

    def __init__(self, gate: asyncio.Event, *turns: Turn) -> None:
        super().__init__(turns)
        self._gate = gate

    async def ask(self, prompt, emit):
        await self._gate.wait()
        return await super().ask(prompt, emit)


async def hedged(*routes: Route, until: ScriptedModel) -> asyncio.Task[Asked]:
    """A race that goes on until the second one is asked."""
    clock = ManualClock()
    asking = asyncio.create_task(ask(*routes, clock=clock, hedge_after=2.0))
    await clock.sleepers()
    clock.advance(2.0)
    while not until.asked:
        await asyncio.sleep(0)
    return asking


# ── hedging ─────────────────────────────────────────────────────────────────────────────────


async def test_a_slow_first_word_brings_in_the_next_route() -> None:
    a, (slow,) = route("a", Hangs())
    b, _ = route("b", says("From b."))
    asked = await ask(a, b, hedge_after=2.0)
    assert asked.answer.reply == says("From b.")
    assert asked.notices == ["hedge"]
    assert slow.cancelled == 1


async def test_a_quick_first_word_needs_no_other() -> None:
    clock = ManualClock()
    a, _ = route("a", says("From a."))
    b, (other,) = route("b", says("no"))
    asked = await ask(a, b, clock=clock, hedge_after=2.0)
    assert asked.text == "From a."
    assert other.asked == []


async def test_the_first_goes_on_if_it_begins_after_all() -> None:
    gate = asyncio.Event()
    b, (other,) = route("b", Hangs())
    a = Route("a", "a-model", Provider("p"), (Late(gate, says("From a.")),))
    asking = await hedged(a, b, until=other)
    gate.set()
    asked = await asking
    assert asked.text == "From a."
    assert other.cancelled == 1
    assert asked.resets == []


async def test_when_both_fail_the_rest_of_the_chain_is_asked() -> None:
    gate = asyncio.Event()
    a = Route("a", "a-model", Provider("p"), (Late(gate, broken(status=404)),))
    b, (second,) = route("b", broken(status=404))
    c, _ = route("c", says("From c."))
    asking = await hedged(a, b, c, until=second)
    gate.set()
    asked = await asking
    assert asked.text == "From c."
    assert len(second.asked) == 1
    assert asked.notices == ["hedge", "fallback"]


async def test_of_two_that_are_asked_at_once_either_may_find_the_prompt_too_long() -> None:
    gate = asyncio.Event()
    a = Route("a", "a-model", Provider("p"), (Late(gate, Breaks(TOO_LONG)),))
    b, (second,) = route("b", broken(status=404))
    asking = await hedged(a, b, until=second)
    gate.set()
    asked = await asking
    assert isinstance(asked.error, UpstreamOverflow)
    assert asked.error.limit == 8192


async def test_leaving_in_the_middle_of_a_race_closes_both() -> None:
    a, (one,) = route("a", Hangs())
    b, (two,) = route("b", Hangs())
    asking = await hedged(a, b, until=two)
    asking.cancel()
    await asyncio.wait((asking,))
    assert (one.cancelled, two.cancelled) == (1, 1)
