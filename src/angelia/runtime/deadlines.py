"""The time a run may take, kept whether the run is driven or waits."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from angelia.core.state import RunState
from angelia.ports import Clock, RunRecord

Expire = Callable[[str], Coroutine[Any, Any, None]]


class Deadlines:
    def __init__(self, clock: Clock, expire: Expire) -> None:
        self._clock = clock
        self._expire = expire
        self._tasks: dict[str, asyncio.Task[None]] = {}

    @property
    def tasks(self) -> tuple[asyncio.Task[None], ...]:
        return tuple(self._tasks.values())

    def watch(self, record: RunRecord, state: RunState) -> None:
        seconds = state.limits.max_seconds
        if seconds is not None and record.id not in self._tasks:
            left = record.created_at + seconds - self._clock.now()
            self._tasks[record.id] = asyncio.create_task(self._wait(record.id, left))

    def forget(self, run_id: str) -> None:
        if (deadline := self._tasks.pop(run_id, None)) is not None:
            deadline.cancel()

    async def _wait(self, run_id: str, seconds: float) -> None:
        await self._clock.sleep(max(0.0, seconds))
        await self._expire(run_id)
