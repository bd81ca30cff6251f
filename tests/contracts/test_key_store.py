"""What every store of API keys promises."""

import pytest
from msgspec.structs import replace

from angelia.core.policy import Policy
from angelia.errors import Conflict
from angelia.ports import ApiKey, KeyRules
from tests.contracts.stores import Store

FIRST = ApiKey("key_1", "first", "digest one", ("chat", "runs"), 1.5)
RULES = KeyRules(
    tool_events="carrier",
    tool_items="mcp",
    on_disconnect="continue",
    models=("angelia", "other"),
    tools=(),
    policy=Policy(ask=("terminal",), deny=("irreversible",)),
    requests_per_minute=60,
    concurrent_runs=4,
    daily_budget=1.25,
    monthly_budget=20.0,
)
SECOND = ApiKey("key_2", "second", "digest two", ("admin",), 2.5, "ang-ab", RULES, 99.5)


async def test_a_key_is_found_by_its_digest(store: Store) -> None:
    await store.keys.add(FIRST)
    await store.keys.add(SECOND)
    await store.reopen()
    assert await store.keys.find("digest one") == FIRST
    assert await store.keys.find("digest two") == SECOND
    assert await store.keys.find("digest three") is None


async def test_an_expired_key_is_still_found_since_its_time_is_for_others_to_judge(
    store: Store,
) -> None:
    assert store.clock.now() > (SECOND.expires_at or 0)
    await store.keys.add(SECOND)
    assert await store.keys.find("digest two") == SECOND


async def test_a_key_that_was_found_before_is_found_with_its_new_rules(store: Store) -> None:
    await store.keys.add(FIRST)
    await store.keys.find("digest one")
    changed = replace(FIRST, rules=RULES, hint="ang-xy", expires_at=7.0)
    await store.keys.add(changed)
    assert await store.keys.find("digest one") == changed


async def test_keys_are_listed_in_the_order_they_were_made(store: Store) -> None:
    assert list(await store.keys.list()) == []
    await store.keys.add(SECOND)
    await store.keys.add(FIRST)
    assert list(await store.keys.list()) == [SECOND, FIRST]


async def test_a_revoked_key_is_listed_and_no_longer_found(store: Store) -> None:
    await store.keys.add(FIRST)
    assert await store.keys.revoke("key_1", 9.0)
    assert await store.keys.find("digest one") is None
    assert [key.revoked_at for key in await store.keys.list()] == [9.0]


async def test_a_key_is_revoked_once(store: Store) -> None:
    await store.keys.add(FIRST)
    await store.keys.revoke("key_1", 9.0)
    assert not await store.keys.revoke("key_1", 10.0)
    assert not await store.keys.revoke("key_9", 10.0)
    assert [key.revoked_at for key in await store.keys.list()] == [9.0]


async def test_a_key_takes_the_place_of_the_one_with_its_id(store: Store) -> None:
    await store.keys.add(FIRST)
    await store.keys.add(SECOND)
    changed = ApiKey("key_1", "first", "digest three", ("chat",), 3.0)
    await store.keys.add(changed)
    assert await store.keys.find("digest one") is None
    assert await store.keys.find("digest three") == changed
    assert list(await store.keys.list()) == [changed, SECOND]


async def test_no_two_keys_have_the_same_digest(store: Store) -> None:
    await store.keys.add(FIRST)
    with pytest.raises(Conflict, match="twin"):
        await store.keys.add(ApiKey("key_2", "twin", "digest one", (), 1.0))
    assert list(await store.keys.list()) == [FIRST]
