"""Answers to runs that ask: once, in time, by the right person, and kept where that was wanted."""

import asyncio

import pytest

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.memory.grants import MemoryGrants
from angelia.adapters.memory.models import Turn
from angelia.core.approval_text import question
from angelia.core.events import (
    ApprovalGiven,
    ApprovalRequested,
    ClientReplied,
    Completed,
    Failed,
    RunEnded,
    RunWaited,
    Steered,
    ToolFinished,
    ToolStarted,
)
from angelia.core.messages import Assistant, Message, Text, ToolCall, ToolResult, user
from angelia.core.policy import Policy
from angelia.core.state import pending
from angelia.errors import Conflict, NotFound
from angelia.ports import Claim, ToolOutput
from angelia.runtime.approvals import Decision, Said
from angelia.runtime.sessions import Continuation
from tests.runtime.test_driver import calls, says
from tests.runtime.world import Does, Gate, World, only

ASK = Policy(ask=("risky",))


def asking(*turns: Turn, **wanted: object) -> tuple[World, Does]:
    """Two calls that need a yes, unless the turns say otherwise."""
    tool = Does("risky", ToolOutput("boom"))
    both = calls(ToolCall("c1", "risky", '{"n":1}'), ToolCall("c2", "risky", '{"n":2}'))
    return World(turns or (both, says("done")), tool, policy=ASK, **wanted), tool


def one() -> Turn:
    return calls(ToolCall("c1", "risky", "{}"))


async def codes(world: World, run_id: str) -> list[str]:
    waited = (await world.until(run_id, RunWaited))[-1].event
    assert isinstance(waited, RunWaited)
    return [asked.code for asked in waited.asked]


async def test_one_of_two_is_approved_and_the_other_still_asked() -> None:
    world, tool = asking()
    run_id = await world.start()
    first, second = await codes(world, run_id)
    await world.answer(run_id, "once", None, second.lower())
    while (await world.runs.state(run_id)).status == "running":
        await asyncio.sleep(0)
    assert tool.count == 1
    pending = [c.code for c in (await world.runs.state(run_id)).calls if c.status == "asked"]
    assert pending == [first]
    await world.answer(run_id, "deny", None, first, "too risky")
    events = await world.finished(run_id)
    assert {e.call_id: e.outcome for e in only(events, ToolFinished)} == {
        "c1": "denied",
        "c2": "ok",
    }
    assert any("too risky" in e.output for e in only(events, ToolFinished))
    assert len(only(events, RunWaited)) == 2


async def test_several_that_wait_have_to_be_named() -> None:
    world, tool = asking()
    run_id = await world.start()
    named = await codes(world, run_id)
    with pytest.raises(Conflict) as refused:
        await world.answer(run_id, "once")
    assert refused.value.code == "approval_not_pending"
    assert all(code in refused.value.message for code in named)
    with pytest.raises(Conflict, match="Pending: apr_c1"):
        await world.answer(run_id, "once", "apr_nothing")
    assert tool.count == 0


async def test_the_first_answer_wins_and_the_second_hears_what_it_was() -> None:
    world, tool = asking(one(), says("done"))
    run_id = await world.start()
    await world.until(run_id, RunWaited)
    answers = [world.answer(run_id, "deny", "apr_c1"), world.answer(run_id, "once", "apr_c1")]
    given = await asyncio.gather(*answers, return_exceptions=True)
    refused = [answer for answer in given if isinstance(answer, Conflict)]
    assert len(refused) == 1
    events = await world.finished(run_id)
    assert len(only(events, ApprovalGiven)) == 1
    assert tool.count == 0
    with pytest.raises(Conflict, match="settled before: the answer was 'deny'") as late:
        await world.answer(run_id, "always", "apr_c1")
    assert late.value.code == "approval_not_pending"
    assert not await world.grants.find("key_1")


