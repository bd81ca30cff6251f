"""A sandbox that runs nothing: every command does what its script says."""

import asyncio
from collections.abc import Mapping

from msgspec import Struct

from angelia.errors import ToolError
from angelia.ports import Command, Exit, Stream

KILLED = 137


class Script(Struct, frozen=True):
    """What a command prints, and how it ends; one that hangs ends only when it is killed.

    One that echoes prints what is written to it.
    """

    output: tuple[tuple[bytes, Stream], ...] = ()
    code: int = 0
    hangs: bool = False
    folder: str | None = None
    limit: str | None = None
    echoes: bool = False


class ScriptedSandbox:
    """`commands` are those that were run, `running` those that have not ended."""

    level = "memory"
    reason = ""

    def __init__(self, scripts: Mapping[str, Script] | None = None) -> None:
        self._scripts = dict(scripts or {})
        self.commands: list[Command] = []
        self.processes: list[ScriptedProcess] = []
        self.running: list[str] = []
        self.left: list[str] = []

    async def start(self, command: Command) -> "ScriptedProcess":
        self.commands.append(command)
        self.running.append(command.line)
        script = self._scripts.get(command.line) or _unknown(command.line)
        process = ScriptedProcess(command, script, self.running)
        self.processes.append(process)
        return process

    async def leave(self, session: str) -> None:
        self.left.append(session)

    async def close(self) -> None:
        for process in self.processes:
            await process.kill()


class ScriptedProcess:
    """`written` is what it was given to read."""

    def __init__(self, command: Command, script: Script, running: list[str]) -> None:
        self._command = command
        self._script = script
        self._running = running
        self._output = list(script.output)
        self._over = asyncio.Event()
        self._news = asyncio.Event()
        self._code = script.code
        self.written = b""

    async def next(self) -> tuple[bytes, Stream] | None:
        while not self._output:
            if self._over.is_set() or not self._script.hangs:
                return None
            self._news.clear()
            await self._news.wait()
        return self._output.pop(0)

    async def write(self, data: bytes) -> None:
        if not self._command.input or self._over.is_set():
            raise ToolError("The process reads nothing.")
        self.written += data
        if self._script.echoes:
            self.print(data)

    def print(self, data: bytes, stream: Stream = "stdout") -> None:
        """More than its script says, for as long as it hangs."""
        self._output.append((data, stream))
        self._news.set()

    async def wait(self) -> Exit:
        if self._script.hangs:
            await self._over.wait()
        self._end(self._code)
        return Exit(self._code, self._script.folder, self._script.limit)

    async def kill(self) -> None:
        self._end(KILLED)

    def _end(self, code: int) -> None:
        if not self._over.is_set():
            self._over.set()
            self._news.set()
            self._code = code
            if self._command.line in self._running:
                self._running.remove(self._command.line)


def _unknown(line: str) -> Script:
    """As a shell answers that does not know a command."""
    return Script(((f"{line}: command not found\n".encode(), "stderr"),), code=127)
