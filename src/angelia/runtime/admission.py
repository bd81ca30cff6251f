"""Who may start work: so many requests a minute, so many runs at once, so much money."""

from collections import Counter
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from math import ceil
from typing import TypeVar

from angelia.config import Allowance
from angelia.core import days
from angelia.core.rates import Window
from angelia.errors import RateLimited
from angelia.ports import ApiKey, Clock, KeyRules, UsageStore

# Nobody knows when a run ends; this is often enough to ask.
RUN_SECONDS = 5.0

N = TypeVar("N", int, float)


def in_force(rules: KeyRules, defaults: Allowance) -> Allowance:
    """A key's own limits, and for those it has not what holds for everybody."""
    return Allowance(
        requests_per_minute=_own(rules.requests_per_minute, defaults.requests_per_minute),
        concurrent_runs=_own(rules.concurrent_runs, defaults.concurrent_runs),
        daily_budget=_own(rules.daily_budget, defaults.daily_budget),
        monthly_budget=_own(rules.monthly_budget, defaults.monthly_budget),
    )


def _own(own: N | None, default: N | None) -> N | None:
    return default if own is None else own


class Admission:
    """`under_way` counts the runs of a tenant that are being worked on."""

    def __init__(
        self,
        usage: UsageStore,
        clock: Clock,
        defaults: Allowance,
        under_way: Callable[[str], int],
    ) -> None:
        self._usage = usage
        self._clock = clock
        self._defaults = defaults
        self._under_way = under_way
        self._starting: Counter[str] = Counter()
        # The least recently used is first.
        self._windows: dict[str, Window] = {}

    async def admit(self, key: ApiKey) -> AbstractContextManager[None]:
        """Counts a request that starts work. Raises RateLimited.

        What it returns holds a place among the runs under way until the run is one of them:
        `with await admission.admit(key): await runs.start(…)`.
        """
        limits = in_force(key.rules, self._defaults)
        await self._check_budgets(key, limits)
        # Nothing is awaited between these checks and the place that is held.
        self._check_runs(key, limits.concurrent_runs)
        self._check_rate(key, limits.requests_per_minute)
        return self._place(key.id)

    def __len__(self) -> int:
        """How many keys it remembers."""
        return len(self._windows)

    @contextmanager
    def _place(self, tenant: str) -> Generator[None]:
        self._starting[tenant] += 1
        try:
            yield
        finally:
            self._starting[tenant] -= 1
            if not self._starting[tenant]:
                del self._starting[tenant]

    def _check_rate(self, key: ApiKey, most: int | None) -> None:
        now = self._clock.monotonic()
        self._forget_idle(now)
        if most is None:
            return
        window = self._windows[key.id] = self._windows.pop(key.id, None) or Window()
        if seconds := window.wait(now, most):
            raise RateLimited(
                f"The key {key.name!r} may start work {most} times a minute; "
                f"try again in {ceil(seconds)} s.",
                code="rate_limit_exceeded",
                retry_after=seconds,
            )

    def _forget_idle(self, now: float) -> None:
        while self._windows:
            longest_unused = next(iter(self._windows))
            if not self._windows[longest_unused].is_empty(now):
                return
            del self._windows[longest_unused]

    def _check_runs(self, key: ApiKey, most: int | None) -> None:
        if most is None:
            return
        if self._under_way(key.id) + self._starting[key.id] >= most:
            raise RateLimited(
                f"The key {key.name!r} may have {most} runs at once; "
                "wait for one to end, or stop one.",
                code="too_many_runs",
                retry_after=RUN_SECONDS,
            )

    async def _check_budgets(self, key: ApiKey, limits: Allowance) -> None:
        """The month goes first: when it is used up, another day does not help."""
        today = days.day_of(self._clock.now())
        first = days.month_of(today)
        await self._check_budget(key, "month", limits.monthly_budget, first, days.next_month(today))
        await self._check_budget(key, "day", limits.daily_budget, today, today + 1)

    async def _check_budget(
        self, key: ApiKey, period: str, most: float | None, first: int, following: int
    ) -> None:
        if most is None or await self._usage.cost(key.id, first) < most:
            return
        raise RateLimited(
            f"The key {key.name!r} has used up its budget of {most:g} for this {period}; "
            f"the next one begins on {days.iso(following)} (UTC).",
            code="budget_exceeded",
            retry_after=following * days.DAY - self._clock.now(),
        )
