"""Every answer carries the headers once, and is kept by nobody unless it says so itself."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.responses import JSONResponse, Response

from angelia.surfaces.http.guard import HEADERS, guarded
from tests.support.http import Client
from tests.support.process import free_port
from tests.support.server import AngeliaServer


def test_every_header_is_added() -> None:
    headers = guarded(JSONResponse({})).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "DENY"
    assert headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert headers["cross-origin-resource-policy"] == "same-origin"


def test_what_says_nothing_of_caching_is_not_kept() -> None:
    assert guarded(Response()).headers["cache-control"] == "no-store"


@pytest.mark.parametrize("name", ["Cache-Control", "cache-control"])
def test_an_answer_that_says_how_long_it_may_be_kept_is_believed(name: str) -> None:
    response = guarded(Response(headers={name: "no-cache"}))
    assert response.headers.getlist("cache-control") == ["no-cache"]


def test_nothing_is_added_twice() -> None:
    response = Response()
    once = list(guarded(response).raw_headers)
    assert guarded(response).raw_headers == once
    assert len(set(once)) == len(once)
    assert set(HEADERS) <= set(once)


def test_what_the_response_had_stays_in_front() -> None:
    response = Response(b"x", headers={"X-Angelia-Run-Id": "run_1"})
    before = list(response.raw_headers)
    assert guarded(response).raw_headers[: len(before)] == before


# ── over a socket ───────────────────────────────────────────────────────────────────────────

EXPECTED = {name.decode(): value.decode() for name, value in HEADERS}
ORIGIN = "https://app.example"
HELLO = [{"role": "user", "content": "long 1"}]
STREAM = {"stream": True, "messages": HELLO}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AngeliaServer]:
    """Its provider cannot be reached, and browsers of one origin may ask."""
    nowhere = f"http://127.0.0.1:{free_port()}/v1"
    env = {"ANGELIA_BASE_URL": nowhere, "ANGELIA_MODEL": "none"}
    server = AngeliaServer(tmp_path_factory.mktemp("guard"), env)
    (server.home / "angelia.toml").write_text(
        f'[server]\ncors_origins = ["{ORIGIN}"]\n[model]\nretries = 0\n'
    )
    server.start()
    yield server
    server.kill()


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "status"),
    [
        ("GET", "/health", None, {}, 200),
        ("HEAD", "/health", None, {}, 200),
        ("GET", "/openapi.json", None, {}, 200),
        ("GET", "/openapi.json", None, {"If-None-Match": "*"}, 304),
        ("GET", "/v1/models", None, {"Origin": ORIGIN}, 200),
        ("GET", "/v1/models", None, {"Authorization": "Bearer wrong"}, 401),
        ("GET", "/nothing", None, {}, 404),
        ("GET", "/v1/runs/", None, {}, 404),
        ("PUT", "/v1/runs", None, {}, 405),
        ("POST", "/v1/runs", {"input": 7}, {}, 400),
        ("POST", "/v1/runs", {"input": "long 1"}, {}, 202),
        ("POST", "/v1/chat/completions", {"messages": HELLO}, {}, 502),
        ("POST", "/v1/chat/completions", STREAM, {}, 502),
        ("POST", "/v1/responses", {"input": "long 1", "stream": True}, {}, 200),
        (
            "OPTIONS",
            "/v1/runs",
            None,
            {"Origin": ORIGIN, "Access-Control-Request-Method": "POST"},
            200,
        ),
        (
            "OPTIONS",
            "/v1/runs",
            None,
            {"Origin": "https://other.example", "Access-Control-Request-Method": "POST"},
            400,
        ),
    ],
)
async def test_every_kind_of_answer_has_them_once(
    server: AngeliaServer, method: str, path: str, body: Any, headers: dict[str, str], status: int
) -> None:
    async with Client(server.url, server.key) as client:
        answer = await client.send(method, path, body, headers)
    assert answer.status == status, answer.body
    for name, value in EXPECTED.items():
        assert answer.headers.getall(name) == [value]
    assert len(answer.headers.getall("Cache-Control")) == 1


async def test_a_stream_says_itself_how_it_may_be_kept(server: AngeliaServer) -> None:
    async with Client(server.url, server.key) as client:
        answer = await client.post("/v1/responses", {"input": "long 1", "stream": True})
    assert answer.headers["Cache-Control"] == "no-cache, no-transform"
