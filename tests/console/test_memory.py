"""The page of the notes: added, edited, found and forgotten."""

import re

from playwright.async_api import expect

from tests.console import fits
from tests.console.test_jobs import EVIL
from tests.support.http import Client
from tests.support.server import AngeliaServer


async def noted(server: AngeliaServer, text: str, user: str) -> None:
    async with Client(server.url, server.key) as client:
        answer = await client.post("/api/memory", {"text": text, "user": user})
        assert answer.status == 201, answer.body


async def test_a_note_is_added_edited_and_forgotten(signed_in, server: AngeliaServer) -> None:
    async with signed_in(server, "#/memory") as page:
        await expect(page.get_by_text("Nothing is noted.")).to_be_visible()
        await page.get_by_role("button", name="New note").click()
        form = page.get_by_role("dialog", name="New note")
        await form.get_by_role("button", name="Note it").click()
        await expect(form.get_by_label("Note", exact=True)).to_be_focused()
        await expect(form.get_by_label("Note", exact=True)).to_have_accessible_description(
            re.compile("text")
        )
        await form.get_by_label("Note", exact=True).fill("Ann prefers metric units.")
        await form.get_by_label("User").fill("ann")
        await form.get_by_label("Scope").fill("work")
        await form.get_by_role("button", name="Note it").click()
        notes = page.get_by_role("region", name="Notes of ann")
        await expect(notes.get_by_text("Ann prefers metric units.")).to_be_visible()
        await expect(notes.get_by_text("scope work")).to_be_visible()
        await notes.get_by_role("button", name="Edit").click()
        await notes.get_by_label("Note", exact=True).fill("Ann prefers imperial units.")
        await notes.get_by_label("Kind").select_option("user")
        await notes.get_by_role("button", name="Save").click()
        await expect(notes.get_by_text("Ann prefers imperial units.")).to_be_visible()
        await expect(notes.get_by_text("about the user")).to_be_visible()
        await notes.get_by_role("button", name="Forget", exact=True).click()
        question = page.get_by_role("dialog", name="Forget this note?")
        await question.get_by_role("button", name="Forget").click()
        await expect(page.get_by_text("Nothing is noted.")).to_be_visible()


async def test_notes_are_found_by_their_words_and_forgotten_by_their_owner(
    signed_in, server: AngeliaServer
) -> None:
    await noted(server, "Likes tea.", "ann")
    await noted(server, "Likes coffee.", "ben")
    async with signed_in(server, "#/memory") as page:
        await page.get_by_label("Search notes").fill("COFFEE likes")
        await expect(page.get_by_text("Likes tea.")).to_have_count(0)
        await expect(page.get_by_text("Likes coffee.")).to_be_visible()
        await page.get_by_role("button", name="Forget all").click()
        await page.get_by_role("dialog").get_by_role("button", name="Forget all").click()
        await expect(page.get_by_text("No note has these words.")).to_be_visible()
        await page.get_by_label("Search notes").fill("")
        await expect(page.get_by_text("Likes tea.")).to_be_visible()


async def test_nothing_in_a_note_is_run_as_a_script(signed_in, server: AngeliaServer) -> None:
    await noted(server, EVIL, EVIL)
    async with signed_in(server, "#/memory") as page:
        await expect(page.get_by_role("paragraph").filter(has_text=EVIL)).to_be_visible()
        await page.get_by_role("button", name="Forget", exact=True).click()
        await expect(page.get_by_role("dialog").get_by_text(EVIL)).to_be_visible()
        assert await page.evaluate("window.__xss") is None


@fits.LOOKS
async def test_it_fits_and_is_accessible(
    signed_in, server: AngeliaServer, viewport: dict[str, int], scheme: str
) -> None:
    await noted(server, "x" * 1500, "y" * 60)
    async with signed_in(server, "#/memory", viewport=viewport, scheme=scheme) as page:
        await page.get_by_role("button", name="Edit").click()
        await fits.check(page)
        await page.get_by_role("button", name="New note").click()
        await fits.check(page)
