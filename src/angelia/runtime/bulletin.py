"""Hints that runs have changed, for whoever watches all runs of a key at once.

The log is the record; this is the bell beside it. Only what changes a run's status rings it, a
delta never does, and where nobody listens there is nothing to do.
"""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager

from msgspec import Struct

from angelia.core.state import Status
from angelia.ports import Clock, RunRecord

# A reader that is behind by more runs than this is better off with a list of them.
MOST_RUNS = 1_000


class Hint(Struct, frozen=True):
    run_id: str
    session_id: str
    status: Status
    model: str
    surface: str
    at: float


class Reader:
    """Keeps the latest hint of each run until it is fetched; one that is too far behind ends."""

    def __init__(self) -> None:
        self._latest: dict[str, Hint] = {}
        self._rung = asyncio.Event()
        self._over = False

    def take(self, hint: Hint) -> None:
        if self._over:
            return
        # The order is that of the latest changes.
        self._latest.pop(hint.run_id, None)
        self._latest[hint.run_id] = hint
        self._rung.set()
        if len(self._latest) > MOST_RUNS:
            self.end()

    def end(self) -> None:
        """Nothing more is told: who comes back asks for a list, which knows everything."""
        self._over = True
        self._latest.clear()
        self._rung.set()

    async def hints(self) -> AsyncGenerator[tuple[Hint, ...]]:
        """What has changed since the last time, never nothing, until the reader is ended."""
        while True:
            await self._rung.wait()
            self._rung.clear()
            if self._over:
                return
            latest = tuple(self._latest.values())
            self._latest.clear()
            yield latest


class Bulletin:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._readers: dict[str, set[Reader]] = {}
        self.closed = False

    @contextmanager
    def listening(self, tenant: str, reader: Reader) -> Generator[None]:
        """Whatever becomes of the tenant's runs while this is open is told to the reader."""
        if self.closed:
            reader.end()
        readers = self._readers.setdefault(tenant, set())
        readers.add(reader)
        try:
            yield
        finally:
            readers.discard(reader)
            if not readers:
                del self._readers[tenant]

    def tell(self, run: RunRecord, status: Status) -> None:
        """A run has begun, or has another status. Lists do not show one that is not stored."""
        readers = self._readers.get(run.tenant)
        if readers is None or not run.stored:
            return
        hint = Hint(run.id, run.session_id, status, run.model, run.surface, self._clock.now())
        for reader in readers:
            reader.take(hint)

    def close(self) -> None:
        """Ends all readers, and those that come later at once."""
        self.closed = True
        for readers in self._readers.values():
            for reader in readers:
                reader.end()

    def __len__(self) -> int:
        """How many keys have somebody who listens."""
        return len(self._readers)
