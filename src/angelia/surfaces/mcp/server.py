"""The MCP server over stdin and stdout, through the official SDK."""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Any

import mcp_types as mcp
import msgspec
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from angelia import __version__
from angelia.config import Settings
from angelia.config.running import running_at
from angelia.errors import AngeliaError, HomeInUse
from angelia.runtime.services import Services
from angelia.surfaces.mcp.embedded import Embedded
from angelia.surfaces.mcp.place import Place
from angelia.surfaces.mcp.remote import Remote
from angelia.surfaces.mcp.tools import OFFERED, Kind

Open = Callable[[Settings], AbstractAsyncContextManager[Services]]

INSTRUCTIONS = (
    "Angelia runs agents with tools of their own. start_run gives one a task; follow_run tells "
    "what it does and how it ends; approve answers where it asks; stop_run stops it."
)
_BY_NAME = {offered.name: offered for offered in OFFERED}


async def serve(settings: Settings, open_services: Open) -> None:
    """Until the client closes stdin or a signal comes. Runs under way at a server go on there."""
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    async with _place(settings, open_services) as place:
        serving = asyncio.create_task(_serve(place))
        stopped = asyncio.create_task(stopping.wait())
        await asyncio.wait((serving, stopped), return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
    if not serving.done():
        # A thread waits for a line of stdin, and nothing but a line wakes it.
        os._exit(0)
    await serving


@asynccontextmanager
async def _place(settings: Settings, open_services: Open) -> AsyncGenerator[Place]:
    """In this process, or at the server that works in the home folder already."""
    async with AsyncExitStack() as closing:
        yield await _found(settings, open_services, closing)


async def _found(settings: Settings, open_services: Open, closing: AsyncExitStack) -> Place:
    try:
        return Embedded(await closing.enter_async_context(open_services(settings)))
    except HomeInUse:
        return await closing.enter_async_context(Remote(*running_at(settings)))


async def _serve(place: Place) -> None:
    server = _server(place)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


def _server(place: Place) -> Server[dict[str, Any]]:
    async def list_tools(
        _: ServerRequestContext[Any], __: mcp.PaginatedRequestParams | None
    ) -> mcp.ListToolsResult:
        return mcp.ListToolsResult(tools=[_tool(offered.name) for offered in OFFERED])

    async def call_tool(
        context: ServerRequestContext[Any], params: mcp.CallToolRequestParams
    ) -> mcp.CallToolResult:
        return await _called(place, context, params)

    return Server(
        "angelia",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _tool(name: str) -> mcp.Tool:
    offered = _BY_NAME[name]
    return mcp.Tool(
        name=offered.name,
        description=offered.description,
        input_schema=msgspec.json.decode(offered.schema),
        annotations=_hints(offered.kind),
    )


def _hints(kind: Kind) -> mcp.ToolAnnotations:
    """A task given twice is done twice; stopping twice is stopping once."""
    return mcp.ToolAnnotations(
        read_only_hint=kind == "reads",
        destructive_hint=kind != "reads",
        idempotent_hint=kind != "changes",
        open_world_hint=kind == "changes",
    )


async def _called(
    place: Place, context: ServerRequestContext[Any], params: mcp.CallToolRequestParams
) -> mcp.CallToolResult:
    offered = _BY_NAME.get(params.name)
    if offered is None:
        return _refused(f"There is no tool {params.name!r}; there are: {', '.join(_BY_NAME)}.")

    async def tell(seq: int, words: str) -> None:
        await context.session.report_progress(seq, None, words)

    try:
        answer = await offered.work(place, msgspec.json.encode(params.arguments or {}), tell)
    except AngeliaError as error:
        return _refused(str(error))
    return mcp.CallToolResult(
        content=[mcp.TextContent(text=answer.decode())],
        structured_content=msgspec.json.decode(answer),
    )


def _refused(message: str) -> mcp.CallToolResult:
    return mcp.CallToolResult(content=[mcp.TextContent(text=message)], is_error=True)
