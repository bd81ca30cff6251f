import itertools
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from angelia.core.actions import AskHuman, AskModel, Await, CallTools, Finish, Rest, Settle
from angelia.core.events import (
    DELTA_TYPES,
    ApprovalGiven,
    ApprovalRequested,
    CallDelta,
    Cancelled,
    ClientReplied,
    Completed,
    DeadlinePassed,
    Exhausted,
    Failed,
    ModelReplied,
    Notice,
    ReasoningDelta,
    RunEnded,
    RunStarted,
    RunTaken,
    RunWaited,
    Steered,
    StepReset,
    StopRequested,
    TextDelta,
    ToolFinished,
    ToolResumed,
    ToolStarted,
)
from angelia.core.history import closed
from angelia.core.messages import Assistant, Sampling, ToolChoice, ToolResult, user
from angelia.core.policy import Limits, Policy
from angelia.core.run import decide, evolve, fold, takeover
from angelia.core.state import BETWEEN_LANES, Calling, Concluding, Ended, Thinking, Waiting, pending
from angelia.errors import IllegalTransition
from tests.core.interpreter import (
    TOOLS,
    Interpreter,
    Run,
    begun,
    calling,
    ended,
    randoms,
    runs,
    scripts,
    spoken,
    started,
    steers,
)

PLAIN = RunStarted("m", (user("Do it."),), tools=TOOLS)
cuts = st.integers(1, 10_000)


def run_of(*script, started=PLAIN, seed=0):
    interpreter = Interpreter([started], script, Random(seed))
    interpreter.drive()
    return interpreter


def cut(run: Run, at: int):
    log = run.done.log
    return log[: 1 + at % len(log)]


def call_ids(log):
    return {e.call_id for e in log if isinstance(e, ToolStarted)}


# ── folding ─────────────────────────────────────────────────────────────────────────────────

deltas = st.sampled_from([TextDelta("x"), CallDelta(0, "{", "c0_0", "look"), Notice("a", "b")])


@given(runs(), st.lists(st.tuples(cuts, deltas), max_size=5))
def test_folding_the_facts_equals_folding_everything(run, more):
    facts = [event for event in run.done.log if not isinstance(event, DELTA_TYPES)]
    log = list(run.done.log)
    for place, delta in more:
        log.insert(place % (len(log) + 1), delta)
    assert fold(log) == fold(facts) == run.done.state


@given(runs())
def test_every_run_comes_to_an_end_that_is_its_last_event(run):
    log = run.done.log
    assert isinstance(log[-1], RunEnded)
    assert sum(isinstance(event, RunEnded) for event in log) == 1
    assert run.done.state.phase == Ended(log[-1].ending)
    assert decide(run.done.state) == Rest()
    for call_id in call_ids(log):
        assert begun(log, call_id) == ended(log, call_id) == 1


def test_an_empty_log_and_a_log_without_a_start_have_no_state():
    with pytest.raises(IllegalTransition):
        fold([TextDelta("x")])
    with pytest.raises(IllegalTransition):
        fold([StopRequested()])
    with pytest.raises(IllegalTransition):
        fold([PLAIN, PLAIN])


ILLEGAL = [
    ToolStarted("nobody", "look", "{}", "pure"),
    ToolFinished("nobody", "look", "ok", ""),
    ToolResumed("nobody"),
    ApprovalRequested("apr", "nobody", "look", ""),
    RunWaited("approval", ()),
]


@pytest.mark.parametrize("fact", ILLEGAL)
def test_facts_of_a_driver_that_cannot_follow_are_illegal(fact):
    with pytest.raises(IllegalTransition):
        fold([PLAIN, fact])


def test_a_call_ends_only_once_and_starts_only_once():
    begin = fold([PLAIN, ModelReplied(calling(("a", "look"), ("b", "look")).reply)])
    started = ToolStarted("a", "look", "{}", "pure")
    finished = ToolFinished("a", "look", "ok", "")
    running = evolve(begin, started)
    done = evolve(running, finished)
    for state, fact in [(begin, finished), (running, started), (done, started), (done, finished)]:
        with pytest.raises(IllegalTransition):
            evolve(state, fact)


