"""Skills in a dictionary of files."""

from collections.abc import Mapping, Sequence
from hashlib import sha256

from angelia.adapters.memory.workspace import MemoryWorkspace
from angelia.core.skills import FILE, SkillSource
from angelia.ports import Listed
from angelia.ports.skills import SkillEntry

FILES_DEPTH = 4


class MemorySkills:
    def __init__(
        self,
        files: Mapping[str, bytes] | None = None,
        source: SkillSource = "home",
        places: Sequence[str] = (".",),
    ) -> None:
        self.workspace = MemoryWorkspace(files)
        self._source: SkillSource = source
        self._places = places

    @property
    def source(self) -> SkillSource:
        return self._source

    @property
    def place(self) -> str:
        return "/skills"

    async def find(self) -> Sequence[SkillEntry]:
        found: list[SkillEntry] = []
        for place in self._places:
            above = "" if place == "." else f"{place}/"
            for path, data in sorted(self.workspace.files.items()):
                folder = path.removesuffix(f"/{FILE}")
                name = folder.removeprefix(above)
                if folder != path and folder.startswith(above) and "/" not in name:
                    found.append(SkillEntry(folder, sha256(data).hexdigest()))
        return tuple(found)

    async def read(self, path: str) -> bytes:
        return await self.workspace.read(path)

    async def files(self, folder: str) -> Sequence[Listed]:
        return await self.workspace.list(folder, FILES_DEPTH)
