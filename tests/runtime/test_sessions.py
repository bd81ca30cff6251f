"""Where a conversation goes on, by what its client resends and names."""

import asyncio

import pytest

from angelia.adapters.memory.models import Breaks, Hangs, Turn, calls, says
from angelia.core.events import RunWaited, TextDelta
from angelia.core.messages import (
    Assistant,
    Image,
    Message,
    Text,
    ToolCall,
    ToolResult,
    ToolSpec,
    User,
    user,
)
from angelia.errors import NotFound, UpstreamRefused
from angelia.runtime.orders import Order
from angelia.runtime.replies import Reply, go_on
from angelia.runtime.runs import Runs
from angelia.runtime.sessions import MOST_PREFIXES, Continuation, Sessions
from tests.runtime.world import OK, World

THEIRS = ToolSpec("theirs", owner="client")
FINE = ToolResult("c1", "fine")


def assistant(text: str) -> Assistant:
    return Assistant((Text(text),))


class Talk:
    """A world with a client that resends what it likes."""

    def __init__(self, *turns: Turn) -> None:
        self.world = World(turns, OK)
        self.sessions = Sessions(self.world.runs, self.world.history)

    async def resent(self, *messages: Message, **named: str) -> Continuation:
        return await self.sessions.resent("key_1", None, messages, **named)

    async def turn(self, *messages: Message, **named: str) -> str:
        """A whole turn, and the run that it was."""
        found = await self.resent(*messages, **named)
        started = await self.world.runs.start(found.applied(Order("key_1", messages, "chat")))
        await self.world.finished(started.run.id)
        return started.run.id


LOOKED = calls(ToolCall("c1", "ok", '{"a": 1}'), text="Let me look.")
SEEN = user("what is there?")
SHOWN = assistant("Let me look.\n\nIt is fine.")
TRUE = (SEEN, LOOKED.message, FINE, assistant("It is fine."))


async def test_what_was_said_takes_the_place_of_what_was_visible() -> None:
    talk = Talk(LOOKED, says("It is fine."))
    run_id = await talk.turn(SEEN)
    found = await talk.resent(SEEN, SHOWN, user("sure?"))
    assert found.messages == (user("sure?"),)
    assert found.history == TRUE
    assert found.parent == run_id
    assert found.session_id == (await talk.world.runs.get("key_1", run_id)).session_id
    assert (found.follows, found.yields) == (False, True)


async def test_an_edit_goes_on_from_what_stands_before_it() -> None:
    talk = Talk(LOOKED, says("It is fine."), says("Yes."), says("No."))
    first = await talk.turn(SEEN)
    await talk.turn(SEEN, SHOWN, user("sure?"))
    found = await talk.resent(SEEN, SHOWN, user("really?"), assistant("Yes."), user("why?"))
    assert (found.history, found.parent) == (TRUE, first)
    assert found.messages == (user("really?"), assistant("Yes."), user("why?"))


@pytest.mark.parametrize(
    "messages",
    [
        (SEEN,),
        (user("something else"), SHOWN, user("sure?")),
        (SEEN, assistant("Let me look. It is bad."), user("sure?")),
        (),
    ],
)
async def test_what_was_never_served_begins_anew(messages: tuple[Message, ...]) -> None:
    talk = Talk(LOOKED, says("It is fine."))
    await talk.turn(SEEN)
    assert await talk.resent(*messages) == Continuation(messages, yields=True)


async def test_another_user_or_tenant_is_somebody_else() -> None:
    talk = Talk(LOOKED, says("It is fine."))
    await talk.turn(SEEN)
    again = (SEEN, SHOWN, user("sure?"))
    for tenant, name in (("key_2", None), ("key_1", "ann")):
        found = await talk.sessions.resent(tenant, name, again)
        assert (found.history, found.messages) == ((), again)


# ── text that did not become an answer ──────────────────────────────────────────────────────


async def test_an_answer_that_was_cut_off_was_said_as_far_as_it_went() -> None:
    broken = Breaks(UpstreamRefused("No.", status=400), (TextDelta("It is"),))
    talk = Talk(LOOKED, broken, LOOKED, says("Now it is."), says("Yes."))
    await talk.turn(SEEN)
    shown = assistant("Let me look.\n\nIt is")
    second = (SEEN, shown, user("go on"))
    found = await talk.resent(*second)
    assert found.history == (SEEN, LOOKED.message, FINE, assistant("It is"))
    await talk.turn(*second)
    third = await talk.resent(*second, assistant("Let me look. Now it is."), user("sure?"))
    assert third.messages == (user("sure?"),)
    assert [m.output for m in third.history if isinstance(m, ToolResult)] == ["fine", "fine"]


