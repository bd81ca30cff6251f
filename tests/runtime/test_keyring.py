"""Keys are recognised by their digest and kept nowhere in the clear."""

import asyncio
from collections.abc import Callable, Sequence

import pytest
from msgspec.structs import replace

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.memory.keys import MemoryKeys
from angelia.errors import Conflict, NotFound
from angelia.ports import ApiKey, KeyRules
from angelia.runtime.keyring import ALL_SCOPES, FIRST, Keyring, digest, new_secret

SECRET = "one-secret-0123456789"
OTHER = "two-secret-0123456789"
RULES = KeyRules(models=("angelia",), daily_budget=2.5)


class SlowKeys(MemoryKeys):
    """Others have their turn between a look and what comes of it, as with a real store."""

    async def list(self) -> Sequence[ApiKey]:
        known = await super().list()
        await asyncio.sleep(0)
        return known


def to(**fields: object) -> Callable[[ApiKey], ApiKey]:
    return lambda key: replace(key, **fields)


def keyring() -> tuple[Keyring, MemoryKeys, ManualClock]:
    store, clock = SlowKeys(), ManualClock()
    return Keyring(store, clock), store, clock


async def test_a_secret_is_recognised_and_not_kept() -> None:
    ring, store, _ = keyring()
    key, secret = await ring.issue("laptop", ("chat",), RULES)
    assert await ring.identify(secret) == key
    assert await ring.identify(secret + "x") is None
    assert secret not in repr(await store.list())
    assert (key.hint, key.rules) == (secret[:8], RULES)


async def test_an_expired_key_is_nobody() -> None:
    ring, _, clock = keyring()
    key, secret = await ring.issue("guest", ("chat",), expires_at=clock.now() + 10)
    clock.advance(9.5)
    assert await ring.identify(secret) == key
    clock.advance(0.5)
    assert await ring.identify(secret) is None
    assert await ring.get(key.id) == key


async def test_a_revoked_key_is_nobody_and_stays_in_the_list() -> None:
    ring, _, clock = keyring()
    first = await ring.keep_first(SECRET)
    key, secret = await ring.issue("laptop", ("chat",))
    clock.advance(5)
    revoked = await ring.revoke(key.id, by=first)
    assert revoked.revoked_at == clock.now()
    assert await ring.identify(secret) is None
    assert list(await ring.list()) == [first, revoked]
    clock.advance(5)
    assert await ring.revoke(key.id, by=first) == revoked


async def test_a_change_holds_for_the_next_request() -> None:
    ring, _, _ = keyring()
    first = await ring.keep_first(SECRET)
    key, secret = await ring.issue("laptop", ("chat",))
    changed = await ring.change(
        key.id, to(name="desk", scopes=("read",), rules=RULES, expires_at=2e9), by=first
    )
    assert await ring.identify(secret) == changed
    expected = replace(key, name="desk", scopes=("read",), rules=RULES, expires_at=2e9)
    assert changed == expected


async def test_changes_at_the_same_moment_do_not_undo_each_other() -> None:
    ring, _, _ = keyring()
    first = await ring.keep_first(SECRET)
    key, _ = await ring.issue("laptop", ("chat",))
    await asyncio.gather(
        ring.change(key.id, to(name="desk"), by=first),
        ring.change(key.id, to(rules=RULES), by=first),
    )
    assert await ring.get(key.id) == replace(key, name="desk", rules=RULES)


async def test_a_revoked_key_does_not_change() -> None:
    ring, _, _ = keyring()
    first = await ring.keep_first(SECRET)
    key, _ = await ring.issue("laptop", ("chat",))
    await ring.revoke(key.id, by=first)
    with pytest.raises(Conflict, match="revoked"):
        await ring.change(key.id, to(name="desk"), by=first)


async def test_a_key_that_is_not_there_is_not_found() -> None:
    ring, _, _ = keyring()
    first = await ring.keep_first(SECRET)
    for asking in (
        ring.get("key_9"),
        ring.revoke("key_9", by=first),
        ring.change("key_9", to(), by=first),
    ):
        with pytest.raises(NotFound, match="key_9"):
            await asking


# ── nobody shuts the door behind themselves ─────────────────────────────────────────────────


async def test_a_key_cannot_shut_itself_out() -> None:
    ring, _, _ = keyring()
    first = await ring.keep_first(SECRET)
    admin, _ = await ring.issue("admin", ("admin",))
    for key in (first, admin):
        with pytest.raises(Conflict) as refused:
            await ring.revoke(key.id, by=key)
        assert refused.value.code == "own_key"
        with pytest.raises(Conflict) as refused:
            await ring.change(key.id, to(scopes=("chat",)), by=key)
        assert refused.value.code == "own_key"
    assert (await ring.change(admin.id, to(name="renamed"), by=admin)).name == "renamed"


async def test_the_last_usable_admin_key_stays_one() -> None:
    ring, _, clock = keyring()
    stranger = ApiKey("key_x", "stranger", "x", ("admin",), 0.0)
    last, _ = await ring.issue("last", ("admin",))
    await ring.issue("expired", ("admin",), expires_at=clock.now() - 1)
    await ring.issue("plain", ("chat", "runs", "read"))
    for asking in (
        ring.revoke(last.id, by=stranger),
        ring.change(last.id, to(scopes=("chat",)), by=stranger),
    ):
        with pytest.raises(Conflict) as refused:
            await asking
        assert refused.value.code == "last_admin_key"
    assert await ring.get(last.id) == last


async def test_two_admins_cannot_shut_each_other_out() -> None:
    ring, _, _ = keyring()
    one, _ = await ring.issue("one", ("admin",))
    two, _ = await ring.issue("two", ("admin",))
    results = await asyncio.gather(
        ring.revoke(one.id, by=two), ring.revoke(two.id, by=one), return_exceptions=True
    )
    assert [type(result) for result in results] == [ApiKey, Conflict]
    assert [key.revoked_at is None for key in await ring.list()] == [False, True]


# ── the first key ───────────────────────────────────────────────────────────────────────────


async def test_the_first_key_stays_one_tenant_when_its_secret_changes() -> None:
    ring, store, _ = keyring()
    first = await ring.keep_first(SECRET)
    assert await ring.keep_first(SECRET) == first
    changed = await ring.keep_first(OTHER)
    assert changed.id == first.id == FIRST
    assert await ring.identify(SECRET) is None
    assert await ring.identify(OTHER) == changed
    assert len(await store.list()) == 1


async def test_a_new_secret_brings_the_first_key_back_with_its_rules() -> None:
    ring, _, _ = keyring()
    first = await ring.keep_first(SECRET)
    admin, _ = await ring.issue("admin", ("admin",))
    await ring.change(FIRST, to(rules=RULES, scopes=("chat",)), by=admin)
    await ring.revoke(FIRST, by=admin)
    assert (await ring.keep_first(SECRET)).revoked_at is not None
    assert await ring.identify(SECRET) is None
    back = await ring.keep_first(OTHER)
    assert (back.id, back.scopes, back.rules) == (FIRST, ALL_SCOPES, RULES)
    assert await ring.identify(OTHER) == back
    assert first.digest != back.digest


async def test_little_is_shown_of_a_secret_that_a_person_chose() -> None:
    ring, _, _ = keyring()
    assert (await ring.keep_first("password-of-mine")).hint == "pass"


def test_secrets_are_long_and_never_the_same() -> None:
    made = {new_secret() for _ in range(100)}
    assert len(made) == len({digest(secret) for secret in made}) == 100
    assert all(len(secret) >= 32 and secret.startswith("ang-") for secret in made)
