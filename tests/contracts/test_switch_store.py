"""What every store of switches, and of MCP servers that were added, promises."""

from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from angelia.adapters.memory.added_servers import MemoryAddedServers
from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.memory.switches import MemorySwitches
from angelia.adapters.sqlite.added_servers import SqliteAddedServers
from angelia.adapters.sqlite.database import Database
from angelia.adapters.sqlite.switches import SqliteSwitches
from angelia.errors import Conflict
from angelia.ports import AddedServer, AddedServers, SwitchStore

ONE = AddedServer("one", '{"command":"true","env":{"Ä":"ß"}}', 1.5)
TWO = AddedServer("two", '{"url":"http://127.0.0.1:1/"}', 2.0)


class Opened(Struct):
    switches: SwitchStore
    servers: AddedServers
    reopen: Callable[[], Coroutine[Any, Any, None]]


@pytest.fixture(params=["memory", "sqlite"])
async def opened(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Opened]:
    if request.param == "memory":
        yield Opened(MemorySwitches(), MemoryAddedServers(), nothing)
        return
    databases = [Database.open(tmp_path / "db", clock=ManualClock())]

    async def reopen() -> None:
        await databases[-1].close()
        databases.append(Database.open(tmp_path / "db", clock=ManualClock()))
        opened.switches = SqliteSwitches(databases[-1])
        opened.servers = SqliteAddedServers(databases[-1])

    database = databases[0]
    opened = Opened(SqliteSwitches(database), SqliteAddedServers(database), reopen)
    yield opened
    await databases[-1].close()


async def nothing() -> None:
    """Memory has nothing to come back to."""


async def test_what_was_switched_off_is_off_until_it_is_on_again(opened: Opened) -> None:
    assert await opened.switches.off("tool") == frozenset()
    for _ in range(2):
        await opened.switches.switch("tool", "terminal", on=False)
    await opened.switches.switch("tool", "patch", on=False)
    await opened.reopen()
    assert await opened.switches.off("tool") == {"terminal", "patch"}
    for _ in range(2):
        await opened.switches.switch("tool", "patch", on=True)
    assert await opened.switches.off("tool") == {"terminal"}


async def test_a_tool_and_a_server_of_one_name_are_two(opened: Opened) -> None:
    await opened.switches.switch("mcp", "x", on=False)
    assert await opened.switches.off("tool") == frozenset()
    await opened.switches.switch("tool", "x", on=True)
    assert await opened.switches.off("mcp") == {"x"}


async def test_servers_are_listed_in_the_order_they_came(opened: Opened) -> None:
    assert list(await opened.servers.list()) == []
    await opened.servers.add(TWO)
    await opened.servers.add(ONE)
    await opened.reopen()
    assert list(await opened.servers.list()) == [TWO, ONE]


async def test_a_name_is_there_once(opened: Opened) -> None:
    await opened.servers.add(ONE)
    with pytest.raises(Conflict) as refused:
        await opened.servers.add(AddedServer("one", "{}", 9.0))
    assert refused.value.code == "mcp_server_exists"
    assert list(await opened.servers.list()) == [ONE]


async def test_a_server_that_was_removed_is_gone_and_its_name_is_free(opened: Opened) -> None:
    await opened.servers.add(ONE)
    assert await opened.servers.remove("one")
    assert not await opened.servers.remove("one")
    await opened.reopen()
    assert list(await opened.servers.list()) == []
    await opened.servers.add(ONE)
