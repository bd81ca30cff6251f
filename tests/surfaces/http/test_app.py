"""What holds on every route: which methods a path has, and which browsers may ask."""

import asyncio
from collections.abc import Iterator

import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.support.http import Client
from tests.support.server import AngeliaServer

ORIGIN = "https://app.example"


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/v1/runs", {"GET", "HEAD", "POST"}),
        ("POST", "/v1/runs/run_1", {"GET", "HEAD", "DELETE"}),
        ("GET", "/v1/chat/completions", {"POST"}),
    ],
)
async def test_a_wrong_method_is_answered_with_all_that_the_path_has(
    client, method: str, path: str, allowed: set[str]
) -> None:
    answer = await client.send(method, path)
    assert answer.status == 405
    assert answer.json["error"]["code"] == "method_not_allowed"
    assert set(answer.headers["Allow"].split(", ")) == allowed


async def test_the_head_of_what_can_be_read_can_be_asked_for(client) -> None:
    answer = await client.send("HEAD", "/v1/runs")
    assert (answer.status, answer.body) == (200, b"")


async def test_the_head_of_a_run_under_way_does_not_wait_for_its_end(client) -> None:
    run_id = (await client.post("/v1/runs", {"input": "`sleep 30`"})).json["run_id"]
    async with asyncio.timeout(10):
        answer = await client.send("HEAD", f"/v1/runs/{run_id}/events")
    assert (answer.status, answer.body) == (200, b"")
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    assert (await client.post(f"/v1/runs/{run_id}/stop")).status == 200


async def test_a_socket_where_there_is_none_is_refused_like_a_request(server) -> None:
    address = server.url.replace("http", "ws", 1) + "/v1/elsewhere"
    with pytest.raises(InvalidStatus) as refused:
        await connect(address)
    answer = refused.value.response
    error = msgspec.json.decode(answer.body)["error"]
    assert (answer.status_code, error["code"]) == (404, "not_found")
    assert "/v1/elsewhere" in error["message"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    server.stop()
    assert " ERROR " not in server.stderr


@pytest.fixture(scope="module")
def open_to_browsers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AngeliaServer]:
    server = AngeliaServer(tmp_path_factory.mktemp("cors"))
    (server.home / "angelia.toml").write_text(f'[server]\ncors_origins = ["{ORIGIN}"]\n')
    server.start()
    yield server
    server.kill()


def preflight(origin: str, method: str = "POST") -> dict[str, str]:
    return {
        "Origin": origin,
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": "authorization,x-stainless-lang,x-stainless-retry-count",
    }


async def test_a_browser_may_send_the_headers_that_its_sdk_adds(open_to_browsers) -> None:
    async with Client(open_to_browsers.url) as client:
        answer = await client.send("OPTIONS", "/v1/chat/completions", headers=preflight(ORIGIN))
    assert answer.status == 200
    assert answer.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert "x-stainless-lang" in answer.headers["Access-Control-Allow-Headers"]


async def test_a_browser_may_read_the_headers_of_an_answer(open_to_browsers) -> None:
    async with Client(open_to_browsers.url, open_to_browsers.key) as client:
        answer = await client.send("GET", "/v1/models", headers={"Origin": ORIGIN})
    exposed = set(answer.headers["Access-Control-Expose-Headers"].split(", "))
    assert {"X-Angelia-Run-Id", "Content-Range", "Accept-Ranges", "Retry-After"} <= exposed
    assert {"X-Hermes-Session-Key", "X-Should-Retry", "Content-Disposition"} <= exposed


@pytest.mark.parametrize(
    ("headers", "hint"),
    [
        (preflight("https://other.example"), "server.cors_origins"),
        (preflight(ORIGIN, "PUT"), "PUT"),
    ],
)
async def test_a_browser_that_is_refused_is_told_why(open_to_browsers, headers, hint: str) -> None:
    async with Client(open_to_browsers.url) as client:
        answer = await client.send("OPTIONS", "/v1/models", headers=headers)
    assert answer.status == 400
    assert answer.json["error"]["code"] == "cors_refused"
    assert hint in answer.json["error"]["message"]
