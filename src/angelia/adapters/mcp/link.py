"""One open connection to an MCP server, through the official SDK.

Above: `Connection`, which imports this only when a server is to be reached, for the SDK takes its
time to load. The task that calls `hold` owns every scope of the SDK; calls may come from any task.
"""

import asyncio
import logging
import os
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from types import TracebackType
from typing import Self, TypeVar

import anyio
import httpx2
import mcp_types as mcp
from mcp import ClientSession, MCPError, StdioServerParameters, stdio_client
from mcp.client.session import IncomingMessage
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.dispatcher import ProgressFnT
from mcp.shared.message import SessionMessage

from angelia import __version__
from angelia.adapters.mcp import results
from angelia.adapters.mcp.listing import Listing
from angelia.adapters.mcp.offers import listing_of
from angelia.adapters.mcp.process import Complaints, command_line, environment, listened
from angelia.config import McpSettings
from angelia.errors import AngeliaError, ToolError
from angelia.ports import ToolOutput

# A first start may have to fetch the server from a package registry.
STARTUP_SECONDS = 60.0
_CONNECT_SECONDS = 30.0
# The SDK's words for an answer that it could not make anything of.
_REFUSED = "Server returned an error response"

Reading = ReadStream[SessionMessage | Exception]
Streams = tuple[Reading, WriteStream[SessionMessage]]
T = TypeVar("T")

_log = logging.getLogger(__name__)
# What the SDK complains of is told by us, in one line. At debug all of it is heard.
if not logging.getLogger().isEnabledFor(logging.DEBUG):
    for _noisy in ("mcp", "client", "httpx2"):
        logging.getLogger(_noisy).setLevel(logging.CRITICAL)


class LinkLost(AngeliaError):
    """The server went away; `unheard` says that it has not even read what it was asked."""

    def __init__(self, message: str, *, unheard: bool = False) -> None:
        super().__init__(message)
        self.unheard = unheard


class Link:
    """What may be asked of a server while the connection lasts.

    `refusal` is the last status by which HTTP refused something; the SDK keeps it to itself.
    """

    def __init__(self, server: McpSettings) -> None:
        self._server = server
        self.ended = asyncio.Event()
        self.changed = asyncio.Event()
        self.refusal = 0
        self._session: ClientSession | None = None

    @property
    def session(self) -> ClientSession:
        if self._session is None:
            raise LinkLost("The connection is not there yet.", unheard=True)
        return self._session

    def begin(self, session: ClientSession) -> None:
        self._session = session

    async def listing(self) -> Listing:
        return await listing_of(self.session)

    async def call(
        self, name: str, arguments: dict[str, object], progress: ProgressFnT
    ) -> ToolOutput:
        """Raises LinkLost, TimeoutError, and ToolError for what the server says is wrong."""
        asked = self.session.call_tool(
            name, arguments, read_timeout_seconds=self._server.timeout, progress_callback=progress
        )
        return results.told(await self._answer(asked))

    async def read(self, uri: str) -> str:
        return results.read(await self._answer(self.session.read_resource(uri)))

    async def prompt(self, name: str, arguments: dict[str, str]) -> str:
        return results.prompt(await self._answer(self.session.get_prompt(name, arguments)))

    async def heard(self, message: IncomingMessage) -> None:
        match message:
            case (
                mcp.ToolListChangedNotification()
                | mcp.ResourceListChangedNotification()
                | mcp.PromptListChangedNotification()
            ):
                self.changed.set()
            case Exception():
                _log.debug("MCP server %s: not a message: %s", self._server.name, message)
            case _:
                pass

    async def _answer(self, asked: Awaitable[T]) -> T:
        try:
            return await asked
        except MCPError as error:
            raise self._fault(error) from error
        except (anyio.ClosedResourceError, anyio.BrokenResourceError) as error:
            raise LinkLost("The connection was closed.") from error
        # The SDK checks what servers send against what they said they would send.
        except (RuntimeError, ValueError) as error:
            said = f"The MCP server {self._server.name!r} answered wrongly: {error}"
            raise ToolError(said) from error

    def _fault(self, error: MCPError) -> Exception:
        name = self._server.name
        # Servers use the same codes for troubles of their own, so the words count too.
        if self._server.transport != "stdio" and self._is_forgotten(error):
            self.ended.set()
            return LinkLost("The server has forgotten the session.", unheard=True)
        if error.code == mcp.REQUEST_TIMEOUT and "timed out" in error.message:
            return TimeoutError(
                f"The MCP server {name!r} did not answer within {self._server.timeout:g} s; "
                "it was told to stop."
            )
        if error.code == mcp.CONNECTION_CLOSED and error.message == "Connection closed":
            self.ended.set()
            return LinkLost("The connection was closed.")
        if error.message == _REFUSED and self.refusal:
            return ToolError(f"The MCP server {name!r} answers with HTTP status {self.refusal}.")
        return ToolError(f"The MCP server {name!r} says: {error.message}")

    def _is_forgotten(self, error: MCPError) -> bool:
        """A server that was started again refuses whoever it does not know, before it does it."""
        refused = error.message == _REFUSED and self.refusal in (400, 404, 410)
        return refused or "session" in error.message.lower()

    async def note(self, answer: httpx2.Response) -> None:
        if answer.status_code >= 400 and answer.request.method == "POST":
            self.refusal = answer.status_code


