"""A chat stays at its end while the reader is there, and goes there with what one says."""

from pathlib import Path

from playwright.async_api import Page, expect

from tests.console.conftest import PHONE
from tests.console.test_chat import say
from tests.support.scripted import scripted

LONG = {"text": "\n\n".join(f"line {n}" for n in range(80)), "chunk": "all", "repeat": True}
FROM_END = "talk => talk.scrollHeight - talk.scrollTop - talk.clientHeight"
# The chat goes to its end within a frame and is told of that in the next one; what comes between
# the two is no move of the reader.
GROW_BETWEEN_FRAMES = """talk => new Promise((resolve) => {
  const turns = talk.querySelector(".turns");
  const grow = (pixels) => { turns.style.minHeight = `${turns.offsetHeight + pixels}px`; };
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    grow(400);
    requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  };
  requestAnimationFrame(() => { grow(40); port2.postMessage(null); });
})"""
UP = "talk => { talk.scrollTop = 0; }"


def talk(page: Page):
    return page.get_by_role("region", name="Turns")


async def is_at_its_end(page: Page) -> None:
    await page.wait_for_function(
        f"""() => {{ const far = {FROM_END}; return far(document.querySelector(".talk")) < 2; }}"""
    )


async def test_an_answer_is_followed_however_its_pieces_fall(signed_in, tmp_path: Path) -> None:
    with scripted(tmp_path) as stage:
        stage.script(LONG)
        async with signed_in(stage.server, viewport=PHONE) as page:
            await say(page, "go")
            await expect(page.get_by_role("button", name="Regenerate")).to_be_visible()
            await page.evaluate("document.querySelector('.talk').scrollTop = 1e9")
            await is_at_its_end(page)
            await talk(page).evaluate(GROW_BETWEEN_FRAMES)
            assert await talk(page).evaluate(FROM_END) < 2
            await expect(page.get_by_role("button", name="Jump to the latest")).to_have_count(0)


async def test_who_reads_further_up_is_left_there_until_they_say_something(
    signed_in, tmp_path: Path
) -> None:
    with scripted(tmp_path) as stage:
        stage.script(LONG)
        async with signed_in(stage.server, viewport=PHONE) as page:
            await say(page, "go")
            await expect(page.get_by_role("button", name="Regenerate")).to_be_visible()
            await talk(page).evaluate(UP)
            await expect(page.get_by_role("button", name="Jump to the latest")).to_be_visible()
            await talk(page).evaluate(GROW_BETWEEN_FRAMES)
            assert await talk(page).evaluate("talk => talk.scrollTop") < 2
            await say(page, "on")
            await expect(page.get_by_role("button", name="Regenerate")).to_have_count(2)
            await is_at_its_end(page)


async def test_the_end_stays_in_sight_while_the_box_one_writes_in_grows(
    signed_in, tmp_path: Path
) -> None:
    with scripted(tmp_path) as stage:
        stage.script(LONG)
        async with signed_in(stage.server) as page:
            await say(page, "go")
            await expect(page.get_by_role("button", name="Regenerate")).to_be_visible()
            await page.evaluate("document.querySelector('.talk').scrollTop = 1e9")
            await is_at_its_end(page)
            await page.get_by_label("Message").fill("a\n" * 12)
            await is_at_its_end(page)
            for _ in range(3):
                await page.get_by_label("Message").press("b")
                assert await talk(page).evaluate(FROM_END) < 2
