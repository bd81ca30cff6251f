"""All MCP servers of the configuration: a source of tools, and what is known of each."""

import asyncio
from collections.abc import Iterable, Sequence

from angelia.adapters.mcp.connection import Connection
from angelia.adapters.mcp.listing_files import ListingFiles
from angelia.adapters.mcp.tools import tools_of
from angelia.config import McpSettings
from angelia.core.redact import Redactor
from angelia.ports import Clock, McpStatus, Tool


class McpServers:
    """Connects to nobody until tools are asked for."""

    def __init__(
        self, servers: Iterable[McpSettings], files: ListingFiles, clock: Clock, redact: Redactor
    ) -> None:
        self._connections = [Connection(server, files, clock, redact) for server in servers]

    async def tools(self) -> Sequence[Tool]:
        """Waits a little, all servers at once, the first time; then tells what it knows."""
        await asyncio.gather(*(connection.prepare() for connection in self._connections))
        return [tool for connection in self._connections for tool in tools_of(connection)]

    async def try_all(self, seconds: float) -> None:
        """Waits until it is known of every server whether it works, or for so long."""
        await asyncio.gather(*(connection.tried(seconds) for connection in self._connections))

    def statuses(self) -> Sequence[McpStatus]:
        return [_status(connection) for connection in self._connections]

    async def close(self) -> None:
        await asyncio.gather(*(connection.close() for connection in self._connections))


def _status(connection: Connection) -> McpStatus:
    server, listing = connection.server, connection.listing
    return McpStatus(
        name=server.name,
        toolset=server.toolset,
        transport=server.transport,
        health=connection.health,
        detail=connection.detail,
        version=listing.version,
        tools=tuple(tool.spec.name for tool in tools_of(connection)),
        resources=listing.resources,
        prompts=listing.prompts,
    )
