"""Commands in namespaces of their own: they see the workspace and the system's programs.

Below: bubblewrap, one run of it for each command. What never enters: the network, other
processes, the home folder, this process's environment.
"""

import asyncio
import os
import signal
import subprocess
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

import msgspec

from angelia.adapters.bubblewrap import cgroups, probe, seccomp, view
from angelia.adapters.bubblewrap.cell import Cell
from angelia.adapters.bubblewrap.limits import Limits, impose
from angelia.adapters.bubblewrap.listener import PORT
from angelia.adapters.bubblewrap.sessions import UNNAMED, Birth, Session, Sessions, read_all
from angelia.adapters.bubblewrap.surroundings import NAME, copy_etc, writable_proc
from angelia.adapters.bubblewrap.watch import Watch
from angelia.adapters.memory_files import Sealed, Slate, inside
from angelia.adapters.process_family import OWNER, kill_orphans, owner_of
from angelia.adapters.process_pipes import ProcessPipes
from angelia.adapters.process_streams import Streams
from angelia.adapters.processes import environment
from angelia.adapters.shell_process import (
    SLATE,
    Prelude,
    ShellProcess,
    prelude_variables,
    to_the_end,
)
from angelia.errors import ToolError
from angelia.ports import Command

_PROXY = f"http://127.0.0.1:{PORT}"
_PROXIES = ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
_DIRECT = "localhost,127.0.0.1,::1"


