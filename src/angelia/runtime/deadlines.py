"""The time a run may take, and the time people have to answer it, kept also while it waits."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from angelia.core.state import RunState, pending
from angelia.errors import LogUnavailable
from angelia.ports import Clock, RunRecord

# What cannot be written down now is tried again, or a run would wait for good.
PAUSE = 0.5

Expire = Callable[[str, str | None], Coroutine[Any, Any, None]]


class Deadlines:
    """`expire` is told which run, and which of its approvals; None is for the run itself."""

    def __init__(self, clock: Clock, expire: Expire) -> None:
        self._clock = clock
        self._expire = expire
        self._tasks: dict[str, dict[str | None, asyncio.Task[None]]] = {}

    @property
    def tasks(self) -> tuple[asyncio.Task[None], ...]:
        return tuple(task for tasks in self._tasks.values() for task in tasks.values())

    def watch(self, record: RunRecord, state: RunState) -> None:
        seconds = state.limits.max_seconds
        if seconds is not None:
            self._set(record.id, None, record.created_at + seconds)
        self.watch_approvals(record.id, state)

    def watch_approvals(self, run_id: str, state: RunState) -> None:
        for asked in pending(state.calls):
            if asked.expires_at is not None:
                self._set(run_id, asked.approval_id, asked.expires_at)

    def forget(self, run_id: str) -> None:
        for deadline in self._tasks.pop(run_id, {}).values():
            deadline.cancel()

    def _set(self, run_id: str, approval_id: str | None, at: float) -> None:
        tasks = self._tasks.setdefault(run_id, {})
        if approval_id not in tasks:
            tasks[approval_id] = asyncio.create_task(self._wait(run_id, approval_id, at))

    async def _wait(self, run_id: str, approval_id: str | None, at: float) -> None:
        await self._clock.sleep(max(0.0, at - self._clock.now()))
        while True:
            try:
                await self._expire(run_id, approval_id)
                return
            except LogUnavailable:
                await self._clock.sleep(PAUSE)
