"""A page in a real browser: EventSource follows a run by itself, fetch asks across origins."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.clients import browser
from tests.stories.test_runs import check, events, start
from tests.support.http import Client
from tests.support.process import free_port
from tests.support.server import AngeliaServer

SECONDS = 60
# The second tool is under way when the server is killed, and outlives it only for a while.
SLOW = "think, `echo one`, `sleep 20` and list"


@pytest.fixture
def chromium() -> str:
    found = browser.executable()
    if found is None:
        pytest.skip("no Chromium on this machine: EventSource in a browser was not tested")
    return found


@pytest.fixture
def port() -> int:
    """Where the page comes from, which is another origin than the server's."""
    return free_port()


@pytest.fixture
def open_server(tmp_path, port) -> Any:
    """A server that lets the page's origin ask."""
    server = AngeliaServer(tmp_path)
    config = f'[server]\ncors_origins = ["http://127.0.0.1:{port}"]\n'
    (server.home / "angelia.toml").write_text(config)
    server.start()
    yield server
    server.kill()


@contextlib.asynccontextmanager
async def opened(path: str, port: int, headers: dict[str, str]) -> AsyncIterator[Any]:
    async with browser.served_page(port) as address, browser.launched(path) as chromium:
        page = await chromium.new_page(extra_http_headers=headers)
        page.set_default_timeout(SECONDS * 1000)
        await page.goto(address)
        yield page


def bearer(server: AngeliaServer) -> dict[str, str]:
    """EventSource cannot send a header of its own, so the browser adds this one to all requests."""
    return {"Authorization": f"Bearer {server.key}"}


async def follow(page: Any, server: AngeliaServer, run_id: str) -> None:
    await page.evaluate("url => follow(url)", f"{server.url}/v1/runs/{run_id}/events")


async def test_event_source_in_a_browser_survives_a_crash_without_a_gap(
    chromium, port, open_server
) -> None:
    async with Client(open_server.url, open_server.key) as client:
        run_id = await start(client, SLOW)
    async with opened(chromium, port, bearer(open_server)) as page:
        await follow(page, open_server, run_id)
        await page.wait_for_function("seen.some(({ event }) => event.event === 'tool.output')")
        open_server.restart()
        await page.wait_for_function("state === EventSource.CLOSED")
        seen, connections = await page.evaluate("[seen, opened]")
    async with Client(open_server.url, open_server.key) as client:
        log = await events(client, run_id)
    check(log)
    assert [item["event"] for item in seen] == log
    assert [item["id"] for item in seen] == [str(event["seq"]) for event in log]
    assert connections == 2


async def test_event_source_without_a_key_is_refused_and_does_not_try_again(
    chromium, port, open_server
) -> None:
    async with Client(open_server.url, open_server.key) as client:
        run_id = await start(client, "think")
    async with opened(chromium, port, {}) as page:
        await follow(page, open_server, run_id)
        await page.wait_for_function("state === EventSource.CLOSED")
        assert await page.evaluate("[seen, opened]") == [[], 0]


async def test_a_page_of_another_origin_reads_a_stream_and_the_id_of_its_run(
    chromium, port, open_server
) -> None:
    body = {"messages": [{"role": "user", "content": "`echo hi`"}], "stream": True}
    url = f"{open_server.url}/v1/chat/completions"
    async with opened(chromium, port, {}) as page:
        asked = [url, open_server.key, body]
        answer = await page.evaluate("([url, key, body]) => ask(url, key, body)", asked)
    assert answer["text"].endswith("data: [DONE]\n\n")
    async with Client(open_server.url, open_server.key) as client:
        run = (await client.get(f"/v1/runs/{answer['run']}")).json
    assert run["status"] == "completed"
