"""Searches at an engine that is asked over HTTP."""

from typing import TYPE_CHECKING

from angelia.adapters.address_guard import AddressGuard
from angelia.core.found import Found
from angelia.core.places import Place, Places
from angelia.errors import ToolError
from angelia.ports.names import Names
from angelia.wire import urls
from angelia.wire.search.engines import ENGINES, EngineName

if TYPE_CHECKING:
    from angelia.adapters.guarded_http import GuardedHttp

SECONDS = 20.0


class WebSearcher:
    """`url` was chosen by the operator, so it may be private; nothing else there is asked."""

    def __init__(
        self, engine: EngineName, url: str, key: str, names: Names, *, seconds: float = SECONDS
    ) -> None:
        self._name = engine
        self._engine = ENGINES[engine]
        self._url = urls.parse(url)
        self._key = key
        place = Place(name=self._url.host, port=self._url.port)
        self._guard = AddressGuard(names, Places((place,)))
        self._seconds = seconds
        self._http: GuardedHttp | None = None

    @property
    def host(self) -> str:
        return self._url.host

    async def search(self, query: str, count: int) -> tuple[Found, ...]:
        from angelia.adapters.guarded_http import GuardedHttp
        from angelia.adapters.search_request import answer

        if self._http is None:
            self._http = GuardedHttp(self._guard, self._seconds)
        asked = self._engine.ask(query, count, self._key)
        try:
            data = await answer(self._http, str(self._url), asked, self._name)
            return self._engine.read(data)[:count]
        except TimeoutError as error:
            raise ToolError(f"The search at {self._name} took too long.") from error
        except ValueError as error:
            raise ToolError(f"The search at {self._name} failed: {error}.") from error

    async def close(self) -> None:
        if self._http is not None:
            await self._http.close()