def test_a_run_does_not_end_while_a_call_is_under_way():
    log = [PLAIN, ModelReplied(calling(("a", "look")).reply)]
    running = fold([*log, ToolStarted("a", "look", "{}", "pure"), StopRequested()])
    with pytest.raises(IllegalTransition):
        evolve(running, RunEnded(Cancelled()))


# ── stop ────────────────────────────────────────────────────────────────────────────────────


@given(runs(), cuts, randoms)
def test_a_stop_may_land_anywhere(run, at, random):
    before = cut(run, at)
    interpreter = Interpreter(before, run.script, random)
    settled = interpreter.state.ending
    under_way = {call.id for call in interpreter.running}
    interpreter.record(StopRequested("me"))
    interpreter.drive()
    after = interpreter.log[len(before) :]
    assert interpreter.state.phase == Ended(settled or Cancelled("me"))
    assert not call_ids(after)
    assert not any(isinstance(event, ToolResumed | ModelReplied) for event in after)
    assert {e.call_id for e in after if isinstance(e, ToolFinished)} == under_way
    for call_id in call_ids(before):
        assert ended(interpreter.log, call_id) == 1


def test_what_calls_came_to_before_a_stop_stays_in_the_transcript():
    run = Interpreter([PLAIN], [calling(("a", "send"), ("b", "look"))], Random(0))
    run.step()
    run.step()
    run.record(ToolFinished("a", "send", "ok", "sent"), StopRequested())
    run.running = run.running[1:]
    run.drive()
    assert run.state.messages[-2:] == (
        ToolResult("a", "sent"),
        ToolResult("b", "b cancelled", failed=True),
    )


def test_a_second_stop_and_a_late_deadline_do_not_change_who_stopped_it():
    state = fold([PLAIN, StopRequested("first"), StopRequested("second"), DeadlinePassed()])
    assert state.phase == Concluding(Cancelled("first"))
    assert state.status == "stopping"


# ── crash ───────────────────────────────────────────────────────────────────────────────────


@given(runs(), st.lists(cuts, min_size=1, max_size=3), randoms)
def test_a_run_cut_off_after_any_entry_can_be_driven_to_its_end(run, ats, random):
    interpreter = run.done
    for epoch, at in enumerate(ats, start=2):
        log = interpreter.log[: 1 + at % len(interpreter.log)]
        before = fold(log)
        log += takeover(log, epoch) if before.status not in FINAL else ()
        interpreter = Interpreter(log, run.script[before.steps :], random)
        assert not interpreter.running
        interpreter.drive_to_the_end()
        check_recovery(before, interpreter.log[len(log) :])
    log = interpreter.log
    assert isinstance(interpreter.state.phase, Ended)
    for call_id in call_ids(log):
        assert begun(log, call_id) == 1
        assert ended(log, call_id) == 1


FINAL = ("completed", "failed", "cancelled")


def check_recovery(before, after):
    """What was under way is run again if that is harmless, and in doubt otherwise."""
    resumed = [event.call_id for event in after if isinstance(event, ToolResumed)]
    doubtful = [e.call_id for e in after if isinstance(e, ToolFinished) and e.outcome == "in_doubt"]
    lost = [call for call in before.calls if call.status in ("running", "orphaned")]
    stopped = before.ending is not None
    again = [c.call.id for c in lost if c.effect != "irreversible" and not stopped]
    assert resumed == again
    assert doubtful == [call.call.id for call in lost if call.call.id not in again]


@given(runs(), cuts, randoms)
def test_a_stopped_run_whose_driver_dies_runs_nothing_again(run, at, random):
    before = fold(cut(run, at))
    log = [*cut(run, at), StopRequested("me")]
    log += takeover(log, 2) if before.ending is None else ()
    interpreter = Interpreter(log, run.script, random)
    interpreter.drive()
    after = interpreter.log[len(log) :]
    assert isinstance(interpreter.state.phase, Ended)
    assert not any(isinstance(event, ToolStarted | ToolResumed) for event in after)
    lost = {call.call.id for call in before.calls if call.status in ("running", "orphaned")}
    if before.ending is None:
        assert {e.call_id: e.outcome for e in after if isinstance(e, ToolFinished)} == (
            dict.fromkeys(lost, "in_doubt")
        )