async def hold(
    server: McpSettings,
    up: Callable[[Link], Awaitable[None]],
    stopping: asyncio.Event,
    complaints: Complaints,
) -> None:
    """Connects, tells `up`, and returns when the connection has ended or `stopping` is set.

    `up` is told again whenever the server says that its lists have changed. Raises whatever keeps
    a connection from being made.
    """
    link, settled = Link(server), asyncio.Event()
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(_bounded, group.cancel_scope, settled, stopping)
            async with _streams(server, link, complaints) as (reading, writing):
                watched = Watched(reading, link.ended)
                who = mcp.Implementation(name="angelia", version=__version__)
                session = ClientSession(
                    watched, writing, message_handler=link.heard, client_info=who
                )
                async with session:
                    await _shake_hands(session, link)
                    link.begin(session)
                    await up(link)
                    settled.set()
                    await _lasts(link, up)
            group.cancel_scope.cancel()
    finally:
        link.ended.set()
    if not settled.is_set() and not stopping.is_set():
        raise TimeoutError(f"it did not answer within {STARTUP_SECONDS:g} s")


async def _bounded(
    scope: anyio.CancelScope, settled: asyncio.Event, stopping: asyncio.Event
) -> None:
    """Ends what takes too long to begin, and whatever is to stop."""
    started = asyncio.create_task(settled.wait())
    stopped = asyncio.create_task(stopping.wait())
    try:
        await asyncio.wait(
            (started, stopped), timeout=STARTUP_SECONDS, return_when=asyncio.FIRST_COMPLETED
        )
        if settled.is_set():
            await stopped
        scope.cancel()
    finally:
        started.cancel()
        stopped.cancel()


async def _shake_hands(session: ClientSession, link: Link) -> None:
    try:
        await session.initialize()
    except MCPError as error:
        if error.code == mcp.CONNECTION_CLOSED:
            raise LinkLost("it ended before it answered") from error
        if link.refusal and error.message in (_REFUSED, "Not Found"):
            raise LinkLost(f"it answers with HTTP status {link.refusal}") from error
        if error.code not in (mcp.UNSUPPORTED_PROTOCOL_VERSION, mcp.METHOD_NOT_FOUND):
            raise
        # A server that knows only the newest way to begin.
        await session.discover()


async def _lasts(link: Link, up: Callable[[Link], Awaitable[None]]) -> None:
    ended = asyncio.create_task(link.ended.wait())
    try:
        while not link.ended.is_set():
            changed = asyncio.create_task(link.changed.wait())
            try:
                await asyncio.wait((ended, changed), return_when=asyncio.FIRST_COMPLETED)
            finally:
                changed.cancel()
            if link.changed.is_set() and not link.ended.is_set():
                link.changed.clear()
                await up(link)
    finally:
        ended.cancel()


# ── transports ──────────────────────────────────────────────────────────────────────────────


@asynccontextmanager
async def _streams(
    server: McpSettings, link: Link, complaints: Complaints
) -> AsyncGenerator[Streams]:
    async with AsyncExitStack() as closing:
        headers = {name: text.reveal() for name, text in server.headers.items()}
        match server.transport:
            case "stdio":
                file = await closing.enter_async_context(listened(complaints))
                yield await closing.enter_async_context(stdio_client(_started(server), file))
            case "http":
                # Streams stay open as long as they like; every request has a time limit of its own.
                waits = httpx2.Timeout(_CONNECT_SECONDS, read=None)
                hooks = {"response": [link.note]}
                client = httpx2.AsyncClient(headers=headers, timeout=waits, event_hooks=hooks)
                await closing.enter_async_context(client)
                url = server.url.reveal()
                yield await closing.enter_async_context(
                    streamable_http_client(url, http_client=client)
                )
            case "sse":
                url = server.url.reveal()
                yield await closing.enter_async_context(
                    sse_client(url, headers, sse_read_timeout=1_000_000_000)
                )


def _started(server: McpSettings) -> StdioServerParameters:
    env = environment(server, os.environ)
    command, *arguments = command_line(server, env)
    server.folder.mkdir(parents=True, exist_ok=True)
    return StdioServerParameters(
        command=command,
        args=arguments,
        env=env,
        cwd=server.folder,
        encoding_error_handler="replace",
    )


class Watched:
    """A stream that says when it has ended, which the SDK keeps to itself."""

    def __init__(self, stream: Reading, ended: asyncio.Event) -> None:
        self._stream = stream
        self._ended = ended

    @property
    def last_context(self) -> object:
        return getattr(self._stream, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        try:
            return await self._stream.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError):
            self._ended.set()
            raise

    async def aclose(self) -> None:
        self._ended.set()
        await self._stream.aclose()

    def __aiter__(self) -> Reading:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self.aclose()
