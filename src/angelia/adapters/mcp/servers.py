"""All MCP servers, configured or added: a source of tools, and what is known of each."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from angelia.adapters.mcp.connection import FIRST_WAIT, Connection
from angelia.adapters.mcp.listing_files import ListingFiles
from angelia.adapters.mcp.tools import tools_of
from angelia.adapters.refusals import server_exists
from angelia.config import McpSettings, rules_of
from angelia.core.mcp_names import toolset_of
from angelia.core.policy import Rule, Verdict
from angelia.core.redact import Redactor
from angelia.errors import BadRequest, Conflict
from angelia.ports import AddedServer, Clock, McpStatus, Tool
from angelia.ports.mcp import McpSource

_log = logging.getLogger(__name__)


class Adding(Struct, frozen=True):
    """How servers come that are added: `settle` reads one, `irreversible` is for their rules.

    `settle` raises BadRequest for what cannot be used, and Conflict for what is in the way of a
    server of the configuration.
    """

    settle: Callable[[AddedServer], McpSettings]
    irreversible: Verdict = "ask"


class _Entry:
    """`trouble` is why a server that was added cannot be used any more."""

    def __init__(
        self, connection: Connection, source: McpSource, *, enabled: bool, trouble: str = ""
    ) -> None:
        self.connection = connection
        self.source: McpSource = source
        self.enabled = enabled
        self.trouble = trouble

    @property
    def is_used(self) -> bool:
        return self.enabled and not self.trouble


class McpServers:
    """Connects to nobody until tools are asked for. Those whose names are `off` wait."""

    def __init__(
        self,
        servers: Iterable[McpSettings],
        files: ListingFiles,
        clock: Clock,
        redact: Redactor,
        adding: Adding,
        *,
        off: frozenset[str] = frozenset(),
        added: Iterable[AddedServer] = (),
    ) -> None:
        self._files = files
        self._clock = clock
        self._redact = redact
        self._adding = adding
        self._entries: dict[str, _Entry] = {}
        for server in servers:
            self._put(server, "file", enabled=server.name not in off)
        for each in added:
            self._bring_back(each, enabled=each.name not in off)

    # ── tools ───────────────────────────────────────────────────────────────────────────────

    async def tools(self) -> Sequence[Tool]:
        """Waits a little, all servers at once, the first time; then tells what it knows."""
        used = self._used()
        await asyncio.gather(*(connection.prepare() for connection in used))
        # Some may have been switched off meanwhile.
        return [tool for connection in self._used() for tool in tools_of(connection)]

    async def try_all(self, seconds: float) -> None:
        """Waits until it is known of every server whether it works, or for so long."""
        await asyncio.gather(*(connection.tried(seconds) for connection in self._used()))

    def statuses(self) -> Sequence[McpStatus]:
        return [_status(entry) for entry in self._entries.values()]

    async def close(self) -> None:
        entries = self._entries.values()
        await asyncio.gather(*(entry.connection.close() for entry in entries))

    def _used(self) -> list[Connection]:
        return [entry.connection for entry in self._entries.values() if entry.is_used]

    # ── changes ─────────────────────────────────────────────────────────────────────────────

    def rules(self) -> Sequence[Rule]:
        added = [
            entry.connection.server for entry in self._entries.values() if entry.source == "added"
        ]
        return tuple(rules_of(added, self._adding.irreversible))

    def add(self, server: AddedServer) -> None:
        settled = self._adding.settle(server)
        if settled.toolset in self._entries:
            raise server_exists(server.name)
        self._put(settled, "added", enabled=False)

    async def switch(self, name: str, *, on: bool) -> None:
        entry = self._named(name)
        # Nobody is offered its tools while it comes or goes.
        entry.enabled = False
        if not on or entry.trouble:
            await entry.connection.close()
            entry.enabled = on
            return
        await entry.connection.reopen()
        entry.enabled = True
        await entry.connection.tried(FIRST_WAIT)

    async def remove(self, name: str) -> None:
        entry = self._named(name)
        server = entry.connection.server
        del self._entries[server.toolset]
        await entry.connection.close()
        await self._files.forget(server)

    def _named(self, name: str) -> _Entry:
        return next(
            entry for entry in self._entries.values() if entry.connection.server.name == name
        )

    def _put(
        self, server: McpSettings, source: McpSource, *, enabled: bool, trouble: str = ""
    ) -> None:
        if server.secrets:
            self._redact.learn(secret.reveal() for secret in server.secrets)
        connection = Connection(server, self._files, self._clock, self._redact)
        self._entries[server.toolset] = _Entry(connection, source, enabled=enabled, trouble=trouble)

    def _bring_back(self, added: AddedServer, *, enabled: bool) -> None:
        """One that was added to an earlier process; whatever it holds must not stop the start."""
        try:
            self._put(self._adding.settle(added), "added", enabled=enabled)
        except BadRequest as error:
            _log.warning("MCP server %s: %s", added.name, self._redact(error.message))
            self._put(_unusable(added), "added", enabled=enabled, trouble=error.message)
        except Conflict as error:
            _log.warning("MCP server %s is left out: %s", added.name, error.message)


def _unusable(added: AddedServer) -> McpSettings:
    toolset = toolset_of(added.name)
    return McpSettings(added.name, toolset, "", "stdio", Path())


def _status(entry: _Entry) -> McpStatus:
    connection = entry.connection
    server, listing = connection.server, connection.listing
    shown = McpStatus(
        name=server.name,
        toolset=server.toolset,
        transport=server.transport,
        health=connection.health,
        detail=connection.detail,
        enabled=entry.enabled,
        source=entry.source,
        place=server.source,
    )
    if not entry.enabled:
        return shown
    if entry.trouble:
        return replace(shown, health="failing", detail=entry.trouble)
    return replace(
        shown,
        version=listing.version,
        tools=tuple(tool.spec.name for tool in tools_of(connection)),
        resources=listing.resources,
        prompts=listing.prompts,
    )
