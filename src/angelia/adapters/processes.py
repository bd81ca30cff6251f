"""Commands as plain processes of this machine: kept in order, not kept apart.

Below: the operating system. What never enters: this process's own environment, of which only a
short list of harmless variables is passed on.
"""

import asyncio
import os
import secrets
import shutil
import subprocess
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from pathlib import Path

from angelia.adapters.process_family import VARIABLE, kill_family, kill_group
from angelia.adapters.process_pipes import ProcessPipes
from angelia.errors import ToolError
from angelia.ports import Stream

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

    async def run(self, command: str, output: Callable[[bytes, Stream], Awaitable[None]]) -> int:
        mark = secrets.token_hex(8)
        process = self._start(command, mark)
        pipes = ProcessPipes(process)
        orderly = False
        try:
            while (piece := await pipes.next()) is not None:
                await output(*piece)
            # A command may close its output and go on.
            await asyncio.shield(pipes.exited)
            orderly = not pipes.left_behind
        finally:
            pipes.close()
            if orderly:
                kill_group(process.pid)
            else:
                await _to_the_end(_end(process.pid, pipes, mark))
        return pipes.reap()

    def _start(self, command: str, mark: str) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(  # noqa: S603 -- running commands is what this is for
                [self._shell, "-c", command],
                cwd=self._folder,
                env=self._environment | {VARIABLE: mark},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise ToolError(f"The command could not be started: {error}") from error


def environment(environ: Mapping[str, str], home: Path) -> dict[str, str]:
    """What commands may know of this process's environment; nothing that could be a secret."""
    passed_on = {name: value for name, value in environ.items() if name in PASSED_ON}
    return {"PATH": os.defpath, "LANG": "C.UTF-8", **passed_on, "HOME": str(home)}


async def _end(pid: int, pipes: ProcessPipes, mark: str) -> None:
    await kill_family(pid, mark)
    await pipes.exited
    pipes.reap()


async def _to_the_end(work: Coroutine[None, None, None]) -> None:
    """Whoever is cancelled meanwhile waits all the same, and is cancelled then."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait((task,))
        except asyncio.CancelledError as error:
            cancelled = error
    task.result()
    if cancelled is not None:
        raise cancelled
