"""Commands that go on beside their session's runs: begun, read, written to, and ended in time."""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Coroutine, Iterable
from contextlib import ExitStack
from typing import Any

from angelia.core.events import AnyEvent, Cancelled, RunEnded, StopRequested
from angelia.errors import NotFound, StorageError, ToolError
from angelia.ports import Clock, Command, EventLog, Exit, Process, Sandbox, Stream, ToolContext
from angelia.tools.live import Live
from angelia.tools.ring import KEPT, Ring
from angelia.tools.transcript import split_whole

PER_SESSION = 8
IN_ALL = 64
# Of those that have ended, so many can still be asked about.
ENDED_KEPT = 64
LIFETIME = 24 * 3600.0
# What a process says at once belongs to the answer of whoever began it or wrote to it.
MOMENT = 0.5
# One that prints without end may do so this often for each `KEPT` bytes, and costs no more.
PAUSE = 0.05
PATIENCE = 10.0

logger = logging.getLogger(__name__)

Place = tuple[str, str]


def place_of(context: ToolContext) -> Place:
    """A tenant and a session; a run without a session is a place of its own."""
    return context.caller.tenant, context.caller.session_id or context.run_id


def session_of(place: Place) -> str:
    """The place as a sandbox knows it."""
    return "/".join(place)


class Child:
    """One command in the background, under way or ended.

    `read` is how far its session has read its output. `why` says who ended it, if it was not the
    command itself.
    """

    def __init__(
        self, name: str, place: Place, command: Command, run_id: str, begun_at: float
    ) -> None:
        self.id = name
        self.place = place
        self.command = command
        self.run_id = run_id
        self.begun_at = begun_at
        self.output = Ring()
        self.read = 0
        self.why = ""
        self.exit: Exit | None = None
        self.process: Process | None = None
        self.ending: asyncio.Task[None] | None = None
        self.tasks: tuple[asyncio.Task[None], ...] = ()
        self._cut: dict[Stream, bytes] = {"stdout": b"", "stderr": b""}
        self._news = asyncio.Event()

    def printed(self, data: bytes, stream: Stream) -> None:
        whole, self._cut[stream] = split_whole(self._cut[stream] + data)
        self.output.add(whole)
        self._tell()

    def ended(self, end: Exit) -> None:
        for rest in self._cut.values():
            self.output.add(rest)
        self.exit = end
        self._tell()

    async def news(self) -> None:
        """Returns when there is more output, or the end."""
        await self._news.wait()

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()


