"""A small client for tests: JSON and server-sent events, with nothing of Angelia in it."""

import io
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any

import aiohttp
import msgspec

TIMEOUT = aiohttp.ClientTimeout(total=60)


class Answer(msgspec.Struct, frozen=True):
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.body)


class Frame(msgspec.Struct, frozen=True):
    """One server-sent event as it came; `comment` when it is nothing but a comment."""

    data: str = ""
    event: str | None = None
    id: str | None = None
    comment: str | None = None

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.data)


class Reader:
    """A streamed answer under way."""

    def __init__(self, answer: aiohttp.ClientResponse) -> None:
        self.status = answer.status
        self.headers = answer.headers
        self._answer = answer

    async def lines(self) -> AsyncIterator[str]:
        rest = b""
        async for piece in self._answer.content.iter_any():
            *whole, rest = (rest + piece).split(b"\n")
            for line in whole:
                yield line.decode()
        if rest:
            yield rest.decode()

    async def frames(self) -> AsyncIterator[Frame]:
        fields: dict[str, list[str]] = {}
        async for line in self.lines():
            if line:
                name, _, value = line.partition(":")
                fields.setdefault(name or "comment", []).append(value.removeprefix(" "))
            elif fields:
                yield _frame(fields)
                fields = {}

    async def read(self) -> bytes:
        return await self._answer.read()


def _frame(fields: dict[str, list[str]]) -> Frame:
    return Frame(
        "\n".join(fields.get("data", ())),
        event=fields["event"][-1] if "event" in fields else None,
        id=fields["id"][-1] if "id" in fields else None,
        comment=fields["comment"][-1] if "comment" in fields else None,
    )


class Client:
    """One key at one server; `async with` opens and closes its connections."""

    def __init__(self, url: str, key: str | None = None) -> None:
        self.url = url
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}

    async def __aenter__(self) -> "Client":
        self._session = aiohttp.ClientSession(headers=self._headers, timeout=TIMEOUT)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._session.close()

    async def get(self, path: str, **headers: str) -> Answer:
        return await self.send("GET", path, headers=headers)

    async def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        return await self.send("POST", path, body, headers)

    async def delete(self, path: str, **headers: str) -> Answer:
        return await self.send("DELETE", path, headers=headers)

    async def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        async with self.open(method, path, body, headers) as reader:
            return Answer(reader.status, reader.headers, await reader.read())

    @asynccontextmanager
    async def open(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> AsyncIterator[Reader]:
        """A streamed answer. `body` is sent as it is when it is bytes, else as JSON."""
        given = {name.replace("_", "-"): value for name, value in (headers or {}).items()}
        data = body if body is None or isinstance(body, bytes) else msgspec.json.encode(body)
        # aiohttp objects to a large body that is not a file.
        data = io.BytesIO(data) if data and len(data) > 1 << 20 else data
        if data is not None:
            given.setdefault("Content-Type", "application/json")
        async with self._session.request(
            method, self.url + path, data=data, headers=given
        ) as answer:
            yield Reader(answer)

    async def stream(self, path: str, body: Any = None, **headers: str) -> AsyncIterator[Frame]:
        """Every frame of one answer: POST with a body, GET without."""
        method = "GET" if body is None else "POST"
        async with self.open(method, path, body, headers) as reader:
            async for frame in reader.frames():
                yield frame
