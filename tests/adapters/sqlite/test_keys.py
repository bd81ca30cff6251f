import pytest

from angelia.ports import ApiKey
from tests.contracts.stores import SqliteStore

KEY = ApiKey("key_1", "first", "digest", ("chat",), 1.0)


async def test_a_known_key_costs_no_statement(store: SqliteStore) -> None:
    await store.keys.add(KEY)
    assert await store.keys.find("digest") == KEY
    seen: list[str] = []
    store.database._looking.set_trace_callback(seen.append)  # pyright: ignore
    assert await store.keys.find("digest") == KEY
    assert seen == []
    await store.keys.find("another")
    assert len(seen) == 1


async def test_text_that_is_not_unicode_hurts_its_caller_only(store: SqliteStore) -> None:
    with pytest.raises(UnicodeEncodeError):
        await store.keys.revoke("\ud800", 1.0)
    with pytest.raises(UnicodeEncodeError):
        await store.keys.add(ApiKey("key_1", "\ud800", "digest", (), 1.0))
    await store.keys.add(KEY)
    assert await store.keys.find("digest") == KEY
