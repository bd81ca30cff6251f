"""A shell under way: what it prints, what it is told, how and where it ended."""

import asyncio
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from angelia.adapters.memory_files import Sealed, Slate, inside
from angelia.adapters.process_pipes import ProcessPipes
from angelia.adapters.process_streams import Streams
from angelia.errors import ToolError
from angelia.ports import Command, Exit, Stream

# A path has at most 4 KiB.
SLATE = 16 * 1024
FD = "ANGELIA_END"
# Bash reads what BASH_ENV names before the command, which keeps its own line numbers. A command
# that sets a trap of its own says nothing about its folder.
_BEFORE = f'trap "pwd -P >&${FD} 2>/dev/null" EXIT; unset BASH_ENV {FD}'
_DEAF = "exec </dev/null; "


class Prelude:
    """What bash does before a command: it will say at its end where it is."""

    def __init__(self) -> None:
        self._normal = Sealed("prelude", _BEFORE.encode())
        self._deaf = Sealed("prelude", (_DEAF + _BEFORE).encode())

    def open(self, command: Command) -> int:
        """A terminal is always there to be read from; who has no input is kept from it."""
        deaf = command.screen is not None and not command.input
        return (self._deaf if deaf else self._normal).open()

    def close(self) -> None:
        self._normal.close()
        self._deaf.close()


def prelude_variables(prelude: int, slate: Slate) -> dict[str, str]:
    return {"BASH_ENV": f"/dev/fd/{prelude}", FD: str(slate.fd)}


class Tree(Protocol):
    """All that a command has started."""

    async def fell(self, *, orderly: bool) -> None:
        """Returns when all are dead; orderly, when the shell has ended by itself."""
        ...

    def verdict(self, code: int) -> str | None:
        """The bound that it was ended for."""
        ...


class ShellProcess:
    """Takes over the process, its streams and the slate; `on_end` is called when all is over."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        pipes: ProcessPipes,
        streams: Streams,
        slate: Slate,
        workspace: Path,
        tree: Tree,
        on_end: Callable[["ShellProcess"], None],
    ) -> None:
        self.process = process
        self._pipes = pipes
        self._pen = streams.pen
        self._slate = slate
        self._workspace = workspace
        self._tree = tree
        self._on_end = on_end
        self._felling: asyncio.Task[None] | None = None
        self._ended = asyncio.ensure_future(self._live())

    async def next(self) -> tuple[bytes, Stream] | None:
        return await self._pipes.next()

    async def write(self, data: bytes) -> None:
        if self._pen is None:
            raise ToolError("The process was started without input.")
        await self._pen.write(data, self._pipes.exited)

    async def wait(self) -> Exit:
        return await asyncio.shield(self._ended)

    async def kill(self) -> None:
        if self._ended.done():
            return
        if self._felling is None:
            self._felling = asyncio.ensure_future(self._fell())
        await to_the_end(self._ended)

    async def _fell(self) -> None:
        await self._tree.fell(orderly=False)
        self._pipes.leave()

    async def _live(self) -> Exit:
        await self._pipes.exited
        await self._pipes.over.wait()
        if self._felling is None:
            orderly = not self._pipes.left_behind
            self._felling = asyncio.ensure_future(self._tree.fell(orderly=orderly))
        # The number of the process is its own until it is reaped.
        await self._felling
        return self._bury()

    def _bury(self) -> Exit:
        code = self._pipes.reap()
        folder = inside(self._slate.last_line(), self._workspace)
        self._slate.close()
        if self._pen is not None:
            self._pen.close()
        self._on_end(self)
        return Exit(code, folder, self._tree.verdict(code))


async def to_the_end(task: "asyncio.Task[Exit] | asyncio.Task[None]") -> None:
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
