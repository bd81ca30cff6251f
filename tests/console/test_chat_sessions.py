"""The list of sessions: found again, renamed, copied, deleted."""

from playwright.async_api import expect

from tests.console.conftest import PHONE
from tests.console.test_chat import say
from tests.support.following import ended, started
from tests.support.http import Client
from tests.support.server import AngeliaServer

EVIL = "<img src=x onerror=window.__xss=1>"


async def test_a_session_is_renamed_found_copied_and_deleted(
    signed_in, server: AngeliaServer
) -> None:
    async with signed_in(server) as page:
        listed = page.get_by_role("complementary", name="Sessions")
        menu = page.get_by_label("What can be done with this session")
        await say(page, "long 3 about pelicans")
        await expect(page.get_by_role("button", name="Regenerate")).to_be_visible()
        await menu.click()
        await page.get_by_role("button", name="Rename").click()
        await page.get_by_label("Title").fill(EVIL)
        await page.get_by_role("dialog").get_by_role("button", name="Rename").click()
        await expect(page.get_by_role("heading", name=EVIL)).to_be_visible()
        await page.get_by_label("Search in all sessions").fill("pelicans")
        await expect(page.get_by_role("list", name="Found")).to_contain_text("pelicans")
        await page.get_by_label("Search in all sessions").fill("")
        first = page.url
        await menu.click()
        await page.get_by_role("button", name="Fork").click()
        await expect(page.get_by_text("A copy was made.")).to_be_visible()
        await expect(page).not_to_have_url(first)
        await expect(page.get_by_label("You")).to_contain_text("pelicans")
        await expect(listed.get_by_role("listitem")).to_have_count(2)
        await menu.click()
        await page.get_by_role("button", name="Delete").click()
        await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        await expect(listed.get_by_role("listitem")).to_have_count(1)
        assert await page.evaluate("window.__xss") is None


async def test_a_session_that_is_too_old_for_the_list_has_its_title_and_its_menu(
    signed_in, server: AngeliaServer
) -> None:
    async with Client(server.url, server.key) as client:
        old = {"input": "long 3 about pelicans", "session_id": "old"}
        await ended(client, await started(client, old))
        for number in range(40):
            await client.post("/api/sessions", {"title": f"newer {number}"})
    async with signed_in(server, "#/chat/old") as page:
        await expect(page.get_by_role("heading", name="long 3 about pelicans")).to_be_visible()
        await page.get_by_label("What can be done with this session").click()
        await page.get_by_role("button", name="Rename").click()
        await page.get_by_label("Title").fill("Birds")
        await page.get_by_role("dialog").get_by_role("button", name="Rename").click()
        await expect(page.get_by_role("heading", name="Birds", level=1)).to_be_visible()


async def test_the_list_on_a_phone_is_opened_and_left_by_keys_and_by_a_tap_beside_it(
    signed_in, server: AngeliaServer
) -> None:
    async with signed_in(server, viewport=PHONE) as page:
        opener = page.get_by_role("button", name="Sessions", exact=True)
        listed = page.get_by_role("complementary", name="Sessions")
        await opener.press("Enter")
        await expect(listed.get_by_role("link", name="New chat")).to_be_focused()
        await page.keyboard.press("Escape")
        await expect(listed).to_be_hidden()
        await expect(opener).to_be_focused()
        await opener.click()
        await expect(listed).to_be_visible()
        await page.mouse.click(PHONE["width"] - 10, 300)
        await expect(listed).to_be_hidden()
