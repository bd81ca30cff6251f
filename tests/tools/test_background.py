import asyncio
import logging
from pathlib import Path

import pytest

from angelia.adapters.local_workspace import LocalWorkspace
from angelia.adapters.memory.sandbox import Script, ScriptedProcess, ScriptedSandbox
from angelia.adapters.processes import PlainProcesses
from angelia.core.events import (
    Cancelled,
    Completed,
    DeadlinePassed,
    Exhausted,
    RunEnded,
    StopRequested,
)
from angelia.errors import LogUnavailable, ToolError
from angelia.ports import Caller, Command
from angelia.tools.background import ENDED_KEPT, IN_ALL, LIFETIME, PER_SESSION, Background
from angelia.tools.ring import KEPT
from tests.support.living import living, naps, until_living
from tests.tools.watching import Watcher
from tests.tools.workshop import Workshop, ended, printed

HANGS = {"serve": Script(hangs=True), "quick": Script()}
ELSEWHERE = Caller("key_1", "s2")


@pytest.fixture
async def shop():
    shop = Workshop(HANGS, moment=0.001)
    yield shop
    await shop.background.close()
    assert shop.scripted.running == []


# ── how many, how long ──────────────────────────────────────────────────────────────────────


async def test_a_session_may_have_so_many_and_the_ended_do_not_count(shop: Workshop):
    await ended(await shop.begin("quick"))
    children = [await shop.begin() for _ in range(PER_SESSION)]
    with pytest.raises(ToolError, match="8 background processes of this session are running"):
        await shop.begin()
    await shop.begin(watcher=Watcher(ELSEWHERE))
    await shop.ask("kill", children[0].id)
    assert (await shop.begin()).id == f"p{PER_SESSION + 2}"


async def test_so_many_may_run_in_all(shop: Workshop):
    for number in range(IN_ALL):
        await shop.begin(watcher=Watcher(Caller("key_1", f"s{number // PER_SESSION}")))
    with pytest.raises(ToolError, match="The server runs 64 background processes"):
        await shop.begin(watcher=Watcher(Caller("key_2", "another")))
    assert len(shop.scripted.running) == IN_ALL


async def test_a_batch_of_many_gets_no_more_than_there_may_be(shop: Workshop):
    await shop.known("run_1")
    calls = (shop.run("serve", background=True) for _ in range(PER_SESSION + 3))
    outputs = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(isinstance(output, ToolError) for output in outputs) == 3
    assert len(shop.scripted.running) == PER_SESSION


async def test_of_those_that_have_ended_the_last_ones_can_be_asked_about(shop: Workshop):
    for _ in range(ENDED_KEPT + 2):
        await ended(await shop.begin("quick"))
    kept = [child.id for child in shop.background.all(("key_1", "s1"))]
    assert kept == [f"p{number}" for number in range(3, ENDED_KEPT + 3)]
    with pytest.raises(ToolError, match="There is no process 'p1'"):
        await shop.ask("poll", "p1")


@pytest.mark.parametrize(("more", "seconds"), [({}, LIFETIME), ({"timeout": 5}, 5.0)])
async def test_a_process_lives_as_long_as_it_may(shop: Workshop, more: dict, seconds: float):
    child = await shop.begin(**more)
    shop.clock.advance(seconds - 1)
    assert child.exit is None
    shop.clock.advance(1)
    await ended(child)
    assert child.why == f"its time of {seconds:g} s was over"
    assert shop.scripted.running == []


async def test_what_a_process_printed_before_its_death_is_read_behind_it(shop: Workshop):
    child = await shop.begin()
    process = shop.scripted.processes[0]
    process.print(b"x" * KEPT)
    # Its lifetime and the pause of its reader, during which it goes on to print.
    await shop.clock.sleepers(2)
    process.print(b"last words")
    await shop.ask("kill", child.id)
    assert child.output.since(KEPT) == (0, b"last words")


async def test_what_has_ended_keeps_nobody_busy(shop: Workshop):
    before = asyncio.all_tasks()
    for command in ("quick", "serve"):
        child = await shop.begin(command)
        await shop.background.end(child, "it was killed")
        await ended(child)
    await shop.log_of("run_1", RunEnded(Completed()))
    while asyncio.all_tasks() - before:
        await asyncio.sleep(0)


# ── the run that started it ─────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("by", ["user", "disconnect", "expired"])
async def test_a_run_that_is_stopped_takes_its_processes_with_it(shop: Workshop, by: str):
    child = await shop.begin()
    other = await shop.begin(watcher=Watcher(run_id="run_2"))
    await shop.log_of("run_1", StopRequested(by))
    await ended(child)
    assert child.why == "the run that started it was stopped"
    assert other.exit is None


async def test_a_stop_that_came_while_the_process_was_started_counts(shop: Workshop):
    await shop.known("run_1")
    await shop.log_of("run_1", StopRequested())
    await shop.log_of("run_1", RunEnded(Cancelled()))
    await ended(await shop.begin())


@pytest.mark.parametrize(
    "events",
    [
        (RunEnded(Completed()),),
        (DeadlinePassed(), RunEnded(Exhausted("max_seconds"))),
        (StopRequested("superseded"), RunEnded(Cancelled("superseded"))),
    ],
)
async def test_a_process_outlives_a_run_that_ends_otherwise(shop: Workshop, events):
    child = await shop.begin()
    await shop.log_of("run_1", *events)
    assert (await shop.ask("wait", child.id, timeout=0.05)).startswith("[p1 has been running")


async def test_what_a_run_without_a_session_began_ends_with_it(shop: Workshop):
    child = await shop.begin(watcher=Watcher(Caller("key_1")))
    await shop.log_of("run_1", RunEnded(Completed()))
    await ended(child)
    while not shop.scripted.left:
        await asyncio.sleep(0)
    assert shop.scripted.left == ["key_1/run_1"]


