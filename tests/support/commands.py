"""Commands in a sandbox, from their start to their end."""

import asyncio
from pathlib import Path

from msgspec import Struct

from angelia.ports import Command, Exit, Process, Sandbox, Stream


class Ran(Struct, frozen=True):
    exit: Exit
    stdout: bytes
    stderr: bytes

    @property
    def code(self) -> int:
        return self.exit.code

    @property
    def text(self) -> str:
        return (self.stdout + self.stderr).decode(errors="replace")


class Reader:
    """Takes what a process prints, and waits for words in it."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self.printed: dict[Stream, bytes] = {"stdout": b"", "stderr": b""}
        self.order: list[Stream] = []

    async def says(self, words: bytes) -> bytes:
        while words not in self.printed["stdout"]:
            assert await self.take(), f"ended without {words!r}: {self.printed}"
        return self.printed["stdout"]

    async def take(self) -> bool:
        piece = await self._process.next()
        if piece is None:
            return False
        self.printed[piece[1]] += piece[0]
        self.order.append(piece[1])
        return True

    async def rest(self) -> None:
        while await self.take():
            pass


async def run(sandbox: Sandbox, command: Command | str) -> Ran:
    process = await sandbox.start(Command(command) if isinstance(command, str) else command)
    reader = Reader(process)
    try:
        await reader.rest()
        ended = await process.wait()
    finally:
        await process.kill()
    return Ran(ended, reader.printed["stdout"], reader.printed["stderr"])


async def together(sandbox: Sandbox, *lines: str) -> list[Ran]:
    return await asyncio.gather(*(run(sandbox, line) for line in lines))


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in (b"Z", b"X")


def bearing(words: str) -> set[int]:
    """The processes of this machine whose command line has these words."""
    found: set[int] = set()
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                line = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if words.encode() in line and alive(int(folder.name)):
                found.add(int(folder.name))
    return found


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))
