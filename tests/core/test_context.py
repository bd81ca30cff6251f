"""What is done when a conversation is more than its model can read, and that it comes to an end."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from angelia.core.actions import AskModel, Compact, Finish
from angelia.core.context import MOST_OVERFLOWS, fits, prompt, size
from angelia.core.events import (
    Compacted,
    Completed,
    Failed,
    ModelReplied,
    Overflowed,
    RunStarted,
    Steered,
)
from angelia.core.messages import (
    Assistant,
    Reply,
    Sampling,
    System,
    Text,
    ToolCall,
    ToolResult,
    Usage,
    user,
)
from angelia.core.run import begin, decide, evolve
from angelia.core.tokens import estimate
from angelia.core.window import Digest
from tests.core.interpreter import TOOLS, Interpreter
from tests.core.transcripts import transcripts

WORDS = "word " * 100


def said(text: str) -> Assistant:
    return Assistant((Text(text),))


def talk(turns: int) -> tuple:
    return tuple(m for n in range(turns) for m in (user(f"{n} {WORDS}"), said(f"yes {WORDS}")))


def looking(times: int, output: str = WORDS * 10) -> tuple:
    return tuple(
        m
        for n in range(times)
        for m in (Assistant((ToolCall(f"c{n}", "look", "{}"),)), ToolResult(f"c{n}", output))
    )


def started(*messages, **more) -> RunStarted:
    return RunStarted("m", messages, tools=TOOLS, **more)


def driven(fact: RunStarted, refusals=()) -> Interpreter:
    run = Interpreter([fact], [], Random(0))
    run.refusals = list(refusals)
    run.drive()
    return run


def compactions(run: Interpreter) -> list[Compacted]:
    return [event for event in run.log if isinstance(event, Compacted)]


def test_what_fits_is_asked_as_it_is() -> None:
    fact = started(*talk(3), user("so?"), context=5000)
    assert decide(begin(fact)) == AskModel(prompt(begin(fact)))
    assert prompt(begin(fact)).messages == fact.messages
    assert not compactions(driven(started(*talk(50), user("so?"))))


def test_old_results_are_shortened_first_and_that_needs_no_model() -> None:
    run = driven(started(user("look around"), *looking(6), context=8000))
    (done,) = compactions(run)
    assert done.digest.short > 0
    assert done.digest.end == 0
    (asked,) = run.prompts
    results = [m.output for m in asked.messages if isinstance(m, ToolResult)]
    assert "left out" in results[0]
    assert results[-1] == WORDS * 10
    assert run.state.messages[:13] == run.log[0].messages


def test_the_middle_is_summarised_when_that_is_not_enough() -> None:
    run = driven(started(System("Be kind."), *talk(20), user("so?"), context=2000))
    (done,) = compactions(run)
    assert (done.digest.start, done.digest.end > 20) == (2, True)
    (asked,) = run.prompts
    assert asked.messages[0] == System("Be kind.")
    assert asked.messages[1].parts[0].text.startswith(f"0 {WORDS}")
    assert asked.messages[-1] == user("so?")
    assert estimate(asked) < 0.8 * 2000
    assert run.state.messages[:42] == run.log[0].messages


def test_room_is_left_for_the_answer_that_was_asked_for() -> None:
    fact = started(*talk(7), user("so?"), context=3000)
    assert isinstance(decide(begin(fact)), AskModel)
    wordy = replace(fact, sampling=Sampling(max_tokens=2000))
    assert isinstance(decide(begin(wordy)), Compact)


def test_a_last_result_that_is_too_long_is_shortened_rather_than_the_run_lost() -> None:
    run = driven(started(user("look"), *looking(1, WORDS * 50), context=2000))
    assert run.state.ending == Completed()
    (asked,) = run.prompts
    assert "left out" in asked.messages[-1].output


def test_a_message_that_no_model_could_read_ends_the_run() -> None:
    fact = started(user(WORDS * 30), context=1000)
    assert not fits(begin(fact))
    run = driven(fact)
    assert isinstance(run.state.ending, Failed)
    assert run.state.ending.code == "context_length_exceeded"
    assert "1,000" in run.state.ending.message
    assert not run.prompts
    assert fits(begin(started(*talk(30), user("so?"), context=1000)))


def test_a_first_question_that_takes_much_is_summarised_with_the_rest() -> None:
    run = driven(started(user(WORDS * 8), *looking(9), user("so?"), context=2000))
    assert run.state.ending == Completed()
    assert run.state.digest.start == 0


def test_a_provider_that_says_it_was_too_much_is_asked_less_and_asked_again() -> None:
    for limit in (None, 1500, 100_000, 0):
        run = driven(started(*talk(10), user("so?")), [limit])
        assert run.state.ending == Completed()
        refused, answered = run.prompts
        assert estimate(answered) < estimate(refused)
        assert len(compactions(run)) == 1
    assert run.state.overflows == 0


def test_the_limit_that_a_provider_named_holds_for_later_steps() -> None:
    state = begin(started(*talk(10), user("so?")))
    state = evolve(state, Overflowed(2000))
    assert state.learned == 2000
    plan = decide(state).plan
    state = evolve(state, Compacted(replace(plan.digest, summary="short")))
    state = evolve(state, ModelReplied(Reply(said(WORDS * 12), "stop")))
    assert (state.learned, state.overflows) == (2000, 0)


def test_a_provider_that_never_has_enough_ends_the_run() -> None:
    run = driven(started(*talk(10), user("so?")), [None] * 99)
    assert run.state.ending.code == "context_length_exceeded"
    assert len(run.prompts) <= MOST_OVERFLOWS + 1


def test_a_prompt_that_cannot_be_shortened_is_not_asked_twice() -> None:
    run = driven(started(user("hi")), [None] * 99)
    assert run.state.ending.code == "context_length_exceeded"
    assert len(run.prompts) == 1


def test_oldest_turns_are_left_out_instead_where_that_was_wanted() -> None:
    run = driven(started(*talk(10), user("so?"), context=2000, window=2000), [None])
    assert run.state.ending == Completed()
    assert not compactions(run)
    refused, answered = run.prompts
    assert len(answered.messages) < len(refused.messages) < 21


def test_estimates_learn_from_what_the_model_counts() -> None:
    fact = started(*talk(10), user("so?"), context=50_000)
    state = begin(fact)
    tokens = estimate(prompt(state))

    def after(counted: int | None) -> float:
        usage = None if counted is None else Usage(counted, 5)
        return evolve(state, ModelReplied(Reply(said("yes"), "stop", usage))).factor

    assert after(tokens) == 1.0
    assert after(tokens * 2) == 1.5
    assert after(tokens * 99) == 2.0
    assert after(1) == 0.75
    assert after(None) == after(0) == 1.0
    assert size(replace(state, factor=2.0)) == 2 * tokens
    unknown = begin(replace(fact, context=None))
    reply = ModelReplied(Reply(said("yes"), "stop", Usage(tokens * 2, 5)))
    assert evolve(unknown, reply).factor == 1.0
    tiny = begin(started(user("hi"), context=1000))
    assert evolve(tiny, ModelReplied(Reply(said("yes"), "stop", Usage(400, 5)))).factor == 1.0


def test_a_model_that_counts_more_is_given_less() -> None:
    fact = started(*talk(10), user("so?"), context=5000)
    assert isinstance(decide(begin(fact)), AskModel)
    assert isinstance(decide(begin(replace(fact, factor=2.0))), Compact)


def test_a_summary_that_a_model_wrote_is_paid_for() -> None:
    state = begin(started(user("hi")))
    state = evolve(state, Compacted(Digest(1), 9, 5, Usage(10, 2), 0.25, "small"))
    assert (state.usage, state.cost, state.digest) == (Usage(10, 2), 0.25, Digest(1))


limits = st.none() | st.integers(-1, 3000)


@given(
    transcripts,
    st.none() | st.integers(1, 500),
    st.none() | st.integers(1, 500),
    st.lists(limits, max_size=9),
    st.floats(0.5, 3.0),
    st.integers(0, 400),
)
def test_it_comes_to_an_end_whatever_the_provider_says(
    messages, context, window, refusals, factor, summary
) -> None:
    run = Interpreter(
        [started(*messages, context=context, window=window, factor=factor)], [], Random(0)
    )
    asked = 0
    for _ in range(2 * len(messages) + 9):
        action = decide(run.state)
        match action:
            case AskModel() if asked < len(refusals):
                run.record(Overflowed(refusals[asked]))
                asked += 1
            case Compact(plan=plan):
                before = run.state.digest
                run.record(Compacted(replace(plan.digest, summary="s" * summary)))
                after = run.state.digest
                assert (after.end, after.short) > (before.end, before.short)
                assert after.end >= before.end
                assert after.short >= before.short
            case Finish(ending=Failed(code="context_length_exceeded")) | AskModel():
                assert asked <= MOST_OVERFLOWS + 1
                return
    raise AssertionError("it does not come to an end")


@given(transcripts, st.integers(30, 400))
def test_a_word_in_between_changes_nothing_about_how_the_rest_is_shown(messages, context) -> None:
    """The prompt of a later step begins as the one before, until something is made shorter."""
    run = Interpreter([started(*messages, user("so?"), context=context)], [], Random(0))
    while isinstance(action := decide(run.state), Compact):
        run.record(Compacted(replace(action.plan.digest, summary="They talked.")))
    if not isinstance(action, AskModel):
        return
    run.record(Steered((user("and?"),)), ModelReplied(Reply(said("yes"), "stop")))
    later = prompt(run.state).messages
    assert later[: len(action.prompt.messages)] == action.prompt.messages
