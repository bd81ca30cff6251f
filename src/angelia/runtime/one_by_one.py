"""One after another for each name: whoever comes second waits until the first is through."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Hashable
from contextlib import asynccontextmanager


class OneByOne:
    def __init__(self) -> None:
        self._locks: dict[Hashable, asyncio.Lock] = {}
        self._coming: Counter[Hashable] = Counter()

    @asynccontextmanager
    async def at(self, name: Hashable) -> AsyncGenerator[None]:
        """In the order of coming."""
        self._coming[name] += 1
        try:
            async with self._locks.setdefault(name, asyncio.Lock()):
                yield
        finally:
            self._coming[name] -= 1
            if not self._coming[name]:
                del self._coming[name], self._locks[name]

    def __len__(self) -> int:
        return len(self._locks)
