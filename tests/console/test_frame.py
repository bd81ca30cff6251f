"""The frame around the pages: the way from one to another, also while a script is on its way."""

import asyncio

from playwright.async_api import Route, expect

from tests.support.server import AngeliaServer


async def test_a_page_that_is_left_before_it_came_stands_in_no_other_pages_way(
    signed_in, demo_server: AngeliaServer
) -> None:
    let_go = asyncio.Event()

    async def held(route: Route) -> None:
        await let_go.wait()
        await route.continue_()

    async with signed_in(demo_server, "#/jobs") as page:
        await expect(page.get_by_role("heading", name="Jobs", level=1)).to_be_visible()
        await page.route("**/assets/*.js", held)
        await page.get_by_role("link", name="Runs").click()
        await expect(page.get_by_text("Loading …")).to_be_visible()
        await page.go_back()
        await expect(page.get_by_role("heading", name="Jobs", level=1)).to_be_visible()
        let_go.set()
        await page.get_by_role("link", name="Health").click()
        await expect(page.get_by_role("heading", name="Health", level=1)).to_be_visible()
