"""One question to a provider over HTTP: bytes out, deltas while they come, the reply.

Above: the model. Below: aiohttp. Whatever goes wrong with the network leaves here as an
UpstreamError; whatever goes wrong with `show` leaves as it is.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Coroutine
from types import SimpleNamespace
from typing import Any, TypeVar

import aiohttp

from angelia.adapters.upstream.endpoint import PROTOCOLS, Endpoint
from angelia.adapters.upstream.pace import Pace, Vigil
from angelia.adapters.upstream.watch import Watch
from angelia.core.events import Delta
from angelia.core.merge import merged
from angelia.core.messages import Reply
from angelia.core.providers.patience import Patience
from angelia.errors import (
    UpstreamError,
    UpstreamGarbled,
    UpstreamLost,
    UpstreamStalled,
    UpstreamUnreachable,
    UpstreamUnusable,
)
from angelia.wire import faults, sse
from angelia.wire.written.manner import PLAIN, Manner

T = TypeVar("T")
Show = Callable[[list[Delta]], Awaitable[None]]
Piece = tuple[bytes, UpstreamError | None]

# What an answer in one piece begins with, or a page for people: whatever they are called, they
# are no events.
_NO_EVENTS = (b"{", b"<")

# How long a provider may take to end an answer whose last word has come. A connection that is
# not at its end cannot be used again.
_GRACE = 0.25


def open_session() -> aiohttp.ClientSession:
    """Connections are kept for the next question; their number is not limited."""
    tracing = aiohttp.TraceConfig()
    tracing.on_request_headers_sent.append(_sent)
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=60, ttl_dns_cache=60),
        cookie_jar=aiohttp.DummyCookieJar(),
        trace_configs=[tracing],
    )


async def _sent(_: aiohttp.ClientSession, context: SimpleNamespace, __: object) -> None:
    context.trace_request_ctx.begin()


class Conversation:
    """Asked once. Closes its connection at once if it is cancelled or fails."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        endpoint: Endpoint,
        patience: Patience,
        pace: Pace,
        show: Show,
        manner: Manner = PLAIN,
    ) -> None:
        self._session = session
        self._endpoint = endpoint
        self._spoken = PROTOCOLS[endpoint.protocol]
        self._patience = patience
        self._pace = pace
        self._show = show
        self._manner = manner

    async def ask(self, body: bytes, *, stream: bool) -> Reply:
        """Raises UpstreamError."""
        watch = Watch()
        vigil = Vigil(watch, self._patience, self._pace, stream=stream)
        try:
            async with watch:
                return await self._ask(body, vigil, stream=stream)
        except TimeoutError:
            if watch.expired:
                raise UpstreamStalled(f"{self._endpoint.host} {vigil.stalled()}") from None
            raise

    async def _ask(self, body: bytes, vigil: Vigil, *, stream: bool) -> Reply:
        response = await self._post(body, vigil)
        try:
            await self._check(response)
            if not _is_stream(response, asked=stream):
                return await self._read_whole(response, vigil)
            first, lost = await self._read(response)
            if first.lstrip()[:1] in _NO_EVENTS and lost is None:
                return await self._read_whole(response, vigil, first)
            return await _apart(self._read_stream(response, vigil, (first, lost)))
        finally:
            # Does nothing to a connection whose answer has been read to its end.
            response.close()

    async def _post(self, body: bytes, vigil: Vigil) -> aiohttp.ClientResponse:
        try:
            return await self._session.post(
                self._endpoint.url,
                data=body,
                headers=self._endpoint.all_headers,
                timeout=aiohttp.ClientTimeout(connect=self._patience.connect),
                # A redirected POST would carry the key to somebody else.
                allow_redirects=False,
                trace_request_ctx=vigil,
            )
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise self._unreachable(error) from error

    async def _check(self, response: aiohttp.ClientResponse) -> None:
        if 200 <= response.status < 300:
            return
        body = await self._read_all(response)
        raise faults.refused(response.status, body, response.headers)

    async def _read_stream(
        self, response: aiohttp.ClientResponse, vigil: Vigil, first: Piece
    ) -> Reply:
        decoder, reader = sse.Decoder(), self._spoken.reader(self._manner)
        read, show = response.content.readany, self._show
        chunk, lost = first
        while True:
            deltas: list[Delta] = []
            sifted, fault = reader.sifted, lost
            try:
                for event in decoder.feed(chunk) if chunk or lost else decoder.close():
                    deltas += reader.feed(event)
            except UpstreamError as error:
                fault = error
            # What came before a fault was said, even if both came at once.
            if deltas:
                vigil.pause()
                await show(merged(deltas) if len(deltas) > 1 else deltas)
                vigil.resume()
            elif reader.sifted > sifted:
                vigil.go_on()
            else:
                vigil.heard()
            if fault is not None:
                raise fault
            if not chunk or reader.done:
                break
            # As `_read` does, but that would be one more to wake up for every piece.
            try:
                chunk = await read()
            except (aiohttp.ClientError, OSError) as error:
                chunk, lost = _left_over(response.content), self._unreachable(error)
        vigil.end()
        await self._read_to_end(response)
        return reader.finish()

    async def _read_whole(
        self, response: aiohttp.ClientResponse, vigil: Vigil, first: bytes = b""
    ) -> Reply:
        vigil.come_whole()
        body = first + await self._read_all(response)
        if body.lstrip().startswith(b"<"):
            raise UpstreamGarbled(f"{self._endpoint.host} answers with a page for people.")
        deltas, reply = self._spoken.whole(body, self._manner)
        vigil.pause()
        await self._show(deltas)
        vigil.resume()
        return reply

    # ── bytes ───────────────────────────────────────────────────────────────────────────

    async def _read(self, response: aiohttp.ClientResponse) -> Piece:
        """Whatever has arrived, nothing at the end; and the fault behind it, if there is one."""
        try:
            return await response.content.readany(), None
        except (aiohttp.ClientError, OSError) as error:
            return _left_over(response.content), self._unreachable(error)

    async def _read_all(self, response: aiohttp.ClientResponse) -> bytes:
        try:
            return await read_some(response)
        except (aiohttp.ClientError, OSError) as error:
            raise self._unreachable(error) from error

    async def _read_to_end(self, response: aiohttp.ClientResponse) -> None:
        try:
            async with asyncio.timeout(_GRACE):
                while await response.content.readany():
                    pass
        except (TimeoutError, aiohttp.ClientError, OSError):
            # The answer is whole; the connection is closed instead of kept.
            return

    # ── errors ──────────────────────────────────────────────────────────────────────────

    def _unreachable(self, error: Exception) -> UpstreamError:
        host = self._endpoint.host
        message = f"The connection to {host} failed: {reason(error)}"
        if "content-encoding" in message:
            return UpstreamGarbled(f"{host} compresses its answer in a way that cannot be read.")
        match error:
            case aiohttp.ClientPayloadError() | aiohttp.ServerDisconnectedError():
                return UpstreamLost(f"{host} closed the connection before the end of its answer.")
            case aiohttp.ClientResponseError():
                return UpstreamGarbled(f"{host} does not answer in HTTP.")
            # A certificate that nobody trusts is a ValueError, like an address that is none.
            case ValueError() | aiohttp.NonHttpUrlClientError():
                return UpstreamUnusable(message)
            case aiohttp.ConnectionTimeoutError():
                seconds = self._patience.connect
                return UpstreamUnreachable(f"No connection to {host} within {seconds:.3g} s.")
            case aiohttp.ClientConnectorError():
                return UpstreamUnreachable(message)
            case _:
                return UpstreamLost(message)


