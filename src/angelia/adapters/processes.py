"""Commands as plain processes of this machine: kept in order, not kept apart.

Below: the operating system. What never enters: this process's own environment, of which only a
short list of harmless variables is passed on.
"""

import asyncio
import os
import secrets
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from angelia.adapters.process_family import VARIABLE, kill_family, kill_group
from angelia.adapters.process_pipes import ProcessPipes
from angelia.errors import ToolError
from angelia.ports import Command, Exit, Stream

PASSED_ON = frozenset(
    {
        *("PATH", "TERM", "TZ", "USER", "LOGNAME", "SHELL", "TMPDIR", "LANG", "LANGUAGE"),
        *("LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_MONETARY", "LC_NUMERIC"),
        *("LC_TIME",),
    }
)


class PlainProcesses:
    """Runs commands in a folder. They see the whole machine, as the user who runs Angelia."""

    level = "none"

    def __init__(self, workspace: Path, environ: Mapping[str, str] = os.environ) -> None:
        workspace.mkdir(parents=True, exist_ok=True)
        self._folder = workspace.resolve()
        self._environment = environment(environ, self._folder)
        self._shell = shutil.which("bash") or "/bin/sh"

    async def start(self, command: Command) -> "PlainProcess":
        mark = secrets.token_hex(8)
        return PlainProcess(self._open(command, mark), mark)

    async def leave(self, session: str) -> None:
        """Nothing is kept for a session."""

    async def close(self) -> None:
        """Whoever started a process ends it."""

    def _open(self, command: Command, mark: str) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(  # noqa: S603 -- running commands is what this is for
                [self._shell, "-c", command.line],
                cwd=self._folder / command.folder,
                env=self._environment | {VARIABLE: mark},
                stdin=subprocess.PIPE if command.input else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise ToolError(f"The command could not be started: {error}") from error


class PlainProcess:
    def __init__(self, process: subprocess.Popen[bytes], mark: str) -> None:
        self._process = process
        self._mark = mark
        self._pipes = ProcessPipes(process)
        self._ended: asyncio.Task[int] | None = None

    async def next(self) -> tuple[bytes, Stream] | None:
        return await self._pipes.next()

    async def write(self, data: bytes) -> None:
        if self._process.stdin is None:
            raise ToolError("The process was started without input.")
        try:
            await asyncio.to_thread(self._process.stdin.write, data)
        except (OSError, ValueError) as error:
            raise ToolError("The process reads nothing any more.") from error

    async def wait(self) -> Exit:
        # A command may close its output and go on.
        await asyncio.shield(self._pipes.exited)
        if self._ended is None:
            self._ended = asyncio.ensure_future(self._end(orderly=not self._pipes.left_behind))
        return Exit(await asyncio.shield(self._ended))

    async def kill(self) -> None:
        if self._ended is None:
            self._ended = asyncio.ensure_future(self._end(orderly=False))
        await _to_the_end(self._ended)

    async def _end(self, *, orderly: bool) -> int:
        self._pipes.close()
        if orderly:
            kill_group(self._process.pid)
        else:
            await kill_family(self._process.pid, self._mark)
            await self._pipes.exited
        if self._process.stdin is not None:
            self._process.stdin.close()
        return self._pipes.reap()


def environment(environ: Mapping[str, str], home: Path) -> dict[str, str]:
    """What commands may know of this process's environment; nothing that could be a secret."""
    passed_on = {name: value for name, value in environ.items() if name in PASSED_ON}
    return {"PATH": os.defpath, "LANG": "C.UTF-8", **passed_on, "HOME": str(home)}


async def _to_the_end(task: asyncio.Task[int]) -> None:
    """Whoever is cancelled meanwhile waits all the same, and is cancelled then."""
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait((task,))
        except asyncio.CancelledError as error:
            cancelled = error
    task.result()
    if cancelled is not None:
        raise cancelled
