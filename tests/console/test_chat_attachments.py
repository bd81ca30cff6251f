"""Files that go with a question, as the model gets them."""

import base64
from pathlib import Path

from playwright.async_api import expect

from tests.console.test_chat import say
from tests.support.scripted import last_words, scripted
from tests.support.server import AngeliaServer

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


async def test_an_image_reaches_the_model_as_an_image(signed_in, tmp_path: Path) -> None:
    with scripted(tmp_path) as stage:
        stage.script({"text": "A dot.", "repeat": True})
        async with signed_in(stage.server) as page:
            given = {"name": "dot.png", "mimeType": "image/png", "buffer": PNG}
            await page.locator("input[type=file]").set_input_files(given)
            await expect(page.get_by_role("list", name="Attached")).to_contain_text("dot.png")
            await say(page, "What is it?")
            await expect(page.get_by_text("A dot.", exact=True)).to_be_visible()
            await expect(page.get_by_role("img", name="Attached 1")).to_be_visible()
            await expect(page.get_by_role("list", name="Attached")).to_have_count(0)
        parts = stage.asked_about("What is it?")[0]["messages"][-1]["content"]
        assert [part["type"] for part in parts] == ["text", "image_url"]
        assert parts[1]["image_url"]["url"].startswith("data:image/png;base64,")


async def test_a_text_file_stands_in_the_question(signed_in, tmp_path: Path) -> None:
    with scripted(tmp_path) as stage:
        stage.script({"text": "Milk.", "repeat": True})
        async with signed_in(stage.server) as page:
            given = {"name": "notes.md", "mimeType": "text/markdown", "buffer": b"the milk"}
            await page.locator("input[type=file]").set_input_files(given)
            await say(page, "Read this")
            await expect(page.get_by_text("Milk.", exact=True)).to_be_visible()
        assert last_words(stage.asked[-1]) == "Read this\n\nnotes.md:\n```md\nthe milk\n```"


async def test_what_is_attached_stays_with_its_chat(signed_in, server: AngeliaServer) -> None:
    async with signed_in(server) as page:
        attached = page.get_by_role("list", name="Attached")
        await say(page, "long 3")
        await expect(page.get_by_role("button", name="Regenerate")).to_be_visible()
        given = {"name": "notes.md", "mimeType": "text/markdown", "buffer": b"the milk"}
        await page.locator("input[type=file]").set_input_files(given)
        await expect(attached).to_contain_text("notes.md")
        await page.get_by_role("link", name="New chat").click()
        await expect(page.get_by_role("heading", name="New chat")).to_be_visible()
        await expect(attached).to_have_count(0)
        await page.go_back()
        await expect(attached).to_contain_text("notes.md")


async def test_a_file_that_is_no_text_is_not_taken_for_one(
    signed_in, demo_server: AngeliaServer
) -> None:
    async with signed_in(demo_server) as page:
        given = {"name": "a.zip", "mimeType": "application/zip", "buffer": b"PK\x03\x04\x00\xff"}
        await page.locator("input[type=file]").set_input_files(given)
        await expect(page.get_by_role("status").get_by_text("a.zip is no text")).to_be_visible()
        await expect(page.get_by_role("list", name="Attached")).to_have_count(0)
