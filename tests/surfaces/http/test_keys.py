"""Keys are made, changed and revoked over HTTP, and what they may do holds at once."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest

from tests.support.http import Answer, Client, Frame
from tests.support.server import AngeliaServer

RUN = {"input": "long 3"}
CHAT = {"messages": [{"role": "user", "content": "long 3"}]}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AngeliaServer]:
    server = AngeliaServer(tmp_path_factory.mktemp("keys"))
    server.start()
    yield server
    server.kill()


class Desk:
    """The first key, and others that it made."""

    def __init__(self, house: AngeliaServer, admin: Client, open_clients: AsyncExitStack) -> None:
        self._house = house
        self._open = open_clients
        self.admin = admin

    async def make(self, **fields: Any) -> tuple[str, Client]:
        answer = await self.admin.post("/api/keys", {"name": "laptop", **fields})
        assert answer.status == 201, answer.body
        client = Client(self._house.url, answer.json["secret"])
        return answer.json["id"], await self._open.enter_async_context(client)

    async def change(self, key_id: str, **fields: Any) -> Answer:
        return await self.admin.send("PATCH", f"/api/keys/{key_id}", fields)


@pytest.fixture
async def desk(house: AngeliaServer) -> AsyncIterator[Desk]:
    async with AsyncExitStack() as clients:
        admin = await clients.enter_async_context(Client(house.url, house.key))
        yield Desk(house, admin, clients)


def fault(answer: Answer) -> tuple[int, str | None, str]:
    error = answer.json["error"]
    return answer.status, error["param"], error["code"]


# ── made, shown, changed, revoked ───────────────────────────────────────────────────────────


async def test_a_secret_is_shown_once_and_works_at_once(desk: Desk, house: AngeliaServer) -> None:
    made = await desk.admin.post("/api/keys", {"name": "laptop"})
    assert made.status == 201
    assert made.headers["Cache-Control"] == "no-store"
    secret = made.json["secret"]
    assert secret.startswith("ang-")
    async with Client(house.url, secret) as client:
        assert (await client.get("/v1/models")).status == 200
    shown = {name: value for name, value in made.json.items() if name != "secret"}
    assert shown["hint"] == secret[:8]
    assert (shown["object"], shown["status"]) == ("hermes.key", "active")
    assert shown["scopes"] == ["chat", "runs", "read"]
    read = await desk.admin.get(f"/api/keys/{shown['id']}")
    listed = await desk.admin.get("/api/keys")
    assert read.json == shown
    assert shown in listed.json["data"]
    for answer in (read, listed):
        assert secret.encode() not in answer.body
        assert b"digest" not in answer.body


async def test_rules_are_kept_and_changed_one_by_one(desk: Desk) -> None:
    policy = {"deny": ["terminal"], "rules": [{"verdict": "ask", "domain": "example.com"}]}
    rules = {"models": ["angelia"], "tools": [], "policy": policy}
    key_id, _ = await desk.make(rules={**rules, "daily_budget": 5})
    changed = await desk.change(key_id, rules={"models": None, "concurrent_runs": 3})
    assert changed.status == 200
    assert changed.json["rules"] == {
        "tool_events": None,
        "tool_items": None,
        "on_disconnect": None,
        "models": None,
        "tools": [],
        "policy": {
            "ask": [],
            "deny": ["terminal"],
            "rules": [
                {
                    "verdict": "ask",
                    "tool": "*",
                    "effect": None,
                    "command": None,
                    "path": None,
                    "domain": "example.com",
                    "network": None,
                    "reason": "",
                }
            ],
            "irreversible": "allow",
            "network": "allow",
        },
        "requests_per_minute": None,
        "concurrent_runs": 3,
        "daily_budget": 5.0,
        "monthly_budget": None,
    }
    assert (await desk.admin.get(f"/api/keys/{key_id}")).json == changed.json
    assert (await desk.change(key_id, rules={"policy": None})).json["rules"]["policy"] == {
        "ask": [],
        "deny": [],
        "rules": [],
        "irreversible": "allow",
        "network": "allow",
    }


async def test_a_scope_that_is_taken_away_is_gone_with_the_next_request(desk: Desk) -> None:
    key_id, client = await desk.make()
    assert (await client.get("/v1/runs")).status == 200
    assert (await desk.change(key_id, scopes=["chat"], name="desk")).json["name"] == "desk"
    refused = await client.get("/v1/runs")
    assert fault(refused) == (403, None, "missing_scope")


async def test_a_revoked_key_is_nobody_and_its_run_goes_on(desk: Desk) -> None:
    key_id, client = await desk.make()
    run = (await client.post("/v1/runs", {"input": "Run `sleep 1`."})).json["run_id"]
    async with client.open("GET", f"/v1/runs/{run}/events") as reader:
        frames = reader.frames()
        frame = await anext(frames)
        revoked = await desk.admin.delete(f"/api/keys/{key_id}")
        assert (revoked.status, revoked.json["status"]) == (200, "revoked")
        assert fault(await client.get("/v1/models")) == (401, None, "invalid_api_key")
        async for frame in frames:
            last: Frame = frame
    assert last.json["event"] == "run.completed"
    assert (await desk.admin.delete(f"/api/keys/{key_id}")).json == revoked.json
    assert fault(await desk.change(key_id, name="back")) == (409, None, "key_revoked")


async def test_nobody_shuts_the_door_behind_themselves(desk: Desk) -> None:
    assert fault(await desk.admin.delete("/api/keys/key_first")) == (409, None, "own_key")
    assert fault(await desk.change("key_first", scopes=["chat"])) == (409, None, "own_key")
    assert (await desk.admin.get("/api/keys")).status == 200


async def test_keys_are_the_business_of_admins(desk: Desk) -> None:
    key_id, client = await desk.make()
    for method, path in (
        ("GET", "/api/keys"),
        ("POST", "/api/keys"),
        ("GET", f"/api/keys/{key_id}"),
        ("PATCH", f"/api/keys/{key_id}"),
        ("DELETE", f"/api/keys/{key_id}"),
    ):
        body = None if method in ("GET", "DELETE") else {"name": "more", "scopes": ["admin"]}
        assert fault(await client.send(method, path, body)) == (403, None, "missing_scope")
    assert (await client.get("/v1/models")).status == 200


async def test_what_is_wrong_is_named(desk: Desk) -> None:
    answer = await desk.admin.post("/api/keys", {"name": "a", "rules": {"daily_budget": -1}})
    assert fault(answer) == (400, "rules.daily_budget", "invalid_value")
    assert fault(await desk.admin.post("/api/keys", b"{")) == (400, None, "invalid_json")
    assert fault(await desk.change("key_first", expires_at=1)) == (
        400,
        "expires_at",
        "invalid_value",
    )
    for answer in (
        await desk.admin.get("/api/keys/key_9"),
        await desk.change("key_9", name="a"),
        await desk.admin.delete("/api/keys/key_9"),
    ):
        assert fault(answer) == (404, "key_id", "key_not_found")


# ── limits ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("path", "body"), [("/v1/runs", RUN), ("/v1/chat/completions", CHAT)], ids=["runs", "chat"]
)
async def test_work_over_the_rate_is_told_when_to_come_back(
    desk: Desk, path: str, body: dict[str, Any]
) -> None:
    key_id, client = await desk.make(rules={"requests_per_minute": 2})
    for _ in range(2):
        assert (await client.post(path, body)).status < 300
    refused = await client.post(path, body)
    assert fault(refused) == (429, None, "rate_limit_exceeded")
    assert refused.json["error"]["type"] == "rate_limit_error"
    assert 0 < int(refused.headers["Retry-After"]) <= 61
    assert (await client.get("/v1/models")).status == 200
    await desk.change(key_id, rules={"requests_per_minute": 3})
    assert (await client.post(path, body)).status < 300


async def test_a_run_too_many_waits_for_another_to_end(desk: Desk) -> None:
    _, client = await desk.make(rules={"concurrent_runs": 1})
    run = (await client.post("/v1/runs", {"input": "sleep 60"})).json["run_id"]
    refused = await client.post("/v1/chat/completions", CHAT)
    assert fault(refused) == (429, None, "too_many_runs")
    assert int(refused.headers["Retry-After"]) > 0
    await client.post(f"/v1/runs/{run}/stop")
    events = [frame async for frame in client.stream(f"/v1/runs/{run}/events")]
    assert events[-1].json["event"] == "run.cancelled"
    assert (await client.post("/v1/chat/completions", CHAT)).status == 200


async def test_a_model_that_a_key_may_not_use_does_not_exist_for_it(desk: Desk) -> None:
    key_id, client = await desk.make(rules={"models": ["another"]})
    for path, body in (("/v1/runs", RUN), ("/v1/chat/completions", CHAT)):
        answer = await client.post(path, {**body, "model": "angelia"})
        assert fault(answer) == (404, "model", "model_not_found")
    assert (await client.get("/v1/models")).json["data"] == []
    assert (await client.get("/v1/capabilities")).json["default_model"] is None
    await desk.change(key_id, rules={"models": ["angelia"]})
    assert (await client.post("/v1/chat/completions", CHAT)).status == 200
    assert (await client.get("/v1/models")).json["data"] != []


async def test_a_tool_that_a_key_may_not_use_is_not_listed(desk: Desk) -> None:
    _, client = await desk.make(rules={"tools": ["read_file"]})
    listed = (await client.get("/v1/tools")).json["data"]
    assert [tool["name"] for tool in listed] == ["read_file"]
