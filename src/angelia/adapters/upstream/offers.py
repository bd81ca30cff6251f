"""Asks a provider which models it has."""

import time
from urllib.parse import urlsplit, urlunsplit

from msgspec.structs import replace

from angelia.adapters.upstream.endpoint import PROTOCOLS, Endpoint
from angelia.core.redact import Redactor
from angelia.wire import offers
from angelia.wire.offers import NoOffers, Offered

# Anthropic shows twenty at a time unless it is told otherwise.
_WHOLE_LIST = {"anthropic": "limit=1000"}


async def ask_for_offers(endpoint: Endpoint, seconds: float) -> Offered:
    """Never fails: what goes wrong is said in words that hold no key."""
    # Importing these takes time that a server should not spend on its start.
    import aiohttp

    from angelia.adapters.upstream.conversation import read_some, reason

    timeout = aiohttp.ClientTimeout(total=seconds)
    begun = time.perf_counter()
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout) as session,
            session.get(
                _url(endpoint), headers=endpoint.all_headers, allow_redirects=False
            ) as answer,
        ):
            found = offers.read(answer.status, await read_some(answer))
    except TimeoutError:
        return NoOffers(f"{endpoint.host} did not answer within {seconds:g} s.")
    except (aiohttp.ClientError, OSError, ValueError) as error:
        found = NoOffers(f"Nobody answers at {endpoint.host}: {reason(error)}")
    if isinstance(found, NoOffers):
        redact = Redactor(*endpoint.secrets)
        return NoOffers(redact.of_excerpt(found.message), found.status)
    return replace(found, seconds=round(time.perf_counter() - begun, 3))


def _url(endpoint: Endpoint) -> str:
    parts = urlsplit(endpoint.url)
    path = parts.path.removesuffix(PROTOCOLS[endpoint.protocol].path) + "/models"
    query = parts.query or _WHOLE_LIST.get(endpoint.protocol, "")
    return urlunsplit(parts._replace(path=path, query=query))
