"""Tells those who asked for it what becomes of their runs: at least once, in order for each run.

Above: Runs, which attaches a webhook before a run begins. Below: ports. What is still to be told
is in a store and what there is to tell in the log, so nothing is lost with the process.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterable, Sequence
from random import Random
from typing import Literal, assert_never

from msgspec import UNSET, Raw, UnsetType
from msgspec.structs import replace

from angelia.core.events import Entry, RunEnded, RunStarted, RunWaited
from angelia.core.run import fold
from angelia.errors import LogUnavailable, NotFound
from angelia.ports import Clock, EventLog, RunRecord, RunStore
from angelia.ports.deliveries import (
    Answered,
    Barred,
    Delivery,
    DeliveryStore,
    Posted,
    Poster,
    Unreached,
)
from angelia.runtime.facing import facing
from angelia.runtime.keyring import Keyring
from angelia.runtime.meters import Meters
from angelia.wire.runs import webhooks as wire
from angelia.wire.runs.server import Facing, run_json

FIRST_PAUSE = 2.0
LONGEST_PAUSE = 3600.0
JITTER = 0.5
GIVE_UP_AFTER = 24 * 3600.0
STORE_PAUSE = 5.0
WORTH_ANOTHER_TRY = (408, 425, 429)

Verdict = Literal["delivered", "again", "never"]

logger = logging.getLogger(__name__)


class Webhooks:
    def __init__(
        self,
        *,
        store: DeliveryStore,
        poster: Poster,
        log: EventLog,
        runs: RunStore,
        keyring: Keyring,
        clock: Clock,
        allow_private: bool,
        meters: Meters | None = None,
        randomness: Random | None = None,
    ) -> None:
        self.store = store
        self.poster = poster
        self.log = log
        self.runs = runs
        self.keyring = keyring
        self.clock = clock
        self.meters = meters or Meters()
        self.randomness = randomness or Random()  # noqa: S311 -- jitter is no secret
        self._allow_private = allow_private
        self._tasks: set[asyncio.Task[None]] = set()

    def accept(self, wish: wire.Wish | None) -> Raw | UnsetType:
        """The wish as a run's first fact holds it. Raises BadRequest for a private address."""
        if wish is None:
            return UNSET
        if not self._allow_private:
            wire.refuse_private(wish)
        return wire.to_raw(wish)

    async def attach(self, run: RunRecord, fact: RunStarted) -> None:
        """Before the run begins: then it cannot end without somebody who knows whom to tell."""
        if fact.webhook is UNSET:
            return
        wish = wire.from_raw(fact.webhook)
        delivery = Delivery(run.id, run.tenant, wish.url, wish.events)
        try:
            await self.store.put(delivery)
        except LogUnavailable as error:
            # The run's log knows the wish too: the next start finds it while the run has no end.
            logger.error("the webhook of run %s is not stored yet: %s", run.id, error)
        self._keep(delivery)

    async def resume(self, unfinished: Iterable[RunRecord]) -> int:
        """Goes on with what an earlier process has left; answers how many are to be told."""
        known = await self.store.list()
        for delivery in known:
            self._keep(delivery)
        kept = {delivery.run_id for delivery in known}
        for run in unfinished:
            if run.id not in kept:
                await self._attach_again(run)
        return len(self._tasks)

    async def close(self) -> None:
        """What is under way is told again after the next start."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _attach_again(self, run: RunRecord) -> None:
        facts = await self.log.read(run.id, facts_only=True)
        first = facts.entries[0].event if facts else None
        if isinstance(first, RunStarted):
            await self.attach(run, first)

    def _keep(self, delivery: Delivery) -> None:
        task = asyncio.create_task(_Telling(self, delivery).work())
        self._tasks.add(task)
        task.add_done_callback(self._over)

    def _over(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (defect := task.exception()) is not None:
            logger.error("a webhook is left until the next start", exc_info=defect)


class _Telling:
    """One run's webhook, from the entry it was last told of to the end of the run."""

    def __init__(self, shared: Webhooks, delivery: Delivery) -> None:
        self._shared = shared
        self._delivery = delivery
        self._host = wire.host_of(delivery.url)

    async def work(self) -> None:
        while True:
            try:
                await self._tell_all()
                await self._shared.store.delete(self._delivery.run_id)
                return
            except LogUnavailable:
                await self._shared.clock.sleep(STORE_PAUSE)

    async def _tell_all(self) -> None:
        """Returns when there is nothing more to tell, or nothing left to tell of."""
        try:
            while (entry := await self._next()) is not None:
                event = wire.told_by(entry.event)
                if event is not None and event in self._delivery.events:
                    await self._tell(event, entry)
                self._delivery = replace(self._delivery, seq=entry.seq)
                if isinstance(entry.event, RunEnded):
                    return
                await self._shared.store.put(self._delivery)
        except NotFound as gone:
            logger.info("webhook of run %s: %s", self._delivery.run_id, gone)

    async def _next(self) -> Entry | None:
        batches = self._shared.log.follow(self._delivery.run_id, self._delivery.seq)
        try:
            async for batch in batches:
                for entry in batch.entries:
                    if isinstance(entry.event, RunWaited | RunEnded):
                        return entry
        finally:
            if isinstance(batches, AsyncGenerator):
                await batches.aclose()
        return None

    async def _tell(self, event: wire.WebhookEvent, entry: Entry) -> None:
        """Until it is delivered or there is no hope. Raises NotFound when run or key are gone."""
        attempt = 1
        while True:
            answer = await self._attempt(event, entry)
            match verdict(answer):
                case "delivered":
                    self._shared.meters.told("delivered")
                    return
                case "never":
                    self._give_up(event, answer)
                    return
                case "again":
                    wait = pause(attempt, answer, self._shared.randomness)
                    if self._shared.clock.now() + wait > entry.at + GIVE_UP_AFTER:
                        self._give_up(event, answer)
                        return
            self._shared.meters.told("retried")
            await self._shared.clock.sleep(wait)
            attempt += 1

    async def _attempt(self, event: wire.WebhookEvent, entry: Entry) -> Posted:
        key = await self._shared.keyring.get(self._delivery.tenant)
        content = wire.body(event, entry.at, run_json(await self._run_at(entry)))
        # The same for every attempt, so that a receiver knows what it has seen before.
        message_id = f"{entry.run_id}_{entry.seq}"
        at = int(self._shared.clock.now())
        headers = wire.headers(message_id, at, content, key.digest)
        return await self._shared.poster.post(self._delivery.url, headers, content)

    async def _run_at(self, entry: Entry) -> Facing:
        """The run as it was at this entry, whatever has become of it since."""
        run = await self._shared.runs.get(entry.run_id)
        facts = await self._shared.log.read(entry.run_id, facts_only=True)
        if run is None or facts is None:
            raise NotFound("the run was deleted")
        return _facing(run, [fact for fact in facts.entries if fact.seq <= entry.seq])

    def _give_up(self, event: wire.WebhookEvent, answer: Posted) -> None:
        self._shared.meters.told("given_up")
        logger.warning(
            "webhook of run %s: gave up telling %s of %s: %s",
            self._delivery.run_id,
            self._host,
            event,
            _reason(answer),
        )


