"""Two tabs on one session, and words in mid-answer."""

from pathlib import Path

from playwright.async_api import expect

from tests.console.test_chat import say
from tests.support.scripted import scripted
from tests.support.server import AngeliaServer


async def test_two_tabs_on_one_session_stay_in_step(signed_in, server: AngeliaServer) -> None:
    async with signed_in(server) as page:
        await say(page, "long 3")
        await expect(page.get_by_role("button", name="Regenerate")).to_be_visible()
        other = await page.context.new_page()
        await other.goto(page.url)
        await expect(other.get_by_role("button", name="Regenerate")).to_be_visible()
        await say(page, "Run `echo together`.")
        await expect(other.get_by_role("article", name="terminal, done")).to_be_visible()
        await expect(other.get_by_role("button", name="Regenerate")).to_have_count(2)
        await say(other, "long 4")
        await expect(page.get_by_role("button", name="Regenerate")).to_have_count(3)


async def test_what_is_said_meanwhile_waits_and_is_read(signed_in, tmp_path: Path) -> None:
    call = {"name": "terminal", "arguments": {"command": "until [ -e go ]; do sleep 0.1; done"}}
    with scripted(tmp_path) as stage:
        stage.script({"calls": [call]}, {"text": "I have read it.", "repeat": True})
        async with signed_in(stage.server) as page:
            await say(page, "wait")
            await expect(page.get_by_role("article", name="terminal, running")).to_be_visible()
            await say(page, "be brief")
            await expect(page.get_by_text("waits to be read")).to_be_visible()
            await page.get_by_role("button", name="Stop").click()
            await expect(page.get_by_text("was not read")).to_be_visible()
            await expect(page.locator(".spinner")).to_have_count(0)
