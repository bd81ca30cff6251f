"""One attempt to reach a receiver over HTTP, at an address that was looked at before it is asked.

Imported with the first message: the library behind it takes long to load.
"""

from collections.abc import Mapping

import aiohttp

from angelia.adapters.address_guard import NotAdmitted
from angelia.adapters.guarded_http import GuardedHttp
from angelia.core.providers.wishes import retry_after
from angelia.ports.deliveries import Answered, Barred, Posted, Unreached


async def send(
    http: GuardedHttp, url: str, headers: Mapping[str, str], body: bytes, now: float
) -> Posted:
    try:
        async with http.ask("POST", url, headers, body) as answer:
            return Answered(answer.status, retry_after(answer.headers, now))
    except (NotAdmitted, ValueError):
        return Barred()
    except (aiohttp.ClientError, OSError) as error:
        # The text of the error may hold the address, which may hold a secret.
        return Unreached(type(error).__name__)