async def test_what_expires_ends_the_run_there_and_is_never_taken_for_a_no() -> None:
    world, tool = asking(one(), says("never"), patience=60.0)
    run_id = await world.start()
    await world.until(run_id, RunWaited)
    asked = only(await entries(world, run_id), ApprovalRequested)[0]
    assert asked.expires_at == world.clock.now() + 60.0
    world.clock.advance(61.0)
    events = await world.finished(run_id)
    assert [e.by for e in only(events, ApprovalGiven)] == ["expired"]
    assert isinstance(events[-1], RunEnded)
    assert isinstance(events[-1].ending, Failed)
    assert events[-1].ending.code == "approval_expired"
    assert only(events, ToolStarted) == []
    assert tool.count == 0
    assert len(world.model.asked) == 1
    with pytest.raises(Conflict, match="it expired"):
        await world.answer(run_id, "once", "apr_c1")


async def test_what_was_answered_in_time_does_not_expire() -> None:
    world, tool = asking(one(), one(), says("done"), patience=60.0)
    run_id = await world.start()
    await world.until(run_id, RunWaited)
    world.clock.advance(40.0)
    await world.answer(run_id, "once")
    while (await world.runs.state(run_id)).status != "waiting_for_approval":
        await asyncio.sleep(0)
    world.clock.advance(40.0)
    for _ in range(50):
        await asyncio.sleep(0)
    assert (await world.runs.state(run_id)).status == "waiting_for_approval"
    await world.answer(run_id, "once")
    events = await world.finished(run_id)
    assert isinstance(events[-1].ending, Completed)
    assert tool.count == 2


async def test_a_deadline_holds_after_a_restart() -> None:
    clock = ManualClock()
    world, _ = asking(one(), patience=60.0, clock=clock)
    run_id = await world.start()
    await world.until(run_id, RunWaited)
    await world.runs.close()
    again, _ = asking(says("never"), log=world.log, clock=clock)
    await again.recover()
    clock.advance(61.0)
    events = await again.finished(run_id)
    assert events[-1].ending == Failed(
        "Nobody said in time whether 'risky' may be used.", "approval_expired"
    )


async def entries(world: World, run_id: str) -> list:
    return [entry.event for entry in await world.runs.read(run_id)]


# ── grants ──────────────────────────────────────────────────────────────────────────────────


async def asks(world: World, **wanted: object) -> bool:
    """Whether a new run of the world has to ask; it is stopped if so."""
    run_id = await world.start(**wanted)
    await world.until(run_id, RunWaited, RunEnded)
    waits = (await world.runs.state(run_id)).status == "waiting_for_approval"
    await world.runs.stop(run_id)
    await world.finished(run_id)
    return waits


@pytest.mark.parametrize(
    ("choice", "wanted", "expected"),
    [
        ("once", {"session_id": "s1", "user": "ann"}, True),
        ("session", {"session_id": "s1", "user": "ann"}, False),
        ("session", {"session_id": "s2", "user": "ann"}, True),
        ("session", {"session_id": "s1", "user": "bob"}, True),
        ("always", {"session_id": "s2", "user": "ann"}, False),
        ("always", {"user": "bob"}, True),
        ("always", {}, True),
        ("deny", {"session_id": "s1", "user": "ann"}, True),
    ],
)
async def test_a_grant_holds_in_later_runs_of_its_user(
    choice: str, wanted: dict[str, str], expected: bool
) -> None:
    world, _ = asking(one(), says("done"), one(), says("done"))
    run_id = await world.start(session_id="s1", user="ann")
    await world.until(run_id, RunWaited)
    await world.answer(run_id, choice)
    await world.finished(run_id)
    assert await asks(world, **wanted) is expected


async def test_a_grant_is_revoked_by_its_key_and_does_not_hold_from_the_next_run_on() -> None:
    world, _ = asking(one(), says("done"), one(), says("done"))
    run_id = await world.start()
    await world.until(run_id, RunWaited)
    await world.answer(run_id, "always")
    await world.finished(run_id)
    (grant,) = await world.approvals.find("key_1")
    assert (grant.what, grant.run_id) == ("risky", run_id)
    assert not await world.approvals.find("key_2")
    with pytest.raises(NotFound):
        await world.approvals.revoke("key_2", grant.id)
    await world.approvals.revoke("key_1", grant.id)
    assert await asks(world)


