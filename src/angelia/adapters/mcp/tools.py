"""Tools of MCP servers as tools of ours."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, TypeVar

import msgspec
from msgspec import Raw

from angelia.adapters.mcp.connection import Connection
from angelia.adapters.mcp.listing import Offer
from angelia.config import McpSettings
from angelia.core.mcp_names import tool_names
from angelia.core.messages import Effect, ToolSpec
from angelia.core.policy import Touched
from angelia.errors import AngeliaError, ToolError
from angelia.ports import ToolContext, ToolOutput

if TYPE_CHECKING:
    from angelia.adapters.mcp.link import Link

EMOJI = "🔌"
_LABEL = 80
_LIVE_LIMIT = 256 * 1024

T = TypeVar("T")


class _OfServer:
    """What all tools of a server have in common."""

    emoji = EMOJI

    def __init__(self, connection: Connection, spec: ToolSpec) -> None:
        self._connection = connection
        self.spec = spec

    @property
    def toolset(self) -> str:
        return self._connection.server.toolset


class McpTool(_OfServer):
    """A tool of a server; its name there and its name here may differ."""

    def __init__(self, connection: Connection, offer: Offer, name: str) -> None:
        spec = ToolSpec(name, offer.description, offer.schema, effect=effect_of(offer))
        super().__init__(connection, spec)
        self._offer = offer

    def label(self, arguments: str) -> str:
        shown = " ".join("".join(c if c.isprintable() else " " for c in arguments[:400]).split())
        said = f"{self._offer.name} {'' if shown == '{}' else shown}".rstrip()
        return said if len(said) <= _LABEL else said[: _LABEL - 1].rstrip() + "…"

    def lane(self, arguments: str) -> str | None:
        """Calls that may change a server keep their order."""
        return None if self._offer.read_only else self.toolset

    def touched(self, arguments: str) -> Touched:
        return touched(self._connection.server, self._offer)

    async def call(self, arguments: str, context: ToolContext) -> ToolOutput:
        given = _object(arguments, self.spec.name)
        progress = _Progress(context)

        async def question(link: "Link") -> ToolOutput:
            return await link.call(self._offer.name, given, progress.show)

        try:
            repeatable = self.spec.effect != "irreversible"
            return await _asked(self._connection, question, repeatable=repeatable)
        finally:
            await progress.end()


def effect_of(offer: Offer) -> Effect:
    if offer.read_only:
        return "pure"
    return "idempotent" if offer.idempotent else "irreversible"


def touched(server: McpSettings, offer: Offer) -> Touched:
    """Servers say of their tools whether they reach out; the configuration knows better."""
    if server.approval == "allow":
        return Touched(harmless=True)
    reaches = server.network
    if reaches is None:
        reaches = not offer.read_only and offer.open_world is not False
    return Touched(network=reaches, harmless=bool(offer.read_only))


class _Progress:
    """What a server says of its progress, as live output; nothing is shown after the end."""

    def __init__(self, context: ToolContext) -> None:
        self._context = context
        self._lock = asyncio.Lock()
        self._room = _LIVE_LIMIT
        self._ended = False

    async def show(self, progress: float, total: float | None, message: str | None) -> None:
        share = f"{progress:g}" if total is None else f"{progress:g}/{total:g}"
        line = f"{share} {message}".rstrip() if message else share
        async with self._lock:
            if not self._ended and len(line) < self._room:
                self._room -= len(line)
                await self._context.show(f"{line}\n")

    async def end(self) -> None:
        async with self._lock:
            self._ended = True


class _Asking(_OfServer):
    """A tool about what a server has besides tools."""

    name: str
    description: str
    schema: Raw

    def __init__(self, connection: Connection, name: str) -> None:
        self._connection = connection
        spec = ToolSpec(name, self._described(), self.schema, effect="pure")
        super().__init__(connection, spec)

    def label(self, arguments: str) -> str:
        return f"{self.name} {' '.join(arguments[:_LABEL].split())}"[:_LABEL]

    def lane(self, arguments: str) -> str | None:
        return None

    def touched(self, arguments: str) -> Touched:
        server = self._connection.server
        return Touched(network=bool(server.network) and server.approval != "allow", harmless=True)

    def _described(self) -> str:
        return self.description.format(server=self._connection.server.name)


class ListResources(_Asking):
    name = "list_resources"
    description = "List the resources of the MCP server {server}: what can be read there by uri."
    schema = Raw(b'{"type":"object","properties":{}}')

    async def call(self, arguments: str, context: ToolContext) -> ToolOutput:
        lines = (
            f"{each.uri}{' (template)' if each.template else ''}"
            + "".join(
                f" · {word}" for word in (each.name, each.mime_type, each.description) if word
            )
            for each in self._connection.listing.resources
        )
        return ToolOutput("\n".join(lines) or "[no resources]")


class ReadResource(_Asking):
    name = "read_resource"
    description = "Read a resource of the MCP server {server} by its uri."
    schema = Raw(
        b'{"type":"object","properties":{"uri":{"type":"string"}},"required":["uri"],'
        b'"additionalProperties":false}'
    )

    async def call(self, arguments: str, context: ToolContext) -> ToolOutput:
        uri = _text(_object(arguments, self.spec.name), "uri", self.spec.name)

        async def question(link: "Link") -> str:
            return await link.read(uri)

        return ToolOutput(await _asked(self._connection, question))


class GetPrompt(_Asking):
    name = "get_prompt"
    description = "Get a prompt of the MCP server {server}, filled in. There are:"
    schema = Raw(
        b'{"type":"object","properties":{"name":{"type":"string"},'
        b'"arguments":{"type":"object","additionalProperties":{"type":"string"}}},'
        b'"required":["name"],"additionalProperties":false}'
    )

    async def call(self, arguments: str, context: ToolContext) -> ToolOutput:
        given = _object(arguments, self.spec.name)
        name = _text(given, "name", self.spec.name)
        try:
            words = msgspec.convert(given.get("arguments") or {}, dict[str, str])
        except msgspec.ValidationError as error:
            raise ToolError(f"Invalid arguments for {self.spec.name}: {error}") from error

        async def question(link: "Link") -> str:
            return await link.prompt(name, words)

        return ToolOutput(await _asked(self._connection, question))

    def _described(self) -> str:
        lines = [
            f"{prompt.name}({', '.join(each.name for each in prompt.arguments)})"
            + (f": {prompt.description}" if prompt.description else "")
            for prompt in self._connection.listing.prompts
        ]
        return "\n".join((super()._described(), *lines))[:4_000]


def tools_of(
    connection: Connection,
) -> "Iterator[McpTool | ListResources | ReadResource | GetPrompt]":
    """Those that the filters of the configuration let through."""
    listing, server = connection.listing, connection.server
    wanted = {offer.name: offer for offer in listing.tools if _is_wanted(server, offer.name)}
    asking = (*((ListResources, ReadResource) if listing.resources else ()),)
    asking = (*asking, *((GetPrompt,) if listing.prompts else ()))
    names = tool_names(server.toolset, (offer.name for offer in listing.tools))
    for name, offer in wanted.items():
        yield McpTool(connection, offer, names[name])
    for kind in asking:
        if kind.name not in names and _is_wanted(server, kind.name):
            yield kind(connection, tool_names(server.toolset, (kind.name,))[kind.name])


def _is_wanted(server: McpSettings, tool: str) -> bool:
    if any(fnmatchcase(tool, pattern) for pattern in server.deny):
        return False
    return server.allow is None or any(fnmatchcase(tool, pattern) for pattern in server.allow)


async def _asked(
    connection: Connection,
    question: "Callable[[Link], Awaitable[T]]",
    *,
    repeatable: bool = True,
) -> T:
    try:
        return await connection.ask(question, repeatable=repeatable)
    except ToolError:
        raise
    except AngeliaError as error:
        raise connection.lost() from error


def _object(arguments: str, tool: str) -> dict[str, object]:
    try:
        return msgspec.json.decode(arguments.strip() or "{}", type=dict[str, object])
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise ToolError(
            f"Invalid arguments for {tool}: expected a JSON object ({error})."
        ) from error


def _text(given: dict[str, object], field: str, tool: str) -> str:
    value = given.get(field)
    if not isinstance(value, str) or not value:
        raise ToolError(f"Invalid arguments for {tool}: {field!r} is missing; it is a string.")
    return value
