"""What keys used is told to them, what everybody used to admins, and a budget ends work."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.support.http import Client
from tests.support.scripted import scripted
from tests.support.server import AngeliaServer

CHAT = {"messages": [{"role": "user", "content": "long 3"}]}
PRICES = '[prices."*"]\ninput = 1000\noutput = 2000\n'


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AngeliaServer]:
    server = AngeliaServer(tmp_path_factory.mktemp("usage"))
    (server.home / "angelia.toml").write_text(PRICES)
    server.start()
    yield server
    server.kill()


@pytest.fixture
async def clients(house: AngeliaServer) -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


@pytest.fixture
async def admin(house: AngeliaServer, clients: AsyncExitStack) -> Client:
    return await clients.enter_async_context(Client(house.url, house.key))


async def make(admin: Client, clients: AsyncExitStack, **fields: Any) -> tuple[str, Client]:
    made = (await admin.post("/api/keys", {"name": "laptop", **fields})).json
    return made["id"], await clients.enter_async_context(Client(admin.url, made["secret"]))


async def test_a_key_sees_what_it_used_and_what_that_cost(
    admin: Client, clients: AsyncExitStack
) -> None:
    key_id, client = await make(admin, clients)
    assert (await client.get("/api/usage")).json["data"] == []
    answer = await client.post("/v1/chat/completions", CHAT)
    told = answer.json["usage"]
    report = (await client.get("/api/usage")).json
    (line,) = report["data"]
    assert (line["runs"], line["model_calls"], line["failed_runs"]) == (1, 1, 0)
    assert line["input_tokens"] == told["prompt_tokens"]
    assert line["output_tokens"] == told["completion_tokens"]
    expected = (told["prompt_tokens"] * 1000 + told["completion_tokens"] * 2000) / 1e6
    assert line["cost"] == pytest.approx(expected)
    assert (line["day"], line["model"], line["key"]) == (report["to"], None, None)
    amounts = {name: value for name, value in line.items() if name in report["total"]}
    assert amounts == report["total"]
    assert (await client.get(f"/api/usage?key={key_id}")).json == report


async def test_a_key_never_sees_what_another_used(admin: Client, clients: AsyncExitStack) -> None:
    one, busy = await make(admin, clients)
    _, idle = await make(admin, clients)
    await busy.post("/v1/chat/completions", CHAT)
    assert (await idle.get("/api/usage?group=day,model,key")).json["data"] == []
    for wanted in (one, "key_first", "key_9"):
        refused = await idle.get(f"/api/usage?key={wanted}")
        assert refused.status == 404
        assert refused.json["error"]["code"] == "key_not_found"


async def test_an_admin_sees_everybody_or_one(admin: Client, clients: AsyncExitStack) -> None:
    one, first = await make(admin, clients, name="one")
    two, second = await make(admin, clients, name="two")
    for client in (first, second, second):
        await client.post("/v1/chat/completions", CHAT)
    report = (await admin.get("/api/usage?group=key")).json
    runs = {line["key"]: (line["key_name"], line["runs"]) for line in report["data"]}
    assert runs[one] == ("one", 1)
    assert runs[two] == ("two", 2)
    alone = (await admin.get(f"/api/usage?group=model,day&key={two}")).json
    assert alone["group"] == ["day", "model"]
    assert alone["total"]["runs"] == 2
    assert {line["model"] for line in alone["data"]} == {"angelia", "demo"}
    missing = await admin.get("/api/usage?key=key_9")
    assert missing.status == 404


async def test_other_days_are_other_days(admin: Client, clients: AsyncExitStack) -> None:
    _, client = await make(admin, clients)
    await client.post("/v1/chat/completions", CHAT)
    report = (await client.get("/api/usage?from=2020-01-01&to=2020-01-31")).json
    assert (report["from"], report["to"], report["data"]) == ("2020-01-01", "2020-01-31", [])
    assert report["total"]["cost"] == 0


@pytest.mark.parametrize(
    ("query", "param"), [("from=today", "from"), ("group=week", "group"), ("to=1970-1-1", "to")]
)
async def test_what_is_wrong_is_named(admin: Client, query: str, param: str) -> None:
    refused = await admin.get(f"/api/usage?{query}")
    assert refused.status == 400
    assert refused.json["error"]["param"] == param


async def test_a_budget_that_is_used_up_ends_work_until_the_next_day(
    admin: Client, clients: AsyncExitStack
) -> None:
    key_id, client = await make(admin, clients, rules={"daily_budget": 0.000001})
    assert (await client.post("/v1/chat/completions", CHAT)).status == 200
    refused = await client.post("/v1/chat/completions", CHAT)
    assert refused.status == 429
    assert refused.json["error"]["code"] == "budget_exceeded"
    assert 0 < int(refused.headers["Retry-After"]) <= 86_400
    assert (await client.get("/api/usage")).json["total"]["runs"] == 1
    await admin.send("PATCH", f"/api/keys/{key_id}", {"rules": {"daily_budget": 100}})
    assert (await client.post("/v1/chat/completions", CHAT)).status == 200


async def test_how_long_it_took_is_told_and_a_pause_is_seen_in_it(tmp_path: Path) -> None:
    pause = 0.3
    with scripted(tmp_path) as stage:
        stage.script({"text": "At last.", "delay": pause})
        async with stage.client() as client:
            await client.post("/v1/chat/completions", CHAT)
            await client.post("/v1/chat/completions", CHAT)
            report = (await client.get("/api/usage?group=model")).json
        took = report["total"]["latency"]
        assert {kind: took[kind]["count"] for kind in took} == {"run": 2, "call": 2, "first": 2}
        for kind in ("run", "call", "first"):
            assert took[kind]["p95"] >= took[kind]["p50"]
            assert took[kind]["p95"] >= pause
        lines = {line["model"]: line["latency"] for line in report["data"]}
        assert lines["angelia"] == {"run": took["run"], "call": None, "first": None}


async def test_what_was_never_timed_is_null(admin: Client, clients: AsyncExitStack) -> None:
    _, client = await make(admin, clients)
    nothing = {"run": None, "call": None, "first": None}
    assert (await client.get("/api/usage")).json["total"]["latency"] == nothing
