"""Keys are recognised by their digest and kept nowhere in the clear."""

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.memory.keys import MemoryKeys
from angelia.runtime.keyring import FIRST, Keyring, digest, new_secret


def keyring() -> tuple[Keyring, MemoryKeys]:
    store = MemoryKeys()
    return Keyring(store, ManualClock()), store


async def test_a_secret_is_recognised_and_not_kept() -> None:
    ring, store = keyring()
    key, secret = await ring.issue("laptop", ("chat",))
    assert await ring.identify(secret) == key
    assert await ring.identify(secret + "x") is None
    assert secret not in repr(await store.list())


async def test_a_revoked_key_is_nobody() -> None:
    ring, store = keyring()
    key, secret = await ring.issue("laptop", ("chat",))
    await store.revoke(key.id, 1.0)
    assert await ring.identify(secret) is None


async def test_the_first_key_stays_one_tenant_when_its_secret_changes() -> None:
    ring, store = keyring()
    first = await ring.keep_first("one-secret-0123456789")
    assert await ring.keep_first("one-secret-0123456789") == first
    changed = await ring.keep_first("two-secret-0123456789")
    assert changed.id == first.id == FIRST
    assert await ring.identify("one-secret-0123456789") is None
    assert await ring.identify("two-secret-0123456789") == changed
    assert len(await store.list()) == 1


def test_secrets_are_long_and_never_the_same() -> None:
    made = {new_secret() for _ in range(100)}
    assert len(made) == len({digest(secret) for secret in made}) == 100
    assert all(len(secret) >= 32 for secret in made)
