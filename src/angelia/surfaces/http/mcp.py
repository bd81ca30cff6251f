"""/v1/mcp and /api/mcp: the MCP servers of this server; listed, added, switched and removed."""

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from angelia.core.toolsets import admits
from angelia.ports import ApiKey, McpPrompt, McpResource, McpStatus
from angelia.surfaces.http.requests import body, caller, services
from angelia.wire import discovery as wire
from angelia.wire.tools.request import parse_add, parse_switch
from angelia.wire.tools.shapes import ServerRemovedOut

JSON = "application/json"


async def find(request: Request) -> Response:
    """Connects to those that nobody has used yet, and waits a little for them.

    What the key may not use does not exist for it.
    """
    key = await caller(request, "chat", "runs", "read")
    given = services(request)
    await given.runs.toolbox.refresh()
    shown = (_server(status, key) for status in given.mcp.statuses() if _is_seen(status, key))
    return _answer(wire.McpServers(tuple(shown)))


async def add(request: Request) -> Response:
    """No answer shows the settings of a server again."""
    key = await caller(request, "admin")
    asked = parse_add(await body(request))
    desk = services(request).mcp
    status = await desk.add(asked.name, asked.section, enabled=asked.enabled)
    return _answer(_server(status, key), 201)


async def change(request: Request) -> Response:
    key = await caller(request, "admin")
    on = parse_switch(await body(request))
    status = await services(request).mcp.switch(request.path_params["server_name"], on=on)
    return _answer(_server(status, key))


async def reconnect(request: Request) -> Response:
    key = await caller(request, "admin")
    status = await services(request).mcp.reconnect(request.path_params["server_name"])
    return _answer(_server(status, key))


async def remove(request: Request) -> Response:
    await caller(request, "admin")
    name = request.path_params["server_name"]
    await services(request).mcp.remove(name)
    return _answer(ServerRemovedOut(name, deleted=True))


def _answer(shown: msgspec.Struct, status: int = 200) -> Response:
    return Response(msgspec.json.encode(shown), status, media_type=JSON)


def _is_seen(status: McpStatus, key: ApiKey) -> bool:
    """A server that has no tools yet is seen by those who may use all that it will have."""
    probe = f"{status.toolset}__"
    return admits(key.rules.tools, probe, status.toolset) or bool(_tools(status, key))


def _tools(status: McpStatus, key: ApiKey) -> tuple[str, ...]:
    allowed = key.rules.tools
    return tuple(name for name in status.tools if admits(allowed, name, status.toolset))


def _server(status: McpStatus, key: ApiKey) -> wire.McpServer:
    tools = _tools(status, key)
    reads = any(name.endswith("__read_resource") for name in tools)
    prompts = any(name.endswith("__get_prompt") for name in tools)
    return wire.McpServer(
        name=status.name,
        toolset=status.toolset,
        transport=status.transport,
        health=status.health,
        detail=status.detail,
        version=status.version,
        tools=tools,
        resources=tuple(map(_resource, status.resources)) if reads else (),
        prompts=tuple(map(_prompt, status.prompts)) if prompts else (),
        enabled=status.enabled,
        source=status.source,
    )


def _resource(given: McpResource) -> wire.McpResource:
    return wire.McpResource(
        given.uri, given.name, given.description, given.mime_type, given.template
    )


def _prompt(given: McpPrompt) -> wire.McpPrompt:
    arguments = tuple(
        wire.McpPromptArgument(each.name, each.description, each.required)
        for each in given.arguments
    )
    return wire.McpPrompt(given.name, given.description, arguments)