@given(runs(), cuts)
def test_a_half_streamed_reply_is_void_after_a_crash(run, at):
    log = cut(run, at)
    facts = takeover(log, 7)
    assert facts[0] == RunTaken(7)
    half = bool(shown_since_the_last_reply(log)) and isinstance(fold(log).phase, Thinking)
    assert any(isinstance(fact, StepReset) for fact in facts) is half
    names = tuple(d.name for d in shown_since_the_last_reply(log) if isinstance(d, CallDelta))
    if half:
        assert facts[1] == StepReset("crash", names)
        assert takeover([*log, *facts], 8) == (RunTaken(8),)


def shown_since_the_last_reply(log):
    ends = [n for n, e in enumerate(log) if isinstance(e, ModelReplied | StepReset)]
    place = ends[-1] if ends else 0
    return [e for e in log[place:] if isinstance(e, TextDelta | ReasoningDelta | CallDelta)]


def test_what_a_dead_driver_had_under_way_is_settled_first():
    tools = (("a", "look"), ("b", "save"), ("c", "send"))
    log = [PLAIN, ModelReplied(calling(*tools).reply)]
    log += [ToolStarted(call_id, tool, "{}", "pure") for call_id, tool in tools]
    action = decide(fold([*log, RunTaken(2)]))
    assert isinstance(action, Settle)
    assert [call.id for call in action.again] == ["a", "b"]
    assert [call.id for call in action.doubtful] == ["c"]


# ── lanes ───────────────────────────────────────────────────────────────────────────────────


@given(runs())
def test_calls_of_one_lane_run_one_after_another_in_their_order(run):
    for state, action in run.done.actions:
        if isinstance(action, CallTools):
            starting = {call.id for call in action.calls}
            check_lanes(state, starting)


def check_lanes(state, starting):
    for place, call in enumerate(state.calls):
        if call.call.id in starting and call.lane is not None:
            lanes = set(call.lane.split(BETWEEN_LANES))
            before = [
                c for c in state.calls[:place] if lanes & set((c.lane or "").split(BETWEEN_LANES))
            ]
            assert all(c.status in ("done", "client") for c in before)


def test_calls_without_a_lane_start_together():
    state = fold([PLAIN, ModelReplied(calling(("a", "look"), ("b", "look")).reply)])
    action = decide(state)
    assert isinstance(action, CallTools)
    assert [call.id for call in action.calls] == ["a", "b"]


def test_a_call_that_touches_several_things_waits_for_each_and_is_waited_for():
    lanes = {"a": "x", "b": f"x{BETWEEN_LANES}y", "c": "y", "d": "z"}
    step = calling(*((call, "look") for call in lanes), lanes=lanes)
    started = [PLAIN, ModelReplied(step.reply, lanes)]
    ready: list[list[str]] = []
    while isinstance(action := decide(fold(started)), CallTools):
        ready.append([call.id for call in action.calls])
        for call in action.calls:
            started += [
                ToolStarted(call.id, "look", "{}", "pure"),
                ToolFinished(call.id, "look", "ok", ""),
            ]
    assert ready == [["a", "d"], ["b"], ["c"]]


def test_a_call_behind_one_that_needs_a_yes_does_not_keep_the_run_from_waiting():
    step = calling(("a", "send"), ("b", "look"), lanes={"a": "x", "b": "x"})
    started = RunStarted("m", (user("Do it."),), tools=TOOLS, policy=Policy(ask=("send",)))
    run = run_of(step, started=started)
    assert run.state.status == "waiting_for_approval"
    assert run.log[-1] == RunWaited("approval", ("a",), pending(run.state.calls))


# ── words from outside ──────────────────────────────────────────────────────────────────────