async def crashed(talk: Talk) -> None:
    """Another process takes over what this one leaves behind."""
    await talk.world.runs.close()
    await talk.world.recover()


async def test_void_text_is_recognised_and_not_told_and_hides_no_later_turn() -> None:
    talk = Talk(Hangs((TextDelta("It"),)), says("It is fine."), LOOKED, says("Seen."))
    run_id = await talk.world.start("what is there?")
    await talk.world.until(run_id, TextDelta)
    await crashed(talk)
    await talk.world.finished(run_id)
    second = (SEEN, assistant("It\n\nIt is fine."), user("look"))
    found = await talk.resent(*second)
    assert found.history == (SEEN, assistant("It is fine."))
    last = await talk.turn(*second)
    third = await talk.resent(*second, assistant("Let me look.\n\nSeen."), user("and?"))
    assert (third.parent, third.messages) == (last, (user("and?"),))
    assert FINE in third.history
    # A client that was told only what counts is recognised as well.
    plain = (SEEN, assistant("It is fine."), user("look"), assistant("Let me look. Seen."))
    assert (await talk.resent(*plain, user("and?"))).history == third.history


async def test_an_answer_without_void_text_is_known_though_somebody_spoke_in_between() -> None:
    talk = Talk(Hangs((TextDelta("It"),)), LOOKED, says("It is fine."))
    run_id = await talk.world.start("what is there?")
    await talk.world.until(run_id, TextDelta)
    await talk.world.runs.steer(run_id, (user("hurry"),))
    await crashed(talk)
    await talk.world.finished(run_id)
    found = await talk.resent(SEEN, SHOWN, user("and?"))
    assert found.history == (SEEN, LOOKED.message, FINE, user("hurry"), assistant("It is fine."))


async def test_void_text_in_front_of_a_clients_turn_is_known_after_it() -> None:
    asks = calls(ToolCall("c1", "ok", "{}"), ToolCall("c2", "theirs", "{}"), text="I ask you.")
    talk = Talk(Hangs((TextDelta("I"),)), asks, says("Thanks."))
    run_id = await talk.world.start("what is there?", tools=(THEIRS,))
    await talk.world.until(run_id, TextDelta)
    await crashed(talk)
    await talk.world.until(run_id, RunWaited)
    await brought(talk.world.runs, run_id)
    await talk.world.finished(run_id)
    found = await talk.resent(SEEN, assistant("I\n\nI ask you.\n\nThanks."), user("and?"))
    assert (found.parent, found.messages) == (run_id, (user("and?"),))


async def brought(runs: Runs, run_id: str, output: str = "brought") -> None:
    """By a client that takes its time: nobody works on the run any more."""
    while runs.under_way:
        await asyncio.sleep(0)
    (call,) = [c.call.id for c in (await runs.state(run_id)).calls if c.status == "client"]
    sampling = (await runs.state(run_id)).sampling
    reply = Reply("key_1", (ToolResult(call, output),), (THEIRS,), sampling, "messages")
    assert await go_on(runs, reply) is not None


async def test_each_leg_is_gone_on_from_as_it_was_served() -> None:
    asks = calls(ToolCall("c1", "ok", "{}"), ToolCall("c2", "theirs", "{}"), text="I ask you.")
    talk = Talk(asks, says("Thanks."))
    run_id = await talk.world.start("what is there?", tools=(THEIRS,))
    await talk.world.until(run_id, RunWaited)
    await brought(talk.world.runs, run_id)
    await talk.world.finished(run_id)
    early = await talk.resent(SEEN, assistant("I ask you."), user("never mind"))
    # What the server itself has done in that turn is known.
    assert early.history[2:] == (FINE,)
    late = await talk.resent(SEEN, assistant("I ask you.\n\nThanks."), user("and?"))
    assert late.history[-1] == assistant("Thanks.")
    assert len(late.history) == 5
    _, behind = await talk.sessions.behind("key_1", run_id, 0)
    assert behind == early.history


# ── conversations that are large ────────────────────────────────────────────────────────────


def long_talk(turns: int, text: str = "") -> tuple[Message, ...]:
    told = [(user(f"q{n} {text}"), assistant(f"a{n}")) for n in range(turns)]
    return tuple(message for turn in told for message in turn)


