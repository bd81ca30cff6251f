"""A run as its client lives through it, request by request."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.events import (
    AnyEvent,
    ApprovalGiven,
    Asked,
    Cancelled,
    ClientReplied,
    Completed,
    Entry,
    ModelReplied,
    Notice,
    RunEnded,
    RunStarted,
    RunWaited,
    Steered,
    StepReset,
    StopRequested,
    TextDelta,
    ToolFinished,
    ToolStarted,
    TurnBegun,
)
from angelia.core.legs import (
    Leg,
    had_turn,
    leg_after,
    leg_around,
    legs,
    said_by,
    state_at,
    words,
)
from angelia.core.messages import (
    Assistant,
    Reply,
    Text,
    ToolCall,
    ToolResult,
    ToolSpec,
    user,
)

THEIRS = ToolSpec("theirs", owner="client")
OURS = ToolSpec("ours")
BOTH = Assistant((ToolCall("c1", "ours", "{}"), ToolCall("c2", "theirs", "{}")))
DONE = Assistant((Text("done"),))
BROUGHT = ToolResult("c2", "brought")
STARTED = RunStarted("m", (user("go"),), tools=(OURS, THEIRS))
FIRST: tuple[AnyEvent, ...] = (
    STARTED,
    ModelReplied(Reply(BOTH, "tool_calls")),
    ToolStarted("c1", "ours", "{}", "irreversible"),
    ToolFinished("c1", "ours", "ok", "worked"),
    RunWaited("client_tools", ("c2",)),
)
SECOND: tuple[AnyEvent, ...] = (
    ClientReplied((BROUGHT,), (user("and?"),)),
    ModelReplied(Reply(DONE, "stop")),
    RunEnded(Completed(), "done"),
)


ASKED = RunWaited("approval", ("c1",), (Asked("a1", "c1", "send", "{}", code="7F3"),))
GIVEN = ApprovalGiven("a1", "once")
ANSWERED = ClientReplied((), (user("yes"),))


def log(*events: AnyEvent) -> list[Entry]:
    return [Entry("run_1", seq, 0.0, event) for seq, event in enumerate(events, 1)]


def test_a_leg_goes_from_a_request_to_the_clients_turn_or_to_the_end() -> None:
    assert legs(log(*FIRST, *SECOND)) == (Leg(0, 5), Leg(5, 8))


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ((), ()),
        ((STARTED,), (Leg(0, None),)),
        (FIRST, (Leg(0, 5),)),
        ((*FIRST, SECOND[0]), (Leg(0, 5), Leg(5, None))),
        ((STARTED, RunEnded(Completed())), (Leg(0, 2),)),
        # Nobody asked for what ends a run that waits.
        ((*FIRST, StopRequested(), RunEnded(Cancelled())), (Leg(0, 5),)),
        # A word in between is no request of its own; an answer is, wherever it is given.
        ((STARTED, ASKED, Steered((user("x"),))), (Leg(0, 2, asks=True),)),
        ((STARTED, ASKED, GIVEN), (Leg(0, 2, asks=True), Leg(2, None))),
        ((STARTED, ASKED, ANSWERED, GIVEN), (Leg(0, 2, asks=True), Leg(2, None, answers=True))),
        ((STARTED, GIVEN), (Leg(0, None),)),
    ],
)
def test_legs_of_runs_that_are_not_over(events: tuple[AnyEvent, ...], expected: object) -> None:
    assert legs(log(*events)) == expected


def test_a_leg_is_found_by_the_seq_it_stands_behind_and_by_any_within() -> None:
    entries = log(*FIRST, *SECOND)
    assert leg_after(entries, 5) == Leg(5, 8)
    assert leg_after(entries, 4) is None
    assert [leg_around(entries, seq) for seq in (1, 5, 6, 8, 99)] == [
        *[Leg(0, 5)] * 2,
        *[Leg(5, 8)] * 3,
    ]
    assert leg_around([], 1) is None


def test_the_words_that_begin_a_leg() -> None:
    entries = log(*FIRST, *SECOND)
    assert words(entries, 0).event == STARTED
    assert words(entries, 5).event == SECOND[0]
    with pytest.raises(LookupError):
        words(entries, 6)


def test_the_state_at_the_end_of_a_leg_knows_nothing_of_the_next() -> None:
    entries = log(*FIRST, *SECOND)
    assert state_at(entries, Leg(0, 5)).status == "waiting_for_client"
    assert state_at(entries, Leg(5, 8)).status == "completed"


def test_what_the_server_did_in_the_clients_turn_was_said_too() -> None:
    entries = log(*FIRST, *SECOND)
    worked = ToolResult("c1", "worked")
    assert said_by(entries, Leg(0, 5)) == (user("go"), BOTH, worked)
    assert said_by(entries, Leg(5, 8)) == (user("go"), BOTH, worked, BROUGHT, user("and?"), DONE)


def test_text_cut_off_by_the_end_was_said_and_void_text_was_not() -> None:
    cut = [STARTED, TextDelta("vo"), StepReset("crash"), TextDelta("He"), TextDelta("llo")]
    stopped = log(*cut, StopRequested(), RunEnded(Cancelled()))
    assert said_by(stopped, legs(stopped)[0]) == (user("go"), Assistant((Text("Hello"),)))
    under_way = log(*cut)
    assert said_by(under_way, legs(under_way)[0]) == (user("go"),)
    whole = log(STARTED, TextDelta("done"), *SECOND[1:])
    assert said_by(whole, legs(whole)[0]) == (user("go"), DONE)


def test_blank_text_that_was_cut_off_is_nothing_said() -> None:
    entries = log(STARTED, TextDelta(" \n"), StopRequested(), RunEnded(Cancelled()))
    assert said_by(entries, legs(entries)[0]) == (user("go"),)


def test_a_run_that_waited_has_had_its_turn_once_it_began() -> None:
    queued = RunStarted("m", (user("go"),), queued=True)
    assert had_turn(log(STARTED))
    assert not had_turn(log(queued))
    assert not had_turn(log(queued, StopRequested(), RunEnded(Cancelled())))
    assert had_turn(log(queued, TurnBegun()))


@given(st.lists(st.integers(0, 8)))
def test_deltas_between_them_move_legs_and_change_nothing_else(places: list[int]) -> None:
    events: list[AnyEvent] = [*FIRST, *SECOND]
    for place in sorted(places, reverse=True):
        events.insert(place or 1, Notice("retry", "again"))
    entries = log(*events)
    assert len(legs(entries)) == 2
    assert [said_by(entries, leg) for leg in legs(entries)] == [
        said_by(log(*FIRST, *SECOND), leg) for leg in (Leg(0, 5), Leg(5, 8))
    ]
