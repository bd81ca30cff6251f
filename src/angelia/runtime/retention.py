"""Letting go of runs whose time is over."""

import logging
from collections.abc import Iterator

from angelia.errors import LogUnavailable
from angelia.ports import Clock, Expired, RunStore
from angelia.runtime.runs import Runs

DAY = 86_400.0
# Whoever asked for a run that is not stored has its answer by then.
UNSTORED_SECONDS = 60.0
# How long one of them waits for its client's results.
UNSTORED_WAIT = 3600.0
BETWEEN_SWEEPS = 20.0

logger = logging.getLogger(__name__)


class Sweeper:
    """Deletes runs that were not to be stored soon after their end, and others after `days`."""

    def __init__(
        self,
        expired: Expired,
        store: RunStore,
        runs: Runs,
        clock: Clock,
        days: float | None,
    ) -> None:
        self._expired = expired
        self._store = store
        self._runs = runs
        self._clock = clock
        self._days = days

    async def go(self) -> None:
        while True:
            try:
                await self.sweep()
            except LogUnavailable:
                logger.warning("nothing can be deleted while the log cannot be written")
            await self._clock.sleep(BETWEEN_SWEEPS)

    async def sweep(self) -> int:
        """How many runs are gone."""
        await self._give_up_waiting()
        gone = 0
        for stored, before in self._ages():
            while page := await self._expired.over(before, stored=stored):
                for run in page:
                    await self._runs.delete(run)
                gone += len(page)
        return gone

    async def _give_up_waiting(self) -> None:
        """What nobody comes back to would never end, and so never be deleted."""
        latest = self._clock.now() - UNSTORED_WAIT
        for run in await self._store.unfinished():
            waits = run.status == "waiting_for_client" and run.updated_at < latest
            if waits and not run.stored:
                await self._runs.stop(run.id, by="expired")

    def _ages(self) -> Iterator[tuple[bool, float]]:
        now = self._clock.now()
        yield False, now - UNSTORED_SECONDS
        if self._days is not None:
            yield True, now - self._days * DAY
