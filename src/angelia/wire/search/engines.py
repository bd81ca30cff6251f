"""The question for each engine, and its answer in one form for all.

Above: an adapter that carries them. Below: bytes. Each engine is a pair of functions.
"""

import html
import re
from collections.abc import Callable, Sequence
from typing import Literal, Protocol, TypeVar

from msgspec import DecodeError, Struct, json

from angelia.core.found import Found
from angelia.wire.search.shapes import BraveAnswer, SearxngAnswer, TavilyAnswer, TavilyQuery

EngineName = Literal["searxng", "brave", "tavily"]

T = TypeVar("T")

_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")


class Asked(Struct, frozen=True):
    """A request: `query` goes behind the address, `body` is JSON."""

    method: Literal["GET", "POST"]
    query: tuple[tuple[str, str], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None


class Engine(Struct, frozen=True):
    """`address` is where it is, unless everybody has one of their own."""

    address: str | None
    needs_key: bool
    ask: Callable[[str, int, str], Asked]
    read: Callable[[bytes], tuple[Found, ...]]


class _Result(Protocol):
    @property
    def url(self) -> str | None: ...

    @property
    def title(self) -> str | None: ...


def _ask_searxng(query: str, count: int, key: str) -> Asked:
    """It gives whole pages of results, however few are wanted."""
    headers = (("Authorization", f"Bearer {key}"),) if key else ()
    return Asked("GET", (("q", query), ("format", "json")), headers)


def _read_searxng(data: bytes) -> tuple[Found, ...]:
    answer = _decoded(data, SearxngAnswer)
    return _found([(each, each.content) for each in answer.results])


def _ask_brave(query: str, count: int, key: str) -> Asked:
    return Asked(
        "GET",
        (("q", query), ("count", str(count)), ("text_decorations", "false")),
        (("X-Subscription-Token", key),),
    )


def _read_brave(data: bytes) -> tuple[Found, ...]:
    web = _decoded(data, BraveAnswer).web
    return _found([(each, each.description) for each in web.results]) if web else ()


def _ask_tavily(query: str, count: int, key: str) -> Asked:
    headers = (("Authorization", f"Bearer {key}"), ("Content-Type", "application/json"))
    return Asked("POST", (), headers, json.encode(TavilyQuery(query, count)))


def _read_tavily(data: bytes) -> tuple[Found, ...]:
    answer = _decoded(data, TavilyAnswer)
    return _found([(each, each.content) for each in answer.results])


ENGINES: dict[EngineName, Engine] = {
    "searxng": Engine(None, False, _ask_searxng, _read_searxng),
    "brave": Engine(
        "https://api.search.brave.com/res/v1/web/search", True, _ask_brave, _read_brave
    ),
    "tavily": Engine("https://api.tavily.com/search", True, _ask_tavily, _read_tavily),
}


def endpoint(name: EngineName, given: str | None) -> str | None:
    """Where it is asked; None if nobody said where it is."""
    if given is None or name != "searxng":
        return given or ENGINES[name].address
    root = given.rstrip("/")
    return root if root.endswith("/search") else f"{root}/search"


def plain(text: str) -> str:
    """Without the marks that engines put around the words that were searched for."""
    return " ".join(html.unescape(_TAG.sub("", text)).split())


def _found(results: Sequence[tuple[_Result, str | None]]) -> tuple[Found, ...]:
    """Each address once, and only those of the web."""
    by_url: dict[str, Found] = {}
    for result, snippet in results:
        url = (result.url or "").strip()
        if url.startswith(("http://", "https://")) and not any(c.isspace() for c in url):
            by_url.setdefault(url, Found(plain(result.title or ""), url, plain(snippet or "")))
    return tuple(by_url.values())


def _decoded(data: bytes, kind: type[T]) -> T:
    """Raises ValueError for what is not the JSON of an engine."""
    try:
        return json.decode(data, type=kind)
    except (DecodeError, RecursionError) as error:
        raise ValueError("the answer is not the JSON that it should be") from error
