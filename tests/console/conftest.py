"""The console in a real browser: who opens it, what it asks for, and what it must never do."""

import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from urllib.parse import urlsplit

import pytest
from playwright.async_api import BrowserContext, ConsoleMessage, Page, Request, expect

from angelia.surfaces.console.files import STATIC
from tests.clients import browser
from tests.support.server import AngeliaServer

SECONDS = 30
WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 375, "height": 720}

# A machine with two cores, both at work, is slow to show what was asked for.
expect.set_options(timeout=SECONDS * 1000)

Opened = Callable[..., AbstractAsyncContextManager[Page]]


@pytest.fixture(scope="session")
def chromium() -> str:
    found = browser.executable()
    if found is None:
        pytest.skip("no Chromium on this machine: the console was not tested")
    if not (STATIC / "index.html").is_file():
        pytest.skip("the console is not built: make console")
    return found


class Watch:
    """What a page does behind its face: the hosts it asks, and what it complains about."""

    def __init__(self, server: AngeliaServer) -> None:
        self._own = urlsplit(server.url).netloc
        self.strangers: list[str] = []
        self.complaints: list[str] = []

    def over(self, page: Page) -> None:
        page.on("request", self._asked)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._said)

    def _asked(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme not in ("data", "blob") and address.netloc != self._own:
            self.strangers.append(request.url)

    def _said(self, message: ConsoleMessage) -> None:
        # A browser reports answers that are no success by itself, also those that are expected.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.complaints.append(message.text)

    def check(self) -> None:
        assert self.strangers == [], "the console asks nobody but its own server"
        assert self.complaints == []


@pytest.fixture
def signed_in(chromium: str) -> Opened:
    """Opens pages of a browser that has signed in, each with the same watch over it."""

    @contextlib.asynccontextmanager
    async def opened(
        server: AngeliaServer,
        to: str = "",
        *,
        key: str | None = None,
        viewport: dict[str, int] = WIDE,
        scheme: str = "light",
    ) -> AsyncIterator[Page]:
        async with browser.launched(chromium) as launched:
            context = await launched.new_context(viewport=viewport, color_scheme=scheme)
            context.set_default_timeout(SECONDS * 1000)
            watch = Watch(server)
            context.on("page", watch.over)
            await sign_in(context, server, key or server.key)
            page = await context.new_page()
            await page.goto(f"{server.url}/{to}")
            yield page
            watch.check()

    return opened


async def sign_in(context: BrowserContext, server: AngeliaServer, key: str) -> None:
    """As the form does it: the browser keeps the cookie that comes with the answer."""
    answer = await context.request.post(f"{server.url}/api/signin", data={"key": key})
    assert answer.ok, await answer.text()
