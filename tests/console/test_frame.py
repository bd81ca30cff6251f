"""The frame around the pages: the way from one to another, also while a script is on its way."""

import asyncio

from playwright.async_api import Route, expect

from tests.console.test_chat import say
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


async def test_the_way_past_the_navigation_leads_into_the_page_that_is_open(
    signed_in, demo_server: AngeliaServer
) -> None:
    async with signed_in(demo_server, "#/jobs") as page:
        await expect(page.get_by_role("heading", name="Jobs", level=1)).to_be_visible()
        await page.keyboard.press("Tab")
        await expect(page.get_by_role("button", name="Skip to the content")).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(page.locator("main")).to_be_focused()
        await expect(page.get_by_role("heading", name="Jobs", level=1)).to_be_visible()
        await page.keyboard.press("Tab")
        await expect(page.get_by_role("button", name="New job")).to_be_focused()


async def test_a_page_that_does_not_come_says_so_and_comes_when_it_is_asked_again(
    signed_in, demo_server: AngeliaServer
) -> None:
    async with signed_in(demo_server, "#/jobs") as page:
        await expect(page.get_by_role("heading", name="Jobs", level=1)).to_be_visible()
        await page.route("**/assets/*.js", lambda route: route.abort())
        await page.get_by_role("link", name="Usage").click()
        await expect(page.get_by_role("alert")).to_contain_text("This page could not be opened")
        await page.get_by_role("link", name="Jobs").click()
        await expect(page.get_by_role("heading", name="Jobs", level=1)).to_be_visible()
        await page.get_by_role("link", name="Usage").click()
        await page.unroute("**/assets/*.js")
        await page.get_by_role("button", name="Try again").click()
        await expect(page.get_by_role("heading", name="Usage", level=1)).to_be_visible()


async def test_a_server_that_is_not_there_yet_is_asked_until_it_is(
    signed_in, demo_server: AngeliaServer
) -> None:
    async with signed_in(demo_server) as page:
        await page.route("**/api/signin", lambda route: route.abort())
        await page.reload()
        await expect(page.get_by_text("The server does not answer.")).to_be_visible()
        await page.unroute("**/api/signin")
        await expect(page.get_by_label("Message")).to_be_visible()


async def test_a_tab_is_named_after_what_is_in_it(signed_in, server: AngeliaServer) -> None:
    async with signed_in(server, "#/jobs") as page:
        await expect(page).to_have_title("Jobs · Angelia")
        await page.get_by_role("link", name="Chat").click()
        await expect(page).to_have_title("Chat · Angelia")
        await say(page, "long 3 about pelicans")
        await expect(page).to_have_title("long 3 about pelicans · Angelia")
        await page.get_by_role("link", name="Run", exact=True).click()
        await expect(page).to_have_title("long 3 about pelicans · Angelia")
        await page.get_by_role("link", name="Runs").first.click()
        await expect(page).to_have_title("Runs · Angelia")
