"""A limit on waiting that can be moved for every piece of a stream at no cost."""

import asyncio
from math import inf
from types import TracebackType
from typing import Self

# No timer of a process that runs is as late.
STOOD_STILL = 1.0


class Watch:
    """`async with Watch()` raises TimeoutError when its limit passes; `expired` tells.

    Whoever notices that much too late has stood still itself, and waits for as long again.
    Without seconds there is no limit until one is set. Its timer is set anew only when it fires
    too early, not whenever the limit moves.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self._seconds = seconds
        self._timeout = asyncio.timeout(None)
        self._loop = asyncio.get_running_loop()
        self._limit = inf
        self._allowed = 0.0
        self._timer: asyncio.Handle | None = None
        # The handle does not tell: uvloop has no timers for less than half a millisecond.
        self._fires = inf
        self._is_due = False

    @property
    def expired(self) -> bool:
        return self._timeout.expired()

    def allow(self, seconds: float) -> None:
        """From now on."""
        if self._is_due:
            self._recall()
        self._allowed = seconds
        self._limit = self._loop.time() + seconds
        if self._limit < self._fires:
            self._set(self._limit)

    def pause(self) -> None:
        if self._is_due:
            self._recall()
        self._limit = inf

    async def __aenter__(self) -> Self:
        await self._timeout.__aenter__()
        if self._seconds is not None:
            self.allow(self._seconds)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        if self._timer is not None:
            self._timer.cancel()
        return await self._timeout.__aexit__(kind, error, trace)

    def _set(self, when: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(when, self._look)
        self._fires = when

    def _recall(self) -> None:
        """What came in the same moment as the end of the limit came in time."""
        if not self.expired:
            self._timeout.reschedule(None)
        self._is_due = False

    def _look(self) -> None:
        self._timer = None
        self._fires = inf
        # The limit may be moved between its passing and the end of whoever waits.
        if self.expired:
            return
        now = self._loop.time()
        if now - self._limit > STOOD_STILL:
            # Nothing was read and perhaps not even asked meanwhile: that silence is our own.
            self._limit = now + self._allowed
        if now >= self._limit:
            self._timeout.reschedule(now)
            self._is_due = True
        elif self._limit < inf:
            self._set(self._limit)
