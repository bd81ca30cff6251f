"""One page from its address to its bytes, over every redirect on the same host.

Imported with the first page: the library behind it takes long to load.
"""

import zlib
from http import HTTPStatus

import aiohttp
from msgspec import Struct
from yarl import URL

from angelia import __version__
from angelia.adapters.address_guard import NotAdmitted
from angelia.adapters.guarded_http import GuardedHttp
from angelia.adapters.readable.reader import Body
from angelia.adapters.readable.unpack import ACCEPTED, Unknown, Unpacker
from angelia.errors import ToolError
from angelia.wire import urls

MAX_HOPS = 8
_HEADERS = {
    "User-Agent": f"Angelia/{__version__} (reads single pages on request)",
    "Accept": "text/html,application/xhtml+xml,application/json;q=0.9,text/*;q=0.8,*/*;q=0.5",
    "Accept-Language": "en;q=0.8,*;q=0.5",
    "Accept-Encoding": ACCEPTED,
}
_MOVED = (301, 302, 303, 307, 308)


class Arrived(Struct, frozen=True):
    """`moved_to` is set, and the body empty, where the server points to another host."""

    url: str
    status: int
    body: Body
    moved_to: str | None = None

    @property
    def reason(self) -> str:
        try:
            return HTTPStatus(self.status).phrase
        except ValueError:
            return ""


async def follow(http: GuardedHttp, start: str, limit: int) -> Arrived:
    """Each address on the way passes the guard before anybody is asked. Raises ToolError.

    `start` is in the one spelling.
    """
    url = start
    for _ in range(MAX_HOPS):
        try:
            arrived, location = await _hop(http, url, limit)
        except NotAdmitted as error:
            raise ToolError(_refused(start, url, str(error))) from error
        except (aiohttp.ClientError, OSError) as error:
            raise ToolError(f"{_host(url)!r} cannot be reached: {_words(error)}.") from error
        if location is None:
            return arrived
        url = _joined(start, url, location)
        if not _same_site(start, url):
            return await _pointed(http, start, arrived, url)
    raise ToolError(f"{start} was redirected more than {MAX_HOPS} times.")


async def _hop(http: GuardedHttp, url: str, limit: int) -> tuple[Arrived, str | None]:
    async with http.ask("GET", url, _HEADERS) as answer:
        location = answer.headers.get("Location")
        if answer.status in _MOVED and location:
            return Arrived(url, answer.status, Body("", None, b"")), location
        return Arrived(url, answer.status, await _body(answer, limit)), None


async def _pointed(http: GuardedHttp, start: str, arrived: Arrived, url: str) -> Arrived:
    """Another host is another decision, for a policy or a person: the model has to ask for it."""
    try:
        await http.admit(url)
    except NotAdmitted as error:
        raise ToolError(_refused(start, url, str(error))) from error
    return Arrived(arrived.url, arrived.status, arrived.body, moved_to=url)


async def _body(answer: aiohttp.ClientResponse, limit: int) -> Body:
    try:
        # One byte more than may be kept tells whether there is more.
        unpacker = Unpacker(answer.headers.get("Content-Encoding", ""), limit + 1)
        pieces = bytearray()
        async for piece in answer.content.iter_chunked(65536):
            pieces += unpacker.feed(piece)
            if unpacker.is_full:
                break
    except Unknown as error:
        raise ToolError(
            f"The server packed the page as {str(error)!r} without being asked."
        ) from error
    except zlib.error as error:
        raise ToolError("The page is packed in a way that cannot be unpacked.") from error
    kind = answer.content_type.lower() if "Content-Type" in answer.headers else ""
    return Body(kind, answer.charset, bytes(pieces[:limit]), len(pieces) <= limit)


def _joined(start: str, url: str, location: str) -> str:
    """Where a redirect leads, in the one spelling."""
    try:
        return str(urls.parse(str(URL(url, encoded=True).join(URL(location.strip())))))
    except (ValueError, TypeError) as error:
        raise ToolError(f"{start} redirects to a place that is not asked: {error}.") from error


def _same_site(start: str, url: str) -> bool:
    return _host(start).removeprefix("www.") == _host(url).removeprefix("www.")


def _host(url: str) -> str:
    return urls.parse(url).host


def _refused(start: str, url: str, why: str) -> str:
    return why if url == start else f"{start} redirects to a place that is not asked: {why}"


def _words(error: Exception) -> str:
    match error:
        case aiohttp.ClientConnectorCertificateError():
            return "its certificate cannot be trusted"
        case aiohttp.ClientSSLError():
            return "it does not speak TLS as it should"
        case aiohttp.ServerTimeoutError() | TimeoutError():
            return "it takes too long to answer"
        case aiohttp.ClientConnectorError():
            return "the connection was refused or nobody is there"
        case aiohttp.ServerDisconnectedError() | aiohttp.ClientPayloadError():
            return "it broke the connection off"
        case _:
            return f"what it says is not HTTP ({type(error).__name__})"
