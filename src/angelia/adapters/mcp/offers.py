"""Asking an MCP server what it has: tools, resources and prompts, page by page."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Protocol, TypeVar

import mcp_types as mcp
import msgspec
from mcp import ClientSession, MCPError
from msgspec import Raw

from angelia.adapters.mcp.listing import Listing, Offer
from angelia.ports import McpPrompt, McpPromptArgument, McpResource

# A server whose pages never end is not listened to for ever.
_PAGES = 50
_LONGEST = 4_000


class _Page(Protocol):
    @property
    def next_cursor(self) -> str | None: ...


P = TypeVar("P", bound=_Page)
Ask = Callable[..., Awaitable[P]]


async def listing_of(session: ClientSession) -> Listing:
    """What a server cannot list it does not have."""
    able = session.server_capabilities or mcp.ServerCapabilities()
    who = session.server_info
    return Listing(
        await _tools(session) if able.tools is not None else (),
        await _resources(session) if able.resources is not None else (),
        await _prompts(session) if able.prompts is not None else (),
        f"{who.name} {who.version}".strip() if who else "",
    )


async def _tools(session: ClientSession) -> tuple[Offer, ...]:
    found: list[Offer] = []
    async for page in _pages(session.list_tools):
        found += [_offer(tool) for tool in page.tools if not _needs_a_task(tool)]
    return tuple(found)


def _needs_a_task(tool: mcp.Tool) -> bool:
    """Such a tool refuses the plain calls that are made here."""
    return tool.execution is not None and tool.execution.task_support == "required"


def _offer(tool: mcp.Tool) -> Offer:
    hints = tool.annotations or mcp.ToolAnnotations()
    return Offer(
        tool.name,
        _bounded(tool.description or tool.title or hints.title or ""),
        Raw(msgspec.json.encode(_whole(tool.input_schema))),
        hints.read_only_hint,
        hints.idempotent_hint,
        hints.open_world_hint,
    )


def _whole(schema: dict[str, Any]) -> dict[str, Any]:
    """As the server has it; what providers insist on is added where it is missing."""
    wanted: dict[str, Any] = {"type": "object", "properties": {}}
    return schema | {key: value for key, value in wanted.items() if key not in schema}


async def _resources(session: ClientSession) -> tuple[McpResource, ...]:
    found: list[McpResource] = []
    async for page in _pages(session.list_resources):
        found += [_resource(each.uri, each) for each in page.resources]
    try:
        async for page in _pages(session.list_resource_templates):
            found += [_resource(each.uri_template, each) for each in page.resource_templates]
    except MCPError as error:
        if error.code != mcp.METHOD_NOT_FOUND:
            raise
    return tuple(found)


def _resource(uri: str, given: mcp.Resource | mcp.ResourceTemplate) -> McpResource:
    return McpResource(
        uri,
        given.title or given.name,
        _bounded(given.description or ""),
        given.mime_type or "",
        isinstance(given, mcp.ResourceTemplate),
    )


async def _prompts(session: ClientSession) -> tuple[McpPrompt, ...]:
    found: list[McpPrompt] = []
    async for page in _pages(session.list_prompts):
        found += [_prompt(each) for each in page.prompts]
    return tuple(found)


def _prompt(given: mcp.Prompt) -> McpPrompt:
    arguments = tuple(
        McpPromptArgument(each.name, _bounded(each.description or ""), bool(each.required))
        for each in given.arguments or ()
    )
    return McpPrompt(given.name, _bounded(given.description or ""), arguments)


async def _pages(ask: Ask[P]) -> AsyncIterator[P]:
    cursor: str | None = None
    for _ in range(_PAGES):
        page = await ask(params=mcp.PaginatedRequestParams(cursor=cursor) if cursor else None)
        yield page
        cursor = page.next_cursor
        if not cursor:
            return


def _bounded(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
