"""The web without a network: pages and answers that a script gives."""

from collections.abc import Mapping, Sequence

from angelia.core.found import Found
from angelia.errors import ToolError
from angelia.ports.web import Document, Form


class CannedPages:
    """`asked` holds every address and form that was asked for."""

    def __init__(self, pages: Mapping[str, Document] | None = None) -> None:
        self._pages = dict(pages or {})
        self.asked: list[tuple[str, Form]] = []

    async def fetch(self, url: str, form: Form) -> Document:
        self.asked.append((url, form))
        if url not in self._pages:
            raise ToolError(f"{url} cannot be reached: nobody is there.")
        return self._pages[url]

    async def close(self) -> None:
        pass


class CannedSearch:
    """Finds the same, whatever is searched for."""

    host = "search.example"

    def __init__(self, found: Sequence[Found] = ()) -> None:
        self._found = tuple(found)
        self.asked: list[tuple[str, int]] = []

    async def search(self, query: str, count: int) -> Sequence[Found]:
        self.asked.append((query, count))
        return self._found[:count]

    async def close(self) -> None:
        pass
