"""Files searched by a process of our own that walks through the workspace.

A pattern may take for ever on some line; a process can be ended, a thread cannot.
"""

import asyncio
import contextlib
import os
import sys
from pathlib import Path

from msgspec import Struct, json

from angelia.adapters.file_matching import Matcher, in_order
from angelia.errors import ToolError
from angelia.ports.file_search import FileHit, FileHits, FileQuery

SECONDS = 60.0
_PACKAGES = str(Path(__file__).parents[2])


class Order(Struct, frozen=True):
    root: str
    query: FileQuery


_hit = json.Decoder(FileHit)


class WalkingSearch:
    dialect = "Python's `re`"

    def __init__(self, root: Path, seconds: float = SECONDS) -> None:
        self._root = root
        self._seconds = seconds

    async def search(self, query: FileQuery) -> FileHits:
        # What is wrong with the patterns is said here, where it is cheap.
        Matcher(query)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "angelia.adapters.walking_child"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={"PATH": os.defpath, "PYTHONPATH": _PACKAGES},
            # What lies in a working folder must not be taken for a module.
            cwd="/",
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(self._seconds):
                printed, _ = await process.communicate(
                    json.encode(Order(str(self._root.resolve()), query))
                )
        except TimeoutError:
            raise ToolError(
                f"The search took longer than {self._seconds:g} s; choose a simpler pattern, "
                "a folder or a glob."
            ) from None
        finally:
            await _ended(process)
        return _read(printed)


async def _ended(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    await asyncio.shield(process.wait())


def _read(printed: bytes) -> FileHits:
    lines = printed.splitlines()
    if not lines or lines[-1] not in (b"all", b"more"):
        raise ToolError("The search broke off; try again, in a folder or with a glob.")
    hits = [_hit.decode(line) for line in lines[:-1]]
    return FileHits(in_order(hits), more=lines[-1] == b"more")
