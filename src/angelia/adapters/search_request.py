"""One question to a search engine, and the bytes of its answer.

Imported with the first search: the library behind it takes long to load.
"""

import zlib

import aiohttp
from yarl import URL

from angelia.adapters.address_guard import NotAdmitted
from angelia.adapters.guarded_http import GuardedHttp
from angelia.adapters.readable.unpack import ACCEPTED, Unknown, Unpacker
from angelia.errors import ToolError
from angelia.wire.search.engines import Asked

LIMIT = 4 * 1024 * 1024


async def answer(http: GuardedHttp, url: str, asked: Asked, name: str) -> bytes:
    """Raises ToolError, which holds neither the key nor anything that the engine said."""
    whole = str(URL(url, encoded=True).update_query(asked.query)) if asked.query else url
    headers = {"Accept": "application/json", "Accept-Encoding": ACCEPTED, **dict(asked.headers)}
    try:
        async with http.ask(asked.method, whole, headers, asked.body) as response:
            if response.status != 200:
                raise ToolError(f"The search at {name} failed: {_words(response.status, name)}.")
            return await _read(response)
    except TimeoutError:
        raise
    except (aiohttp.ClientError, OSError) as error:
        raise ToolError(f"The search at {name} cannot be reached.") from error
    except NotAdmitted as error:
        raise ToolError(f"The search at {name} cannot be reached: {error}") from error
    except (Unknown, zlib.error) as error:
        raise ToolError(f"The answer of {name} cannot be unpacked.") from error


async def _read(response: aiohttp.ClientResponse) -> bytes:
    unpacker = Unpacker(response.headers.get("Content-Encoding", ""), LIMIT)
    data = bytearray()
    async for piece in response.content.iter_chunked(65536):
        data += unpacker.feed(piece)
        if unpacker.is_full:
            break
    return bytes(data)


def _words(status: int, name: str) -> str:
    match status:
        case 401:
            return "its key is not accepted; the operator has to look at search_key"
        case 403 if name == "searxng":
            return "it gives no JSON; its settings.yml needs 'json' among search.formats"
        case 403:
            return "its key may not do this; the operator has to look at search_key"
        case 402 | 432 | 433:
            return "the plan of its key is used up"
        case 429:
            return "it was asked too often; try again later"
        case 300 | 301 | 302 | 303 | 307 | 308:
            return "it has moved; the operator has to look at search_url"
        case 400 | 422:
            return f"it does not take the question (HTTP {status})"
        case _:
            return f"HTTP {status}"