OUTSIDE = [
    StopRequested(),
    DeadlinePassed(),
    Steered((user("Wait!"),)),
    ApprovalGiven("apr_c0_0", "once"),
    ApprovalGiven("apr_c0_0", "deny"),
    ApprovalGiven("apr_c0_1", "always", by="expired"),
    ApprovalGiven("nobody", "session"),
    ClientReplied((ToolResult("c0_0", "x"), ToolResult("nobody", "y")), (user("And?"),)),
    ClientReplied((), (), (), Sampling()),
    RunTaken(9),
]


@given(runs())
def test_words_from_outside_are_never_illegal_and_late_ones_change_nothing(run):
    state = None
    for event in run.done.log:
        if isinstance(event, DELTA_TYPES):
            continue
        state = evolve(state, event)
        for word in OUTSIDE:
            after = evolve(state, word)
            if state.ending is not None and not isinstance(word, RunTaken):
                assert after == state


# ── steering ────────────────────────────────────────────────────────────────────────────────


@given(runs())
def test_steering_is_read_once_in_order_and_behind_the_results_of_the_batch(run):
    done = run.done
    before = ()
    for asked in done.prompts:
        assert asked.messages[: len(before)] == before
        assert closed(asked.messages) == asked.messages
        before = asked.messages
    heard = [m for m in done.state.messages if m in STEERING]
    told = [m for e in done.log if isinstance(e, Steered) for m in e.messages]
    assert heard == told[: len(heard)]
    if isinstance(done.state.ending, Completed):
        assert [m for m in before if m in STEERING] == heard
        assert not done.state.unread


STEERING = [user(f"steer {n}") for n in range(3)]


def test_a_message_that_comes_while_the_model_answers_is_read_before_the_run_ends():
    run = Interpreter([PLAIN], [spoken("One."), spoken("Two.")], Random(0))
    run.record(Steered((user("More!"),)))
    run.drive()
    assert [len(prompt.messages) for prompt in run.prompts] == [1, 3]
    assert run.prompts[1].messages[-1] == user("More!")
    assert run.state.output == "Two."


def test_a_message_for_a_run_that_concludes_is_too_late():
    state = fold([PLAIN, StopRequested()])
    assert evolve(state, Steered((user("More!"),))) == state


# ── budgets ─────────────────────────────────────────────────────────────────────────────────


@given(runs())
def test_budgets_hold(run):
    limits = run.done.log[0].limits
    replies = sum(isinstance(event, ModelReplied) for event in run.done.log)
    assert limits.max_steps is None or replies <= limits.max_steps
    match run.done.state.ending:
        case Exhausted(limit="max_steps"):
            assert replies == limits.max_steps
        case Exhausted(limit="max_tokens"):
            assert run.done.state.usage.total >= limits.max_tokens
            assert run.done.state.usage.total - 10 < limits.max_tokens
        case Failed(code=code):
            assert code in ("loop", "context_length_exceeded")
        case ending:
            assert isinstance(ending, Completed)


@pytest.mark.parametrize(
    ("limits", "limit"),
    [(Limits(max_steps=2), "max_steps"), (Limits(max_tokens=20), "max_tokens")],
)
def test_a_spent_budget_ends_the_run_between_steps(limits, limit):
    started = RunStarted("m", (user("Do it."),), tools=TOOLS, limits=limits)
    run = run_of(calling(("a", "look")), calling(("b", "look")), spoken("x"), started=started)
    assert run.state.phase == Ended(Exhausted(limit))
    assert run.state.status == "failed"
    assert ended(run.log, "b") == 1
    assert run.state.steps == 2


@given(runs(), cuts, randoms)
def test_a_deadline_may_pass_at_any_time(run, at, random):
    interpreter = Interpreter(cut(run, at), run.script, random)
    settled = interpreter.state.ending
    interpreter.record(DeadlinePassed())
    interpreter.drive()
    assert interpreter.state.phase == Ended(settled or Exhausted("max_seconds"))
    for call_id in call_ids(interpreter.log):
        assert begun(interpreter.log, call_id) == ended(interpreter.log, call_id) == 1


# ── approval ────────────────────────────────────────────────────────────────────────────────

