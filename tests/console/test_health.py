"""The page of the health: how each part of the server is, and that it is seen when it is gone."""

from playwright.async_api import expect

from tests.console import fits
from tests.support.http import Client
from tests.support.server import AngeliaServer


async def test_each_part_is_shown_with_what_the_server_can_do(
    signed_in, server: AngeliaServer
) -> None:
    async with signed_in(server, "#/health") as page:
        await expect(page.get_by_text("Ready: new work would succeed.")).to_be_visible()
        parts = page.get_by_role("region", name="Parts")
        for name in ("Store", "Engine", "Disk", "Sandbox", "Provider demo"):
            await expect(parts.get_by_role("heading", name=name)).to_be_visible()
        await expect(page.get_by_text("approvals: on")).to_be_visible()
        await expect(page.get_by_role("table", name="Limits")).to_contain_text("body bytes")
        await expect(page.get_by_text("up for")).to_be_visible()


async def test_a_part_that_fails_is_shown_with_what_helps(signed_in, server: AngeliaServer) -> None:
    async with Client(server.url, server.key) as client:
        await client.post("/api/mcp", {"name": "gone", "command": "/nowhere/at-all"})
    async with signed_in(server, "#/health") as page:
        part = page.get_by_role("listitem").filter(has_text="MCP server gone")
        await expect(part.get_by_text("failing")).to_be_visible()
        await expect(part.get_by_text("Tools → MCP servers says what is wrong")).to_be_visible()


# The page looks every five seconds.
LOOKED = 20_000


async def test_a_server_that_is_gone_and_comes_back_is_seen(
    signed_in, server: AngeliaServer
) -> None:
    async with signed_in(server, "#/health") as page:
        await expect(page.get_by_text("Ready: new work would succeed.")).to_be_visible()
        server.kill()
        stale = page.get_by_text("What you see is not the latest")
        await expect(stale).to_be_visible(timeout=LOOKED)
        server.start()
        await expect(stale).to_have_count(0, timeout=LOOKED)


@fits.LOOKS
async def test_it_fits_and_is_accessible(
    signed_in, demo_server: AngeliaServer, viewport: dict[str, int], scheme: str
) -> None:
    async with signed_in(demo_server, "#/health", viewport=viewport, scheme=scheme) as page:
        await expect(page.get_by_role("table", name="Limits")).to_be_visible()
        await expect(page.get_by_role("heading", name="Store")).to_be_visible()
        await fits.check(page)
