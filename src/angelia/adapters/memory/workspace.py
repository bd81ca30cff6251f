"""A workspace that is a dictionary."""

from collections.abc import AsyncGenerator, Mapping

from angelia.adapters.workspace_paths import shown, steps
from angelia.errors import ToolError
from angelia.ports import Listed

ROOT = "/workspace"
PIECE = 1024 * 1024


class MemoryWorkspace:
    """Files by path. A folder is there as long as a file is in it."""

    def __init__(self, files: Mapping[str, bytes] | None = None) -> None:
        self.files: dict[str, bytes] = dict(files or {})

    async def read(self, path: str) -> bytes:
        place = place_of(path)
        if place in self.files:
            return self.files[place]
        raise self._fault(path, place)

    async def write(self, path: str, data: bytes) -> None:
        place = place_of(path)
        if self._is_folder(place):
            raise self._fault(path, place)
        names = place.split("/")
        if any("/".join(names[:end]) in self.files for end in range(1, len(names))):
            raise ToolError(f"A part of the path {shown(path)} is a file, not a folder.")
        self.files[place] = data

    async def pieces(self, path: str) -> AsyncGenerator[bytes]:
        data = await self.read(path)
        for start in range(0, len(data), PIECE):
            yield data[start : start + PIECE]

    async def remove(self, path: str) -> None:
        await self.read(path)
        del self.files[place_of(path)]

    async def place(self, path: str) -> str:
        return place_of(path) or "."

    async def list(self, path: str, depth: int = 1) -> tuple[Listed, ...]:
        place = place_of(path)
        if depth < 1:
            return (self._entry(path, place),)
        if not self._is_folder(place):
            raise self._fault(path, place, wanted="a folder")
        above = len(place.split("/")) if place else 0
        found = {
            tuple(name.split("/")[:end])
            for name in self._under(place)
            for end in range(above + 1, min(above + depth, len(name.split("/"))) + 1)
        }
        return tuple(self._entry(path, "/".join(parts)) for parts in sorted(found))

    def _under(self, place: str) -> tuple[str, ...]:
        return tuple(name for name in self.files if not place or name.startswith(f"{place}/"))

    def _is_folder(self, place: str) -> bool:
        return not place or bool(self._under(place))

    def _entry(self, path: str, place: str) -> Listed:
        if place in self.files:
            return Listed(place, "file", len(self.files[place]))
        if self._is_folder(place):
            return Listed(place or ".", "folder", 0)
        raise self._fault(path, place)

    def _fault(self, path: str, place: str, wanted: str = "a file") -> ToolError:
        if self._is_folder(place) or place in self.files:
            return ToolError(f"{shown(path)} is not {wanted}.")
        return ToolError(f"There is no {shown(path)} in the workspace.")


def place_of(path: str) -> str:
    return "/".join(steps(path, (ROOT,)))
