"""Searches at servers that speak as the engines do."""

import gzip

import pytest
from aiohttp import web
from msgspec import json

from angelia.adapters.memory.names import ScriptedNames
from angelia.adapters.web_searcher import WebSearcher
from angelia.core.found import Found
from angelia.errors import ToolError
from angelia.wire.search.engines import EngineName
from tests.support.process import free_port
from tests.support.site import moved, raw_server, site

KEY = "tvly-secret-key-1"
RESULTS = [
    {"title": f"T{at}", "url": f"https://x.example/{at}", "content": "c", "description": "c"}
    for at in range(5)
]
BODIES: dict[EngineName, object] = {
    "searxng": {"results": RESULTS},
    "brave": {"web": {"results": RESULTS}},
    "tavily": {"results": RESULTS},
}


def answering(data: bytes, status: int = 200, **headers: str) -> dict[str, web.Response]:
    return {"/search": web.Response(body=data, status=status, headers=headers)}


async def ask(engine: EngineName, url: str, seconds: float = 5) -> tuple[Found, ...]:
    searcher = WebSearcher(engine, url, KEY, ScriptedNames({}), seconds=seconds)
    try:
        return await searcher.search("a & b", 3)
    finally:
        await searcher.close()


async def fault(engine: EngineName, url: str, seconds: float = 5) -> str:
    with pytest.raises(ToolError) as caught:
        await ask(engine, url, seconds)
    assert KEY not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("engine", list(BODIES))
async def test_what_is_found_comes_back_and_no_more_than_was_asked_for(engine: EngineName) -> None:
    async with site(answering(json.encode(BODIES[engine]))) as place:
        found = await ask(engine, f"{place.url}/search")
    assert found == tuple(Found(f"T{at}", f"https://x.example/{at}", "c") for at in range(3))
    sent = place.headers[0]
    match engine:
        case "searxng":
            assert place.asked == ["/search?q=a+%26+b&format=json"]
        case "brave":
            assert place.asked == ["/search?q=a+%26+b&count=3&text_decorations=false"]
            assert sent["x-subscription-token"] == KEY
        case "tavily":
            assert sent["authorization"] == f"Bearer {KEY}"
            assert json.decode(place.bodies[0])["query"] == "a & b"


async def test_a_packed_answer_is_unpacked() -> None:
    packed = gzip.compress(json.encode(BODIES["brave"]))
    async with site(answering(packed, **{"Content-Encoding": "gzip"})) as place:
        assert len(await ask("brave", f"{place.url}/search")) == 3


@pytest.mark.parametrize(
    ("engine", "status", "words"),
    [
        ("brave", 401, "its key is not accepted"),
        ("brave", 422, "does not take the question"),
        ("brave", 429, "asked too often"),
        ("tavily", 432, "plan of its key is used up"),
        ("searxng", 403, "needs 'json' among search.formats"),
        ("brave", 403, "its key may not do this"),
        ("tavily", 500, "HTTP 500"),
    ],
)
async def test_a_refusal_is_told_in_words(engine: EngineName, status: int, words: str) -> None:
    said = f'{{"detail": "your key {KEY}"}}'.encode()
    async with site(answering(said, status)) as place:
        assert words in await fault(engine, f"{place.url}/search")


async def test_a_redirect_takes_no_key_anywhere() -> None:
    async with site() as other, site({"/search": moved(f"{other.url}/x")}) as place:
        assert "it has moved" in await fault("brave", f"{place.url}/search")
        assert other.connections == 0


async def test_what_is_no_answer_is_told_in_words() -> None:
    async with site(answering(b"<html>sorry</html>")) as place:
        assert "not the JSON" in await fault("searxng", f"{place.url}/search")
    async with site(answering(b"xx", **{"Content-Encoding": "gzip"})) as place:
        assert "cannot be unpacked" in await fault("searxng", f"{place.url}/search")


async def test_nobody_there_and_somebody_silent() -> None:
    assert "cannot be reached" in await fault("brave", f"http://127.0.0.1:{free_port()}/")
    async with raw_server(b"", hang=True) as port:
        assert "too long" in await fault("brave", f"http://127.0.0.1:{port}/", seconds=0.1)


def test_who_is_asked_is_known() -> None:
    searcher = WebSearcher("brave", "https://Api.Example/x", KEY, ScriptedNames({}))
    assert searcher.host == "api.example"
    with pytest.raises(ValueError, match="only http"):
        WebSearcher("searxng", "ftp://x.example/", "", ScriptedNames({}))
