"""Commands as plain processes of this machine: kept in order, not kept apart.

Below: the operating system. What never enters: this process's own environment, of which only a
short list of harmless variables is passed on.
"""

import asyncio
import os
import secrets
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from angelia.adapters.memory_files import Slate
from angelia.adapters.process_family import (
    OWNER,
    VARIABLE,
    kill_family,
    kill_group,
    kill_orphans,
    owner_of,
)
from angelia.adapters.process_pipes import ProcessPipes
from angelia.adapters.process_streams import Streams
from angelia.adapters.shell_process import SLATE, Prelude, ShellProcess, prelude_variables
from angelia.errors import ToolError
from angelia.ports import Command

PASSED_ON = frozenset(
    {
        *("PATH", "TERM", "TZ", "USER", "LOGNAME", "SHELL", "TMPDIR", "LANG", "LANGUAGE"),
        *("LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_MONETARY", "LC_NUMERIC"),
        *("LC_TIME",),
    }
)


class PlainProcesses:
    """Runs commands in a folder. They see the whole machine, as the user who runs Angelia.

    What an earlier server on the same `home` has left running is ended first.
    """

    level = "none"
    reason = ""

    def __init__(
        self, workspace: Path, environ: Mapping[str, str] = os.environ, home: Path | None = None
    ) -> None:
        workspace.mkdir(parents=True, exist_ok=True)
        self._folder = workspace.resolve()
        owner = owner_of(home or self._folder)
        if home is not None:
            kill_orphans(owner)
        self._environment = environment(environ, self._folder) | {OWNER: owner}
        self._shell = shutil.which("bash") or "/bin/sh"
        self._setsid = shutil.which("setsid")
        self._prelude = Prelude()
        self._running: dict[ShellProcess, str] = {}

    async def start(self, command: Command) -> ShellProcess:
        mark = secrets.token_hex(8)
        streams, slate = Streams(command), Slate(SLATE)
        try:
            process = self._open(command, mark, streams, slate)
        except (OSError, ValueError) as error:
            streams.close()
            slate.close()
            raise ToolError(f"The command could not be started: {error}") from error
        streams.given()
        started = ShellProcess(
            process,
            ProcessPipes(process, streams.reads),
            streams,
            slate,
            self._folder,
            _Kin(process.pid, mark),
            self._forget,
        )
        self._running[started] = command.session
        return started

    async def leave(self, session: str) -> None:
        """Nothing is kept for a session but what still runs."""
        await self._kill(p for p, of in self._running.items() if of == session)

    async def close(self) -> None:
        await self._kill(self._running)

    async def _kill(self, processes: Iterable[ShellProcess]) -> None:
        await asyncio.gather(*(process.kill() for process in tuple(processes)))

    def _forget(self, process: ShellProcess) -> None:
        self._running.pop(process, None)

    def _open(
        self, command: Command, mark: str, streams: Streams, slate: Slate
    ) -> subprocess.Popen[bytes]:
        prelude = self._prelude.open(command)
        # `setsid -c` leads a session of its own, and the terminal belongs to that.
        led = command.screen is not None and self._setsid is not None
        lead = [self._setsid, "-c"] if led and self._setsid else []
        try:
            return subprocess.Popen(  # noqa: S603 -- running commands is what this is for
                [*lead, self._shell, "-c", command.line],
                cwd=self._folder / command.folder,
                env=self._environment | {VARIABLE: mark} | prelude_variables(prelude, slate),
                stdin=streams.stdin,
                stdout=streams.stdout,
                stderr=streams.stderr,
                pass_fds=(prelude, slate.fd),
                start_new_session=not led,
            )
        finally:
            os.close(prelude)


class _Kin:
    """Found by descent and by a mark; there are no bounds to be ended for."""

    def __init__(self, root: int, mark: str) -> None:
        self._root = root
        self._mark = mark

    async def fell(self, *, orderly: bool) -> None:
        if orderly:
            kill_group(self._root)
        else:
            await kill_family(self._root, self._mark)

    def verdict(self, code: int) -> None:
        return None


def environment(environ: Mapping[str, str], home: Path) -> dict[str, str]:
    """What commands may know of this process's environment; nothing that could be a secret."""
    passed_on = {name: value for name, value in environ.items() if name in PASSED_ON}
    return {"PATH": os.defpath, "LANG": "C.UTF-8", **passed_on, "HOME": str(home)}
