"""Sessions over a whole runtime in memory: transcripts, forks, changes, and what is deleted."""

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from msgspec import UNSET, Raw
from msgspec.structs import replace

from angelia.adapters.memory.models import Hangs, Turn, calls, says
from angelia.adapters.memory.sessions import MemorySessions
from angelia.core.chain import prefixes
from angelia.core.events import (
    Completed,
    Entry,
    ModelReplied,
    RunEnded,
    RunStarted,
    StopRequested,
    TurnBegun,
)
from angelia.core.history import closed
from angelia.core.messages import (
    Assistant,
    Message,
    Reasoning,
    Reply,
    Seal,
    Text,
    ToolCall,
    ToolResult,
    ToolSpec,
    user,
)
from angelia.core.transcript import transcript
from angelia.errors import Conflict, LogUnavailable, NotFound
from angelia.ports import Hit, Search, Session, SessionFilter, ToolOutput
from angelia.runtime.archive import Archive, Draft
from tests.core.transcripts import transcripts
from tests.runtime.world import OK, Does, Gate, World

KEY = "key_1"
CALL = ToolCall("c1", "ok", "{}")
CLIENT_TOOL = ToolSpec("ask", owner="client")


class SlowSessions(MemorySessions):
    """Others get to work while these are read and written, as with a disk."""

    async def get(self, tenant: str, session_id: str) -> Session | None:
        found = await super().get(tenant, session_id)
        await asyncio.sleep(0)
        return found

    async def put(self, session: Session) -> None:
        await asyncio.sleep(0)
        await super().put(session)


class Library(World):
    """A world with an archive."""

    def __init__(self, turns: Sequence[Turn], *tools: Gate | Does) -> None:
        super().__init__(turns, *tools)
        self.sessions = SlowSessions(self.log)
        self.archive = Archive(
            sessions=self.sessions, runs=self.runs, outputs=self.outputs, clock=self.clock
        )

    async def say(self, text: str, session_id: str = "s", **more: object) -> str:
        """One whole turn of a session."""
        run_id = await self.begin(text, session_id, **more)
        await self.finished(run_id)
        self.clock.advance(1)
        return run_id

    async def begin(self, text: str, session_id: str = "s", **more: object) -> str:
        return await self.start(text, session_id=session_id, follows=True, **more)

    async def get(self, session_id: str = "s") -> Session:
        return await self.archive.get(KEY, session_id)

    async def said(self, session_id: str = "s") -> tuple[Message, ...]:
        return await self.archive.transcript(await self.get(session_id))

    async def fork(self, behind: str | None = None, **more: str) -> Session:
        given = {"fresh_id": "f", "title": "", **more}
        return await self.archive.fork(await self.get(), behind=behind, **given)


# ── what was said ───────────────────────────────────────────────────────────────────────────


async def test_a_session_knows_the_calls_and_results_of_all_its_turns() -> None:
    world = Library([calls(CALL, text="I try."), says("Fine."), says("Bye."), says("No.")], OK)
    await world.say("try")
    await world.say("thanks")
    await world.say("hello", "other")
    assert await world.said() == (
        user("try"),
        Assistant((Text("I try."), CALL)),
        ToolResult("c1", "fine"),
        Assistant((Text("Fine."),)),
        user("thanks"),
        Assistant((Text("Bye."),)),
    )
    session = await world.get()
    assert (session.runs, session.question) == (2, "try")
    assert await world.archive.status(session) == "completed"


async def test_a_call_under_way_has_no_result_yet() -> None:
    gate = Gate()
    both = (ToolCall("c1", "ok", "{}"), ToolCall("c2", "gate", "{}"))
    world = Library([calls(*both), says("Done.")], OK, gate)
    run_id = await world.begin("go")
    await gate.begins("c2")
    while not any(isinstance(message, ToolResult) for message in await world.said()):
        await asyncio.sleep(0)
    assert (await world.said())[1:] == (Assistant(both), ToolResult("c1", "fine"))
    assert await world.archive.status(await world.get()) == "running"
    gate.let_go("c2")
    await world.finished(run_id)
    assert ToolResult("c2", "through c2") in await world.said()


async def test_a_turn_that_waits_or_never_came_hides_nothing() -> None:
    world = Library([says("One."), Hangs()])
    await world.say("first")
    before = await world.said()
    slow = await world.begin("second")
    queued = await world.begin("third")
    assert await world.said() == (*before, user("second"))
    await world.runs.stop(queued)
    await world.finished(queued)
    assert await world.said() == (*before, user("second"))
    await world.runs.stop(slow)
    await world.finished(slow)
    assert await world.said() == (*before, user("second"))


