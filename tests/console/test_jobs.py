"""The page of the jobs: made, changed, paused, run, removed, and what is said of wrong ones."""

import re

from playwright.async_api import Page, expect

from tests.console import fits
from tests.support.http import Client
from tests.support.server import AngeliaServer

EVIL = "<img src=x onerror='window.__xss=1'><script>window.__xss=1</script>"


async def make(page: Page, when: str, words: str, name: str) -> None:
    await page.get_by_role("button", name="New job").click()
    form = page.get_by_role("dialog", name="New job")
    await form.get_by_label("When").fill(when)
    await form.get_by_label("What the agent is asked").fill(words)
    await form.get_by_label("Name").fill(name)
    await form.get_by_role("button", name="Make job").click()


async def made(page: Page, when: str, words: str, name: str) -> None:
    await make(page, when, words, name)
    saved = page.get_by_role("dialog", name=f"“{name}” is saved")
    await expect(
        saved.get_by_role("list", name="Next times").get_by_role("listitem").first
    ).to_be_visible()
    await saved.get_by_role("button", name="Done").click()


async def test_a_job_is_made_edited_paused_resumed_run_and_removed(
    signed_in, server: AngeliaServer
) -> None:
    async with signed_in(server, "#/jobs") as page:
        await made(page, "every weekday at 9:00", "long 3", "morning")
        job = (
            page.get_by_role("list", name="Jobs").get_by_role("listitem").filter(has_text="morning")
        )
        await expect(job.get_by_text("active", exact=True)).to_be_visible()
        await job.get_by_role("button", name="Edit").click()
        form = page.get_by_role("dialog", name="Edit job")
        await expect(form.get_by_label("When")).to_have_value("every weekday at 9:00")
        await form.get_by_label("When").fill("every 2h")
        await form.get_by_role("button", name="Save").click()
        await page.get_by_role("button", name="Done").click()
        await expect(job.get_by_text("every 2h (")).to_be_visible()
        await job.get_by_role("button", name="Pause").click()
        await expect(job.get_by_text("paused", exact=True)).to_be_visible()
        await expect(job.get_by_text("not planned")).to_be_visible()
        await job.get_by_role("button", name="Resume").click()
        await expect(job.get_by_text("active", exact=True)).to_be_visible()
        await job.get_by_role("button", name="Run now").click()
        await expect(page.get_by_text("“morning” has begun.")).to_be_visible()
        await job.get_by_text("Next times and firings").click()
        firings = job.get_by_role("region", name="Firings of morning")
        await expect(firings.get_by_text("asked for")).to_be_visible()
        await firings.get_by_role("link", name=re.compile("^run_")).click()
        await expect(page).to_have_url(re.compile("#/runs/run_"))
        await page.go_back()
        await job.get_by_role("button", name="Remove").click()
        question = page.get_by_role("dialog", name="Remove this job?")
        await question.get_by_role("button", name="Remove").click()
        await expect(page.get_by_text("There is no job yet.")).to_be_visible()


async def test_what_the_server_refuses_is_said_beside_its_field(
    signed_in, server: AngeliaServer
) -> None:
    async with signed_in(server, "#/jobs") as page:
        await make(page, "whenever you like", "hello", "odd")
        form = page.get_by_role("dialog", name="New job")
        when = form.get_by_label("When")
        await expect(when).to_be_focused()
        await expect(when).to_have_attribute("aria-invalid", "true")
        await expect(when).to_have_accessible_description(re.compile("schedule"))
        await when.fill("every 2h")
        await form.get_by_text("More", exact=True).click()
        await form.get_by_label("Until").fill("never ever")
        await form.get_by_text("More", exact=True).click()
        await expect(form.get_by_label("Until")).to_be_hidden()
        await form.get_by_role("button", name="Make job").click()
        await expect(form.get_by_label("Until")).to_be_focused()
        await expect(form.get_by_label("Until")).to_have_accessible_description(re.compile("until"))
        await expect(when).not_to_have_attribute("aria-invalid", "true")
        await page.keyboard.press("Escape")
        await expect(form).to_have_count(0)
        await expect(page.get_by_text("There is no job yet.")).to_be_visible()


async def test_the_same_can_be_done_without_a_mouse(signed_in, server: AngeliaServer) -> None:
    async with signed_in(server, "#/jobs") as page:
        new = page.get_by_role("button", name="New job")
        await new.focus()
        await page.keyboard.press("Enter")
        await page.get_by_label("When").fill("every 2h")
        await page.get_by_label("What the agent is asked").fill("hello")
        await page.get_by_label("Name").press("Enter")
        await page.get_by_role("button", name="Done").press("Enter")
        await expect(page.get_by_role("heading", name="hello")).to_be_visible()


async def test_nothing_in_a_job_is_run_as_a_script(signed_in, server: AngeliaServer) -> None:
    async with Client(server.url, server.key) as client:
        job = {"schedule": "every 2h", "input": EVIL, "name": EVIL[:120]}
        assert (await client.post("/api/jobs", job)).status == 201
    async with signed_in(server, "#/jobs") as page:
        await expect(page.get_by_role("heading", name=EVIL[:30])).to_be_visible()
        await page.get_by_text("Next times and firings").click()
        await page.get_by_role("button", name="Edit").click()
        await expect(page.get_by_label("What the agent is asked")).to_have_value(EVIL)
        assert await page.evaluate("window.__xss") is None


@fits.LOOKS
async def test_it_fits_and_is_accessible(
    signed_in, server: AngeliaServer, viewport: dict[str, int], scheme: str
) -> None:
    async with Client(server.url, server.key) as client:
        job = {"schedule": "every 2h", "input": "long " * 60, "name": "x" * 120}
        job_id = (await client.post("/api/jobs", job)).json["id"]
        await client.post(f"/api/jobs/{job_id}/run", {})
    async with signed_in(server, "#/jobs", viewport=viewport, scheme=scheme) as page:
        await page.get_by_text("Next times and firings").click()
        await expect(page.get_by_role("table")).to_be_visible()
        await fits.check(page)
        await page.get_by_role("button", name="New job").click()
        await page.get_by_role("dialog").get_by_text("More", exact=True).click()
        await fits.check(page)