async def read_some(response: aiohttp.ClientResponse) -> bytes:
    """As much as anybody has to say; what goes on for longer is no answer."""
    body = bytearray()
    while len(body) <= sse.MAX_EVENT and (piece := await response.content.readany()):
        body += piece
    return bytes(body)


async def _apart(work: Coroutine[Any, Any, T]) -> T:
    """In a task of its own: else each piece of a stream passes by everybody who awaits its end."""
    task = asyncio.create_task(work)
    try:
        return await task
    except asyncio.CancelledError:
        if task.done() and not task.cancelled():
            # It has failed in the same moment, and nobody wants to know.
            task.exception()
        raise
    finally:
        # A task that has failed knows where, and so whatever is named there.
        del task


def reason(error: Exception) -> str:
    """The system's own words, without the address that is named already."""
    if not isinstance(error, aiohttp.ClientConnectorError) or isinstance(
        error, aiohttp.ClientSSLError
    ):
        return str(error) or type(error).__name__
    known = error.os_error
    # Those of names that are not found have numbers of their own, below 0.
    told = os.strerror(known.errno) if known.errno and known.errno > 0 else known.strerror
    return told or str(known) or type(known).__name__


def _left_over(content: aiohttp.StreamReader) -> bytes:
    """What arrived just before the connection was lost; aiohttp would keep it to itself."""
    content._exception = None  # pyright: ignore[reportPrivateUsage]
    return content.read_nowait()


def _is_stream(response: aiohttp.ClientResponse, *, asked: bool) -> bool:
    """What came counts, not what was asked for; without a clear word, what was asked for."""
    content = response.headers.get("content-type", "").lower()
    return "event-stream" in content or (asked and "json" not in content)
