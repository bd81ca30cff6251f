"""A clock that stands still until somebody moves it."""

import asyncio
from asyncio import Future


class ManualClock:
    def __init__(self, now: float = 1_000_000.0) -> None:
        self._now = now
        self._sleepers: dict[Future[None], float] = {}
        self._watchers: list[tuple[Future[None], int]] = []

    def now(self) -> float:
        return self._now

    def monotonic(self) -> float:
        return self._now

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        sleeper = asyncio.get_running_loop().create_future()
        self._sleepers[sleeper] = self._now + seconds
        self._tell_watchers()
        try:
            await sleeper
        finally:
            self._sleepers.pop(sleeper, None)

    def advance(self, seconds: float) -> None:
        """Wakes those whose time has come, the earliest first."""
        self._now += seconds
        for sleeper in sorted(self._sleepers, key=self._sleepers.__getitem__):
            if self._sleepers[sleeper] <= self._now and not sleeper.done():
                sleeper.set_result(None)

    async def sleepers(self, count: int = 1) -> None:
        """Returns when at least `count` are asleep, so that a test knows when to advance."""
        watcher = asyncio.get_running_loop().create_future()
        self._watchers.append((watcher, count))
        self._tell_watchers()
        await watcher

    def _tell_watchers(self) -> None:
        asleep = sum(not sleeper.done() for sleeper in self._sleepers)
        for watcher, count in self._watchers:
            if asleep >= count and not watcher.done():
                watcher.set_result(None)
        self._watchers = [pair for pair in self._watchers if not pair[0].done()]