class Others:
    """Whether anybody else gets a turn on the loop as long as this is open."""

    async def __aenter__(self) -> "Others":
        self.turns = 0
        self._task = asyncio.create_task(self._count())
        await asyncio.sleep(0)
        self.turns = 0
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()

    async def _count(self) -> None:
        while True:
            self.turns += 1
            await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("messages", "waits"),
    [
        (long_talk(10), True),
        (long_talk(10, text="x" * 30_000), False),
        (long_talk(3_000), False),
        ((User((Image("data:image/png;base64," + "A" * 300_000),)),), False),
    ],
)
async def test_the_loop_does_not_wait_for_the_fingerprints_of_a_large_conversation(
    messages: tuple[Message, ...], waits: bool
) -> None:
    talk = Talk()
    async with Others() as others:
        await talk.resent(*messages, user("and?"))
        assert (others.turns == 0) is waits


async def test_a_large_conversation_is_recognised_like_any_other() -> None:
    talk = Talk(LOOKED, says("It is fine."))
    before = (*long_talk(5, text="x" * 100_000), SEEN)
    run_id = await talk.turn(*before)
    found = await talk.resent(*before, SHOWN, user("sure?"))
    assert (found.parent, found.messages) == (run_id, (user("sure?"),))
    assert found.history[-1] == assistant("It is fine.")


async def test_only_the_longest_beginnings_are_looked_up() -> None:
    talk = Talk(says("one"))
    run_id = await talk.turn(user("a"))
    served = (user("a"), assistant("one"))
    near = (*served, *long_talk(MOST_PREFIXES - 1), user("and?"))
    assert (await talk.resent(*near)).parent == run_id
    far = (*served, *long_talk(MOST_PREFIXES), user("and?"))
    assert (await talk.resent(*far)).parent is None


# ── names ───────────────────────────────────────────────────────────────────────────────────


async def test_a_named_session_follows_what_was_said_there() -> None:
    talk = Talk(says("one"), says("two"))
    await talk.turn(user("a"), named="s")
    found = await talk.resent(user("b"), named="s")
    assert found == Continuation((user("b"),), session_id="s", follows=True)
    retold = await talk.resent(user("x"), assistant("y"), user("b"), named="s")
    assert retold.messages == (user("b"),)
    assert retold.follows


async def test_a_named_session_recognises_only_its_own() -> None:
    talk = Talk(says("one"), says("one"), says("two"))
    first = await talk.turn(user("a"), named="s")
    again = (user("a"), assistant("one"), user("b"))
    assert (await talk.resent(*again, named="s")).parent == first
    assert (await talk.resent(*again, named="s")).yields is False
    elsewhere = await talk.resent(*again, named="new")
    assert elsewhere == Continuation(again, session_id="new")


async def test_a_usual_session_is_used_unless_one_is_named() -> None:
    talk = Talk(says("one"))
    await talk.turn(user("a"), usual="chat_1")
    again = (user("a"), assistant("one"), user("b"))
    assert (await talk.resent(*again, usual="chat_1")).session_id == "chat_1"
    assert (await talk.resent(user("z"), usual="chat_2")).session_id == "chat_2"
    assert (await talk.resent(user("z"), usual="chat_2", named="s")).session_id == "s"


# ── behind a run ────────────────────────────────────────────────────────────────────────────


async def test_behind_a_run_that_broke_off_is_what_it_had_shown() -> None:
    talk = Talk(Breaks(UpstreamRefused("No.", status=400), (TextDelta("It is"),)))
    run_id = await talk.turn(SEEN)
    run, said = await talk.sessions.behind("key_1", run_id, 0)
    assert run.status == "failed"
    assert said == (SEEN, assistant("It is"))


async def test_there_is_nothing_behind_a_leg_that_does_not_exist() -> None:
    talk = Talk(says("one"))
    run_id = await talk.turn(user("a"))
    for tenant, after in (("key_1", 1), ("key_2", 0)):
        with pytest.raises(NotFound):
            await talk.sessions.behind(tenant, run_id, after)


async def test_what_a_client_knows_of_its_own_tools_is_not_corrected() -> None:
    talk = Talk(LOOKED, says("It is fine."))
    await talk.turn(SEEN)
    theirs = (SEEN, LOOKED.message, ToolResult("c1", "not fine"), assistant("It is fine."))
    found = await talk.resent(*theirs, user("sure?"))
    assert (found.messages, found.history) == ((*theirs, user("sure?")), ())
