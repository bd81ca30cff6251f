"""Conversations made shorter while they are under way, and what becomes of that at a stop."""

import pytest
from msgspec.structs import replace

from angelia.adapters.memory.models import Breaks, Hangs, ScriptedModel, calls, says
from angelia.core.condense import INSTRUCTIONS, LAST_WORDS
from angelia.core.events import (
    Cancelled,
    Compacted,
    Completed,
    Failed,
    Notice,
    Overflowed,
    RunEnded,
    TextDelta,
    TurnBegun,
)
from angelia.core.messages import Assistant, Text, ToolCall, Usage, user
from angelia.errors import UpstreamOverflow, UpstreamRefused
from angelia.ports import RunFilter
from angelia.runtime.agents import Agents
from angelia.runtime.orders import Order
from angelia.runtime.routes import alone
from tests.runtime.world import OK, Does, ToolOutput, World, only

WORDS = "word " * 100
TALK = tuple(
    said for n in range(12) for said in (user(f"{n} {WORDS}"), Assistant((Text(f"yes {WORDS}"),)))
)
SHORT = "They counted to eleven."
REFUSED = Breaks(UpstreamRefused("No.", status=400))


def world(*turns, context: int | None = 1500, summarizer=None, tools=(OK,)) -> World:
    made = World(turns, *tools)
    agent = replace(
        made.runs.agents.default,
        context_tokens=context,
        summarizer=None if summarizer is None else alone(summarizer),
    )
    made.runs.agents = Agents([agent])
    return made


async def events_of(made: World, **wanted: object) -> list:
    return await made.finished(await made.start("so?", history=TALK, **wanted))


async def test_the_middle_is_summarised_by_the_model_itself_where_no_other_is_named() -> None:
    made = world(says(SHORT, usage=Usage(70, 30)), says("done", usage=Usage(9, 1)))
    events = await events_of(made)
    (fact,) = only(events, Compacted)
    assert fact.digest.summary == SHORT
    assert (fact.usage, fact.before > 1200 > fact.after) == (Usage(70, 30), True)
    summary, asked = made.model.asked
    assert (summary.instructions, summary.tools) == (INSTRUCTIONS, ())
    assert "Person: 3 word" in summary.messages[0].parts[0].text
    assert SHORT in str(asked.messages)
    assert asked.messages[-1] == user("so?")
    assert only(events, TextDelta) == [TextDelta("done")]
    assert events[-1] == RunEnded(Completed(), "done", Usage(79, 31))


async def test_half_a_summary_is_none() -> None:
    half = Breaks(UpstreamRefused("Overloaded.", status=529), (TextDelta("They cou"),))
    made = world(says("done"), summarizer=ScriptedModel([half]))
    events = await events_of(made)
    (fact,) = only(events, Compacted)
    assert "They cou" not in fact.digest.summary
    assert "Person: 1 word" in fact.digest.summary
    assert [notice.code for notice in only(events, Notice)] == ["compaction"]
    assert events[-1].ending == Completed()


async def test_another_model_is_asked_for_the_summary_where_one_is_named() -> None:
    small = ScriptedModel([says(SHORT)])
    made = world(says("done"), summarizer=small)
    await events_of(made)
    assert len(small.asked) == len(made.model.asked) == 1


@pytest.mark.parametrize("answer", [REFUSED, says("")])
async def test_a_summary_that_fails_is_made_by_rule(answer) -> None:
    made = world(says("done"), summarizer=ScriptedModel([answer]))
    events = await events_of(made)
    (fact,) = only(events, Compacted)
    assert "Person: 1 word" in fact.digest.summary
    assert events[-1].ending == Completed()


async def test_a_summary_that_is_too_long_is_cut() -> None:
    made = world(says(SHORT * 999), says("done"))
    (fact,) = only(await events_of(made), Compacted)
    assert len(fact.digest.summary) < 2000


async def test_the_task_at_hand_is_not_lost_in_a_summary() -> None:
    long = Does("long", ToolOutput(WORDS * 4))
    steps = [calls(ToolCall(f"c{n}", "long", f'{{"n":{n}}}')) for n in range(6)]
    made = world(*steps, says("done"), summarizer=ScriptedModel([says(SHORT)] * 6), tools=(long,))
    run_id = await made.start("the task", history=TALK[:2])
    facts = only(await made.finished(run_id), Compacted)
    assert facts[-1].digest.summary == f"{SHORT}\n\n{LAST_WORDS} the task"


