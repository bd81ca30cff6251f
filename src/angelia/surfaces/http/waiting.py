"""What waits for the server: messages of one socket, and sockets of one key."""

import asyncio
import sys
from collections import Counter
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager

from angelia.errors import RateLimited
from angelia.ports import ApiKey

MOST_MESSAGES = 16
MOST_BYTES = 8 * 1024 * 1024
MOST_SOCKETS = 32
# Nobody knows when a socket closes; this is often enough to ask.
SOCKET_SECONDS = 5.0


class Waiting:
    """Messages in the order they came; one alone may be as large as the server takes them."""

    def __init__(self) -> None:
        self._messages: asyncio.Queue[str | bytes] = asyncio.Queue()
        self._size = 0

    def put(self, message: str | bytes) -> None:
        """Raises RateLimited."""
        size = sys.getsizeof(message)
        crowded = self._messages.qsize() >= MOST_MESSAGES
        if crowded or (self._size and self._size + size > MOST_BYTES):
            raise RateLimited(
                f"At most {MOST_MESSAGES} messages of {MOST_BYTES >> 20} MB in all wait on this "
                "socket; this one was dropped. Send it again when a turn has ended.",
                code="too_many_messages",
            )
        self._size += size
        self._messages.put_nowait(message)

    async def get(self) -> str | bytes:
        message = await self._messages.get()
        self._size -= sys.getsizeof(message)
        return message


class Sockets:
    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    def admit(self, key: ApiKey) -> AbstractContextManager[None]:
        """Raises RateLimited. What it returns is a place, held as long as it is open."""
        if self._open[key.id] >= MOST_SOCKETS:
            raise RateLimited(
                f"The key {key.name!r} may have {MOST_SOCKETS} sockets at once; close one.",
                code="too_many_sockets",
                retry_after=SOCKET_SECONDS,
            )
        return self._place(key.id)

    @contextmanager
    def _place(self, key_id: str) -> Generator[None]:
        self._open[key_id] += 1
        try:
            yield
        finally:
            self._open[key_id] -= 1
            if not self._open[key_id]:
                del self._open[key_id]

    def __len__(self) -> int:
        """How many keys it remembers."""
        return len(self._open)
