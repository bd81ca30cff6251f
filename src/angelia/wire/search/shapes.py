"""The JSON of search engines, as far as it is read; what they leave out is empty."""

from msgspec import Struct

Words = str | None


class SearxngResult(Struct, frozen=True):
    url: Words = None
    title: Words = None
    content: Words = None


class SearxngAnswer(Struct, frozen=True):
    results: tuple[SearxngResult, ...] = ()


class BraveResult(Struct, frozen=True):
    url: Words = None
    title: Words = None
    description: Words = None


class BraveWeb(Struct, frozen=True):
    results: tuple[BraveResult, ...] = ()


class BraveAnswer(Struct, frozen=True):
    """`web` is missing where nothing was found."""

    web: BraveWeb | None = None


class TavilyQuery(Struct, frozen=True):
    query: str
    max_results: int
    search_depth: str = "basic"


class TavilyResult(Struct, frozen=True):
    url: Words = None
    title: Words = None
    content: Words = None


class TavilyAnswer(Struct, frozen=True):
    results: tuple[TavilyResult, ...] = ()
