"""MCP servers as people see and change them while Angelia runs."""

import asyncio
from collections.abc import Callable, Sequence

from angelia.core.policy import Rule
from angelia.errors import Conflict, NotFound
from angelia.ports import AddedServer, AddedServers, Clock, McpDirectory, McpStatus, SwitchStore

MOST_ADDED = 64


class McpDesk:
    """One change at a time. `govern` hears what approvals say of servers that were added."""

    def __init__(
        self,
        directory: McpDirectory,
        store: AddedServers,
        switches: SwitchStore,
        clock: Clock,
        govern: Callable[[Sequence[Rule]], None],
    ) -> None:
        self._directory = directory
        self._store = store
        self._switches = switches
        self._clock = clock
        self._govern = govern
        self._changing = asyncio.Lock()
        govern(directory.rules())

    def statuses(self) -> Sequence[McpStatus]:
        return self._directory.statuses()

    async def add(self, name: str, section: str, *, enabled: bool = True) -> McpStatus:
        """Durable once this returns. Raises BadRequest, and Conflict for a name that is taken."""
        async with self._changing:
            if len(await self._store.list()) >= MOST_ADDED:
                raise Conflict(
                    f"There are {MOST_ADDED} added MCP servers; remove one first.",
                    code="too_many_mcp_servers",
                )
            server = AddedServer(name, section, self._clock.now())
            self._directory.add(server)
            # Before anybody is offered its tools.
            self._govern(self._directory.rules())
            await self._kept(server, enabled=enabled)
            if enabled:
                await self._directory.switch(name, on=True)
            return self._status(name)

    async def switch(self, name: str, *, on: bool) -> McpStatus:
        """A server that is on and is switched on stays as it is."""
        async with self._changing:
            if self._status(name).enabled != on:
                await self._switches.switch("mcp", name, on=on)
                await self._directory.switch(name, on=on)
            return self._status(name)

    async def reconnect(self, name: str) -> McpStatus:
        async with self._changing:
            if not self._status(name).enabled:
                raise Conflict(
                    f"The MCP server {name!r} is switched off; switch it on.",
                    code="mcp_server_off",
                )
            await self._directory.switch(name, on=True)
            return self._status(name)

    async def remove(self, name: str) -> None:
        async with self._changing:
            known = {status.name: status for status in self.statuses()}.get(name)
            if not await self._store.remove(name):
                raise _in_file(self._status(name))
            # A server of a file may have come under the same name and taken its place.
            if known is not None and known.source == "added":
                await self._switches.switch("mcp", name, on=True)
                await self._directory.remove(name)
                self._govern(self._directory.rules())

    async def _kept(self, server: AddedServer, *, enabled: bool) -> None:
        kept = False
        try:
            await self._switches.switch("mcp", server.name, on=enabled)
            await self._store.add(server)
            kept = True
        finally:
            if not kept:
                await self._directory.remove(server.name)

    def _status(self, name: str) -> McpStatus:
        for status in self.statuses():
            if status.name == name:
                return status
        raise NotFound(
            f"There is no MCP server {name!r}. GET /v1/mcp lists those that there are.",
            param="server_name",
            code="mcp_server_not_found",
        )


def _in_file(status: McpStatus) -> Conflict:
    return Conflict(
        f"The MCP server {status.name!r} stands in {status.place}; take it out there, or switch "
        "it off.",
        code="mcp_server_in_file",
    )
