"""/v1/tools and /api/tools: the tools of this server, listed, switched off and on."""

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from angelia.core.toolsets import admits
from angelia.ports import Tool
from angelia.surfaces.http.requests import body, caller, services
from angelia.wire import discovery as wire
from angelia.wire.tools.request import parse_switch

JSON = "application/json"


async def find(request: Request) -> Response:
    """What the key may not use does not exist for it."""
    key = await caller(request, "chat", "runs", "read")
    allowed = key.rules.tools
    toolbox = services(request).runs.toolbox
    await toolbox.refresh()
    shown = (
        _shown(tool, enabled=toolbox.is_on(tool.spec.name))
        for tool in toolbox.every
        if admits(allowed, tool.spec.name, tool.toolset)
    )
    return _answer(wire.Tools(tuple(shown)))


async def change(request: Request) -> Response:
    """Runs under way keep what they were started with."""
    key = await caller(request, "admin")
    on = parse_switch(await body(request))
    board = services(request).switchboard
    tool = await board.switch(request.path_params["tool_name"], on=on, allowed=key.rules.tools)
    return _answer(_shown(tool, enabled=on))


def _shown(tool: Tool, *, enabled: bool) -> wire.Tool:
    return wire.Tool(
        name=tool.spec.name,
        description=tool.spec.description,
        emoji=tool.emoji,
        effect=tool.spec.effect,
        parameters=tool.spec.parameters,
        toolset=tool.toolset,
        enabled=enabled,
    )


def _answer(shown: msgspec.Struct) -> Response:
    return Response(msgspec.json.encode(shown), media_type=JSON)
