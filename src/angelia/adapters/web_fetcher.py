"""Pages of the web, over HTTP."""

import asyncio
from typing import TYPE_CHECKING

from angelia.adapters.address_guard import AddressGuard
from angelia.adapters.readable.reader import Reader
from angelia.adapters.readable.shapes import Extractor, Reading
from angelia.errors import ToolError
from angelia.ports.web import Document, Form
from angelia.wire import urls

if TYPE_CHECKING:
    from angelia.adapters.guarded_http import GuardedHttp
    from angelia.adapters.web_hops import Arrived

SECONDS = 30.0
CONNECTING = 10.0
BODY_LIMIT = 5 * 1024 * 1024


class WebFetcher:
    """The connections of a process to all the pages that models read. Opened by the first one.

    `seconds` are all that one page may take, `body_limit` the bytes of it that are read.
    """

    def __init__(
        self,
        guard: AddressGuard,
        *,
        seconds: float = SECONDS,
        body_limit: int = BODY_LIMIT,
        extractor: Extractor = "own",
    ) -> None:
        self._guard = guard
        self._seconds = seconds
        self._body_limit = body_limit
        self._reader = Reader(extractor)
        self._http: GuardedHttp | None = None

    async def fetch(self, url: str, form: Form) -> Document:
        try:
            plain = str(urls.parse(url))
        except ValueError as error:
            raise ToolError(f"{error}.") from error
        deadline = asyncio.timeout(self._seconds)
        try:
            async with deadline:
                return await self._fetched(plain, form)
        except TimeoutError as error:
            if not deadline.expired():
                raise
            raise ToolError(f"{url} took longer than {self._seconds:g} s.") from error

    async def close(self) -> None:
        if self._http is not None:
            await self._http.close()

    async def _fetched(self, url: str, form: Form) -> Document:
        from angelia.adapters.web_hops import follow

        arrived = await follow(self._opened(), url, self._body_limit)
        if arrived.moved_to:
            return Document(arrived.url, arrived.status, "", "", moved_to=arrived.moved_to)
        reading = await self._read(arrived, form)
        return Document(arrived.url, arrived.status, arrived.body.kind, reading.text, reading.note)

    async def _read(self, arrived: "Arrived", form: Form) -> Reading:
        try:
            return await self._reader.read(arrived.body, arrived.url, form)
        except ToolError:
            # What is wrong with the page of an error matters less than the error.
            if arrived.status >= 400:
                return Reading()
            raise

    def _opened(self) -> "GuardedHttp":
        from angelia.adapters.guarded_http import GuardedHttp

        if self._http is None:
            self._http = GuardedHttp(self._guard, self._seconds, connecting=CONNECTING)
        return self._http
