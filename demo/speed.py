"""`python -m demo.speed`: how soon the console is there, and how smoothly it scrolls."""

import asyncio
import statistics
import tempfile
from pathlib import Path

from playwright.async_api import Browser, Page

from angelia.surfaces.console.files import STATIC
from demo.stage import UNDER_WAY, Client, Server, serving
from tests.clients import browser

VIEWPORT = {"width": 1280, "height": 800}
OPENINGS = 10
WORDS = 12_000
# So little at each turn that a run of this length takes some hundred frames.
WHEEL = 1500
PAINTED = """() => new Promise((resolve) => new PerformanceObserver((seen) => resolve(
  seen.getEntriesByName("first-contentful-paint")[0].startTime
)).observe({ type: "paint", buffered: true }))"""
# The longest time between two frames is what a reader sees as a jerk. Where something is scrolled,
# frames count until its end is in sight: behind it, nothing moves.
FRAMES = """(most) => new Promise((resolve) => {
  const scrolls = (each) => each && each.scrollHeight > each.clientHeight + 1
    && /auto|scroll/.test(getComputedStyle(each).overflowY);
  let list = document.querySelector("[data-seq]");
  while (list && !scrolls(list)) list = list.parentElement;
  const isAtEnd = () => list && list.scrollTop + list.clientHeight >= list.scrollHeight - 2;
  const frames = [];
  let before = performance.now();
  const step = (now) => {
    frames.push(now - before);
    before = now;
    if (frames.length > most || isAtEnd()) resolve(frames.slice(1));
    else requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})"""


async def main() -> None:
    path = browser.executable()
    if path is None:
        raise SystemExit("There is no Chromium on this machine.")
    print(f"scripts of all pages: {weight('js.br')} kB brotli, {weight('js.gz')} kB gzip")
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "home", Path(folder) / "server") as server,
    ):
        async with browser.launched(path) as launched:
            await measured(launched, server)


def weight(ending: str) -> int:
    """In kB, as the server sends them."""
    found = list(STATIC.glob(f"assets/*.{ending}"))
    if not found:
        raise SystemExit("The console is not built: make console")
    return round(sum(each.stat().st_size for each in found) / 1000)


async def measured(launched: Browser, server: Server) -> None:
    starts = [await start(launched, server) for _ in range(OPENINGS)]
    for what, times in zip(
        ("first paint", "chat is there"), zip(*starts, strict=True), strict=True
    ):
        print(f"{what}: median {statistics.median(times):.0f}, longest {max(times):.0f} ms")
    async with Client(server) as client:
        run = await client.ask("POST", "/v1/runs", {"input": f"long {WORDS}"})
        page = await opened(launched, server, f"#/chat/{run['session_id']}")
        told("an answer as it streams, its first four seconds", await page.evaluate(FRAMES, 240))
        await page.context.close()
        while (ended := await client.ask("GET", f"/v1/runs/{run['run_id']}"))[
            "status"
        ] in UNDER_WAY:
            await asyncio.sleep(1)
    page = await opened(launched, server, f"#/runs/{run['run_id']}?tab=events")
    row = page.locator("[data-seq]")
    await row.first.wait_for()
    frames = await scrolled(page)
    reached = await row.last.get_attribute("data-seq")
    told(f"scrolling a run of {ended['last_seq']} events, to event {reached}", frames)


async def start(launched: Browser, server: Server) -> tuple[float, float]:
    """Until something shows and until one can write, with nothing in the browser's cache."""
    page = await opened(launched, server, "")
    await page.locator("#message").wait_for()
    ready = await page.evaluate("() => performance.now()")
    painted = await page.evaluate(PAINTED)
    await page.context.close()
    return painted, ready


async def opened(launched: Browser, server: Server, to: str) -> Page:
    context = await launched.new_context(viewport=VIEWPORT)
    await context.request.post(f"{server.url}/api/signin", data={"key": server.key})
    page = await context.new_page()
    await page.goto(f"{server.url}/{to}")
    return page


async def scrolled(page: Page) -> list[float]:
    """Times of frames while the wheel is turned, until the last event is in sight."""
    await page.mouse.move(640, 600)
    frames = asyncio.ensure_future(page.evaluate(FRAMES, 20_000))
    while not frames.done():
        await page.mouse.wheel(0, WHEEL)
    return await frames


def told(what: str, frames: list[float]) -> None:
    parts = statistics.quantiles(frames, n=100)
    late = sum(frame > 50 for frame in frames)
    figures = f"median {parts[49]:.0f}, p95 {parts[94]:.0f}, longest {max(frames):.0f} ms"
    print(f"{what}: frames {figures}; {late} of {len(frames)} over 50 ms")


if __name__ == "__main__":
    asyncio.run(main())
