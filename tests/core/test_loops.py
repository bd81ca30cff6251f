"""Circles that a model goes round in, and calls that it makes twice at once."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.actions import AskModel, PassOver
from angelia.core.events import ClientReplied, Failed, ModelReplied, RunStarted, Steered, ToolResult
from angelia.core.loops import REMEMBERED, repeated, said, signature, times
from angelia.core.messages import Assistant, Reply, ToolCall, user
from angelia.core.policy import Limits
from angelia.core.run import decide
from angelia.core.state import Call, Ended, Waiting
from angelia.core.window import shown
from tests.core.interpreter import TOOLS, Interpreter, Step, finished


def started(most: int | None = 6) -> RunStarted:
    return RunStarted("m", (user("Do it."),), tools=TOOLS, limits=Limits(max_repeats=most))


def same(number: int, tool: str = "look") -> Step:
    return Step(Reply(Assistant((ToolCall(f"c{number}", tool, '{"at": 1}'),)), "tool_calls"))


def circling(steps: int, most: int | None = 6, output: str = "same") -> Interpreter:
    run = Circling([started(most)], [same(n) for n in range(steps)], Random(0))
    run.output = output
    run.drive()
    return run


class Circling(Interpreter):
    """Every call comes to the same."""

    output = ""

    def _end_one(self, outcome: str) -> None:
        call = self.running.pop()
        self.record(finished(call, outcome, self.output.format(len(self.log))))


def notes(run: Interpreter) -> list[str]:
    return [m.note for m in run.state.messages if isinstance(m, ToolResult)]


def test_a_model_that_goes_round_in_circles_is_told_and_then_stopped() -> None:
    run = circling(20)
    assert [bool(note) for note in notes(run)] == [False, False, True, True, True, True]
    assert isinstance(run.state.phase, Ended)
    assert run.state.ending == Failed(
        "The model made the same call 6 times and got the same result each time (look).", "loop"
    )
    assert run.state.warned == 4
    assert sum(isinstance(event, ModelReplied) for event in run.log) == 6


def test_the_model_reads_the_warning_behind_the_result_and_the_result_stays_as_it_was() -> None:
    run = circling(3)
    result = run.state.messages[6]
    assert (result.output, result.note[:5]) == ("same", "[Note")
    assert shown(run.state.messages)[6].output == f"same\n\n{result.note}"


def test_waiting_for_a_change_is_no_circle() -> None:
    run = circling(20, output="now {}")
    assert not any(notes(run))
    assert run.state.ending.finish == "stop"


def test_looking_again_after_each_change_is_no_circle() -> None:
    edits = [Step(Reply(Assistant((ToolCall(f"e{n}", "save", str(n)),)), "stop")) for n in range(9)]
    steps = [step for n, edit in enumerate(edits) for step in (edit, same(n))]
    run = Circling([started(3)], steps, Random(0))
    run.output = "fine"
    run.drive()
    assert not any(notes(run))
    assert run.state.ending.finish == "stop"


@pytest.mark.parametrize("most", [None, 0])
def test_circles_may_be_allowed(most: int | None) -> None:
    run = circling(20, most)
    assert not any(notes(run))
    assert run.state.ending.finish == "stop"


def test_a_word_from_outside_begins_the_count_anew() -> None:
    run = Circling([started()], [same(n) for n in range(9)], Random(0))
    run.output = "same"
    while len(run.state.recent) < 5:
        run.step()
    run.record(Steered((user("Go on."),)))
    assert run.state.recent == ()
    run = Interpreter([started()], [same(n, "theirs") for n in range(4)], Random(0))
    for _ in range(2):
        run.drive()
        assert isinstance(run.state.phase, Waiting)
        run.record(run.answer())
    assert len(run.state.recent) == 2
    run.drive()
    run.record(ClientReplied((ToolResult("c2", "from the client"),), (user("Go on."),)))
    assert len(run.state.recent) == 1


def test_a_circle_of_several_steps_is_seen_too() -> None:
    steps = [same(n, ("look", "save", "send")[n % 3]) for n in range(30)]
    run = Circling([started(4)], steps, Random(0))
    run.output = "same"
    run.drive()
    assert run.state.ending.code == "loop"
    assert run.state.steps == 10
    assert len(run.state.recent) <= REMEMBERED


@pytest.mark.parametrize(
    ("recent", "count"),
    [("a", 1), ("aa", 2), ("aaa", 3), ("aba", 2), ("ababab", 3), ("abacad", 1), ("abacada", 2)],
)
def test_only_what_brings_nothing_new_counts(recent: str, count: int) -> None:
    assert times(tuple(recent)) == count


def test_the_id_of_a_call_does_not_make_its_result_another_one() -> None:
    def batch(call_id: str) -> tuple[Call, ...]:
        call = ToolCall(call_id, "look", "{}")
        result = ToolResult(call_id, f"see /tools/{call_id}/output")
        return (Call(call, "done", "pure", result=result),)

    assert signature(batch("a1")) == signature(batch("b2"))


def test_the_same_call_twice_in_a_reply_is_run_once() -> None:
    calls = (
        ToolCall("a", "send", '{"to": "ann", "n": 1}'),
        ToolCall("b", "send", '{"n":1,"to":"ann"}'),
        ToolCall("c", "send", '{"n":2,"to":"ann"}'),
        ToolCall("d", "theirs", "{}"),
        ToolCall("e", "theirs", "{}"),
    )
    run = Interpreter([started()], [Step(Reply(Assistant(calls), "tool_calls"))], Random(0))
    assert isinstance(decide(run.state), AskModel)
    run.step()
    assert decide(run.state) == PassOver(((calls[1], "a"),))
    run.drive_to_the_end()
    results = {m.call_id: m for m in run.state.messages if isinstance(m, ToolResult)}
    assert [results[call_id].failed for call_id in "abcde"] == [False, True, False, False, False]


@given(st.lists(st.tuples(st.sampled_from("xy"), st.sampled_from(["", "{}", "[", '{"a":1}']))))
def test_every_call_that_repeats_leads_to_the_first_of_its_kind(pairs) -> None:
    calls = [ToolCall(str(n), name, arguments) for n, (name, arguments) in enumerate(pairs)]
    same_as = repeated(Call(call, "todo", "pure") for call in calls)
    by_id = {call.id: call for call in calls}
    assert len(calls) - len(same_as) == len({(c.name, said(c.arguments)) for c in calls})
    for later, first in same_as.items():
        assert int(first) < int(later)
        assert first not in same_as
        assert by_id[first].name == by_id[later].name


@pytest.mark.parametrize(
    ("tools", "passed_over"),
    [
        ("look look", {"1": "0"}),
        ("send send", {"1": "0"}),
        ("look send look", {}),
        ("send look send", {"2": "0"}),
        ("look save look look", {"3": "2"}),
        ("send save send", {}),
    ],
)
def test_behind_a_change_the_same_question_is_another_one(tools: str, passed_over: dict) -> None:
    effects = {tool.name: tool.effect for tool in TOOLS}
    calls = [
        Call(ToolCall(str(n), name, "{}"), "todo", effects[name])
        for n, name in enumerate(tools.split())
    ]
    assert repeated(calls) == passed_over