ASKING = RunStarted("m", (user("Do it."),), tools=TOOLS, policy=Policy(ask=("send",)))


def outcomes(run):
    return {e.call_id: e.outcome for e in run.log if isinstance(e, ToolFinished)}


def test_a_call_that_needs_a_yes_does_not_start_before_it():
    run = run_of(calling(("a", "send"), ("b", "look")), spoken("Done."), started=ASKING)
    assert run.state.status == "waiting_for_approval"
    assert outcomes(run) == {"b": "ok"}
    (waited,) = [e for e in run.log if isinstance(e, RunWaited)]
    assert (waited.on, [asked.call_id for asked in waited.asked]) == ("approval", ["a"])
    run.record(ApprovalGiven("apr_a", "once"))
    run.drive()
    assert outcomes(run) == {"a": "ok", "b": "ok"}
    assert run.state.phase == Ended(Completed())


def test_a_no_is_told_to_the_model():
    run = run_of(calling(("a", "send")), spoken("Then not."), started=ASKING)
    run.record(ApprovalGiven("apr_a", "deny"))
    run.drive()
    assert outcomes(run) == {"a": "denied"}
    assert run.state.output == "Then not."
    assert run.state.messages[-2] == ToolResult("a", "a denied", failed=True)


@pytest.mark.parametrize(("choice", "asked"), [("once", 2), ("session", 1), ("always", 1)])
def test_a_yes_for_the_session_is_not_asked_for_again(choice, asked):
    run = run_of(calling(("a", "send")), calling(("b", "send")), spoken("x"), started=ASKING)
    run.record(ApprovalGiven("apr_a", choice))
    run.drive()
    assert sum(isinstance(e, ApprovalRequested) for e in run.log) == asked


def test_a_denied_tool_is_refused_without_asking():
    policy = Policy(ask=("send",), deny=("irreversible",))
    started = RunStarted("m", (user("Do it."),), tools=TOOLS, policy=policy)
    run = run_of(calling(("a", "send"), ("b", "look")), started=started)
    assert outcomes(run) == {"a": "denied", "b": "ok"}
    assert not any(isinstance(e, ApprovalRequested) for e in run.log)


def test_calls_beyond_their_budget_are_refused_and_the_run_goes_on():
    started = RunStarted("m", (user("Do it."),), tools=TOOLS, limits=Limits(max_calls=2))
    run = run_of(
        calling(("a", "look"), ("t", "theirs"), ("b", "look"), ("c", "look")), started=started
    )
    assert outcomes(run) == {"a": "ok", "b": "ok", "c": "denied"}
    run = run_of(
        calling(("a", "look")),
        calling(("b", "save")),
        calling(("c", "look")),
        spoken("x"),
        started=started,
    )
    assert outcomes(run) == {"a": "ok", "b": "ok", "c": "denied"}
    assert isinstance(run.state.ending, Completed)


def test_an_approval_that_expires_fails_the_run():
    run = run_of(calling(("a", "send"), ("b", "look")), started=ASKING)
    run.record(ApprovalGiven("apr_a", "deny", by="expired"))
    run.drive()
    ending = run.state.ending
    assert isinstance(ending, Failed)
    assert ending.code == "approval_expired"
    assert begun(run.log, "a") == 0


def test_an_answer_counts_once():
    run = run_of(calling(("a", "send")), spoken("x"), started=ASKING)
    run.record(ApprovalGiven("apr_a", "once"), ApprovalGiven("apr_a", "deny"))
    run.drive()
    assert outcomes(run) == {"a": "ok"}


def test_all_calls_that_need_a_yes_are_asked_for_together():
    state = fold([ASKING, ModelReplied(calling(("a", "send"), ("b", "send")).reply)])
    action = decide(state)
    assert isinstance(action, AskHuman)
    assert [call.id for call, _ in action.calls] == ["a", "b"]


# ── the client's tools ──────────────────────────────────────────────────────────────────────


