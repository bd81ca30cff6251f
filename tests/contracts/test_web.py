"""What every reader of pages and every search promise."""

from collections.abc import AsyncIterator

import pytest
from msgspec import json

from angelia.adapters.address_guard import AddressGuard
from angelia.adapters.memory.names import ScriptedNames
from angelia.adapters.memory.web import CannedPages, CannedSearch
from angelia.adapters.web_fetcher import WebFetcher
from angelia.adapters.web_searcher import WebSearcher
from angelia.core.found import Found
from angelia.core.places import places
from angelia.errors import ToolError
from angelia.ports.web import Document, WebPages, WebSearch
from tests.support.site import site

FOUND = [Found(f"T{at}", f"https://x.example/{at}", "s") for at in range(5)]
RESULTS = [{"title": each.title, "url": each.url, "content": each.snippet} for each in FOUND]


@pytest.fixture(params=["memory", "http"])
async def pages(request: pytest.FixtureRequest) -> AsyncIterator[tuple[WebPages, str]]:
    """Somebody who has one page, and its address."""
    if request.param == "memory":
        url = "https://example.com/a"
        yield CannedPages({url: Document(url, 200, "text/html", "hello")}), url
        return
    async with site({"/a": b"<p>hello"}) as place:
        guard = AddressGuard(ScriptedNames({}), places([f"127.0.0.1:{place.port}"]))
        fetcher = WebFetcher(guard)
        yield fetcher, f"{place.url}/a"
        await fetcher.close()


async def test_a_page_comes_with_where_it_was_found(pages: tuple[WebPages, str]) -> None:
    reader, url = pages
    assert await reader.fetch(url, "markdown") == Document(url, 200, "text/html", "hello")


@pytest.mark.parametrize("url", ["file:///etc/passwd", "http://127.0.0.2:9/", "http://x.invalid/"])
async def test_what_cannot_be_had_is_a_tool_error(pages: tuple[WebPages, str], url: str) -> None:
    with pytest.raises(ToolError):
        await pages[0].fetch(url, "markdown")


@pytest.fixture(params=["memory", "http"])
async def search(request: pytest.FixtureRequest) -> AsyncIterator[WebSearch]:
    if request.param == "memory":
        yield CannedSearch(FOUND)
        return
    async with site({"/search": json.encode({"results": RESULTS})}) as place:
        searcher = WebSearcher("searxng", f"{place.url}/search", "", ScriptedNames({}))
        yield searcher
        await searcher.close()


@pytest.mark.parametrize("count", [1, 3, 20])
async def test_no_more_is_found_than_was_asked_for(search: WebSearch, count: int) -> None:
    assert list(await search.search("x", count)) == FOUND[:count]
    assert search.host
