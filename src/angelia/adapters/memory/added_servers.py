"""MCP servers that were added over HTTP, in memory."""

from collections.abc import Sequence

from angelia.adapters.refusals import server_exists
from angelia.ports import AddedServer


class MemoryAddedServers:
    def __init__(self) -> None:
        self._kept: dict[str, AddedServer] = {}

    async def list(self) -> Sequence[AddedServer]:
        return tuple(self._kept.values())

    async def add(self, server: AddedServer) -> None:
        if server.name in self._kept:
            raise server_exists(server.name)
        self._kept[server.name] = server

    async def remove(self, name: str) -> bool:
        return self._kept.pop(name, None) is not None
