"""Runs that a call has begun, inside the chat."""

from playwright.async_api import expect

from tests.console.test_chat import say
from tests.support.server import AngeliaServer


async def test_a_subagent_is_seen_at_work_and_ends_with_a_stop(
    signed_in, server: AngeliaServer
) -> None:
    async with signed_in(server) as page:
        await say(page, 'call delegate {"tasks": [{"goal": "sleep 60"}]}')
        agents = page.get_by_role("list", name="Subagents")
        await agents.locator("summary").first.click()
        await expect(agents.get_by_role("article", name="terminal, running")).to_be_visible()
        await expect(agents.get_by_role("link", name="Open this run")).to_be_visible()
        await page.get_by_role("button", name="Stop").click()
        await expect(page.get_by_role("button", name="Regenerate")).to_be_visible()
        await expect(agents.get_by_role("article", name="terminal, stopped")).to_be_visible()
        await expect(page.locator(".spinner")).to_have_count(0)
