"""Work is refused over a limit, for as long as the refusal says, and no other key is touched."""

import asyncio
from collections import Counter

import pytest

from angelia.adapters.memory.clock import ManualClock
from angelia.config import Allowance
from angelia.core import days
from angelia.errors import RateLimited
from angelia.ports import ApiKey, KeyRules, UsageFilter, UsageRow
from angelia.runtime.admission import Admission, in_force

# 2026-01-30, 18:00 in UTC.
NOW = 1_769_796_000.0
TODAY = days.day_of(NOW)


class Ledger:
    """What tenants spent on which day."""

    def __init__(self) -> None:
        self.spent: dict[tuple[str, int], float] = {}

    async def find(self, wanted: UsageFilter) -> tuple[UsageRow, ...]:
        raise NotImplementedError

    async def cost(self, tenant: str, first_day: int) -> float:
        await asyncio.sleep(0)
        return sum(
            cost for (who, day), cost in self.spent.items() if who == tenant and day >= first_day
        )


class World:
    def __init__(self, defaults: Allowance | None = None) -> None:
        self.clock = ManualClock(NOW)
        self.ledger = Ledger()
        self.running: Counter[str] = Counter()
        self.admission = Admission(
            self.ledger, self.clock, defaults or Allowance(), self.running.__getitem__
        )

    async def start(self, key: ApiKey) -> None:
        """A run that is under way a moment after it was let in."""
        with await self.admission.admit(key):
            await asyncio.sleep(0)
            self.running[key.id] += 1

    async def refusal(self, key: ApiKey) -> RateLimited:
        with pytest.raises(RateLimited) as refused:
            await self.admission.admit(key)
        return refused.value


def key(name: str = "laptop", rules: KeyRules | None = None) -> ApiKey:
    return ApiKey(f"key_{name}", name, name, ("chat",), 0.0, rules=rules or KeyRules())


async def test_without_limits_everybody_is_let_in() -> None:
    world = World()
    for _ in range(1_000):
        await world.start(key())
    assert world.running["key_laptop"] == 1_000
    assert len(world.admission) == 0


# ── requests a minute ───────────────────────────────────────────────────────────────────────


async def test_requests_over_the_rate_wait_as_long_as_they_are_told() -> None:
    world = World(Allowance(requests_per_minute=3))
    for _ in range(3):
        await world.admission.admit(key())
        world.clock.advance(10)
    refused = await world.refusal(key())
    assert (refused.code, refused.status) == ("rate_limit_exceeded", 429)
    assert "3 times a minute" in refused.message
    assert refused.retry_after == pytest.approx(30, abs=0.1)
    world.clock.advance(refused.retry_after or 0)
    await world.admission.admit(key())


async def test_one_key_does_not_use_up_the_rate_of_another() -> None:
    world = World(Allowance(requests_per_minute=1))
    await world.admission.admit(key("one"))
    await world.refusal(key("one"))
    await world.admission.admit(key("two"))


async def test_what_a_key_says_goes_before_what_holds_for_all() -> None:
    world = World(Allowance(requests_per_minute=1))
    own = key("own", KeyRules(requests_per_minute=2))
    await world.admission.admit(own)
    await world.admission.admit(own)
    await world.refusal(own)


async def test_a_change_of_the_rules_holds_at_once() -> None:
    world = World()
    await world.admission.admit(key(rules=KeyRules(requests_per_minute=1)))
    await world.refusal(key(rules=KeyRules(requests_per_minute=1)))
    await world.admission.admit(key(rules=KeyRules(requests_per_minute=2)))


async def test_keys_that_ask_no_more_are_forgotten() -> None:
    world = World(Allowance(requests_per_minute=10))
    for number in range(500):
        await world.admission.admit(key(str(number)))
        world.clock.advance(1)
    assert len(world.admission) <= 61
    world.clock.advance(60)
    await world.admission.admit(key("last"))
    assert len(world.admission) == 1


# ── runs at once ────────────────────────────────────────────────────────────────────────────


async def test_another_run_starts_when_one_has_ended() -> None:
    world = World(Allowance(concurrent_runs=2))
    await world.start(key())
    await world.start(key())
    refused = await world.refusal(key())
    assert refused.code == "too_many_runs"
    assert refused.retry_after
    world.running["key_laptop"] -= 1
    await world.start(key())


async def test_requests_at_the_same_moment_do_not_slip_through() -> None:
    world = World(Allowance(concurrent_runs=3, requests_per_minute=100, daily_budget=1.0))
    results = await asyncio.gather(*(world.start(key()) for _ in range(20)), return_exceptions=True)
    assert world.running["key_laptop"] == 3
    assert sum(isinstance(result, RateLimited) for result in results) == 17


async def test_a_start_that_fails_leaves_its_place() -> None:
    world = World(Allowance(concurrent_runs=1))
    for _ in range(3):
        with pytest.raises(RuntimeError), await world.admission.admit(key()):
            raise RuntimeError
    await world.start(key())


async def test_a_request_that_finds_no_place_does_not_count_for_the_rate() -> None:
    world = World(Allowance(concurrent_runs=1, requests_per_minute=2))
    await world.start(key())
    for _ in range(5):
        assert (await world.refusal(key())).code == "too_many_runs"
    world.running.clear()
    await world.start(key())


# ── money ───────────────────────────────────────────────────────────────────────────────────


async def test_a_day_that_is_used_up_ends_at_midnight_in_utc() -> None:
    world = World(Allowance(daily_budget=5.0))
    world.ledger.spent["key_laptop", TODAY] = 4.99
    await world.admission.admit(key())
    world.ledger.spent["key_laptop", TODAY] = 5.0
    refused = await world.refusal(key())
    assert (refused.code, refused.retry_after) == ("budget_exceeded", 6 * 3600)
    assert "2026-01-31" in refused.message
    world.clock.advance(refused.retry_after or 0)
    await world.admission.admit(key())


async def test_a_month_that_is_used_up_ends_with_its_last_day() -> None:
    world = World(Allowance(daily_budget=5.0, monthly_budget=8.0))
    world.ledger.spent |= {("key_laptop", TODAY - 20): 4.0, ("key_laptop", TODAY): 5.0}
    refused = await world.refusal(key())
    assert (refused.code, refused.retry_after) == ("budget_exceeded", 30 * 3600)
    assert "2026-02-01" in refused.message
    world.clock.advance(refused.retry_after or 0)
    await world.admission.admit(key())


async def test_the_month_before_and_other_keys_do_not_count() -> None:
    world = World(Allowance(monthly_budget=8.0))
    world.ledger.spent |= {("key_laptop", TODAY - 30): 100.0, ("key_other", TODAY): 100.0}
    await world.admission.admit(key())


def test_limits_are_the_keys_own_or_those_of_all() -> None:
    defaults = Allowance(requests_per_minute=60, concurrent_runs=4, daily_budget=1.0)
    rules = KeyRules(requests_per_minute=5, daily_budget=9.0, monthly_budget=20.0)
    assert in_force(rules, defaults) == Allowance(5, 4, 9.0, 20.0)
    assert in_force(KeyRules(), defaults) == defaults
