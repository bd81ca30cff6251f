"""The MCP servers that agents may use."""

import os
from collections.abc import Callable, Iterable

from angelia.adapters import logs
from angelia.adapters.mcp.listing_files import ListingFiles
from angelia.adapters.mcp.servers import Adding, McpServers
from angelia.adapters.system_clock import SystemClock
from angelia.config import AgentSettings, ConfigError, McpSettings, Settings, added_server
from angelia.core.redact import Redactor
from angelia.errors import BadRequest, Conflict
from angelia.ports import AddedServer, Clock, McpStatus

FOLDER = "mcp"
LOOK_SECONDS = 30.0


def mcp_servers(
    settings: Settings,
    clock: Clock,
    redact: Redactor,
    added: Iterable[AddedServer] = (),
    off: frozenset[str] = frozenset(),
) -> McpServers:
    """Those that some agent has a use for; the others are never started. With all that are `added`.

    Names that are `off` are switched off.
    """
    used = [
        server for server in settings.mcp if any(_may_use(each, server) for each in settings.agents)
    ]
    files = ListingFiles(settings.home / FOLDER)
    adding = Adding(_settling(settings), settings.approvals.irreversible)
    return McpServers(used, files, clock, redact, adding, off=off, added=added)


def _settling(settings: Settings) -> Callable[[AddedServer], McpSettings]:
    """How a server that is added is read: as it would be in a file."""

    def settle(added: AddedServer) -> McpSettings:
        try:
            server = added_server(added.name, added.section, settings, os.environ)
        except ConfigError as error:
            raise BadRequest(str(error), code="invalid_value") from error
        for other in settings.mcp:
            if other.toolset == server.toolset:
                raise Conflict(
                    f"There is an MCP server {other.name!r} in {other.source}; "
                    "choose another name.",
                    code="mcp_server_exists",
                )
        return server

    return settle


def mcp_secrets(settings: Settings) -> set[str]:
    return {secret.reveal() for server in settings.mcp for secret in server.secrets}


async def look_at_mcp(settings: Settings) -> tuple[McpStatus, ...]:
    """Starts every server to see whether it works, and ends it again."""
    redact = Redactor(*mcp_secrets(settings))
    # What does not work is in the answer; the log has no more to say.
    logs.configure("error", settings.server.log_form, redact)
    servers = mcp_servers(settings, SystemClock(), redact)
    try:
        await servers.try_all(LOOK_SECONDS)
        return tuple(servers.statuses())
    finally:
        await servers.close()


def _may_use(agent: AgentSettings, server: McpSettings) -> bool:
    """Its tools are not known yet, so a name with a `*` may mean any of them."""
    if agent.tools is None:
        return True
    return any(
        "*" in word or word == server.toolset or word.startswith(f"{server.toolset}__")
        for word in agent.tools
    )
