"""A run entry by entry, with what the followers of each protocol got for it."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from tests.stories.test_responses import NAMED, STORY, legs_of, two_legs_as_chat
from tests.support.http import Client
from tests.support.scripted import NO_RETRIES, Scripted, scripted

FORMS = "tool_events=named&tool_items=pair"


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scripted]:
    with scripted(tmp_path_factory.mktemp("views"), NO_RETRIES) as stage:
        yield stage


@pytest.fixture
async def client(stage: Scripted) -> AsyncIterator[Client]:
    async with Client(stage.server.url, stage.server.key) as client:
        yield client


async def views(client: Client, run_id: str, query: str) -> dict[str, Any]:
    answer = await client.get(f"/v1/runs/{run_id}/views?{query}")
    assert answer.status == 200
    return answer.json


async def streamed(client: Client, path: str) -> str:
    """Without comments, which nobody can foresee."""
    async with client.open("GET", path, headers=NAMED) as reader:
        frames = (await reader.read()).decode().split("\n\n")
    return "".join(f"{frame}\n\n" for frame in frames if frame and not frame.startswith(":"))


async def test_the_columns_are_what_is_streamed_leg_by_leg(stage, client) -> None:
    stage.play(*STORY)
    run_id, _ = await two_legs_as_chat(client)
    whole = await views(client, run_id, FORMS)
    data = whole["data"]
    assert (whole["run_id"], whole["has_more"]) == (run_id, False)
    assert [each["seq"] for each in data] == list(range(1, len(data) + 1))
    events = "".join(each["runs"] for each in data)
    assert events == await streamed(client, f"/v1/runs/{run_id}/events")
    legs = await legs_of(client, run_id)
    assert len(legs) == 2
    for first, last in legs:
        for column in ("chat", "responses"):
            path = f"/v1/runs/{run_id}/events?as={column}&after={first}"
            told = "".join(each[column] for each in data[first:last])
            assert told == await streamed(client, path)


async def test_pages_join_to_the_whole(stage, client) -> None:
    stage.play(*STORY)
    run_id, _ = await two_legs_as_chat(client)
    whole = (await views(client, run_id, FORMS))["data"]
    joined: list[dict[str, Any]] = []
    more = True
    while more:
        page = await views(client, run_id, f"{FORMS}&limit=3&after={len(joined)}")
        joined += page["data"]
        more = page["has_more"]
    assert joined == whole
    assert (await views(client, run_id, f"after={len(whole)}"))["data"] == []


@pytest.mark.parametrize(
    "query", ["tool_events=morse", "tool_items=morse", "after=999999", "limit=0", "limit=1001"]
)
async def test_what_cannot_be_shown_is_named(stage, client, query: str) -> None:
    stage.play()
    run_id = (await client.post("/v1/responses", {"input": "hi"})).headers["X-Angelia-Run-Id"]
    answer = await client.get(f"/v1/runs/{run_id}/views?{query}")
    assert (answer.status, answer.json["error"]["param"]) == (400, query.partition("=")[0])


async def test_a_run_of_another_key_has_no_views(stage, client) -> None:
    stage.play()
    run_id = (await client.post("/v1/responses", {"input": "hi"})).headers["X-Angelia-Run-Id"]
    made = await client.post("/api/keys", {"name": "other", "scopes": ["runs", "read"]})
    async with Client(stage.server.url, made.json["secret"]) as other:
        assert (await other.get(f"/v1/runs/{run_id}/views")).status == 404
