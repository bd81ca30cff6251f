"""httpx-sse and a run: what it reads is the log, also when the server dies under it."""

import asyncio
from typing import Any

import httpx
from httpx_sse import ServerSentEvent, aconnect_sse

from tests.stories.test_runs import check, events, start
from tests.support.http import Client
from tests.support.server import AngeliaServer

# The second tool is under way when the server is killed, and outlives it only for a while.
SLOW = "think, `echo one`, `sleep 20` and list"


class Follower:
    """Reads a run's events to the end, and comes back with the last id when it is cut off."""

    def __init__(self, server: AngeliaServer, run_id: str) -> None:
        self._server = server
        self._url = f"{server.url}/v1/runs/{run_id}/events"
        self.seen: list[ServerSentEvent] = []
        self.connections: list[tuple[str, int]] = []

    async def follow(self, crash_at: str = "") -> None:
        headers = {"Authorization": f"Bearer {self._server.key}"}
        async with httpx.AsyncClient(headers=headers, timeout=60) as client:
            while await self._read(client, crash_at):
                crash_at = ""

    async def _read(self, client: httpx.AsyncClient, crash_at: str) -> bool:
        """Whether there is more to come."""
        last = self.seen[-1].id if self.seen else ""
        headers = {"Last-Event-ID": last} if last else {}
        async with aconnect_sse(client, "GET", self._url, headers=headers) as source:
            self.connections.append((last, source.response.status_code))
            if source.response.status_code == 204:
                return False
            try:
                await self._take(source, crash_at)
            except httpx.RemoteProtocolError:
                assert crash_at
        return True

    async def _take(self, source: Any, crash_at: str) -> None:
        async for event in source.aiter_sse():
            self.seen.append(event)
            if event.json()["event"] == crash_at:
                crash_at = ""
                await asyncio.to_thread(self._server.restart)


async def test_a_run_is_followed_across_a_crash_by_its_last_id(server) -> None:
    async with Client(server.url, server.key) as client:
        run_id = await start(client, SLOW)
        follower = Follower(server, run_id)
        await follower.follow(crash_at="tool.output")
        log = await events(client, run_id)
    check(log)
    assert [event.json() for event in follower.seen] == log
    assert [event.id for event in follower.seen] == [str(event["seq"]) for event in log]
    assert [status for _, status in follower.connections] == [200, 200, 204]
    assert follower.connections[-1] == (str(log[-1]["seq"]), 204)


async def test_a_finished_run_is_read_once(demo_server) -> None:
    async with Client(demo_server.url, demo_server.key) as client:
        run_id = await start(client, "think, `echo one` and fail")
        log = await events(client, run_id)
    follower = Follower(demo_server, run_id)
    await follower.follow()
    assert [event.json() for event in follower.seen] == log
    assert [status for _, status in follower.connections] == [200, 204]