def entries(*events: object) -> list[Entry]:
    return [Entry("run_1", seq, 0.0, event) for seq, event in enumerate(events, 1)]


def test_a_run_whose_turn_came_has_what_was_said_before() -> None:
    first = RunStarted("m", (user("b"),), queued=True, follows=True)
    assert transcript(entries(first)) is None
    assert transcript(entries(first, StopRequested(), RunEnded(Completed()))) is None
    assert transcript(entries(first, TurnBegun((user("a"),)))) == (user("a"), user("b"))
    brought = RunStarted("m", (user("a"), user("b")), queued=True)
    assert transcript(entries(brought)) == (user("a"), user("b"))


def test_an_ended_run_has_a_result_for_every_call() -> None:
    asked = RunStarted("m", (user("a"),), tools=(CLIENT_TOOL,))
    replied = ModelReplied(Reply(Assistant((ToolCall("c", "ask", "{}"),)), "tool_calls"))
    under_way = transcript(entries(asked, replied))
    ended = transcript(entries(asked, replied, StopRequested(), RunEnded(Completed())))
    assert under_way is not None
    assert ended == closed(under_way)
    assert len(ended) == len(under_way) + 1


# ── making, changing, forking ───────────────────────────────────────────────────────────────


async def test_a_session_that_is_made_with_messages_goes_on_from_them() -> None:
    world = Library([says("Yes.")])
    before = (user("Is it?"), Assistant((Reasoning("hm"), Text("Perhaps."))))
    made = await world.archive.create(
        Draft(KEY, "import", "s", "T", "ann", "mem", Raw(b'{"a":1}'), before)
    )
    assert (made.title, made.user, made.key, made.runs) == ("T", "ann", "mem", 1)
    assert bytes(made.metadata) == b'{"a":1}'
    assert await world.archive.status(made) == "completed"
    assert await world.said() == before
    await world.say("Really?")
    assert world.model.asked[0].messages == (*before, user("Really?"))
    assert (await world.get()).title == "T"


async def test_an_empty_session_has_nothing_said() -> None:
    world = Library([])
    made = await world.archive.create(Draft(KEY, "import"))
    assert made.id.startswith("sess_")
    assert await world.archive.status(made) is None
    assert await world.said(made.id) == ()


async def test_of_twenty_who_make_one_session_one_succeeds() -> None:
    world = Library([])
    draft = Draft(KEY, "import", "s", messages=(user("hi"),))
    made = await asyncio.gather(
        *(world.archive.create(draft) for _ in range(20)), return_exceptions=True
    )
    refused = [one for one in made if isinstance(one, Conflict)]
    assert len(refused) == 19
    assert {(error.code, error.param) for error in refused} == {("session_exists", "id")}
    assert (await world.get()).runs == 1


@given(transcripts)
async def test_whatever_is_brought_can_be_gone_on_from(messages: tuple) -> None:
    world = Library([])
    made = await world.archive.create(Draft(KEY, "import", messages=messages))
    assert await world.said(made.id) == closed(messages)


class ClosedSessions(MemorySessions):
    """Writes nothing by itself."""

    async def put(self, session: Session) -> None:
        raise LogUnavailable(f"{session.id} cannot be written")


async def test_what_is_brought_and_what_is_said_of_it_are_one_write() -> None:
    world = Library([])
    archive = Archive(
        sessions=ClosedSessions(world.log),
        runs=world.runs,
        outputs=world.outputs,
        clock=world.clock,
    )
    made = await archive.create(Draft(KEY, "import", "s", "T", messages=(user("precious"),)))
    assert (made.title, made.runs) == ("T", 1)
    forked = await archive.fork(made, behind=None, fresh_id="f", title="F")
    assert (forked.title, forked.forked_from, forked.runs) == ("F", "s", 1)


