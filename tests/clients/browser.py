"""A real browser with a page of our own in it, served from another origin than the server's."""

import contextlib
import shutil
from collections.abc import AsyncIterator

from aiohttp import web
from playwright.async_api import Browser, async_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PAGE = """<!doctype html>
<title>follower</title>
<link rel="icon" href="data:,">
<script>
  const seen = [];
  let opened = 0;
  let state = EventSource.CONNECTING;

  function follow(url) {
    const source = new EventSource(url);
    source.onopen = () => { opened += 1; };
    source.onmessage = ({ lastEventId, data }) => {
      seen.push({ id: lastEventId, event: JSON.parse(data) });
    };
    source.onerror = () => { state = source.readyState; };
  }

  async function ask(url, key, body) {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    return { run: answer.headers.get("X-Angelia-Run-Id"), text: await answer.text() };
  }
</script>
"""


def executable() -> str | None:
    """The system's Chromium; the tests bring none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextlib.asynccontextmanager
async def served_page(port: int) -> AsyncIterator[str]:
    async def page(_: web.Request) -> web.Response:
        return web.Response(text=PAGE, content_type="text/html")

    app = web.Application()
    app.router.add_get("/", page)
    runner = web.AppRunner(app, shutdown_timeout=0)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    try:
        yield f"http://127.0.0.1:{port}/"
    finally:
        await runner.cleanup()


@contextlib.asynccontextmanager
async def launched(path: str) -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path)
        try:
            yield browser
        finally:
            await browser.close()
