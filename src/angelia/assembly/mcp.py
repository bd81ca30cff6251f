"""The MCP servers that agents may use."""

from angelia.adapters import logs
from angelia.adapters.mcp.listing_files import ListingFiles
from angelia.adapters.mcp.servers import McpServers
from angelia.adapters.system_clock import SystemClock
from angelia.config import AgentSettings, McpSettings, Settings
from angelia.core.redact import Redactor
from angelia.ports import Clock, McpStatus

FOLDER = "mcp"
LOOK_SECONDS = 30.0


def mcp_servers(settings: Settings, clock: Clock, redact: Redactor) -> McpServers:
    """Those that some agent has a use for; the others are never started."""
    used = [
        server for server in settings.mcp if any(_may_use(each, server) for each in settings.agents)
    ]
    return McpServers(used, ListingFiles(settings.home / FOLDER), clock, redact)


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