async def test_whoever_changes_a_session_waits_for_whoever_does_so_already() -> None:
    world = Library([says("One."), says("Two.")])
    await world.say("first")
    session = await world.get()
    async with world.runs.session_turn(KEY, "s"):
        tasks = [
            asyncio.create_task(world.begin("second")),
            asyncio.create_task(world.archive.change(session, "New", UNSET)),
            asyncio.create_task(world.fork()),
            asyncio.create_task(world.archive.delete(session)),
        ]
        done, _ = await asyncio.wait(tasks, timeout=0.05)
        assert (done, await world.get()) == (set(), session)
        assert await world.sessions.get(KEY, "f") is None
    second, changed, forked, deleted = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(second, str)
    assert (changed.title, forked.title) == ("New", "")
    assert isinstance(deleted, Conflict)
    assert second in str(deleted)


async def test_a_conversation_is_not_recognised_by_a_copy_of_it() -> None:
    world = Library([says("One.")])
    await world.say("first")
    await world.fork()
    said = await world.said()
    (served,) = {p.chain for p in prefixes((*said, user("next")), "")}
    original = (await world.get()).last_run
    assert await world.history.match(KEY, (served,)) == (served, original)


async def test_two_changes_at_once_are_both_kept() -> None:
    world = Library([says("Hi.")])
    await world.say("hello")
    session = await world.get()
    await asyncio.gather(
        world.archive.change(session, "New", UNSET),
        world.archive.change(session, UNSET, Raw(b'{"a":1}')),
    )
    changed = await world.get()
    assert (changed.title, bytes(changed.metadata)) == ("New", b'{"a":1}')
    assert (changed.runs, changed.last_run) == (session.runs, session.last_run)
    assert changed.updated_at == world.clock.now()


async def test_a_fork_is_the_session_up_to_its_run_and_outlives_it() -> None:
    sealed = Assistant((Reasoning("hm", Seal("chat", "{}")), Text("One.")))
    world = Library([Reply(sealed, "stop"), says("Two."), says("Other.")])
    first = await world.say("first", user="ann", session_key="mem")
    await world.say("second")
    forked = await world.fork(behind=first, title="Fork")
    assert (forked.id, forked.title, forked.forked_from) == ("f", "Fork", "s")
    assert (forked.user, forked.key, forked.runs) == ("ann", "mem", 1)
    assert await world.said("f") == (user("first"), sealed)
    await world.archive.delete(await world.get())
    await world.say("third", "f")
    assert world.model.asked[-1].messages == (user("first"), sealed, user("third"))


async def test_a_fork_of_all_has_a_result_for_every_call() -> None:
    gate = Gate()
    world = Library([calls(ToolCall("c", "gate", "{}"))], gate)
    await world.begin("go")
    await gate.begins("c")
    forked = await world.fork()
    whole = closed((user("go"), Assistant((ToolCall("c", "gate", "{}"),))))
    assert await world.said("f") == whole
    # Whatever goes on from it reads this.
    assert forked.last_run is not None
    assert (await world.runs.state(forked.last_run)).messages == whole


async def test_a_fork_can_be_told_from_a_run_of_the_same_session_only() -> None:
    world = Library([says("One."), says("Two."), Hangs()])
    await world.say("first")
    other = await world.say("second", "other")
    await world.begin("third")
    queued = await world.begin("fourth")
    with pytest.raises(NotFound) as caught:
        await world.fork(behind=other)
    assert (caught.value.code, caught.value.param) == ("run_not_found", "run_id")
    with pytest.raises(Conflict) as busy:
        await world.fork(behind=queued)
    assert (busy.value.code, busy.value.param) == ("run_not_started", "run_id")


# ── finding and deleting ────────────────────────────────────────────────────────────────────


async def test_words_are_found_with_the_session_they_were_said_in() -> None:
    world = Library([says("The sea is salt."), says("Nothing.")])
    run_id = await world.say("What is the sea like?", "sea")
    await world.say("What is the moon like?", "moon")
    found = await world.archive.search(Search(KEY, "salt"))
    assert [(one.session.id, one.hit.run_id, one.hit.role) for one in found] == [
        ("sea", run_id, "assistant")
    ]
    listed = await world.archive.find(SessionFilter(KEY))
    assert [session.id for session in listed] == ["moon", "sea"]


class WatchedSessions(SlowSessions):
    """Knows how many searches of a tenant were under way at once, and which tenants' were."""

    searching: list[str]
    seen: list[tuple[str, ...]]

    async def search(self, wanted: Search) -> Sequence[Hit]:
        self.searching.append(wanted.tenant)
        self.seen.append(tuple(sorted(self.searching)))
        await asyncio.sleep(0)
        self.searching.remove(wanted.tenant)
        return ()


