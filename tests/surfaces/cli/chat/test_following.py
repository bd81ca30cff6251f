import asyncio
from typing import Any

import msgspec

from angelia.surfaces.cli.ask import Ask
from angelia.surfaces.cli.chat.following import followed
from angelia.surfaces.cli.remote import Remote
from tests.support.server import AngeliaServer


async def test_a_server_that_stops_is_lost_and_found_and_nothing_is_shown_twice(
    impatient_server: AngeliaServer,
) -> None:
    server = impatient_server
    told: list[bool] = []
    seen: list[dict[str, Any]] = []
    async with Remote(server.url, server.key) as remote:
        run_id = await remote.start(Ask("sleep 60"))
        async for data in followed(remote, run_id, 0, told.append):
            seen.append(msgspec.json.decode(data))
            if seen[-1]["event"] == "tool.started":
                assert await asyncio.to_thread(server.stop) == 0
                await asyncio.to_thread(server.start)
    assert [event["seq"] for event in seen] == list(range(1, len(seen) + 1))
    assert seen[-1]["event"] == "run.completed"
    assert True in told
    assert not told[-1]
