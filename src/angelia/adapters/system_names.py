"""Names of hosts, as this machine understands them."""

import asyncio
import socket


class SystemNames:
    async def find(self, host: str) -> tuple[str, ...]:
        loop = asyncio.get_running_loop()
        try:
            found = await loop.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            return ()
        return tuple(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))
