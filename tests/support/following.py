"""Runs from their start to their end, and whatever takes its time."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from tests.support.http import Client

T = TypeVar("T")

# Far more than it takes; only a defect makes anybody wait so long.
PATIENCE = 20.0


async def started(client: Client, body: dict[str, Any], **headers: str) -> str:
    """The id of a run that was started by POST /v1/runs."""
    answer = await client.post("/v1/runs", body, **headers)
    assert answer.status == 202, answer.body
    return answer.json["run_id"]


async def run_of(client: Client, run_id: str) -> dict[str, Any]:
    answer = await client.get(f"/v1/runs/{run_id}")
    assert answer.status == 200, answer.body
    return answer.json


async def ended(client: Client, run_id: str) -> dict[str, Any]:
    """The run once it has ended."""
    async for _ in client.stream(f"/v1/runs/{run_id}/events"):
        pass
    return await run_of(client, run_id)


async def reached(client: Client, run_id: str, event: str) -> dict[str, Any]:
    """The first event of that name of a run."""
    async for frame in client.stream(f"/v1/runs/{run_id}/events"):
        if frame.comment is None and frame.json["event"] == event:
            return frame.json
    raise AssertionError(f"{run_id} has ended without {event}")


async def eventually(find: Callable[[], Awaitable[T]]) -> T:
    """What `find` finds, as soon as it finds anything."""
    deadline = time.monotonic() + PATIENCE
    while not (found := await find()):
        assert time.monotonic() < deadline, "it never came"
        await asyncio.sleep(0.01)
    return found
