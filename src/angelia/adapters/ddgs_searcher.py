"""Searches without a key, through the package `ddgs`."""

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from angelia.core.found import Found
from angelia.errors import ToolError

SECONDS = 20


class DdgsSearcher:
    """The package waits for its answers, so it has threads of its own."""

    host = "duckduckgo.com"

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(2, "ddgs")

    async def search(self, query: str, count: int) -> tuple[Found, ...]:
        loop = asyncio.get_running_loop()
        results = await loop.run_in_executor(self._threads, _asked, query, count)
        found = (
            Found(str(each.get("title", "")), str(each.get("href", "")), str(each.get("body", "")))
            for each in results
        )
        return tuple(each for each in found if each.url.startswith(("http://", "https://")))

    async def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


def _asked(query: str, count: int) -> Sequence[Mapping[str, Any]]:
    try:
        from ddgs import DDGS  # pyright: ignore[reportMissingImports, reportUnknownVariableType]
        from ddgs.exceptions import (  # pyright: ignore[reportMissingImports]
            DDGSException,  # pyright: ignore[reportUnknownVariableType]
        )
    except ImportError as error:
        raise ToolError(
            "Searching without a key needs the package 'ddgs': pip install 'angelia[web]'."
        ) from error
    try:
        return DDGS(timeout=SECONDS).text(query, max_results=count)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    except DDGSException as error:  # pyright: ignore[reportUnknownVariableType]
        if "no results" in str(error).lower():  # pyright: ignore[reportUnknownArgumentType]
            return ()
        raise ToolError(f"The search failed: {type(error).__name__}. Try again later.") from error  # pyright: ignore[reportUnknownArgumentType]