def test_a_run_waits_for_the_client_only_when_its_own_calls_are_done():
    run = run_of(calling(("a", "theirs"), ("b", "look"), ("c", "send")), spoken("Done."))
    assert run.state.status == "waiting_for_client"
    assert outcomes(run) == {"b": "ok", "c": "ok"}
    assert run.log[-1] == RunWaited("client_tools", ("a",))
    run.record(ClientReplied((ToolResult("a", "mine"),), (user("Go on."),)))
    run.drive()
    results = [m for m in run.state.messages if isinstance(m, ToolResult)]
    assert [result.call_id for result in results] == ["a", "b", "c"]
    assert run.prompts[1].messages[-1] == user("Go on.")
    assert run.state.phase == Ended(Completed())


def test_a_client_that_answers_in_part_is_waited_for_with_the_rest():
    run = run_of(calling(("a", "theirs"), ("b", "theirs")))
    run.record(ClientReplied((ToolResult("b", "mine"), ToolResult("b", "again"))))
    run.drive()
    waits = [e for e in run.log if isinstance(e, RunWaited)]
    assert waits == [RunWaited("client_tools", ("a", "b")), RunWaited("client_tools", ("a",))]


def test_a_client_that_answers_before_it_is_asked_changes_nothing():
    log = [PLAIN, ModelReplied(calling(("a", "theirs"), ("b", "look")).reply)]
    state = fold([*log, ToolStarted("b", "look", "{}", "pure")])
    assert evolve(state, ClientReplied((ToolResult("a", "x"),), (user("And?"),))) == state


def test_the_clients_tools_and_sampling_hold_from_its_reply_on():
    run = run_of(calling(("a", "theirs")))
    run.record(ClientReplied((ToolResult("a", "x"),), (), (), Sampling(temperature=0.5)))
    assert run.state.tools == ()
    assert run.state.sampling == Sampling(temperature=0.5)


@given(runs())
def test_waiting_is_announced_once_whenever_it_begins_and_never_while_there_is_work(run):
    state = None
    announced = None
    for event in run.done.log:
        if isinstance(event, DELTA_TYPES):
            continue
        if isinstance(event, RunWaited):
            assert isinstance(state.phase, Waiting)
            assert announced != state.calls
            announced = state.calls
            waiting = "asked" if event.on == "approval" else "client"
            assert {c.call.id for c in state.calls if c.status == waiting} == set(event.call_ids)
        state = evolve(state, event)
        if isinstance(state.phase, Waiting):
            assert all(c.status in ("asked", "client", "done", "todo") for c in state.calls)


def test_a_new_driver_does_not_announce_the_same_wait_again():
    run = run_of(calling(("a", "theirs")))
    assert decide(evolve(run.state, RunTaken(2))) == Rest()


def test_a_reply_of_the_client_that_answers_nothing_does_not_announce_the_wait_again():
    run = run_of(calling(("a", "theirs")))
    state = evolve(run.state, ClientReplied((ToolResult("nobody", "x"),)))
    assert decide(state) == Rest()


# ── prompts ─────────────────────────────────────────────────────────────────────────────────


def test_a_forced_tool_is_forced_once():
    sampling = Sampling(tool_choice=ToolChoice("required"))
    started = RunStarted("m", (user("Do it."),), tools=TOOLS, sampling=sampling)
    run = run_of(calling(("a", "look")), spoken("Done."), started=started)
    assert [p.sampling.tool_choice.mode for p in run.prompts] == ["required", "auto"]


def test_a_tool_that_the_run_does_not_have_is_never_called():
    run = run_of(calling(("a", "unheard_of")), spoken("Oh."))
    assert outcomes(run) == {"a": "error"}


def test_the_answer_is_the_last_text_and_its_finish_is_the_models():
    run = run_of(spoken("Hello."))
    assert run.log[-1] == RunEnded(Completed("stop"), "Hello.", run.state.usage)
    assert run.state.status == "completed"
    assert isinstance(run.state.messages[-1], Assistant)


PHASES = [
    (Thinking, (), AskModel),
    (Calling, (ModelReplied(calling(("a", "look")).reply),), CallTools),
    (Waiting, (ModelReplied(calling(("a", "theirs")).reply),), Await),
    (Concluding, (ModelReplied(spoken("x").reply),), Finish),
    (Ended, (StopRequested(), RunEnded(Cancelled())), Rest),
]


