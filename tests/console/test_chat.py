"""The chat page: what is said, done, asked and stopped, as people see it in a browser."""

import asyncio
from pathlib import Path

from playwright.async_api import Page, Route, expect

from tests.console.conftest import PHONE
from tests.support.scripted import scripted
from tests.support.server import AngeliaServer

TWO_AGENTS = '[agents.a-researcher-of-some-patience]\ninstructions = "You look things up."\n'


async def say(page: Page, words: str) -> None:
    await page.get_by_label("Message").fill(words)
    await page.get_by_label("Message").press("Enter")


async def test_a_newcomer_tries_an_example_and_sees_the_tool_and_the_answer(
    signed_in, server: AngeliaServer
) -> None:
    async with signed_in(server) as page:
        await page.get_by_role("button", name="echo hello").click()
        await expect(page.get_by_role("article", name="terminal, done")).to_be_visible()
        await expect(page.get_by_text("I made 1 tool call; all went well.")).to_be_visible()
        await page.reload()
        await expect(page.get_by_text("I made 1 tool call; all went well.")).to_have_count(1)


async def test_two_calls_wait_and_each_is_answered(signed_in, start_server) -> None:
    server = start_server(ANGELIA_APPROVALS="ask")
    async with signed_in(server) as page:
        await say(page, "Run `touch a` and `touch b`.")
        questions = page.get_by_role("alert", name="Approval needed for terminal")
        await expect(questions).to_have_count(2)
        await questions.first.get_by_role("button", name="Allow once").click()
        await expect(questions).to_have_count(1)
        await questions.get_by_label("Why not").fill("not that one")
        await questions.get_by_role("button", name="Deny").click()
        await expect(page.get_by_role("article", name="terminal, done")).to_be_visible()
        await expect(page.get_by_role("article", name="terminal, denied")).to_be_visible()
        await expect(page.get_by_text("Denied by a person, ")).to_contain_text(": not that one")


async def test_a_stop_leaves_nothing_running(signed_in, server: AngeliaServer) -> None:
    async with signed_in(server) as page:
        await say(page, "sleep 60")
        await expect(page.get_by_role("article", name="terminal, running")).to_be_visible()
        await page.get_by_role("button", name="Stop").click()
        await expect(page.get_by_role("article", name="terminal, stopped")).to_be_visible()
        await expect(page.get_by_role("button", name="Stop")).to_have_count(0)
        await expect(page.get_by_role("button", name="Regenerate")).to_be_visible()
        assert await page.get_by_role("button", name="Copy answer").count() == 0


async def test_an_answer_that_is_made_again_is_a_branch_beside_the_first(
    signed_in, server: AngeliaServer
) -> None:
    async with signed_in(server) as page:
        await say(page, "long 3")
        await page.get_by_role("button", name="Regenerate").click()
        await expect(page.get_by_role("group", name="Branch 2 of 2")).to_be_visible()
        await page.get_by_role("button", name="The branch before").click()
        await expect(page.get_by_role("group", name="Branch 1 of 2")).to_be_visible()
        await page.reload()
        await expect(page.get_by_role("group", name="Branch 1 of 2")).to_be_visible()


async def test_what_is_clicked_twice_is_asked_once(signed_in, server: AngeliaServer) -> None:
    let_go = asyncio.Event()
    asked: list[str] = []

    async def held(route: Route) -> None:
        asked.append(route.request.url)
        await let_go.wait()
        await route.continue_()

    async with signed_in(server) as page:
        await page.route("**/v1/runs", held)
        await page.get_by_role("button", name="echo hello").dblclick()
        await expect(page.get_by_role("button", name="echo hello")).to_be_disabled()
        let_go.set()
        await expect(page.get_by_role("button", name="Regenerate")).to_be_visible()
        assert len(asked) == 1
        let_go.clear()
        await page.get_by_role("button", name="Regenerate").dblclick()
        await expect(page.get_by_role("button", name="Regenerate")).to_be_disabled()
        let_go.set()
        await expect(page.get_by_role("group", name="Branch 2 of 2")).to_be_visible()
        assert len(asked) == 2


async def test_the_buttons_below_the_box_share_a_line_on_a_phone(signed_in, tmp_path: Path) -> None:
    with scripted(tmp_path, TWO_AGENTS, ANGELIA_APPROVALS="ask") as stage:
        async with signed_in(stage.server, viewport=PHONE) as page:
            await expect(page.get_by_label("Model")).to_be_visible()
            await say(page, "Run `touch a`")
            stop = await page.get_by_role("button", name="Stop").bounding_box()
            steer = await page.get_by_role("button", name="Steer").bounding_box()
            assert stop is not None
            assert steer is not None
            assert stop["y"] == steer["y"]


async def test_no_word_of_a_table_is_broken_on_a_phone(signed_in, tmp_path: Path) -> None:
    with scripted(tmp_path) as stage:
        head = "| Station | Datum | Offset | Notes that go on | Keeper |"
        line = "| lighthouse | NAVD88 | -0.5 | some text that wraps | nobody |"
        stage.script({"text": f"{head}\n|---|---|---|---|---|\n{line}\n", "repeat": True})
        async with signed_in(stage.server, viewport=PHONE) as page:
            await say(page, "go")
            word = page.get_by_role("cell", name="lighthouse")
            await expect(word).to_be_visible()
            lines = """cell => {
              const words = document.createRange();
              words.selectNodeContents(cell);
              return words.getClientRects().length;
            }"""
            assert await word.evaluate(lines) == 1
            assert await page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