async def test_a_run_that_nobody_knows_any_more_stops_nothing(shop: Workshop):
    await shop.run("serve", background=True)
    (child,) = shop.background.all(("key_1", "s1"))
    assert child.exit is None


class Unreadable:
    """A log that cannot be read until it is told so."""

    def __init__(self, log) -> None:
        self._log = log
        self.readable = False

    async def read(self, *given, **more):
        if not self.readable:
            raise LogUnavailable("The disk is away.")
        return await self._log.read(*given, **more)

    def follow(self, *given):
        return self._log.follow(*given)


async def test_a_log_that_cannot_be_read_is_asked_again(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.WARNING)
    shop = Workshop(HANGS)
    await shop.known("run_1")
    log = Unreadable(shop.log)
    background = Background(shop.sandbox, log, shop.clock)
    child = await background.start(Watcher(), Command("serve", input=True))
    await shop.log_of("run_1", StopRequested())
    await shop.clock.sleepers(2)
    log.readable = True
    shop.clock.advance(1)
    await ended(child)
    assert "run run_1 cannot be followed" in caplog.text
    await background.close()


async def test_a_call_that_is_cancelled_leaves_the_process_to_its_run(shop: Workshop):
    await shop.known("run_1")
    shop.background = Background(shop.sandbox, shop.log, shop.clock)
    task = asyncio.create_task(shop.begin())
    while not shop.scripted.running:
        await asyncio.sleep(0)
    await shop.log_of("run_1", StopRequested())
    task.cancel()
    await asyncio.wait((task,))
    while shop.scripted.running:
        await asyncio.sleep(0)


# ── the session and the server ──────────────────────────────────────────────────────────────


async def test_a_session_that_is_deleted_takes_its_processes_with_it(shop: Workshop):
    child = await shop.begin()
    other = await shop.begin(watcher=Watcher(ELSEWHERE))
    await shop.background.leave("key_1", "s1")
    assert child.exit is not None
    assert child.why == "the session was deleted"
    assert other.exit is None
    assert shop.scripted.left == ["key_1/s1"]
    assert await shop.ask("list") == "[no background processes]"
    await shop.background.leave("key_1", "s1")


async def test_a_session_that_comes_back_counts_anew_and_keeps_its_own(shop: Workshop):
    for _ in range(ENDED_KEPT):
        await ended(await shop.begin("quick"))
    await shop.background.leave("key_1", "s1")
    child = await shop.begin()
    assert child.id == "p1"
    for _ in range(3):
        await ended(await shop.begin("quick", Watcher(ELSEWHERE)))
    assert shop.background.find(("key_1", "s1"), "p1") is child


async def test_the_end_of_the_server_ends_all(shop: Workshop):
    children = [await shop.begin(), await shop.begin(watcher=Watcher(ELSEWHERE))]
    await shop.background.close()
    assert [child.why for child in children] == ["the server stopped"] * 2
    assert all(child.exit is not None for child in children)
    await shop.background.close()


async def test_what_cannot_be_started_is_not_there():
    shop = Workshop(sandbox=Refuses())
    await shop.known("run_1")
    for _ in range(PER_SESSION + 1):
        with pytest.raises(ToolError, match="no room"):
            await shop.run("serve", background=True)
    assert await shop.ask("list") == "[no background processes]"


class Refuses(ScriptedSandbox):
    async def start(self, command: Command) -> ScriptedProcess:
        raise ToolError("There is no room.")


class Slow(ScriptedSandbox):
    """Starts when it is let go."""

    def __init__(self) -> None:
        super().__init__(HANGS)
        self.begun, self.let_go = asyncio.Event(), asyncio.Event()

    async def start(self, command: Command) -> ScriptedProcess:
        self.begun.set()
        await self.let_go.wait()
        return await super().start(command)


async def test_a_process_whose_session_goes_while_it_is_started_does_not_stay():
    sandbox = Slow()
    shop = Workshop(sandbox=sandbox)
    task = asyncio.create_task(shop.begin())
    await sandbox.begun.wait()
    await shop.background.leave("key_1", "s1")
    sandbox.let_go.set()
    with pytest.raises(ToolError, match="ended at once: the session was deleted"):
        await task
    assert sandbox.running == []


class DoesNotRead(ScriptedProcess):
    async def write(self, data: bytes) -> None:
        await asyncio.Event().wait()


async def test_who_does_not_read_is_not_waited_for(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("angelia.tools.background.PATIENCE", 0.01)
    shop = Workshop(HANGS)
    child = await shop.begin()
    child.process = DoesNotRead(child.command, HANGS["serve"], [])
    with pytest.raises(ToolError, match="p1 does not read what it is given"):
        await shop.ask("write", "p1", data="x")


# ── with real processes ─────────────────────────────────────────────────────────────────────


async def test_a_stop_kills_the_whole_tree(tmp_path: Path):
    shop = Workshop(sandbox=PlainProcesses(tmp_path), workspace=LocalWorkspace(tmp_path))
    near, far = naps(), naps()
    child = await shop.begin(f"{near} & setsid {far} & wait")
    until_living(near)
    until_living(far)
    await shop.log_of("run_1", StopRequested())
    await ended(child)
    assert living(near) == living(far) == []


async def test_what_was_printed_before_the_death_can_be_read(tmp_path: Path):
    shop = Workshop(sandbox=PlainProcesses(tmp_path), workspace=LocalWorkspace(tmp_path))
    child = await shop.begin("echo last words; sleep 1000")
    await printed(child, b"last words\n")
    await shop.background.close()
    assert child.exit is not None
    assert child.exit.code == 137
    assert child.output.since(0) == (0, b"last words\n")
