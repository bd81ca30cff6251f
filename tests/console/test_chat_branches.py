"""Questions that are asked in other words, and what the model is told then."""

from pathlib import Path

from playwright.async_api import Page, expect

from tests.console.test_chat import say
from tests.support.scripted import scripted, text_of


def said(body: dict) -> list[str]:
    """What people said in a request to the model, oldest first."""
    return [text_of(message) for message in body["messages"] if message["role"] == "user"]


async def say_and_wait(page: Page, words: str, answer: str) -> None:
    await say(page, words)
    await expect(page.get_by_text(answer, exact=True)).to_be_visible()


async def test_the_model_is_sent_exactly_the_branch_that_is_shown(
    signed_in, tmp_path: Path
) -> None:
    with scripted(tmp_path) as stage:
        names = ("first", "second", "other", "third")
        stage.script(*({"when": name, "text": f"{name} answer", "repeat": True} for name in names))
        async with signed_in(stage.server) as page:
            await say_and_wait(page, "first", "first answer")
            await say_and_wait(page, "second", "second answer")
            await page.get_by_role("button", name="Edit the question").last.click()
            await page.get_by_label("The question").fill("other")
            await page.get_by_role("button", name="Ask this instead").click()
            await expect(page.get_by_text("other answer", exact=True)).to_be_visible()
            await expect(page.get_by_role("group", name="Branch 2 of 2")).to_be_visible()
            await expect(page.get_by_text("second answer", exact=True)).to_have_count(0)
            await page.get_by_role("button", name="The branch before").click()
            await expect(page.get_by_text("second answer", exact=True)).to_be_visible()
            await say_and_wait(page, "third", "third answer")
            await expect(page.get_by_text("other answer", exact=True)).to_have_count(0)
        assert said(stage.asked_about("other")[0]) == ["first", "other"]
        assert said(stage.asked_about("third")[0]) == ["first", "second", "third"]
