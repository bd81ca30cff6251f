"""Runs at a server that is running already, through its run API."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from types import TracebackType
from typing import Self

import aiohttp
import msgspec
from msgspec import Struct

from angelia.errors import AngeliaError, RequestError
from angelia.surfaces.mcp.place import Choice, Wish
from angelia.wire import sse
from angelia.wire.runs.shapes import ServerStoppingOut

_STOPPING = str(ServerStoppingOut.__struct_config__.tag)
_ATTEMPTS = 30
_PAUSE = 1.0


class _Started(Struct, frozen=True):
    run_id: str


class _Problem(Struct, frozen=True):
    message: str


class _Refusal(Struct, frozen=True):
    error: _Problem


class _Approval(Struct, frozen=True, omit_defaults=True):
    choice: Choice
    approval_id: str | None = None
    reason: str = ""


class Remote:
    """Open while inside `async with`."""

    def __init__(self, url: str, key: str) -> None:
        self._url = url
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

    async def start(self, wish: Wish) -> str:
        answer = await self._ask("POST", "/v1/runs", msgspec.json.encode(wish))
        return msgspec.json.decode(answer, type=_Started).run_id

    async def run(self, run_id: str) -> bytes:
        return await self._ask("GET", f"/v1/runs/{_named(run_id)}")

    async def runs(self, session_id: str | None, status: str | None, limit: int) -> bytes:
        given = {"session_id": session_id, "status": status, "limit": str(limit)}
        query = {name: value for name, value in given.items() if value is not None}
        return await self._ask("GET", "/v1/runs", query=query)

    async def events(self, run_id: str, after: int) -> AsyncGenerator[bytes]:
        """A server that says that it stops is waited for, as long as a start may take."""
        left = 0
        while True:
            try:
                async with aclosing(self._listen(run_id, after)) as events:
                    async for event in events:
                        if event.name == _STOPPING:
                            left = _ATTEMPTS
                            break
                        after, left = int(event.id or after), 0
                        yield event.data
                    else:
                        return
            except aiohttp.ClientError as error:
                if left == 0:
                    raise self._silent() from error
            left -= 1
            await asyncio.sleep(_PAUSE)

    async def _listen(self, run_id: str, after: int) -> AsyncGenerator[sse.Event]:
        decoder = sse.Decoder()
        url = f"{self._url}/v1/runs/{_named(run_id)}/events"
        async with self._session.get(url, params={"after": str(after)}) as answer:
            await _check(answer)
            async for piece in answer.content.iter_any():
                for event in decoder.feed(piece):
                    yield event

    async def stop(self, run_id: str) -> None:
        await self._ask("POST", f"/v1/runs/{_named(run_id)}/stop", b"{}")

    async def approve(
        self, run_id: str, approval_id: str | None, choice: Choice, reason: str
    ) -> None:
        wanted = msgspec.json.encode(_Approval(choice, approval_id, reason))
        await self._ask("POST", f"/v1/runs/{_named(run_id)}/approval", wanted)

    async def _ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        query: dict[str, str] | None = None,
    ) -> bytes:
        try:
            async with self._session.request(
                method, self._url + path, data=body, params=query
            ) as answer:
                await _check(answer)
                return await answer.read()
        except aiohttp.ClientError as error:
            raise self._silent() from error

    def _silent(self) -> AngeliaError:
        return AngeliaError(
            "Another process uses the home folder, but no server answers at "
            f"{self._url}. Start one with angelia serve, or name its address with ANGELIA_HOST "
            "and ANGELIA_PORT."
        )


def _named(run_id: str) -> str:
    """Ids are words; anything else would be another path."""
    if not run_id.replace("_", "").isalnum():
        raise RequestError(f"There is no run {run_id!r}.")
    return run_id


async def _check(answer: aiohttp.ClientResponse) -> None:
    if answer.status < 400:
        return
    body = await answer.read()
    try:
        message = msgspec.json.decode(body, type=_Refusal).error.message
    except msgspec.MsgspecError:
        message = f"{answer.url} answers {answer.status}."
    raise RequestError(message)
