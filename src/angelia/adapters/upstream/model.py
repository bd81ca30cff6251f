"""A model behind HTTP, asked again when a fault may pass and nothing was shown yet."""

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

from angelia.adapters.upstream.endpoint import PROTOCOLS, Endpoint
from angelia.adapters.upstream.retry import streaming_refused, wait
from angelia.core.events import Delta, Notice
from angelia.core.messages import Prompt, Reply
from angelia.core.redact import redact
from angelia.errors import UpstreamError
from angelia.ports import Clock, Emit

if TYPE_CHECKING:
    from aiohttp import ClientSession


class Upstream:
    """The connections of a process to all its providers. Opened by the first question."""

    def __init__(self, clock: Clock, randomness: Random | None = None) -> None:
        self.clock = clock
        self.randomness = randomness or Random()  # noqa: S311 -- jitter is no secret
        self._session: ClientSession | None = None

    def model(self, endpoint: Endpoint) -> "UpstreamModel":
        return UpstreamModel(endpoint, self)

    @property
    def session(self) -> "ClientSession":
        # aiohttp takes longer to import than everything else together.
        from angelia.adapters.upstream.conversation import open_session

        if self._session is None or self._session.closed:
            self._session = open_session()
        return self._session

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()


class UpstreamModel:
    """One endpoint. Remembers that it does not stream once it has said so."""

    def __init__(self, endpoint: Endpoint, upstream: Upstream) -> None:
        self._endpoint = endpoint
        self._upstream = upstream
        self._streams = endpoint.stream

    async def ask(self, prompt: Prompt, emit: Emit) -> Reply:
        """Errors are retried only until something was shown, and never carry a key."""
        shown = _Shown(emit)
        attempt = 1
        while True:
            # Another question may find out meanwhile that the endpoint does not stream.
            streams = self._streams
            try:
                return await self._ask_once(prompt, shown, streams=streams)
            except UpstreamError as error:
                self._redact(error)
                if streams and streaming_refused(error):
                    self._streams = False
                    continue
                if shown.any or not error.retryable or attempt > self._endpoint.retries:
                    raise error from None
                await self._pause(attempt, error, emit)
            attempt += 1

    async def _ask_once(self, prompt: Prompt, shown: "_Shown", *, streams: bool) -> Reply:
        from angelia.adapters.upstream.conversation import Conversation

        body = PROTOCOLS[self._endpoint.protocol].request(prompt, self._endpoint, streams)
        upstream = self._upstream
        now = upstream.clock.now()
        manner = self._endpoint.manner(prompt)
        conversation = Conversation(upstream.session, self._endpoint, shown.show, now, manner)
        return await conversation.ask(body, stream=streams)

    async def _pause(self, attempt: int, error: UpstreamError, emit: Emit) -> None:
        seconds = wait(attempt, error.retry_after, self._upstream.randomness)
        attempts = self._endpoint.retries + 1
        plan = f"Asking again in {seconds:.1f} s, attempt {attempt + 1} of {attempts}."
        await emit((Notice("retry", f"{error.message} {plan}"),))
        await self._upstream.clock.sleep(seconds)

    def _redact(self, error: UpstreamError) -> None:
        error.message = redact(error.message, *self._endpoint.secrets)
        error.args = (error.message,)


class _Shown:
    """Passes deltas on and remembers whether there were any."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self.any = False

    async def show(self, deltas: Sequence[Delta]) -> None:
        self.any = True
        await self._emit(deltas)
