"""What every store of webhooks that are still to be told promises."""

from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.memory.deliveries import MemoryDeliveries
from angelia.adapters.sqlite.database import Database
from angelia.adapters.sqlite.deliveries import SqliteDeliveries
from angelia.ports.deliveries import Delivery, DeliveryStore

FIRST = Delivery("run_1", "key_1", "https://example.com/ä?b=1", ("run.completed", "run.failed"))
SECOND = Delivery("run_2", "key_2", "http://127.0.0.1:1/", (), 7)


class Opened(Struct):
    store: DeliveryStore
    reopen: Callable[[], Coroutine[Any, Any, None]]


@pytest.fixture(params=["memory", "sqlite"])
async def opened(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Opened]:
    if request.param == "memory":
        yield Opened(MemoryDeliveries(), nothing)
        return
    databases = [Database.open(tmp_path / "db", clock=ManualClock())]

    async def reopen() -> None:
        await databases[-1].close()
        databases.append(Database.open(tmp_path / "db", clock=ManualClock()))
        opened.store = SqliteDeliveries(databases[-1])

    opened = Opened(SqliteDeliveries(databases[-1]), reopen)
    yield opened
    await databases[-1].close()


async def nothing() -> None:
    """Memory has nothing to come back to."""


async def test_what_was_put_is_listed_in_order_also_after_a_restart(opened: Opened) -> None:
    assert list(await opened.store.list()) == []
    await opened.store.put(SECOND)
    await opened.store.put(FIRST)
    await opened.reopen()
    assert list(await opened.store.list()) == [SECOND, FIRST]


async def test_a_delivery_takes_the_place_of_the_one_of_its_run(opened: Opened) -> None:
    await opened.store.put(FIRST)
    await opened.store.put(SECOND)
    further = replace(FIRST, seq=9)
    await opened.store.put(further)
    await opened.reopen()
    assert list(await opened.store.list()) == [further, SECOND]


async def test_a_deleted_delivery_is_gone_and_may_be_deleted_again(opened: Opened) -> None:
    await opened.store.put(FIRST)
    await opened.store.put(SECOND)
    await opened.store.delete("run_1")
    await opened.store.delete("run_1")
    await opened.reopen()
    assert list(await opened.store.list()) == [SECOND]


async def test_text_that_is_not_unicode_hurts_its_caller_alone(opened: Opened) -> None:
    if isinstance(opened.store, SqliteDeliveries):
        with pytest.raises(UnicodeEncodeError):
            await opened.store.put(replace(FIRST, url="\ud800"))
    await opened.store.put(SECOND)
    assert list(await opened.store.list()) == [SECOND]
