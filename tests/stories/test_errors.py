"""Bad input of every kind gets a JSON error that names the field, and never a 500."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.http import Answer, Client

CHAT = "/v1/chat/completions"
GOOD = {"model": "angelia", "messages": [{"role": "user", "content": "long 1"}]}


def check(answer: Answer, status: int) -> dict[str, Any]:
    assert answer.status == status, answer.body
    assert answer.headers["Content-Type"].startswith("application/json")
    error = answer.json["error"]
    assert set(error) == {"message", "type", "param", "code"}
    assert error["message"]
    return error


@pytest.mark.parametrize(
    ("change", "param"),
    [
        ({"messages": None}, "messages"),
        ({"messages": []}, "messages"),
        ({"messages": "hello"}, "messages"),
        ({"messages": [1]}, "messages[0]"),
        ({"messages": [{"content": "x"}]}, "messages[0].role"),
        ({"messages": [{"role": "king", "content": "x"}]}, "messages[0].role"),
        ({"messages": [{"role": "user", "content": 5}]}, "messages[0].content"),
        (
            {"messages": [{"role": "user", "content": [{"type": "smell"}]}]},
            "messages[0].content[0].type",
        ),
        (
            {"messages": [{"role": "user", "content": [{"type": "text", "text": 1}]}]},
            "messages[0].content[0].text",
        ),
        ({"temperature": "hot"}, "temperature"),
        ({"max_tokens": -1}, "max_tokens"),
        ({"stream": "yes"}, "stream"),
        ({"tools": {}}, "tools"),
        ({"tools": [{"type": "function"}]}, "tools[0].function"),
        ({"tools": [{"type": "function", "function": {"name": 7}}]}, "tools[0].function.name"),
        ({"stream_options": [], "stream": True}, "stream_options"),
        ({"n": 2}, "n"),
        ({"model": 7}, "model"),
    ],
)
async def test_a_wrong_field_is_named_by_its_path(
    client, change: dict[str, Any], param: str
) -> None:
    error = check(await client.post(CHAT, {**GOOD, **change}), 400)
    assert error["type"] == "invalid_request_error"
    assert error["param"] == param


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"hello"',
        b"42",
        b"\xff\xfe",
        b'{"messages": [{"role": "user", "content": "\xff"}]}',
        b'{"messages": [{"role": "user", "content": "\\ud800"}]}',
        b"[" * 100_000,
        b'{"messages":' + b"[" * 50_000 + b"]" * 50_000 + b"}",
        b"NaN",
        b'{"model": "angelia", "messages": [], "seed": 1e999}',
    ],
)
@pytest.mark.parametrize("path", [CHAT, "/v1/runs"])
async def test_what_is_no_request_is_refused(client, path: str, body: bytes) -> None:
    check(await client.post(path, body), 400)


async def test_a_body_one_byte_too_large_is_refused_with_the_limit(client) -> None:
    limit = 20 * 1024 * 1024
    over = b'"' + b"x" * (limit - 1) + b'"'
    assert len(over) == limit + 1
    error = check(await client.post(CHAT, over), 413)
    assert f"{limit:,}" in error["message"]

    async def pieces() -> Any:
        for start in range(0, len(over), 1 << 20):
            yield over[start : start + (1 << 20)]

    async with client._session.post(client.url + CHAT, data=pieces()) as answer:
        assert answer.status == 413


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("POST", "/v1/nothing", 404),
        ("GET", CHAT, 405),
        ("PUT", "/v1/runs", 405),
        ("PATCH", "/health", 405),
        ("GET", "/v1/runs/run_nothing", 404),
        ("DELETE", "/v1/runs/run_nothing", 404),
        ("POST", "/v1/runs/run_nothing/stop", 404),
        ("GET", "/v1/runs/run_nothing/events", 404),
        ("GET", "/v1/runs/%00%ff/events", 404),
        ("GET", "/v1/models/nothing", 404),
        ("GET", "/v1/runs?limit=x", 400),
        ("GET", "/v1/runs?limit=1000", 400),
        ("GET", "/v1/runs?status=asleep", 400),
        ("GET", "/v1/runs?after=run_nothing", 404),
    ],
)
async def test_routes_and_ids_that_do_not_exist(client, method, path, status) -> None:
    check(await client.send(method, path), status)


@pytest.mark.parametrize("unit", ["a-", "eyJ-", "token=", "x"])
async def test_a_giant_path_is_refused_at_once_and_not_repeated(demo_server, unit: str) -> None:
    giant = unit * (60_000 // len(unit))
    async with Client(demo_server.url) as stranger:
        error = check(await stranger.get(f"/{giant}"), 404)
        assert len(error["message"]) < 300
        error = check(await stranger.send("PUT", f"/v1/runs/{giant}"), 405)
        assert len(error["message"]) < 300
    async with Client(demo_server.url, demo_server.key) as client:
        error = check(await client.get(f"/v1/runs/{giant}"), 404)
        assert len(error["message"]) <= 2_000


@pytest.mark.parametrize(
    "session_id", ["sn☃", "x\r\nX-Evil: 1", "two words", "end\n", "\x7f", "", "x" * 257]
)
async def test_a_session_that_no_header_can_name_is_refused(client, session_id: str) -> None:
    answer = await client.post("/v1/runs", {"input": "long 1", "session_id": session_id})
    assert check(answer, 400)["param"] == "session_id"


async def test_a_session_of_visible_signs_comes_back(client) -> None:
    name = "~user|1/" + "x" * 248
    answer = await client.post("/v1/runs", {"input": "long 1", "session_id": name})
    assert answer.status == 202
    assert answer.headers["X-Hermes-Session-Id"] == answer.json["session_id"] == name


async def test_a_wrong_or_missing_key_is_openais_own_error(demo_server) -> None:
    for key in (None, "wrong", "sk-wrong-wrong-wrong-wrong"):
        async with Client(demo_server.url, key) as stranger:
            error = check(await stranger.post(CHAT, GOOD), 401)
            assert error["code"] == "invalid_api_key"
            assert error["type"] == "invalid_request_error"
            assert error["message"].startswith("Incorrect API key provided")
            assert (await stranger.get("/health")).status == 200
            check(await stranger.get("/v1/models"), 401)


async def test_a_key_may_come_as_x_api_key(demo_server) -> None:
    async with Client(demo_server.url) as client:
        answer = await client.send("GET", "/v1/models", headers={"x-api-key": demo_server.key})
        assert answer.status == 200
        assert [model["id"] for model in answer.json["data"]] == ["angelia"]


async def test_a_header_that_cannot_be_is_named(client) -> None:
    for name, value in (
        ("X-Angelia-Tool-Events", "loud"),
        ("X-Angelia-On-Disconnect", "explode"),
        ("Idempotency-Key", "x" * 300),
        ("X-Hermes-Session-Id", "sn\u00e9"),
        ("X-Hermes-Session-Id", "two words"),
        ("X-Hermes-Session-Id", "x" * 257),
    ):
        error = check(await client.send("POST", CHAT, GOOD, {name: value}), 400)
        assert error["param"] == name


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    [
        "model",
        "messages",
        "tools",
        "stream",
        "stop",
        "temperature",
        "tool_choice",
        "user",
        "response_format",
        "stream_options",
        "metadata",
        "max_tokens",
        "functions",
        "seed",
    ]
)
MESSAGE_FIELDS = st.sampled_from(["role", "content", "tool_calls", "tool_call_id", "name"])


def fuzzed(fields: dict[str, Any], message: dict[str, Any]) -> bytes:
    body = {**GOOD, **fields}
    if message:
        body["messages"] = [{"role": "user", "content": "long 1", **message}]
    return json.dumps(body).encode("utf-8", "surrogatepass")


@given(st.dictionaries(FIELDS, JSON, max_size=3), st.dictionaries(MESSAGE_FIELDS, JSON, max_size=3))
@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
async def test_no_json_whatever_makes_the_server_fail(client, fields, message) -> None:
    answer = await client.post(CHAT, fuzzed(fields, message))
    if answer.status != 200 and not answer.headers["Content-Type"].startswith("text/event"):
        check(answer, 400)


async def test_discovery_says_what_there_is(client) -> None:
    ready = await client.get("/health/ready")
    assert ready.json["status"] == "ready"
    assert {"store", "engine", "upstream", "disk"} <= set(ready.json["checks"])
    offered = (await client.get("/v1/capabilities")).json
    assert offered["limits"]["body_bytes"] == 20 * 1024 * 1024
    assert offered["tool_events"] == ["named", "carrier", "openwebui", "off"]
    assert {"/api/grants", "/api/jobs", "/api/memory", "/v1/skills"} <= set(offered["endpoints"])
    there = {name for name, is_there in offered["features"].items() if is_there}
    assert {"approvals", "grants", "undo", "jobs", "memory", "skills", "delegation"} <= there
    assert "mcp" not in there, "no MCP server is configured"
    tools = (await client.get("/v1/tools")).json["data"]
    names = {tool["name"] for tool in tools}
    assert names >= {"terminal", "process", "read_file", "write_file", "list_files"}
    assert all(tool["parameters"]["type"] == "object" for tool in tools)
