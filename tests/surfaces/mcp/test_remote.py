import asyncio
from typing import Any

import msgspec
import pytest

from angelia.errors import AngeliaError
from angelia.surfaces.mcp.place import Wish
from angelia.surfaces.mcp.remote import Remote
from tests.support.server import AngeliaServer


async def test_a_server_that_stops_is_waited_for_and_its_run_is_followed_on(
    impatient_server: AngeliaServer,
) -> None:
    server = impatient_server
    seen: list[dict[str, Any]] = []
    async with Remote(server.url, server.key) as remote:
        run_id = await remote.start(Wish("sleep 60"))
        async for data in remote.events(run_id, 0):
            seen.append(msgspec.json.decode(data))
            if seen[-1]["event"] == "tool.started":
                assert await asyncio.to_thread(server.stop) == 0
                await asyncio.to_thread(server.start)
    assert [event["seq"] for event in seen] == list(range(1, len(seen) + 1))
    assert seen[-1]["event"] == "run.completed"


async def test_a_server_that_is_lost_without_a_word_is_an_error(server: AngeliaServer) -> None:
    async with Remote(server.url, server.key) as remote:
        events = remote.events(await remote.start(Wish("sleep 60")), 0)
        await anext(events)
        server.kill()
        with pytest.raises(AngeliaError, match="no server answers"):
            async for _ in events:
                pass
