"""One attempt to reach a receiver over HTTP, at an address that was looked at before it is asked.

Imported with the first message: the library behind it takes long to load.
"""

import socket
from collections.abc import Mapping

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from angelia.core.providers.wishes import retry_after
from angelia.ports.deliveries import Answered, Barred, Posted, Unreached
from angelia.wire.addresses import is_public


class _NotPublic(Exception):
    pass


class PublicOnly(AbstractResolver):
    """Connections go to the addresses given here and nowhere else, whatever a name means later."""

    def __init__(self, inner: AbstractResolver) -> None:
        self._inner = inner

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        found = await self._inner.resolve(host, port, family)
        public = [address for address in found if is_public(address["host"])]
        if not public:
            raise _NotPublic
        return public

    async def close(self) -> None:
        await self._inner.close()


def open_session(
    seconds: float, *, allow_private: bool, resolver: AbstractResolver | None = None
) -> aiohttp.ClientSession:
    """`seconds` are all that one attempt may take."""
    inner = resolver or aiohttp.ThreadedResolver()
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(
            resolver=inner if allow_private else PublicOnly(inner),
            use_dns_cache=False,
        ),
        timeout=aiohttp.ClientTimeout(total=seconds),
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
    )


async def send(
    session: aiohttp.ClientSession,
    url: str,
    headers: Mapping[str, str],
    body: bytes,
    now: float,
    *,
    allow_private: bool,
) -> Posted:
    try:
        address = URL(url)
        # An address needs no resolver, so it would pass by the one that looks at them.
        if not allow_private and not _is_fit(address.host or ""):
            return Barred()
        async with session.post(
            address, data=body, headers=headers, allow_redirects=False
        ) as answer:
            return Answered(answer.status, retry_after(answer.headers, now))
    except (_NotPublic, aiohttp.InvalidURL):
        return Barred()
    except (aiohttp.ClientError, OSError) as error:
        # The text of the error may hold the address, which may hold a secret.
        return Unreached(type(error).__name__)


def _is_fit(host: str) -> bool:
    try:
        return is_public(host)
    except ValueError:
        return True