async def test_a_turn_that_waited_knows_what_was_granted_meanwhile() -> None:
    world, tool = asking(one(), says("first"), one(), says("second"))
    first = await world.start(session_id="s1")
    await world.until(first, RunWaited)
    second = await world.start("again", session_id="s1", follows=True)
    await world.answer(first, "session")
    assert isinstance((await world.finished(second))[-1].ending, Completed)
    assert tool.count == 2


async def test_a_grant_is_never_kept_for_a_run_that_ended_before_the_answer() -> None:
    world, _ = asking(one(), says("done"))
    run_id = await world.start()
    await world.until(run_id, RunWaited)
    await world.runs.stop(run_id)
    await world.finished(run_id)
    with pytest.raises(Conflict):
        await world.answer(run_id, "always", "apr_c1")
    assert not await world.grants.find("key_1")


# ── words ───────────────────────────────────────────────────────────────────────────────────


async def say(world: World, run_id: str, text: str) -> object:
    run = await world.runs.get("key_1", run_id)
    return await world.approvals.go_on(run, Said((user(text),)))


async def test_words_approve_and_the_run_goes_on_as_a_leg_of_its_own() -> None:
    world, tool = asking(one(), says("done"))
    run_id = await world.start()
    (code,) = await codes(world, run_id)
    waited = (await world.until(run_id, RunWaited))[-1]
    leg = await say(world, run_id, f"approve {code} always")
    assert (leg.run.id, leg.after) == (run_id, waited.seq)
    events = await world.finished(run_id)
    assert tool.count == 1
    assert user(f"approve {code} always") not in world.model.asked[1].messages
    assert question(waited.event.asked) not in str(world.model.asked[1].messages)
    assert only(events, ClientReplied)[0].messages == (user(f"approve {code} always"),)
    assert [grant.what for grant in await world.grants.find("key_1")] == ["risky"]
    assert await say(world, run_id, "yes") is None


async def test_a_no_with_a_reason_reaches_the_model() -> None:
    world, tool = asking(one(), says("staging then"))
    run_id = await world.start()
    await world.until(run_id, RunWaited)
    await say(world, run_id, "no, use staging")
    await world.finished(run_id)
    assert tool.count == 0
    result = world.model.asked[1].messages[-1]
    assert isinstance(result, ToolResult)
    assert result.failed
    assert "The user said no: use staging" in result.output


async def test_whatever_else_is_said_denies_and_is_read_by_the_model() -> None:
    world, tool = asking()
    run_id = await world.start()
    await world.until(run_id, RunWaited)
    await say(world, run_id, "What would it do?")
    events = await world.finished(run_id)
    assert tool.count == 0
    assert [e.outcome for e in only(events, ToolFinished)] == ["denied", "denied"]
    assert world.model.asked[1].messages[-1] == user("What would it do?")
    assert len(only(events, Steered)) == 1


async def test_an_unclear_answer_decides_nothing_and_is_asked_again() -> None:
    world, tool = asking()
    run_id = await world.start()
    await world.until(run_id, RunWaited)
    await say(world, run_id, "yes")
    events = await entries(world, run_id)
    assert len(only(events, RunWaited)) == 2
    assert only(events, RunWaited)[0] == only(events, RunWaited)[1]
    assert only(events, ApprovalGiven) == []
    assert tool.count == 0


async def test_decisions_about_what_is_not_pending_change_nothing() -> None:
    world, tool = asking()
    run_id = await world.start()
    await world.until(run_id, RunWaited)
    run = await world.runs.get("key_1", run_id)
    before = await entries(world, run_id)
    decisions = (Decision("once", "apr_c1"), Decision("once", "apr_nothing"))
    with pytest.raises(Conflict):
        await world.approvals.go_on(run, Said(decisions=decisions))
    assert await entries(world, run_id) == before
    assert tool.count == 0


async def test_grants_of_one_store_serve_every_runtime_on_it() -> None:
    grants = MemoryGrants()
    world, _ = asking(one(), says("done"), grants=grants)
    run_id = await world.start()
    await world.until(run_id, RunWaited)
    await world.answer(run_id, "always")
    await world.finished(run_id)
    again, _ = asking(one(), says("done"), grants=grants)
    assert not await asks(again)


# ── where words go ──────────────────────────────────────────────────────────────────────────

QUESTION = user("do it")


