"""Skills in folders on disk."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

from angelia.adapters.local_workspace import LocalWorkspace
from angelia.core.skills import FILE, SkillSource
from angelia.ports import Listed
from angelia.ports.skills import SkillEntry

FILES_DEPTH = 4


class LocalSkills:
    """`places` are folders below `root` that may hold skills; those that are not there hold none.

    Whether a file has changed is seen by a look at it; what is in it is read as tools read files,
    so no link leads out of `root`.
    """

    def __init__(self, root: Path, source: SkillSource, places: Sequence[str]) -> None:
        self._root = root
        self._source: SkillSource = source
        self._places = places
        self._folders = tuple(str(root / place) for place in places)
        self._reader = LocalWorkspace(root)

    @property
    def source(self) -> SkillSource:
        return self._source

    @property
    def place(self) -> str:
        return str(self._root)

    async def find(self) -> Sequence[SkillEntry]:
        # Every run asks. Most find no such folder, which costs less than a change of threads.
        there = any(map(os.path.isdir, self._folders))
        return await asyncio.to_thread(self._find) if there else ()

    async def read(self, path: str) -> bytes:
        return await self._reader.read(path)

    async def files(self, folder: str) -> Sequence[Listed]:
        return await self._reader.list(folder, FILES_DEPTH)

    def _find(self) -> tuple[SkillEntry, ...]:
        found = (
            self._entry(f"{place}/{name}")
            for place in self._places
            for name in _in(self._root / place)
        )
        return tuple(entry for entry in found if entry is not None)

    def _entry(self, folder: str) -> SkillEntry | None:
        try:
            seen = (self._root / folder / FILE).stat()
        except (OSError, ValueError):
            return None
        stamp = f"{seen.st_mtime_ns}-{seen.st_size}-{seen.st_ino}"
        return SkillEntry(folder.removeprefix("./"), stamp)


def _in(folder: Path) -> list[str]:
    """Names that can be said in JSON, in order."""
    try:
        names = sorted(path.name for path in folder.iterdir())
    except OSError:
        return []
    return [name for name in names if name.isprintable()]
