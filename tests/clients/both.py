"""The blocking and the asynchronous client of the openai package, driven by one test."""

import inspect
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from openai import AsyncOpenAI, OpenAI

from tests.support.server import AngeliaServer

KINDS = {"blocking": OpenAI, "async": AsyncOpenAI}


@asynccontextmanager
async def connected(kind: str, server: AngeliaServer, key: str | None = None) -> AsyncIterator[Any]:
    made = KINDS[kind](base_url=f"{server.url}/v1", api_key=key or server.key, max_retries=0)
    async with entered(made) as client:
        yield client


async def done(value: Any) -> Any:
    """What a call came to, whether it has to be awaited or not."""
    return await value if inspect.isawaitable(value) else value


@asynccontextmanager
async def entered(manager: Any) -> AsyncIterator[Any]:
    if hasattr(manager, "__aenter__"):
        async with manager as inside:
            yield inside
    else:
        with manager as inside:
            yield inside


async def each(stream: Any) -> AsyncIterator[Any]:
    if hasattr(stream, "__aiter__"):
        async for one in stream:
            yield one
    else:
        for one in stream:
            yield one


async def every(stream: Any) -> list[Any]:
    return [one async for one in each(stream)]
