"""Two questions at once: the second is asked when the first takes long to show anything."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from typing import Any, Generic, TypeVar

from angelia.ports import Clock
from angelia.runtime.step import Step

T = TypeVar("T")

Question = Callable[[], Coroutine[Any, Any, T]]


class Race(Generic[T]):
    """Whoever shows something first is the only one that goes on.

    `is_answer` tells an outcome that ends the race from one that leaves it to the other.
    """

    def __init__(self, step: Step, clock: Clock, is_answer: Callable[[T], bool]) -> None:
        self._step = step
        self._clock = clock
        self._is_answer = is_answer

    async def run(
        self, first: Question[T], second: Question[T], after: float
    ) -> tuple[T | None, T | None]:
        """What became of each; None for one that was not asked, or not to its end."""
        async with AsyncExitStack() as leaving:
            one = self._begin(first, leaving)
            await self._wait({one}, after)
            if one.done() or self._step.claimed.is_set():
                return await one, None
            two = self._begin(second, leaving)
            await self._decided(one, two)
            return _outcome(one), _outcome(two)

    def _begin(self, question: Question[T], leaving: AsyncExitStack) -> asyncio.Task[T]:
        task = asyncio.create_task(question())
        leaving.push_async_callback(_ended, task)
        return task

    async def _decided(self, *tasks: asyncio.Task[T]) -> None:
        """Returns when one has answered, or both have come to nothing."""
        running = set(tasks)
        while running and not self._step.claimed.is_set():
            running -= await self._wait(running)
            if any(self._is_answer(task.result()) for task in tasks if task.done()):
                return
        winner = self._step.claimant
        for task in running - {winner}:
            await _ended(task)
        if winner in running:
            await asyncio.wait((winner,))

    async def _wait(
        self, tasks: set[asyncio.Task[T]], seconds: float | None = None
    ) -> set[asyncio.Task[T]]:
        """Until one of them is done, something is shown or the time is over."""
        watched: set[asyncio.Task[Any]] = {asyncio.create_task(self._step.claimed.wait())}
        if seconds is not None:
            watched.add(asyncio.create_task(self._clock.sleep(seconds)))
        try:
            await asyncio.wait({*tasks, *watched}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in watched:
                task.cancel()
        return {task for task in tasks if task.done()}


def _outcome(task: asyncio.Task[T]) -> T | None:
    return task.result() if task.done() and not task.cancelled() else None


async def _ended(task: asyncio.Task[Any]) -> None:
    """Whatever it has opened is closed once this returns."""
    task.cancel()
    await asyncio.wait((task,))