def verdict(answer: Posted) -> Verdict:
    match answer:
        case Answered(status=status):
            if 200 <= status < 300:
                return "delivered"
            return "again" if status >= 500 or status in WORTH_ANOTHER_TRY else "never"
        case Unreached():
            return "again"
        case Barred():
            return "never"
        case _:
            assert_never(answer)


def pause(attempt: int, answer: Posted, randomness: Random) -> float:
    """Seconds before attempt `attempt` + 1, counted from 1; the receiver may ask for more."""
    grown = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(attempt - 1, 30))
    wished = answer.retry_after if isinstance(answer, Answered) else None
    return max(grown * (1 - JITTER * randomness.random()), min(wished or 0.0, LONGEST_PAUSE))


def _reason(answer: Posted) -> str:
    match answer:
        case Answered(status=status):
            return f"it answered with status {status}"
        case Unreached(reason=reason):
            return f"it cannot be reached ({reason})"
        case Barred():
            return "its address is private, and [webhooks] allow_private is not set"
        case _:
            assert_never(answer)


def _facing(run: RunRecord, facts: Sequence[Entry]) -> Facing:
    """As it was at the last of these facts."""
    state = fold(fact.event for fact in facts)
    return replace(facing(run, state), updated_at=facts[-1].at, last_seq=facts[-1].seq)
