"""What every store of grants promises."""

from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.memory.grants import MemoryGrants
from angelia.adapters.sqlite.database import Database
from angelia.adapters.sqlite.grants import SqliteGrants
from angelia.ports.grants import Grant, GrantStore

ALWAYS = Grant("grant_1", "key_1", "terminal git push", 1.0, "run_1")
HERE = Grant("grant_2", "key_1", "terminal rm", 2.0, "run_1", session_id="s1")
OF_ANN = Grant("grant_3", "key_1", "fetch example.com", 3.0, "run_2", user="ann")
OF_ANOTHER = Grant("grant_4", "key_2", "send", 4.0, "run_3")


class Opened(Struct):
    store: GrantStore
    reopen: Callable[[], Coroutine[Any, Any, None]]


@pytest.fixture(params=["memory", "sqlite"])
async def opened(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Opened]:
    if request.param == "memory":
        yield Opened(MemoryGrants(), nothing)
        return
    databases = [Database.open(tmp_path / "db", clock=ManualClock())]

    async def reopen() -> None:
        await databases[-1].close()
        databases.append(Database.open(tmp_path / "db", clock=ManualClock()))
        opened.store = SqliteGrants(databases[-1])

    opened = Opened(SqliteGrants(databases[-1]), reopen)
    yield opened
    await databases[-1].close()


async def nothing() -> None:
    """Memory has nothing to come back to."""


async def test_a_key_finds_its_own_newest_first_also_after_a_restart(opened: Opened) -> None:
    assert list(await opened.store.find("key_1")) == []
    await opened.store.put([ALWAYS, HERE, OF_ANN, OF_ANOTHER])
    await opened.reopen()
    assert list(await opened.store.find("key_1")) == [OF_ANN, HERE, ALWAYS]
    assert list(await opened.store.find("key_2")) == [OF_ANOTHER]


@pytest.mark.parametrize(
    ("tenant", "user", "session_id", "held"),
    [
        ("key_1", None, "s1", ["terminal git push", "terminal rm"]),
        ("key_1", None, "s2", ["terminal git push"]),
        ("key_1", "ann", "s1", ["fetch example.com"]),
        ("key_1", "bob", "s1", []),
        ("key_2", None, "s1", ["send"]),
        ("key_3", None, "s1", []),
    ],
)
async def test_a_grant_holds_for_its_key_user_and_session(
    opened: Opened, tenant: str, user: str | None, session_id: str, held: list[str]
) -> None:
    await opened.store.put([HERE, ALWAYS, OF_ANN, OF_ANOTHER])
    assert list(await opened.store.held(tenant, user, session_id)) == held


async def test_what_is_granted_already_stays_as_it_is(opened: Opened) -> None:
    await opened.store.put([ALWAYS])
    await opened.store.put([replace(ALWAYS, id="grant_9", created_at=9.0)])
    assert list(await opened.store.find("key_1")) == [ALWAYS]


async def test_a_grant_is_revoked_once_and_by_its_key_alone(opened: Opened) -> None:
    await opened.store.put([ALWAYS, HERE])
    assert not await opened.store.delete("key_2", "grant_1")
    assert await opened.store.delete("key_1", "grant_1")
    assert not await opened.store.delete("key_1", "grant_1")
    await opened.reopen()
    assert list(await opened.store.held("key_1", None, "s1")) == ["terminal rm"]


async def test_text_that_is_not_unicode_hurts_its_caller_alone(opened: Opened) -> None:
    if isinstance(opened.store, SqliteGrants):
        with pytest.raises(UnicodeEncodeError):
            await opened.store.put([replace(ALWAYS, what="\ud800")])
    await opened.store.put([HERE])
    assert list(await opened.store.find("key_1")) == [HERE]
