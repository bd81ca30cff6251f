"""Runs at a server that is running already, through its run API."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from types import TracebackType
from typing import Any, Self

import aiohttp
import msgspec
from msgspec import Struct

from angelia.errors import AngeliaError, RequestError
from angelia.surfaces.cli.ask import Ask, Consent
from angelia.wire import sse
from angelia.wire.runs.shapes import ServerStoppingOut, UndoIn, UndoneOut

_ATTEMPTS = 5
_PAUSE = 1.0
_STOPPING = str(ServerStoppingOut.__struct_config__.tag)
# A server that lives says so every 15 seconds.
_LISTENING = aiohttp.ClientTimeout(total=None, sock_connect=10, sock_read=60)


class Limits(Struct, frozen=True, omit_defaults=True):
    max_steps: int | None = None
    max_seconds: float | None = None


class NewRun(Struct, frozen=True, omit_defaults=True):
    input: str
    model: str | None = None
    session_id: str | None = None
    limits: Limits | None = None


class Started(Struct, frozen=True):
    run_id: str


class Problem(Struct, frozen=True):
    message: str


class Refusal(Struct, frozen=True):
    error: Problem


class Remote:
    """Open while inside `async with`."""

    shared = True

    def __init__(self, url: str, key: str) -> None:
        self.url = url
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    async def __aenter__(self) -> Self:
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=10)
        self._session = aiohttp.ClientSession(headers=self._headers, timeout=timeout)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._session.close()

    async def start(self, ask: Ask) -> str:
        wanted = NewRun(
            ask.prompt,
            ask.model,
            ask.session,
            Limits(ask.max_steps, ask.timeout) if ask.max_steps or ask.timeout else None,
        )
        answer = await self.ask("POST", "/v1/runs", wanted)
        return msgspec.json.decode(answer, type=Started).run_id

    async def events(self, run_id: str) -> AsyncIterator[bytes]:
        """Comes back behind the last event it has when the connection is lost."""
        after, attempt = 0, 0
        while attempt < _ATTEMPTS:
            try:
                async for event in self.listen(run_id, after):
                    after, attempt = int(event.id or after), 0
                    yield event.data
            except aiohttp.ClientError:
                attempt += 1
                await asyncio.sleep(_PAUSE)
            else:
                return

    async def stop(self, run_id: str) -> None:
        await self.ask("POST", f"/v1/runs/{run_id}/stop", {})

    async def consent(self, run_id: str, approval_id: str, choice: Consent, reason: str) -> None:
        wanted = {"approval_id": approval_id, "choice": choice, "reason": reason}
        await self.ask("POST", f"/v1/runs/{run_id}/approval", wanted)

    async def undo(self, run_id: str, wanted: UndoIn) -> UndoneOut:
        answer = await self.ask("POST", f"/v1/runs/{run_id}/undo", wanted)
        return msgspec.json.decode(answer, type=UndoneOut)

    async def listen(self, run_id: str, after: int) -> AsyncIterator[sse.Event]:
        """One connection, to its end. Raises aiohttp.ClientError when it is lost or falls silent.

        The same when the server says that it stops. Raises RequestError when it refuses.
        """
        decoder = sse.Decoder()
        url = f"{self.url}/v1/runs/{run_id}/events?after={after}"
        async with self._session.get(url, timeout=_LISTENING) as answer:
            await _check(answer)
            async for piece in answer.content.iter_any():
                for event in decoder.feed(piece):
                    if event.name == _STOPPING:
                        raise aiohttp.ServerDisconnectedError("The server is stopping.")
                    yield event

    async def ask(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> bytes:
        """What any route answers. Raises RequestError with the words of its refusal."""
        data = None if body is None else msgspec.json.encode(body)
        url = self.url + path
        try:
            async with self._session.request(method, url, data=data, headers=headers) as answer:
                await _check(answer)
                return await answer.read()
        except aiohttp.ClientConnectionError as error:
            raise AngeliaError(
                f"No server answers at {self.url}. Start one with 'angelia serve', or name its "
                "address with ANGELIA_HOST and ANGELIA_PORT."
            ) from error


async def _check(answer: aiohttp.ClientResponse) -> None:
    if answer.status < 400:
        return
    body = await answer.read()
    try:
        message = msgspec.json.decode(body, type=Refusal).error.message
    except msgspec.MsgspecError:
        message = f"{answer.url} answers {answer.status}."
    if answer.status == 401:
        # The server tells programs how to send a key; people have not sent any.
        message = (
            f"The server at {answer.url.origin()} does not take the key of this home folder: it "
            "is revoked or has expired, or the server works in another one (ANGELIA_HOME)."
        )
    refused = RequestError(message)
    refused.status = answer.status
    raise refused
