"""MCP servers of ours in a test, with what they need."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from angelia.adapters.mcp.listing_files import ListingFiles
from angelia.adapters.mcp.servers import Adding, McpServers
from angelia.adapters.system_clock import SystemClock
from angelia.config import Settings, added_server, load
from angelia.core.redact import Redactor
from angelia.ports import Tool


def settings_for(folder: Path, **servers: dict[str, Any]) -> Settings:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "mcp.json"
    file.write_bytes(msgspec.json.encode({"mcpServers": servers}))
    return load({"ANGELIA_MCP_CONFIG": str(file)}, home=folder / "home")


@asynccontextmanager
async def opened(folder: Path, **servers: dict[str, Any]) -> AsyncIterator[McpServers]:
    settings = settings_for(folder, **servers)
    secrets = [secret.reveal() for server in settings.mcp for secret in server.secrets]
    files = ListingFiles(folder / "home" / "mcp")
    adding = Adding(lambda each: added_server(each.name, each.section, settings, {}))
    given = McpServers(settings.mcp, files, SystemClock(), Redactor(*secrets), adding)
    try:
        yield given
    finally:
        await given.close()


async def by_name(servers: McpServers) -> dict[str, Tool]:
    return {tool.spec.name: tool for tool in await servers.tools()}
