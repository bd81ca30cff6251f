"""Whoever watches the runs of a key hears of every change, and of nobody else's runs."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.following import PATIENCE, started
from tests.support.http import Client, Frame
from tests.support.scripted import Scripted, scripted
from tests.surfaces.http.openapi.reading import faults

FEED = "/api/feed"
# Longer than any test waits for a process to end.
PATIENT = "[server]\ndrain = 600\n"
ASKING = '[approvals]\nask = ["terminal"]\n'
ASKS = {"input": 'call terminal {"command": "echo hello"}'}
SLOW = {"input": 'call terminal {"command": "sleep 1"}'}


class Feed:
    """The hints of one connection, which is listened to once this is there."""

    def __init__(self, frames: AsyncIterator[Frame]) -> None:
        self._frames = frames

    async def opened(self) -> None:
        assert (await anext(self._frames)).comment == "ok"

    async def next(self) -> dict[str, Any]:
        while True:
            frame = await asyncio.wait_for(anext(self._frames), PATIENCE)
            if frame.comment is None:
                return frame.json

    async def until(self, run_id: str, status: str) -> list[dict[str, Any]]:
        """Everything up to that status of that run."""
        hints = [await self.next()]
        while (hints[-1]["run_id"], hints[-1]["status"]) != (run_id, status):
            hints.append(await self.next())
        return hints

    async def over(self) -> list[dict[str, Any]]:
        """What still comes before the stream ends, as it should, with its last byte."""
        async with asyncio.timeout(PATIENCE):
            return [frame.json async for frame in self._frames if frame.comment is None]


@asynccontextmanager
async def listening(client: Client) -> AsyncIterator[Feed]:
    async with client.open("GET", FEED) as reader:
        assert reader.status == 200
        assert reader.headers["Content-Type"].startswith("text/event-stream")
        feed = Feed(reader.frames())
        await feed.opened()
        yield feed


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Scripted]:
    with scripted(tmp_path, PATIENT + ASKING, ANGELIA_APPROVALS="ask") as stage:
        yield stage


async def new_key(admin: Client, *scopes: str) -> dict[str, Any]:
    answer = await admin.post("/api/keys", {"name": "other", "scopes": scopes})
    assert answer.status == 201, answer.body
    return answer.json


async def test_a_run_is_heard_of_from_its_start_over_its_waiting_to_its_end(
    stage: Scripted,
) -> None:
    async with stage.client() as client, listening(client) as feed:
        run_id = await started(client, ASKS)
        hints = await feed.until(run_id, "waiting_for_approval")
        assert {hint["status"] for hint in hints[:-1]} <= {"running"}
        await client.post(f"/v1/runs/{run_id}/approval", {"choice": "once"})
        hints += await feed.until(run_id, "completed")
        run = (await client.get(f"/v1/runs/{run_id}")).json
    assert [fault for hint in hints for fault in faults("runs.RunChangedOut", hint)] == []
    same = ("run_id", "session_id", "model", "surface")
    assert all(hint[name] == run[name] for hint in hints for name in same)
    stamps = [hint["timestamp"] for hint in hints]
    assert stamps == sorted(stamps)
    assert run["created_at"] <= stamps[0]


async def test_a_run_of_another_surface_is_heard_of_too(stage: Scripted) -> None:
    body = {"messages": [{"role": "user", "content": "hello"}]}
    async with stage.client() as client, listening(client) as feed:
        answer = await client.post("/v1/chat/completions", body)
        run_id = answer.headers["X-Angelia-Run-Id"]
        assert (await feed.until(run_id, "completed"))[-1]["surface"] == "chat"


async def test_a_key_hears_nothing_of_the_runs_of_another(stage: Scripted) -> None:
    async with stage.client() as admin:
        key = await new_key(admin, "runs")
        async with (
            stage.client(key["secret"]) as other,
            listening(admin) as mine,
            listening(other) as theirs,
        ):
            first = await started(admin, {"input": "hello"})
            await mine.until(first, "completed")
            second = await started(other, {"input": "hello"})
            heard = await theirs.until(second, "completed")
            assert {hint["run_id"] for hint in heard} == {second}
            third = await started(admin, {"input": "hello"})
            heard = await mine.until(third, "completed")
            assert {hint["run_id"] for hint in heard} == {third}


async def test_a_key_that_may_not_read_runs_gets_no_feed(stage: Scripted) -> None:
    async with stage.client() as admin:
        key = await new_key(admin, "chat")
        async with stage.client(key["secret"]) as other:
            assert (await other.get(FEED)).status == 403
        async with Client(stage.server.url) as nobody:
            assert (await nobody.get(FEED)).status == 401
        assert (await admin.send("HEAD", FEED)).status == 200


async def test_a_revoked_key_hears_of_nothing_more(stage: Scripted) -> None:
    async with stage.client() as admin:
        key = await new_key(admin, "runs")
        async with stage.client(key["secret"]) as other, listening(other) as feed:
            run_id = await started(other, SLOW)
            await feed.until(run_id, "waiting_for_approval")
            await other.post(f"/v1/runs/{run_id}/approval", {"choice": "once"})
            await feed.until(run_id, "running")
            await admin.delete(f"/api/keys/{key['id']}")
            # The run goes on to its end, and that is where the feed ends without a word.
            assert await feed.over() == []


async def test_an_open_feed_does_not_hold_up_a_server_that_stops(stage: Scripted) -> None:
    async with stage.client() as client, listening(client) as feed, listening(client) as other:
        assert await asyncio.to_thread(stage.server.stop) == 0
        (told,) = await feed.over()
        assert await other.over() == [told]
    assert (told["event"], told["resume"]) == ("server.stopping", "/api/feed")
    assert "Traceback" not in stage.server.stderr


async def test_who_comes_back_after_a_crash_finds_the_list_and_hears_the_rest(
    stage: Scripted,
) -> None:
    async with stage.client() as client, listening(client) as feed:
        run_id = await started(client, ASKS)
        await feed.until(run_id, "waiting_for_approval")
        await asyncio.to_thread(stage.server.restart)
    async with stage.client() as client, listening(client) as feed:
        listed = (await client.get("/v1/runs")).json["data"]
        assert [(run["run_id"], run["status"]) for run in listed] == [
            (run_id, "waiting_for_approval")
        ]
        await client.post(f"/v1/runs/{run_id}/approval", {"choice": "deny"})
        await feed.until(run_id, "completed")
