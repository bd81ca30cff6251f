import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from angelia.errors import AngeliaError, RequestError
from angelia.surfaces.cli.ask import Ask
from angelia.surfaces.cli.remote import Remote
from tests.support.process import free_port
from tests.support.server import AngeliaServer


@pytest.fixture
async def remote(demo_server: AngeliaServer) -> AsyncIterator[Remote]:
    async with Remote(demo_server.url, demo_server.key) as remote:
        yield remote


async def kinds(remote: Remote, run_id: str) -> list[str]:
    return [msgspec.json.decode(data)["event"] async for data in remote.events(run_id)]


async def test_events_are_those_of_the_run_api(remote: Remote) -> None:
    run_id = await remote.start(Ask("Run `true`.", session="remote"))
    events = [msgspec.json.decode(data) async for data in remote.events(run_id)]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert events[0]["session_id"] == "remote"
    assert events[-1]["event"] == "run.completed"


async def test_a_budget_holds(remote: Remote) -> None:
    run_id = await remote.start(Ask("Run `true`.", max_steps=1))
    assert (await kinds(remote, run_id))[-1] == "run.failed"


async def test_a_stop_ends_the_run(remote: Remote) -> None:
    run_id = await remote.start(Ask("sleep 60"))
    await remote.stop(run_id)
    assert (await kinds(remote, run_id))[-1] == "run.cancelled"


async def test_a_server_that_crashes_and_comes_back_is_followed_to_the_end(
    server: AngeliaServer,
) -> None:
    async with Remote(server.url, server.key) as remote:
        run_id = await remote.start(Ask("sleep 60"))
        seen: list[int] = []
        last = ""
        async for data in remote.events(run_id):
            event = msgspec.json.decode(data)
            seen.append(event["seq"])
            last = event["event"]
            if last == "tool.started":
                await asyncio.to_thread(server.restart)
        assert seen == list(range(1, len(seen) + 1))
        assert last == "run.completed"


async def test_a_server_that_stops_and_comes_back_is_followed_to_the_end(
    impatient_server: AngeliaServer,
) -> None:
    server = impatient_server
    async with Remote(server.url, server.key) as remote:
        run_id = await remote.start(Ask("sleep 60"))
        seen: list[dict[str, Any]] = []
        async for data in remote.events(run_id):
            seen.append(msgspec.json.decode(data))
            if seen[-1]["event"] == "tool.started":
                assert await asyncio.to_thread(server.stop) == 0
                await asyncio.to_thread(server.start)
    assert [event["seq"] for event in seen] == list(range(1, len(seen) + 1))
    assert seen[-1]["event"] == "run.completed"


async def test_what_the_server_refuses_is_told_in_its_words(demo_server: AngeliaServer) -> None:
    async with Remote(demo_server.url, "not-the-key") as remote:
        with pytest.raises(RequestError, match="does not take the key of this home folder"):
            await remote.start(Ask("hello"))


async def test_an_address_where_nobody_answers_is_named(tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    async with Remote(url, "key") as remote:
        with pytest.raises(AngeliaError, match=f"No server answers at {url}"):
            await remote.start(Ask("hello"))
