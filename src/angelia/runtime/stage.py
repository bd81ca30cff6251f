"""Drivers at work, each a task of its own, and what becomes of a run whose driver had to leave."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any

from angelia.core.events import Fact
from angelia.core.redact import redact
from angelia.errors import Fenced, LogUnavailable, StorageError
from angelia.ports import Clock
from angelia.runtime.driver import INTERNAL, Driver

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 10.0

logger = logging.getLogger(__name__)


class Stage:
    """`live` are the drivers by their runs; `paused` are runs that wait for the log.

    `rested` hears of every driver that has left, `take_over` drives a run anew.
    """

    def __init__(
        self,
        clock: Clock,
        rested: Callable[[Driver], None],
        take_over: Callable[[str], Coroutine[Any, Any, None]],
    ) -> None:
        self.live: dict[str, Driver] = {}
        self.paused: set[str] = set()
        self._clock = clock
        self._rested = rested
        self._take_over = take_over
        self._hosts: set[asyncio.Task[None]] = set()

    def host(self, driver: Driver, first: Sequence[Fact] = ()) -> None:
        self.live[driver.run_id] = driver
        self.keep(self._run(driver, first))

    def keep(self, work: Coroutine[Any, Any, None]) -> None:
        """Work that nobody waits for."""
        task = asyncio.create_task(work)
        self._hosts.add(task)
        task.add_done_callback(self._hosts.discard)

    async def quiet(self) -> None:
        """Returns when nothing is under way."""
        while self._hosts:
            await asyncio.wait(self._hosts)

    async def close(self, *others: asyncio.Task[None]) -> None:
        """Ends all work together with the `others`."""
        tasks = {*self._hosts, *others}
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _run(self, driver: Driver, first: Sequence[Fact]) -> None:
        try:
            await self._drive(driver, first)
        except Fenced:
            await driver.leave()
        except LogUnavailable as error:
            logger.error("run %s is paused: %s", driver.run_id, redact(str(error)))
            await driver.leave()
            self.paused.add(driver.run_id)
            self.keep(self._go_on_later(driver.run_id))
        finally:
            self.live.pop(driver.run_id, None)
            self._rested(driver)

    async def _drive(self, driver: Driver, first: Sequence[Fact]) -> None:
        try:
            await driver.drive(first)
        except asyncio.CancelledError:
            await driver.leave()
            raise
        except (StorageError, Fenced):
            raise
        # A run must never hang: what nobody foresaw ends it as failed.
        except Exception:
            logger.exception("run %s ended by an internal error", driver.run_id)
            await driver.fail(INTERNAL)

    async def _go_on_later(self, run_id: str) -> None:
        """Takes a run over as soon as the log can be written again."""
        pause = FIRST_PAUSE
        while run_id in self.paused:
            await self._clock.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)
            with suppress(LogUnavailable):
                await self._take_over(run_id)