class Background:
    """All commands in the background, by the session that they belong to.

    They live as long as their session, at most `LIFETIME`. A run that is stopped takes those with
    it that it has begun: the log of a run says so, whoever stops it.
    """

    def __init__(
        self, sandbox: Sandbox, log: EventLog, clock: Clock, moment: float = MOMENT
    ) -> None:
        self._sandbox = sandbox
        self._log = log
        self._clock = clock
        self._moment = moment
        self._children: dict[Place, dict[str, Child]] = {}
        self._numbers: Counter[Place] = Counter()
        self._over: deque[Child] = deque()
        self._watched: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def level(self) -> str:
        return self._sandbox.level

    def now(self) -> float:
        return self._clock.now()

    # ── for tools ───────────────────────────────────────────────────────────────────────────

    async def start(
        self, context: ToolContext, command: Command, seconds: float = LIFETIME
    ) -> Child:
        """Raises ToolError if it cannot be started, or if there are too many."""
        place = place_of(context)
        self._refuse_too_many(place)
        self._numbers[place] += 1
        name = f"p{self._numbers[place]}"
        child = Child(name, place, command, context.run_id, self._clock.now())
        self._children.setdefault(place, {})[name] = child
        with ExitStack() as undo:
            undo.callback(self._forget, child)
            process = child.process = await self._sandbox.start(command)
            undo.pop_all()
        child.tasks = (
            self._keep(self._live(child, process)),
            self._keep(self._expire(child, seconds)),
        )
        if child.why:
            await self.end(child, child.why)
            raise ToolError(f"It was ended at once: {child.why}.")
        self._watch(context.run_id, None if context.caller.session_id else place)
        return child

    def all(self, place: Place) -> tuple[Child, ...]:
        """Those that can be asked about, oldest first."""
        return tuple(self._children.get(place, {}).values())

    def find(self, place: Place, name: str) -> Child:
        child = self._children.get(place, {}).get(name)
        if child is None:
            known = ", ".join(self._children.get(place, ())) or "none"
            raise ToolError(
                f"There is no process {name!r} in this session (there are: {known}). One that was "
                "started before the server was restarted has ended with the server; find out how "
                "far it came."
            )
        return child

    async def watch(self, child: Child, context: ToolContext, seconds: float | None = None) -> None:
        """Shows what the child prints until it ends, for `seconds` or a moment."""
        live, shown = Live(context), child.read
        try:
            async with asyncio.timeout(self._moment if seconds is None else seconds):
                while True:
                    _, data = child.output.since(shown)
                    shown = child.output.end
                    await live.show(data)
                    if child.exit is not None:
                        return
                    if shown == child.output.end:
                        await child.news()
        except TimeoutError:
            return

    async def write(self, child: Child, data: bytes) -> None:
        """Raises ToolError when it reads nothing any more."""
        if child.exit is not None or child.process is None:
            raise ToolError(f"{child.id} has ended and reads nothing any more.")
        try:
            async with asyncio.timeout(PATIENCE):
                await child.process.write(data)
        except TimeoutError:
            raise ToolError(f"{child.id} does not read what it is given.") from None

    async def end(self, child: Child, why: str) -> None:
        """Returns when all that the command started is dead; `why` counts the first time."""
        if child.exit is not None:
            return
        child.why = child.why or why
        # One that is just being started is ended by whoever starts it.
        if child.process is not None:
            if child.ending is None:
                child.ending = self._keep(self._end(child, child.process))
            await asyncio.shield(child.ending)

    # ── for whoever ends what they belong to ────────────────────────────────────────────────

    async def leave(self, tenant: str, session_id: str) -> None:
        """The session is gone, and so is all that it has begun."""
        place = (tenant, session_id)
        children = self._children.pop(place, {})
        self._numbers.pop(place, None)
        await self._end_all(children.values(), "the session was deleted")
        await self._sandbox.leave(session_of(place))

    async def close(self) -> None:
        every = [child for children in self._children.values() for child in children.values()]
        await self._end_all(every, "the server stopped")
        for task in tuple(self._tasks):
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _end_all(self, children: Iterable[Child], why: str) -> None:
        await asyncio.gather(*(self.end(child, why) for child in children))

    # ── the life of a child ─────────────────────────────────────────────────────────────────

    async def _live(self, child: Child, process: Process) -> None:
        await self._read(child, process)
        end = await process.wait()
        await process.kill()
        child.ended(end)
        self._retire(child)

    async def _read(self, child: Child, process: Process) -> None:
        room = KEPT
        while (piece := await process.next()) is not None:
            child.printed(*piece)
            room -= len(piece[0])
            if room <= 0:
                room = KEPT
                await self._clock.sleep(PAUSE)

    async def _end(self, child: Child, process: Process) -> None:
        reading, _ = child.tasks
        reading.cancel()
        await asyncio.wait((reading,))
        await process.kill()
        if child.exit is None:
            # What it printed up to its death has been waiting for its reader.
            while (piece := await process.next()) is not None:
                child.printed(*piece)
            child.ended(await process.wait())
            self._retire(child)

    async def _expire(self, child: Child, seconds: float) -> None:
        await self._clock.sleep(seconds)
        await self.end(child, f"its time of {seconds:g} s was over")

    def _retire(self, child: Child) -> None:
        """Keeps it for questions, at the cost of the one that has waited longest for any."""
        _, timer = child.tasks
        timer.cancel()
        self._over.append(child)
        while len(self._over) > ENDED_KEPT:
            self._forget(self._over.popleft())

    def _forget(self, child: Child) -> None:
        children = self._children.get(child.place, {})
        # A session that was deleted may have come back, with numbers from 1 again.
        if children.get(child.id) is child:
            del children[child.id]
        if not children:
            self._children.pop(child.place, None)

    def _refuse_too_many(self, place: Place) -> None:
        running = Counter(
            owner
            for owner, children in self._children.items()
            for child in children.values()
            if child.exit is None
        )
        if running[place] >= PER_SESSION:
            raise ToolError(
                f"{PER_SESSION} background processes of this session are running, which is as "
                "many as there may be. End one with the tool `process`, action `kill`."
            )
        if running.total() >= IN_ALL:
            raise ToolError(f"The server runs {IN_ALL} background processes, and no more.")

    # ── the run that has begun it ───────────────────────────────────────────────────────────

    def _watch(self, run_id: str, place: Place | None) -> None:
        if run_id not in self._watched:
            self._watched.add(run_id)
            self._keep(self._until_stopped(run_id, place))

    async def _until_stopped(self, run_id: str, place: Place | None) -> None:
        """`place` is what ends with the run, if it is no session."""
        try:
            while not await self._heard(run_id):
                await self._clock.sleep(1.0)
            if place is not None:
                await self.leave(*place)
        finally:
            self._watched.discard(run_id)

    async def _heard(self, run_id: str) -> bool:
        """Whether the run was followed to its end; a log that cannot be read is asked again."""
        try:
            known = await self._log.read(run_id, facts_only=True)
            if known is not None and any(_stops(entry.event) for entry in known.entries):
                await self._end_run(run_id)
            after = known.last if known is not None else 0
            async for batch in self._log.follow(run_id, after):
                if any(_stops(entry.event) for entry in batch.entries):
                    await self._end_run(run_id)
        except NotFound:
            return True
        except StorageError as error:
            logger.warning("run %s cannot be followed: %s", run_id, error)
            return False
        return True

    async def _end_run(self, run_id: str) -> None:
        begun = [
            child
            for children in self._children.values()
            for child in children.values()
            if child.run_id == run_id
        ]
        await self._end_all(begun, "the run that started it was stopped")

    def _keep(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (defect := task.exception()) is not None:
            logger.error("a background process is left to its time", exc_info=defect)


def _stops(event: AnyEvent) -> bool:
    """A run that makes way for the next one of its session leaves it what it has begun."""
    match event:
        case StopRequested(by=by) | RunEnded(ending=Cancelled(by=by)):
            return by != "superseded"
        case _:
            return False
