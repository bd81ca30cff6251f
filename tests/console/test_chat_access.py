"""The chat without a mouse, on a phone, and as axe judges it."""

import pytest
from playwright.async_api import expect

from tests.console.axe import check
from tests.console.conftest import PHONE, WIDE
from tests.console.test_chat import say
from tests.support.server import AngeliaServer

OVERFLOW = """() => {
  const main = document.querySelector("main");
  const isWide = document.documentElement.scrollWidth > innerWidth;
  return isWide || main.scrollHeight > main.clientHeight;
}"""


async def test_it_is_asked_answered_and_stopped_by_keyboard_alone(signed_in, start_server) -> None:
    server = start_server(ANGELIA_APPROVALS="ask")
    async with signed_in(server) as page:
        await page.get_by_label("Message").focus()
        await page.keyboard.type("Run `touch a; sleep 60`.")
        await page.keyboard.press("Enter")
        allow = page.get_by_role("button", name="Allow once")
        await expect(allow).to_be_enabled()
        for _ in range(12):
            await page.keyboard.press("Shift+Tab")
            if await allow.evaluate("button => button === document.activeElement"):
                break
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("article", name="terminal, running")).to_be_visible()
        await expect(page.get_by_label("Message")).to_be_focused()
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("article", name="terminal, stopped")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
async def test_cards_and_a_question_stand_in_nobodys_way(
    signed_in, start_server, viewport: dict[str, int], scheme: str
) -> None:
    server: AngeliaServer = start_server(ANGELIA_APPROVALS="ask")
    async with signed_in(server, viewport=viewport, scheme=scheme) as page:
        await say(page, "Think, then list, then `touch b`.")
        await expect(page.get_by_role("button", name="Allow once")).to_be_visible()
        await page.get_by_role("article", name="list_files").locator("summary").click()
        await check(page)
        assert not await page.evaluate(OVERFLOW)