class Bubblewrap:
    """For the one server of a home folder; what an earlier one has left running is ended first.

    `egress` is the socket of a proxy that decides which hosts may be reached; without one there
    is no way out.
    """

    level = "bubblewrap"
    reason = ""

    def __init__(
        self,
        workspace: Path,
        home: Path,
        *,
        means: probe.Means,
        limits: Limits = Limits(),  # noqa: B008 -- frozen
        egress: Path | None = None,
        readable: Iterable[Path] = (),
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self._place = place = _place(workspace, home, readable)
        self._means = means
        self._limits = limits
        owner = owner_of(place.home)
        kill_orphans(owner)
        self._groups = cgroups.find(owner)
        self._variables = _variables(environ, place.workspace, owner, proxied=egress is not None)
        self._filter = Sealed("filter", seccomp.program(means.machine))
        self._prelude = Prelude()
        self._apart = egress is None
        self._alone, self._together = (self._flags(alone=alone) for alone in (True, False))
        self._sessions = Sessions(means.bwrap, place, limits, egress)
        self._watch = Watch(place.workspace, limits, counted=self.counted)
        self._running: dict[ShellProcess, str] = {}
        self._unnamed = 0

    @property
    def counted(self) -> bool:
        """Whether control groups hold the bounds on memory and processes."""
        return self._groups is not None

    def fault(self) -> str | None:
        """Why commands cannot run, if they cannot; tried out with all the flags."""
        if self._place.workspace == Path("/"):
            return "the workspace is the whole machine; choose a folder"
        with ExitStack() as closing:
            filter_ = self._filter.open()
            closing.callback(os.close, filter_)
            arguments = [*self._bwrap(self._alone, filter_), "--", "true"]
            return probe.complaint(arguments, (filter_,))

    async def start(self, command: Command) -> ShellProcess:
        starting = asyncio.ensure_future(self._start(command, self._folder(command)))
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            # Bubblewrap can be ended as a whole only once it has said who is in it.
            await to_the_end(asyncio.ensure_future(_unmake(starting)))
            raise

    async def leave(self, session: str) -> None:
        await self._kill(p for p, name in self._running.items() if name == session)
        await self._sessions.leave(session)

    async def close(self) -> None:
        await self._kill(self._running)
        await self._sessions.close()
        if self._groups is not None:
            self._groups.sweep()

    async def _kill(self, processes: Iterable[ShellProcess]) -> None:
        await asyncio.gather(*(process.kill() for process in tuple(processes)))

    # ── one command ─────────────────────────────────────────────────────────────────────────

    async def _start(self, command: Command, folder: Path) -> ShellProcess:
        await self._sessions.tidy()
        if not command.session and self._apart:
            return await self._launch(command, folder, "", None)
        self._unnamed += not command.session
        name = command.session or f"{UNNAMED}{self._unnamed}"
        session = await self._sessions.enter(name)
        with ExitStack() as undoing:
            undoing.callback(self._sessions.step_out, name)
            started = await self._launch(command, folder, name, session)
            undoing.pop_all()
        return started

    def _folder(self, command: Command) -> Path:
        wanted = self._place.workspace / command.folder
        found = inside(str(wanted), self._place.workspace)
        if found is None:
            raise ToolError(
                f"The command could not be started: {command.folder!r} is no folder "
                "in the workspace."
            )
        return self._place.workspace / found

    async def _launch(
        self, command: Command, folder: Path, name: str, session: Session | None
    ) -> ShellProcess:
        streams, slate = Streams(command), Slate(SLATE)
        told, tell = os.pipe()
        hold, let_go = os.pipe()
        with ExitStack() as closing:
            for fd in (told, let_go):
                closing.callback(os.close, fd)
            try:
                signals = (tell, hold, let_go)
                process = self._open(command, folder, session, streams, slate, signals)
            except (OSError, ValueError) as error:
                streams.close()
                slate.close()
                raise ToolError(f"The command could not be started: {error}") from error
            finally:
                os.close(tell)
                os.close(hold)
            streams.given()
            pipes = ProcessPipes(process, streams.reads)
            cell = await self._begun(process, pipes, streams, slate, told)
            # What went wrong while it was set up it says itself, and ends.
            with suppress(BrokenPipeError):
                os.write(let_go, b"x")
        self._watch.add(cell)
        started = ShellProcess(
            process, pipes, streams, slate, self._place.workspace, cell, self._end_of(cell)
        )
        self._running[started] = name
        return started

    def _end_of(self, cell: Cell) -> Callable[[ShellProcess], None]:
        def end(process: ShellProcess) -> None:
            self._watch.remove(cell)
            self._sessions.step_out(self._running.pop(process, ""))

        return end

    async def _begun(
        self,
        process: subprocess.Popen[bytes],
        pipes: ProcessPipes,
        streams: Streams,
        slate: Slate,
        told: int,
    ) -> Cell:
        """The first process waits until it is let go: nothing has run without its bounds."""
        with ExitStack() as undoing:
            undoing.callback(_put_away, streams, slate)
            undoing.callback(_end, process, pipes)
            try:
                said = await read_all(told)
                if not said:
                    raise ToolError(f"The command could not be started: {_end(process, pipes)}")
                first = msgspec.json.decode(said, type=Birth).child_pid
                undoing.callback(_kill, process, first)
                cell = self._bounded(process, first)
            except (OSError, msgspec.MsgspecError) as error:
                words = _end(process, pipes) or error
                raise ToolError(f"The command could not be started: {words}") from error
            undoing.pop_all()
        return cell

    def _bounded(self, process: subprocess.Popen[bytes], first: int) -> Cell:
        if self._groups is None:
            impose(first, self._limits, alone=True)
            return Cell(process, first, None, self._limits)
        group = self._groups.make(self._limits)
        with ExitStack() as undoing:
            undoing.callback(group.remove)
            group.take(first)
            impose(first, self._limits, alone=False)
            cell = Cell(process, first, group, self._limits)
            undoing.pop_all()
        return cell

    # ── the command line ────────────────────────────────────────────────────────────────────

    def _open(
        self,
        command: Command,
        folder: Path,
        session: Session | None,
        streams: Streams,
        slate: Slate,
        signals: tuple[int, int, int],
    ) -> subprocess.Popen[bytes]:
        tell, hold, _ = signals
        entry, flags = ((), self._alone) if session is None else (session.entry, self._together)
        # The terminal belongs to a session of its own, and that is the command's.
        lead = ("setsid", "-c") if command.screen is not None else ()
        with ExitStack() as closing:
            filter_, prelude = self._filter.open(), self._prelude.open(command)
            closing.callback(os.close, filter_)
            closing.callback(os.close, prelude)
            wait = ["--chdir", str(folder), "--info-fd", str(tell), "--block-fd", str(hold)]
            inner = ["--", *lead, "bash", "-c", command.line]
            return subprocess.Popen(  # noqa: S603 -- running commands is what this is for
                [*entry, *self._bwrap(flags, filter_), *wait, *inner],
                stdin=streams.stdin,
                stdout=streams.stdout,
                stderr=streams.stderr,
                # With the end that lets it go in its own hands it does not go when we die.
                pass_fds=(filter_, prelude, slate.fd, *signals),
                # The environment of bubblewrap itself can be read from within.
                env=self._variables | prelude_variables(prelude, slate),
                start_new_session=True,
            )

    def _flags(self, *, alone: bool) -> list[str]:
        spaces = view.namespaces(own_network=alone, disable=self._means.disables)
        return [*spaces, *view.mounts(self._place, self._limits, own_temporary=alone)]

    def _bwrap(self, flags: list[str], filter_: int) -> list[str]:
        return [self._means.bwrap, *flags, "--seccomp", str(filter_)]


def _place(workspace: Path, home: Path, readable: Iterable[Path]) -> view.Place:
    workspace.mkdir(parents=True, exist_ok=True)
    home.mkdir(parents=True, exist_ok=True)
    more = tuple(folder.resolve() for folder in readable)
    place = view.Place(workspace.resolve(), home.resolve(), more, writable_proc())
    place.common.mkdir(parents=True, exist_ok=True)
    copy_etc(place)
    return place


def _variables(
    environ: Mapping[str, str], workspace: Path, owner: str, *, proxied: bool
) -> dict[str, str]:
    passed_on = environment(environ, workspace)
    passed_on.pop("TMPDIR", None)
    own = {"PATH": view.path_of(passed_on["PATH"]), "USER": NAME, "LOGNAME": NAME}
    own |= {"SHELL": "/bin/bash", OWNER: owner}
    if proxied:
        own |= dict.fromkeys(_PROXIES, _PROXY)
        own |= {"no_proxy": _DIRECT, "NO_PROXY": _DIRECT, "NODE_USE_ENV_PROXY": "1"}
    return passed_on | own


def _end(process: subprocess.Popen[bytes], pipes: ProcessPipes) -> str:
    """Of one that has not begun; what it said."""
    process.kill()
    process.wait()
    return pipes.abandon().decode(errors="replace").strip()


def _kill(process: subprocess.Popen[bytes], first: int) -> None:
    """The number is its own as long as its parent is there."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.kill(first, signal.SIGKILL)


async def _unmake(starting: asyncio.Future[ShellProcess]) -> None:
    with suppress(ToolError):
        await (await starting).kill()


def _put_away(streams: Streams, slate: Slate) -> None:
    slate.close()
    if streams.pen is not None:
        streams.pen.close()
