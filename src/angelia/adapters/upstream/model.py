"""A model behind HTTP, asked once: what to do about a failure is for others to say."""

from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from angelia.adapters.upstream.endpoint import PROTOCOLS, Endpoint
from angelia.adapters.upstream.pace import Pace
from angelia.core.events import Delta
from angelia.core.history import without_images
from angelia.core.messages import Prompt, Reply
from angelia.core.providers.patience import Observed, patience, thinks
from angelia.core.providers.seals import legible, minted
from angelia.core.providers.verdict import AskWhole, judge
from angelia.core.redact import Redactor
from angelia.core.tokens import estimate
from angelia.errors import UpstreamEmpty, UpstreamError, UpstreamRefused
from angelia.ports import Emit

if TYPE_CHECKING:
    from aiohttp import ClientSession


# Older servers stream, and refuse to be asked for the usage of a stream.
_USAGE_OPTION = "stream_options"


class Learnt:
    """What questions to an endpoint have shown of it, whichever key they came with.

    It `counts` if a stream may be asked to tell its usage.
    """

    def __init__(self) -> None:
        self.streams = True
        self.counts = True
        self.pace = Pace()


class Upstream:
    """The connections of a process to all its providers. Opened by the first question."""

    def __init__(self) -> None:
        self._session: ClientSession | None = None
        self._learnt: dict[tuple[str, str, str], Learnt] = {}

    def model(self, endpoint: Endpoint) -> "UpstreamModel":
        return UpstreamModel(endpoint, self, self._known(endpoint))

    def models(self, endpoint: Endpoint, keys: Sequence[str]) -> "tuple[UpstreamModel, ...]":
        """One for each key; without keys, the endpoint as it stands."""
        if not keys:
            return (self.model(endpoint),)
        return tuple(self.model(replace(endpoint, key=key)) for key in keys)

    def seen(self, endpoint: Endpoint) -> Observed:
        """How quick this model has been there of late."""
        return self._known(endpoint).pace.seen

    def _known(self, endpoint: Endpoint) -> Learnt:
        which = (endpoint.protocol, endpoint.url, endpoint.model)
        return self._learnt.setdefault(which, Learnt())

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
    """One endpoint with one key."""

    def __init__(self, endpoint: Endpoint, upstream: Upstream, learnt: Learnt) -> None:
        self._endpoint = endpoint
        self._upstream = upstream
        self._learnt = learnt
        self._redact = Redactor(*endpoint.secrets)

    async def ask(self, prompt: Prompt, emit: Emit) -> Reply:
        """One attempt. A provider that says it does not stream is asked for the whole at once,
        and one that refuses no more than to count what it streams is not asked to.

        Raises UpstreamError, which never carries a key.
        """
        shown = _Shown(emit)
        # Another question may find out meanwhile that the endpoint does not stream.
        streams = self._endpoint.stream and self._learnt.streams
        try:
            return await self._ask(prompt, shown, streams=streams)
        except UpstreamError as error:
            if not isinstance(judge(error, "text" if shown.any else "nothing", 0.0), AskWhole):
                raise
            uncounted = self._learnt.counts and _USAGE_OPTION in error.message
        if uncounted:
            self._learnt.counts = False
            return await self.ask(prompt, emit)
        self._learnt.streams = False
        try:
            return await self._ask(prompt, shown, streams=False)
        except UpstreamRefused:
            # Streaming was not what was wrong.
            self._learnt.streams = True
            raise

    async def _ask(self, prompt: Prompt, shown: "_Shown", *, streams: bool) -> Reply:
        try:
            return await self._converse(prompt, shown, streams=streams)
        except UpstreamError as error:
            self._complete(error, streams=streams)
            raise error from None

    async def _converse(self, prompt: Prompt, shown: "_Shown", *, streams: bool) -> Reply:
        from angelia.adapters.upstream.conversation import Conversation

        endpoint, pace = self._endpoint, self._learnt.pace
        endpoint = endpoint if self._learnt.counts else endpoint.uncounted
        prompt = prompt if endpoint.images else without_images(prompt)
        prompt = replace(prompt, messages=legible(prompt.messages, endpoint.mint))
        body = PROTOCOLS[endpoint.protocol].request(prompt, endpoint, streams)
        waits = patience(
            endpoint.timeouts,
            local=endpoint.local,
            reasoning=endpoint.reasoning or thinks(prompt.sampling),
            tokens=estimate(prompt),
            seen=pace.seen,
        )
        manner = endpoint.manner(prompt)
        conversation = Conversation(
            self._upstream.session, endpoint, waits, pace, shown.show, manner
        )
        return minted(await conversation.ask(body, stream=streams), endpoint.mint)

    def _complete(self, error: UpstreamError, *, streams: bool) -> None:
        error.message = self._redact.of_excerpt(error.message)
        error.args = (error.message,)
        error.their_type = error.their_type and self._redact(error.their_type)
        error.their_code = error.their_code and self._redact(error.their_code)
        if isinstance(error, UpstreamEmpty) and isinstance(error.reply, Reply):
            error.reply = minted(error.reply, self._endpoint.mint)
        error.protocol = self._endpoint.protocol
        error.streamed = streams


class _Shown:
    """Passes deltas on and remembers whether there were any."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self.any = False

    def show(self, deltas: Sequence[Delta]) -> Coroutine[Any, Any, None]:
        self.any = True
        return self._emit(deltas)
