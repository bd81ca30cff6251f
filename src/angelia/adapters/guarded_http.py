"""Requests over HTTP that reach only what a guard admits, at the very addresses it looked at.

Imported with the first request: the library behind it takes long to load.
"""

import socket
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from angelia.adapters.address_guard import AddressGuard
from angelia.wire import urls


class GuardedNames(AbstractResolver):
    """Connections go to the addresses given here and nowhere else, whatever a name means later."""

    def __init__(self, guard: AddressGuard) -> None:
        self._guard = guard

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
            for address in await self._guard.admit(host, port)
        ]

    async def close(self) -> None:
        pass


class GuardedHttp:
    """Follows no redirect, keeps no cookie, unpacks nothing.

    `seconds` are all that one request may take, `connecting` those until somebody answers.
    """

    def __init__(
        self, guard: AddressGuard, seconds: float, *, connecting: float | None = None
    ) -> None:
        self._guard = guard
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(resolver=GuardedNames(guard), use_dns_cache=False),
            timeout=aiohttp.ClientTimeout(total=seconds, sock_connect=connecting),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            trust_env=False,
        )

    @asynccontextmanager
    async def ask(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None = None
    ) -> AsyncGenerator[aiohttp.ClientResponse]:
        """Raises NotAdmitted, ValueError for what is no URL, and what the library raises."""
        parsed = urls.parse(url)
        # An address needs no look-up, so it would pass by the resolver that asks the guard.
        if _is_address(parsed.host):
            await self._guard.admit(parsed.host, parsed.port)
        async with self._session.request(
            method,
            URL(str(parsed), encoded=True),
            data=body,
            headers=headers,
            allow_redirects=False,
        ) as answer:
            yield answer

    async def admit(self, url: str) -> None:
        """Raises NotAdmitted if the place must not be asked; nobody is."""
        parsed = urls.parse(url)
        await self._guard.admit(parsed.host, parsed.port)

    async def close(self) -> None:
        await self._session.close()


def _is_address(host: str) -> bool:
    return ":" in host or host.rpartition(".")[2].isdigit()