async def asked_in_chat(world: World, **wanted: object) -> tuple[str, Assistant]:
    """A run that asks, and what its client was shown."""
    run_id = await world.start("do it", **wanted)
    waited = (await world.until(run_id, RunWaited))[-1].event
    return run_id, Assistant((Text(question(waited.asked)),))


async def found(world: World, *messages: Message, **named: object) -> Continuation:
    user_ = named.pop("user", None)
    return await world.sessions.resent("key_1", user_, messages, **named)


async def test_words_behind_a_question_are_for_the_run_that_asks() -> None:
    world, _ = asking(one(), says("done"))
    run_id, shown = await asked_in_chat(world)
    continuation = await found(world, QUESTION, shown, user("yes"))
    assert continuation.asks is not None
    assert continuation.asks.id == run_id
    assert continuation.messages == (user("yes"),)
    for others in ({"user": "bob"}, {"user": ""}):
        elsewhere = await found(world, QUESTION, shown, user("yes"), **others)
        assert (elsewhere.asks is None) == (others["user"] == "bob")
    assert (await found(world, QUESTION, Assistant((Text("no such"),)), user("yes"))).asks is None
    assert (await found(world, user("yes"))).asks is None


async def test_the_same_words_again_join_the_leg_that_they_began() -> None:
    gate = Gate("risky")
    world = World([calls(ToolCall("g1", "risky", "{}")), says("done")], gate, policy=ASK)
    run_id, shown = await asked_in_chat(world)
    said = (QUESTION, shown, user("yes"))
    first = await world.approvals.heard(await found(world, *said), Said())
    await gate.begins("g1")
    again = await world.approvals.heard(await found(world, *said), Said())
    assert again is not None
    assert (again.run.id, again.after, again.replayed) == (run_id, first.after, True)
    other = await found(world, QUESTION, shown, user("no"))
    assert (other.joined, other.asks, other.parent) == (None, None, run_id)
    gate.let_go("g1")
    await world.finished(run_id)
    branch = await found(world, *said)
    assert (branch.joined, branch.asks) == (None, None)
    assert branch.history[-1] == ToolResult("g1", "through g1")


async def test_an_answer_is_told_once_however_often_it_is_sent() -> None:
    world, tool = asking(one(), says("done"))
    run_id, _ = await asked_in_chat(world)
    claim = Claim("key:k", "f", 2e9)
    said = Said((user("yes"),), claim=claim)
    run = await world.runs.get("key_1", run_id)
    legs = await asyncio.gather(*(world.approvals.go_on(run, said) for _ in range(5)))
    assert {leg.after for leg in legs if leg is not None} == {legs[0].after}
    await world.finished(run_id)
    assert tool.count == 1


async def test_words_for_a_run_that_was_answered_elsewhere_wait_for_its_end() -> None:
    gate = Gate("risky")
    turns = [calls(ToolCall("g1", "risky", "{}")), says("done"), says("yes, done")]
    world = World(turns, gate, policy=ASK)
    run_id, shown = await asked_in_chat(world, session_id="s1")
    await world.answer(run_id, "once")
    await gate.begins("g1")
    continuation = await found(world, QUESTION, shown, user("well?"))
    assert (continuation.asks, continuation.follows, continuation.session_id) == (None, True, "s1")
    gate.let_go("g1")
    await world.finished(run_id)
    later = await found(world, QUESTION, shown, user("well?"))
    assert later.asks is None
    assert later.history[-1] == Assistant((Text("done"),))


@pytest.mark.parametrize("named", [True, False])
async def test_a_session_that_is_named_needs_no_history(named: bool) -> None:
    world, _ = asking(one(), says("done"))
    run_id, _ = await asked_in_chat(world, session_id="s1", user="ann")
    where = {"named" if named else "usual": "s1"}
    continuation = await found(world, user("yes"), user="ann", **where)
    assert (continuation.asks is not None) is named
    assert (await found(world, user("yes"), user="bob", **where)).asks is None
    code = pending((await world.runs.state(run_id)).calls)[0].code
    quoted = (QUESTION, Assistant((Text(f"shortened: {code}"),)), user("yes"))
    assert (await found(world, *quoted, user="ann", **where)).asks is not None
