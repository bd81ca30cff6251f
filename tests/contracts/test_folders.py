"""What every store of the folders of sessions promises."""

from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.memory.folders import MemoryFolders
from angelia.adapters.sqlite.database import Database
from angelia.adapters.sqlite.folders import SqliteFolders
from angelia.ports import Folders


class Opened(Struct):
    store: Folders
    reopen: Callable[[], Coroutine[Any, Any, None]]


@pytest.fixture(params=["memory", "sqlite"])
async def opened(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Opened]:
    if request.param == "memory":
        yield Opened(MemoryFolders(), nothing)
        return
    databases = [Database.open(tmp_path / "db", clock=ManualClock())]

    async def reopen() -> None:
        await databases[-1].close()
        databases.append(Database.open(tmp_path / "db", clock=ManualClock()))
        opened.store = SqliteFolders(databases[-1])

    opened = Opened(SqliteFolders(databases[-1]), reopen)
    yield opened
    await databases[-1].close()


async def nothing() -> None:
    """Memory has nothing to come back to."""


async def test_at_first_it_is_the_workspace_itself(opened: Opened) -> None:
    assert await opened.store.get("key_1", "s1") == "."


async def test_the_last_folder_that_was_put_is_found_also_after_a_restart(opened: Opened) -> None:
    await opened.store.put("key_1", "s1", "src")
    await opened.store.put("key_1", "s1", "src/ä b")
    assert await opened.store.get("key_1", "s1") == "src/ä b"
    await opened.reopen()
    assert await opened.store.get("key_1", "s1") == "src/ä b"


async def test_sessions_and_keys_are_kept_apart(opened: Opened) -> None:
    await opened.store.put("key_1", "s1", "a")
    await opened.store.put("key_1", "s2", "b")
    await opened.store.put("key_2", "s1", "c")
    found = [await opened.store.get(*place) for place in (("key_1", "s1"), ("key_2", "s1"))]
    assert found == ["a", "c"]
    assert await opened.store.get("key_2", "s2") == "."


async def test_text_that_is_not_unicode_hurts_its_caller_alone(opened: Opened) -> None:
    if isinstance(opened.store, SqliteFolders):
        with pytest.raises(UnicodeEncodeError):
            await opened.store.put("key_1", "s1", "\ud800")
    await opened.store.put("key_1", "s1", "a")
    assert await opened.store.get("key_1", "s1") == "a"
