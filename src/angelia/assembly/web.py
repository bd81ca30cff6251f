"""The web for agents, and the way out for what they run."""

from importlib.util import find_spec
from pathlib import Path

from angelia.adapters.address_guard import AddressGuard
from angelia.adapters.ddgs_searcher import DdgsSearcher
from angelia.adapters.egress_proxy import EgressProxy
from angelia.adapters.system_names import SystemNames
from angelia.adapters.web_fetcher import WebFetcher
from angelia.adapters.web_searcher import WebSearcher
from angelia.config import FILE, ConfigError, Settings
from angelia.core.places import Places, places
from angelia.ports import Tool
from angelia.ports.web import WebSearch
from angelia.tools.web import web_fetch, web_search
from angelia.wire.search.engines import EngineName, endpoint

EGRESS_SOCKET = "egress.sock"


class WebTools:
    """`web_fetch`, and `web_search` where an engine is configured. Raises ConfigError."""

    def __init__(self, settings: Settings) -> None:
        _need(settings, "trafilatura", "web.extractor", settings.web.extractor == "trafilatura")
        self._pages = WebFetcher(
            guard_of(settings),
            seconds=settings.web.timeout,
            body_limit=settings.web.body_limit,
            extractor=settings.web.extractor,
        )
        self._search = search_of(settings)

    @property
    def tools(self) -> tuple[Tool, ...]:
        searching = () if self._search is None else (web_search(self._search),)
        return (web_fetch(self._pages), *searching)

    async def close(self) -> None:
        await self._pages.close()
        if self._search is not None:
            await self._search.close()


def guard_of(settings: Settings) -> AddressGuard:
    """What looks at every address that is asked on behalf of a model."""
    return AddressGuard(SystemNames(), _private(settings))


def egress_of(settings: Settings, path: Path | None = None) -> EgressProxy | None:
    """The proxy for sandboxes, not started yet; None where nothing is allowed."""
    if not settings.tools.network:
        return None
    place = path or settings.home / EGRESS_SOCKET
    return EgressProxy(place, settings.tools.network, guard_of(settings))


def search_of(settings: Settings) -> WebSearch | None:
    match settings.web.search:
        case None:
            return None
        case "duckduckgo":
            _need(settings, "ddgs", "web.search", True)
            return DdgsSearcher()
        case engine:
            return _engine(settings, engine)


def web_secrets(settings: Settings) -> tuple[str, ...]:
    key = settings.web.search_key
    return () if key is None else (key.reveal(),)


def _engine(settings: Settings, engine: EngineName) -> WebSearcher:
    url = endpoint(engine, settings.web.search_url) or ""
    key = settings.web.search_key
    try:
        return WebSearcher(engine, url, key.reveal() if key else "", SystemNames())
    except ValueError as error:
        raise ConfigError(f"{settings.home / FILE}: web.search_url: {error}.") from error


def _private(settings: Settings) -> Places | bool:
    allowed = settings.web.allow_private
    return allowed if isinstance(allowed, bool) else places(allowed)


def _need(settings: Settings, package: str, setting: str, wanted: bool) -> None:
    if wanted and find_spec(package) is None:
        raise ConfigError(
            f"{settings.home / FILE}: {setting} needs the package {package!r}: "
            "pip install 'angelia[web]'."
        )
