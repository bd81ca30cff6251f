"""A chat over reloads, lost servers and second tabs, and what nobody may run in it."""

from pathlib import Path

from playwright.async_api import expect

from tests.console.test_chat import say
from tests.support.scripted import scripted

WORDS = " ".join(f"word{n}" for n in range(120))
SLOW = {"text": WORDS, "pace": 0.02, "repeat": True}
EVIL = (
    "<img src=x onerror='window.__xss=1'> <script>window.__xss=1</script> "
    "[a](javascript:window.__xss=1) [b](data:text/html,<script>1</script>) "
    "[c](vbscript:x) [d](java&#115;cript:window.__xss=1) [e](<\tjavascript:window.__xss=1>) "
    "![f](https://evil.example/x.png)"
)


async def test_a_reload_in_mid_answer_loses_nothing(signed_in, tmp_path: Path) -> None:
    with scripted(tmp_path) as stage:
        stage.script(SLOW)
        async with signed_in(stage.server) as page:
            await say(page, "go")
            await expect(page.get_by_text("word10 ")).to_be_visible()
            await page.reload()
            await expect(page.get_by_text(WORDS, exact=True)).to_have_count(1)


async def test_a_server_that_is_killed_in_mid_answer_goes_on(signed_in, tmp_path: Path) -> None:
    with scripted(tmp_path) as stage:
        stage.script(SLOW)
        async with signed_in(stage.server) as page:
            await say(page, "go")
            await expect(page.get_by_text("word10 ")).to_be_visible()
            stage.server.kill()
            await expect(page.get_by_text("Reconnecting")).to_be_visible()
            stage.server.start()
            await expect(page.get_by_text(WORDS, exact=True)).to_have_count(1)
            await expect(page.get_by_text("Reconnecting")).to_have_count(0)


async def test_nothing_that_a_model_or_a_tool_writes_is_run(signed_in, tmp_path: Path) -> None:
    call = {
        "name": "write_file",
        "arguments": {"path": "<img src=x onerror=window.__xss=1>", "content": EVIL},
    }
    with scripted(tmp_path) as stage:
        stage.script({"text": EVIL, "reasoning": EVIL, "calls": [call]}, {"text": EVIL})
        async with signed_in(stage.server) as page:
            await say(page, EVIL)
            await expect(page.get_by_role("button", name="Regenerate")).to_be_visible()
            await page.locator("article.tool-card summary").click()
            await expect(page.get_by_role("heading", name="Arguments")).to_be_visible()
            links = await page.locator(".answer .markdown a").evaluate_all(
                "all => all.map(a => a.protocol)"
            )
            assert set(links) <= {"http:", "https:"}
            assert await page.evaluate("window.__xss") is None
