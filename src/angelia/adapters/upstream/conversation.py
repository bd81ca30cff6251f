"""One question to a provider over HTTP: bytes out, deltas while they come, the reply.

Above: the model, which decides about asking again. Below: aiohttp. Whatever goes wrong with the
network leaves here as an UpstreamError; whatever goes wrong with `show` leaves as it is.
"""

import asyncio
from collections.abc import Awaitable, Callable
from ssl import SSLCertVerificationError

import aiohttp

from angelia.adapters.upstream.endpoint import PROTOCOLS, Endpoint
from angelia.adapters.upstream.retry import retry_after
from angelia.adapters.upstream.watch import Watch
from angelia.core.events import Delta
from angelia.core.merge import merged
from angelia.core.messages import Reply
from angelia.errors import UpstreamError, UpstreamGarbled, UpstreamStalled, UpstreamUnreachable
from angelia.wire import faults, sse
from angelia.wire.manner import PLAIN, Manner

Show = Callable[[list[Delta]], Awaitable[None]]

# How long a provider may take to end an answer whose last word has come. A connection that is
# not at its end cannot be used again.
_GRACE = 0.25


def open_session() -> aiohttp.ClientSession:
    """Connections are kept for the next question; their number is not limited."""
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=60, ttl_dns_cache=60)
    return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())


class Conversation:
    """Asked once. Closes its connection at once if it is cancelled or fails."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        endpoint: Endpoint,
        show: Show,
        now: float,
        manner: Manner = PLAIN,
    ) -> None:
        self._session = session
        self._endpoint = endpoint
        self._spoken = PROTOCOLS[endpoint.protocol]
        self._show = show
        self._now = now
        self._manner = manner
        self._begun = False

    async def ask(self, body: bytes, *, stream: bool) -> Reply:
        """Raises UpstreamError."""
        patience = self._endpoint.patience
        budget = patience.first_token if stream else patience.whole
        watch = Watch(budget)
        try:
            async with watch:
                return await self._ask(body, watch, stream=stream)
        except TimeoutError:
            if watch.expired:
                raise self._stalled(stream=stream) from None
            raise

    async def _ask(self, body: bytes, watch: Watch, *, stream: bool) -> Reply:
        response = await self._post(body)
        try:
            await self._check(response)
            if _is_stream(response, asked=stream):
                return await self._read_stream(response, watch)
            return await self._read_whole(response, watch)
        finally:
            # Does nothing to a connection whose answer has been read to its end.
            response.close()

    async def _post(self, body: bytes) -> aiohttp.ClientResponse:
        try:
            return await self._session.post(
                self._endpoint.url,
                data=body,
                headers=self._endpoint.all_headers,
                timeout=aiohttp.ClientTimeout(connect=self._endpoint.patience.connect),
                # A redirected POST would carry the key to somebody else.
                allow_redirects=False,
            )
        except (aiohttp.ClientError, OSError) as error:
            raise self._unreachable(error) from error

    async def _check(self, response: aiohttp.ClientResponse) -> None:
        if 200 <= response.status < 300:
            return
        body = await self._read_all(response)
        headers = {name.lower(): value for name, value in response.headers.items()}
        raise faults.refused(response.status, body, retry_after(headers, self._now))

    async def _read_stream(self, response: aiohttp.ClientResponse, watch: Watch) -> Reply:
        decoder, reader = sse.Decoder(), self._spoken.reader(self._manner)
        between = self._endpoint.patience.between_chunks
        while not reader.done:
            chunk = await self._read(response)
            deltas: list[Delta] = []
            for event in decoder.feed(chunk) if chunk else decoder.close():
                deltas += reader.feed(event)
            if deltas:
                await self._pass_on(merged(deltas) if len(deltas) > 1 else deltas, watch)
            if not chunk:
                break
            if self._begun:
                watch.allow(between)
        watch.pause()
        await self._read_to_end(response)
        return reader.finish()

    async def _read_whole(self, response: aiohttp.ClientResponse, watch: Watch) -> Reply:
        watch.allow(self._endpoint.patience.whole)
        deltas, reply = self._spoken.whole(await self._read_all(response), self._manner)
        await self._pass_on(deltas, watch)
        return reply

    async def _pass_on(self, deltas: list[Delta], watch: Watch) -> None:
        """The provider is not to blame for the time this takes."""
        watch.pause()
        self._begun = True
        await self._show(deltas)

    # ── bytes ───────────────────────────────────────────────────────────────────────────

    async def _read(self, response: aiohttp.ClientResponse) -> bytes:
        """Whatever has arrived; nothing at the end."""
        try:
            return await response.content.readany()
        except (aiohttp.ClientError, OSError) as error:
            raise self._unreachable(error) from error

    async def _read_all(self, response: aiohttp.ClientResponse) -> bytes:
        try:
            return await response.read()
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

    def _stalled(self, *, stream: bool) -> UpstreamStalled:
        patience, host = self._endpoint.patience, self._endpoint.host
        if self._begun:
            wait, what = patience.between_chunks, "fell silent in the middle of its answer"
        else:
            wait, what = patience.first_token if stream else patience.whole, "sent no answer"
        return UpstreamStalled(f"{host} {what} for {wait:g} s.", retryable=True)

    def _unreachable(self, error: aiohttp.ClientError | OSError) -> UpstreamError:
        host = self._endpoint.host
        if isinstance(error, aiohttp.ClientPayloadError | aiohttp.ServerDisconnectedError):
            message = f"{host} closed the connection before the end of its answer."
            return UpstreamUnreachable(message, retryable=True)
        if isinstance(error, aiohttp.ClientResponseError):
            return UpstreamGarbled(f"{host} does not answer in HTTP.", retryable=True)
        reason = str(error) or type(error).__name__
        hopeless = isinstance(
            error, SSLCertVerificationError | aiohttp.InvalidURL | aiohttp.NonHttpUrlClientError
        )
        message = f"The connection to {host} failed: {reason}"
        return UpstreamUnreachable(message, retryable=not hopeless)


def _is_stream(response: aiohttp.ClientResponse, *, asked: bool) -> bool:
    """What came counts, not what was asked for; without a clear word, what was asked for."""
    content = response.headers.get("content-type", "").lower()
    return "event-stream" in content or (asked and "json" not in content)
