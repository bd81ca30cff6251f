"""A sandbox that runs nothing: every command does what its script says."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from msgspec import Struct

from angelia.ports import Stream


class Script(Struct, frozen=True):
    """What a command prints, and how it ends; one that hangs ends only when it is cancelled."""

    output: tuple[tuple[bytes, Stream], ...] = ()
    code: int = 0
    hangs: bool = False


class ScriptedSandbox:
    """`commands` are those that were run, `running` those that have not ended."""

    level = "memory"

    def __init__(self, scripts: Mapping[str, Script] | None = None) -> None:
        self._scripts = dict(scripts or {})
        self.commands: list[str] = []
        self.running: list[str] = []

    async def run(self, command: str, output: Callable[[bytes, Stream], Awaitable[None]]) -> int:
        script = self._scripts.get(command) or _unknown(command)
        self.commands.append(command)
        self.running.append(command)
        try:
            for data, stream in script.output:
                await output(data, stream)
            if script.hangs:
                await asyncio.Event().wait()
        finally:
            self.running.remove(command)
        return script.code


def _unknown(command: str) -> Script:
    """As a shell answers that does not know a command."""
    return Script(((f"{command}: command not found\n".encode(), "stderr"),), code=127)
