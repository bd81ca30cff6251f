"""`make screenshots`: a demo home, and a picture of each page of the console in docs/images."""

import asyncio
import tempfile
from pathlib import Path

import msgspec
from playwright.async_api import Browser, Page

from demo import terminal
from demo.home import make
from demo.stage import Client, Server, serving
from tests.clients import browser

IMAGES = Path(__file__).parent.parent / "docs" / "images"
WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 780}


class Shot(msgspec.Struct, frozen=True):
    """A page of the console at an address; `{name}` stands for the latest run of a session.

    `sought` is how far a replay has come.
    """

    name: str
    address: str
    scheme: str = "light"
    phone: bool = False
    sought: float | None = None


SHOTS = (
    Shot("chat", "#/chat/summer"),
    Shot("chat-dark", "#/chat/summer", "dark"),
    Shot("approval", "#/chat/publish"),
    Shot("phone", "#/chat/about", phone=True),
    Shot("branches", "#/chat/notes"),
    Shot("runs", "#/runs"),
    Shot("waterfall", "#/runs/{release}"),
    Shot("waterfall-dark", "#/runs/{release}", "dark"),
    Shot("events", "#/runs/{summer}?tab=events"),
    Shot("replay", "#/runs/{summer}?tab=replay", sought=0.8),
    Shot("clients", "#/runs/{summer}?tab=clients"),
    Shot("usage", "#/usage"),
    Shot("usage-dark", "#/usage", "dark"),
    Shot("jobs", "#/jobs"),
    Shot("memory", "#/memory"),
    Shot("keys", "#/keys"),
    Shot("tools", "#/tools"),
    Shot("mcp", "#/tools/mcp"),
    Shot("health", "#/health"),
)


async def main() -> None:
    path = browser.executable()
    if path is None:
        raise SystemExit("There is no Chromium on this machine.")
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        await make(Path(folder) / "home")
        with serving(Path(folder) / "home", Path(folder) / "server") as server:
            runs = await latest_runs(server)
            async with browser.launched(path) as launched:
                for shot in SHOTS:
                    await take(launched, server, shot, runs)
            drawn = await terminal.picture(server, Path(folder), "Run `ls -l data` and `date -u`")
            (IMAGES / "terminal-chat.svg").write_text(drawn)


async def latest_runs(server: Server) -> dict[str, str]:
    """The latest run of each session, by the session's id; MCP servers are connected to by then."""
    async with Client(server) as client:
        for server_of in (await client.ask("GET", "/v1/mcp"))["data"]:
            await client.connected(server_of["name"])
        sessions = await client.ask("GET", "/api/sessions?limit=100")
        return {each["id"]: each["last_run_id"] for each in sessions["data"]}


async def take(launched: Browser, server: Server, shot: Shot, runs: dict[str, str]) -> None:
    context = await launched.new_context(
        viewport=PHONE if shot.phone else WIDE,
        color_scheme=shot.scheme,
        reduced_motion="reduce",
        timezone_id="UTC",
    )
    answer = await context.request.post(f"{server.url}/api/signin", data={"key": server.key})
    assert answer.ok, await answer.text()
    page = await context.new_page()
    await page.goto(f"{server.url}/{shot.address.format(**runs)}")
    await settle(page)
    if shot.sought is not None:
        await seek(page, shot.sought)
    await page.screenshot(path=IMAGES / f"console-{shot.name}.png")
    print(f"docs/images/console-{shot.name}.png")
    await context.close()


async def seek(page: Page, share: float) -> None:
    slider = page.get_by_role("slider").first
    box = await slider.bounding_box()
    assert box is not None
    await page.mouse.click(box["x"] + box["width"] * share, box["y"] + box["height"] / 2)
    await settle(page)


async def settle(page: Page) -> None:
    """Until the page has said the same for a while; streams never let the network be idle."""
    seen, same = "", 0
    for _ in range(40):
        await page.wait_for_timeout(250)
        now = await page.evaluate("document.body.innerText")
        same = same + 1 if now == seen and "Loading …" not in now else 0
        if same == 3:
            return
        seen = now


if __name__ == "__main__":
    asyncio.run(main())