async def test_a_tenant_has_one_search_at_a_time_and_holds_up_no_other() -> None:
    world = Library([])
    sessions = WatchedSessions(world.log)
    sessions.searching, sessions.seen = [], []
    archive = Archive(sessions=sessions, runs=world.runs, outputs=world.outputs, clock=world.clock)
    asked = [Search(tenant, "salt") for tenant in (KEY, KEY, "key_2", KEY)]
    await asyncio.gather(*map(archive.search, asked))
    assert (KEY, "key_2") in sessions.seen
    assert len(sessions.seen) == 4
    assert all(len(set(tenants)) == len(tenants) for tenants in sessions.seen)


async def test_a_deleted_session_takes_its_runs_and_outputs_with_it() -> None:
    long = Does("long", ToolOutput("x" * 40_000))
    world = Library([calls(ToolCall("c", "long", "{}")), says("Salt.")], long)
    run_id = await world.say("salty words")
    assert await world.outputs.get(run_id, "c", 0, 1) == b"x"
    await world.archive.delete(await world.get())
    assert await world.outputs.get(run_id, "c", 0, 1) is None
    assert await world.store.get(run_id) is None
    assert await world.archive.search(Search(KEY, "salty")) == []
    with pytest.raises(NotFound):
        await world.get()


async def test_whoever_keeps_something_for_a_session_is_told_when_it_is_gone() -> None:
    world = Library([says("Hello."), Hangs()])
    gone: list[tuple[str, str]] = []

    async def on_delete(tenant: str, session_id: str) -> None:
        assert await world.sessions.get(tenant, session_id) is None
        gone.append((tenant, session_id))

    archive = Archive(
        sessions=world.sessions,
        runs=world.runs,
        outputs=world.outputs,
        clock=world.clock,
        on_delete=on_delete,
    )
    await world.say("hello")
    run_id = await world.begin("go on")
    with pytest.raises(Conflict):
        await archive.delete(await world.get())
    assert gone == []
    await world.runs.stop(run_id)
    await world.finished(run_id)
    await archive.delete(await world.get())
    assert gone == [(KEY, "s")]


async def test_a_session_with_a_run_under_way_is_not_deleted() -> None:
    world = Library([Hangs()])
    run_id = await world.begin("go")
    await world.until(run_id, RunStarted)
    with pytest.raises(Conflict) as caught:
        await world.archive.delete(await world.get())
    assert caught.value.code == "session_busy"
    assert f"POST /v1/runs/{run_id}/stop" in caught.value.message
    await world.runs.stop(run_id)
    await world.finished(run_id)
    await world.archive.delete(await world.get())


async def test_a_session_with_an_unseen_run_under_way_is_not_deleted() -> None:
    world = Library([says("One."), Hangs()])
    await world.say("first")
    run_id = await world.begin("second", stored=False)
    with pytest.raises(Conflict) as caught:
        await world.archive.delete(await world.get())
    assert caught.value.code == "session_busy"
    await world.runs.stop(run_id)
    await world.finished(run_id)
    await world.archive.delete(await world.get())
    assert await world.sessions.get(KEY, "s") is None


async def test_a_session_is_at_work_behind_a_turn_that_never_came() -> None:
    world = Library([Hangs()])
    slow = await world.begin("first")
    for _ in range(25):
        queued = await world.begin("second")
        await world.runs.stop(queued)
        await world.finished(queued)
    session = await world.get()
    assert session.last_run == queued
    assert await world.archive.status(session) == "running"
    with pytest.raises(Conflict, match=slow):
        await world.archive.delete(session)
    await world.runs.stop(slow)
    await world.finished(slow)
    assert await world.archive.status(session) == "cancelled"


async def test_another_tenant_finds_no_session() -> None:
    world = Library([says("Salt."), says("Own.")])
    await world.say("hello")
    with pytest.raises(NotFound) as caught:
        await world.archive.get("key_2", "s")
    assert caught.value.code == "session_not_found"
    assert await world.archive.search(Search("key_2", "salt")) == []
    theirs = await world.archive.create(Draft("key_2", "import", "s"))
    assert await world.archive.transcript(theirs) == ()
    await world.archive.delete(theirs)
    assert len(await world.said()) == 2


async def test_a_session_whose_last_run_is_gone_has_no_status() -> None:
    world = Library([])
    made = await world.archive.create(Draft(KEY, "import", "s"))
    assert await world.archive.status(replace(made, last_run="run_gone")) is None