async def test_shortening_results_asks_nobody() -> None:
    long = Does("long", ToolOutput(WORDS * 8))
    steps = [calls(ToolCall(f"c{n}", "long", f'{{"n":{n}}}')) for n in range(7)]
    small = ScriptedModel([])
    made = world(*steps, says("done"), context=6000, summarizer=small, tools=(long,))
    events = await made.finished(await made.start())
    assert only(events, Compacted)
    assert not small.asked
    assert events[-1].ending == Completed()


async def test_a_stop_cuts_a_summary_short() -> None:
    small = ScriptedModel([Hangs((TextDelta("They"),))])
    made = world(says("done"), summarizer=small)
    run_id = await made.start("so?", history=TALK)
    while not small.asked:
        await made.clock.sleep(0)
    await made.runs.stop(run_id)
    events = await made.finished(run_id)
    assert events[-1].ending == Cancelled("user")
    assert not only(events, Compacted)
    assert (small.cancelled, made.model.asked) == (1, [])


async def test_a_summary_that_a_crash_cuts_short_is_begun_anew() -> None:
    small = ScriptedModel([Hangs(), says(SHORT)])
    made = world(says("done"), summarizer=small)
    run_id = await made.start("so?", history=TALK)
    while not small.asked:
        await made.clock.sleep(0)
    await made.runs.close()
    await made.recover()
    events = await made.finished(run_id)
    assert len(small.asked) == 2
    assert events[-1].ending == Completed()


async def test_a_provider_that_says_it_was_too_much_is_asked_less() -> None:
    overflow = Breaks(UpstreamOverflow("too long", limit=1000))
    made = world(overflow, says(SHORT), says("done"), context=None)
    events = await events_of(made)
    assert only(events, Overflowed) == [Overflowed(1000)]
    assert events[-1].ending == Completed()


async def test_a_provider_that_never_has_enough_ends_the_run() -> None:
    overflow = Breaks(UpstreamOverflow("too long"))
    made = world(*[overflow] * 99, context=None, summarizer=ScriptedModel([REFUSED] * 99))
    ending = (await events_of(made))[-1].ending
    assert isinstance(ending, Failed)
    assert ending.code == "context_length_exceeded"
    assert len(made.model.asked) == 3


async def test_the_next_turn_is_shown_what_the_last_one_was() -> None:
    made = world(says("one"), says("two"), says("three"), summarizer=ScriptedModel([says(SHORT)]))
    first = await made.start("so?", history=TALK, session_id="s")
    await made.finished(first)
    second = await made.start("and?", session_id="s", follows=True)
    await made.finished(second)
    one, two = made.model.asked
    assert two.messages[: len(one.messages)] == one.messages
    assert two.messages[-1] == user("and?")


async def test_a_turn_that_had_to_wait_is_shown_what_the_last_one_was() -> None:
    small = ScriptedModel([Hangs(), says(SHORT)])
    made = world(says("one"), says("two"), summarizer=small)
    first = await made.start("so?", history=TALK, session_id="s")
    while not small.asked:
        await made.clock.sleep(0)
    second = await made.start("and?", session_id="s", follows=True)
    await made.runs.close()
    await made.recover()
    await made.finished(first)
    events = await made.finished(second)
    (begun,) = only(events, TurnBegun)
    assert begun.digest.summary == SHORT
    one, two = made.model.asked
    assert two.messages[: len(one.messages)] == one.messages


async def test_a_branch_before_the_summary_is_shown_whole() -> None:
    made = world(says("one"), says("two"), summarizer=ScriptedModel([says(SHORT)] * 2))
    first = await made.start("so?", history=TALK, session_id="s")
    await made.finished(first)
    branch = Order("key_1", (user("else?"),), "runs", history=TALK[:4], parent=first)
    await made.finished((await made.runs.start(branch)).run.id)
    assert made.model.asked[-1].messages == (*TALK[:4], user("else?"))
    assert await made.runs.find(RunFilter("key_1"))


async def test_what_a_model_counts_is_known_to_the_next_run() -> None:
    made = world(says("one", usage=Usage(2600, 1)), says("two"), context=20_000)
    first = await made.finished(await made.start("so?", history=TALK))
    second = await made.finished(await made.start("so?", history=TALK))
    assert first[0].factor == 1.0
    assert second[0].factor < 1.0


async def test_people_hear_of_a_circle() -> None:
    made = world(*(calls(ToolCall(f"c{n}", "ok", "{}")) for n in range(9)), context=None)
    events = await made.finished(await made.start())
    assert [notice.code for notice in only(events, Notice)] == ["loop"] * 4
    assert events[-1].ending.code == "loop"
    assert len(made.model.asked) == 6
