"""Runs that a call has begun, inside the chat."""

from playwright.async_api import expect

from tests.console.conftest import PHONE
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


async def test_a_long_goal_does_not_push_how_it_went_off_a_phone(
    signed_in, server: AngeliaServer
) -> None:
    goal = "echo " + "and so on " * 20
    async with signed_in(server, viewport=PHONE) as page:
        await say(page, f'call delegate {{"tasks": [{{"goal": "{goal}"}}]}}')
        agents = page.get_by_role("list", name="Subagents")
        how = agents.get_by_text("completed", exact=True)
        await expect(how).to_be_visible()
        box = await how.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] < PHONE["width"]