@pytest.mark.parametrize(("phase", "facts", "action"), PHASES)
def test_each_phase_has_its_action(phase, facts, action):
    state = fold([PLAIN, *facts])
    assert isinstance(state.phase, phase)
    assert isinstance(decide(state), action)


# ── people who are asked ────────────────────────────────────────────────────────────────────


def expired(log: list) -> bool:
    return any(isinstance(e, ApprovalGiven) and e.by == "expired" for e in log)


@st.composite
def asked_runs(draw: st.DrawFn) -> Interpreter:
    """Runs under policies that ask, answered in every way there is."""
    first = replace(draw(started), context=None, limits=Limits())
    policy = draw(st.sampled_from([Policy(ask=("look", "send")), Policy(irreversible="ask")]))
    run = Interpreter(
        [replace(first, policy=policy)], draw(scripts()), Random(draw(st.integers(0, 2**32)))
    )
    run.drive(words=draw(steers))
    for kind in draw(st.lists(st.sampled_from(["here", "there", "unclear", "else"]), max_size=12)):
        asked = pending(run.state.calls)
        if not asked:
            break
        given = run.answer()
        told = {
            "here": [ClientReplied((), (user("yes"),)), given],
            "there": [given],
            "unclear": [ClientReplied((), (user("which?"),))],
            "else": [
                ClientReplied((), (user("Hm."),)),
                *(ApprovalGiven(one.approval_id, "deny", reason="else") for one in asked),
                Steered((user("Hm."),)),
            ],
        }
        run.record(*told[kind])
        run.drive()
    if (asked := pending(run.state.calls)) and run.state.ending is None:
        run.record(ApprovalGiven(asked[0].approval_id, "deny", by="expired"))
        run.drive()
    while any(call.status in ("asked", "client") for call in run.state.calls):
        run.record(run.answer())
        run.drive()
    return run


@given(asked_runs())
def test_whoever_is_asked_and_however_they_answer_a_run_comes_to_its_end(run):
    assert isinstance(run.state.phase, Ended)
    if expired(run.log):
        assert isinstance(run.state.ending, Failed)
        assert run.state.ending.code == "approval_expired"
    for event in run.log:
        if isinstance(event, ApprovalRequested):
            assert begun(run.log, event.call_id) == ended(run.log, event.call_id) <= 1


@given(asked_runs())
def test_no_call_that_needs_a_yes_begins_without_one(run):
    asked: dict[str, str] = {}
    agreed: set[str] = set()
    for event in run.log:
        match event:
            case ApprovalRequested(approval_id=approval_id, call_id=call_id):
                asked[approval_id] = call_id
            case ApprovalGiven(approval_id=approval_id, choice=choice) if choice != "deny":
                agreed.add(asked[approval_id])
            case ToolFinished(call_id=call_id, outcome="ok") if call_id in asked.values():
                assert call_id in agreed
            case _:
                pass


@given(asked_runs())
def test_whoever_waits_is_told_what_for_each_time_anew(run):
    for before, after in itertools.pairwise(run.log):
        if isinstance(before, ClientReplied) and not before.results:
            assert isinstance(after, ApprovalGiven | RunWaited)


def test_what_nobody_agreed_to_in_time_is_known_to_whoever_goes_on():
    run = run_of(
        calling(("a", "send"), ("b", "look")), started=replace(PLAIN, policy=Policy(ask=("send",)))
    )
    assert run.state.status == "waiting_for_approval"
    run.record(ApprovalGiven("apr_a", "deny", by="expired"))
    run.drive()
    assert run.state.ending == Failed(
        "Nobody said in time whether 'send' may be used.", "approval_expired"
    )
    assert begun(run.log, "a") == 0
    results = [m for m in run.state.messages if isinstance(m, ToolResult)]
    assert [(r.call_id, r.failed) for r in results] == [("a", True), ("b", False)]
    assert "in time" in results[0].output
