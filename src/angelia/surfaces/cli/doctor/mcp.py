"""Whether the MCP servers of the settings work, as the server sees them or as they are tried."""

from collections.abc import Awaitable, Callable, Sequence

import msgspec
from msgspec import Struct

from angelia.config import Settings
from angelia.ports import McpStatus
from angelia.ports.mcp import McpHealth
from angelia.surfaces.cli.doctor.check import Check
from angelia.surfaces.cli.doctor.served import Server

Look = Callable[[Settings], Awaitable[Sequence[McpStatus]]]


class _Seen(Struct, frozen=True):
    name: str
    health: McpHealth
    detail: str
    tools: tuple[str, ...]


class _Listed(Struct, frozen=True):
    data: tuple[_Seen, ...]


async def mcp_checks(server: Server, look: Look) -> list[Check]:
    """A server that does not work costs its tools, nothing else: it is never `broken`."""
    if not server.settings.mcp:
        return []
    answer = await server.get("/v1/mcp")
    if answer is not None and answer.status == 200:
        found = msgspec.json.decode(answer.body, type=_Listed).data
    else:
        tried = await look(server.settings)
        found = tuple(_Seen(each.name, each.health, each.detail, each.tools) for each in tried)
    return [_check(each) for each in found]


def _check(seen: _Seen) -> Check:
    part = f"mcp {seen.name}"
    tools = f"{len(seen.tools)} tool{'' if len(seen.tools) == 1 else 's'}"
    if seen.health == "connected":
        return Check(part, "ok", tools)
    if seen.health == "failing":
        advice = "runs go on without it; correct it in the settings, or leave it out"
        return Check(part, "note", f"does not work: {seen.detail}", advice)
    return Check(part, "note", f"{seen.health}; {tools} known", "ask again in a moment")
