"""One run in a browser: waterfall, events, replay, clients and changes."""

import json
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.console import axe
from tests.console.conftest import PHONE, WIDE
from tests.console.test_runs import HOSTILE
from tests.stories.test_delegate import delegating
from tests.support.following import ended, reached, started
from tests.support.http import Client
from tests.support.scripted import scripted

FRAMES = "nodes => nodes.map(node => node.textContent)"


def span(page: Page, kind: str):
    return page.locator(f'[role=row][data-kind="{kind}"]')


async def times(locator) -> tuple[float, float]:
    start = await locator.get_attribute("data-start")
    end = await locator.get_attribute("data-end")
    return float(start), float(end)


# ── waterfall ───────────────────────────────────────────────────────────────────────────────


async def test_tools_side_by_side_overlap_and_a_click_shows_what_they_did(
    signed_in, server
) -> None:
    async with Client(server.url, server.key) as client:
        run_id = await started(client, {"input": "`sleep 0.4; echo a` and `sleep 0.4; echo b`"})
        await ended(client, run_id)
    async with signed_in(server, f"#/runs/{run_id}") as page:
        await expect(span(page, "tool")).to_have_count(2)
        await expect(span(page, "model")).to_have_count(2)
        first, second = [await times(span(page, "tool").nth(index)) for index in (0, 1)]
        assert max(first[0], second[0]) < min(first[1], second[1])
        await span(page, "tool").first.click()
        details = page.get_by_role("complementary", name="Details")
        await expect(details).to_contain_text("sleep 0.4; echo a")
        await expect(details).to_contain_text("ok")


async def test_subagents_are_nested_and_folded_by_the_keyboard(signed_in, server) -> None:
    inner = delegating("Run `echo deep`")
    async with Client(server.url, server.key) as client:
        run_id = await started(client, {"input": delegating("Run `echo one`", inner)})
        await ended(client, run_id)
    async with signed_in(server, f"#/runs/{run_id}") as page:
        tree = page.get_by_role("treegrid", name="Spans of the run")
        await expect(span(page, "subagent")).to_have_count(3)
        await expect(tree.locator('[aria-level="5"][data-kind="model"]').first).to_be_attached()
        call = await times(span(page, "tool").first)
        for index in range(3):
            child = await times(span(page, "subagent").nth(index))
            assert call[0] <= child[0] <= child[1] <= call[1]
        await tree.get_by_role("row").first.focus()
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("ArrowLeft")
        await expect(span(page, "subagent")).to_have_count(0)
        await page.keyboard.press("ArrowRight")
        await expect(span(page, "subagent")).to_have_count(3)
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("complementary", name="Details")).to_be_visible()


async def test_a_wait_for_approval_is_seen_while_it_lasts_and_afterwards(
    signed_in, start_server
) -> None:
    server = start_server(ANGELIA_APPROVALS="ask")
    async with Client(server.url, server.key) as client:
        run_id = await started(client, {"input": "Run `touch x`"})
        await reached(client, run_id, "run.waiting")
        async with signed_in(server, f"#/runs/{run_id}") as page:
            wait = span(page, "approval")
            await expect(wait).to_have_attribute("data-end", "")
            await client.post(f"/v1/runs/{run_id}/approval", {"choice": "once"})
            await expect(wait).not_to_have_attribute("data-end", "")
            await expect(page.locator(".run-facts")).to_contain_text("completed")


async def test_the_axis_is_zoomed_by_buttons_and_keys(signed_in, server) -> None:
    async with Client(server.url, server.key) as client:
        run_id = await started(client, {"input": "`echo a`"})
        await ended(client, run_id)
    async with signed_in(server, f"#/runs/{run_id}") as page:
        bar = page.locator(".span-row .bar").first
        # Bars are as long as they stay once all of the run is there: two model calls and a tool.
        await expect(page.locator(".span-row .bar")).to_have_count(3)
        before = await bar.get_attribute("style")
        await page.get_by_role("button", name="Closer").click()
        await expect(bar).not_to_have_attribute("style", before)
        await page.get_by_role("row").first.focus()
        await page.keyboard.press("0")
        await expect(bar).to_have_attribute("style", before)


# ── events ──────────────────────────────────────────────────────────────────────────────────


async def test_ten_thousand_events_are_few_elements_and_the_last_is_reached(
    signed_in, tmp_path: Path
) -> None:
    with scripted(tmp_path) as stage:
        # Words that come fast are one event; calls never are.
        calls = [{"name": "read_file", "arguments": {"path": f"f{n}"}} for n in range(2600)]
        stage.play({"calls": calls}, {"text": "done"})
        async with stage.client() as client:
            run_id = await started(client, {"input": "go"})
            last = (await ended(client, run_id))["last_seq"]
        assert last > 10_000
        async with signed_in(stage.server, f"#/runs/{run_id}?tab=events") as page:
            await expect(page.get_by_text(f"{last} of {last} events")).to_be_visible()
            lines = page.locator(".event-line")
            assert await lines.count() < 200
            await page.locator(".event-list").evaluate("list => list.scrollTo(0, 1e9)")
            await expect(page.locator(f'[data-seq="{last}"]')).to_contain_text("run.completed")
            assert await lines.count() < 200
            await page.get_by_role("combobox", name="Event").select_option("run.started")
            await expect(page.get_by_text(f"1 of {last} events")).to_be_visible()


async def test_an_address_opens_one_event(signed_in, server) -> None:
    async with Client(server.url, server.key) as client:
        run_id = await started(client, {"input": "long 300"})
        await ended(client, run_id)
    async with signed_in(server, f"#/runs/{run_id}?tab=events&seq=250") as page:
        line = page.locator('[data-seq="250"]')
        await expect(line.get_by_role("button", expanded=True)).to_be_in_viewport()
        await expect(line).to_contain_text('"seq": 250')


# ── replay ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("speed", ["8", "32", "Infinity"])
async def test_a_replay_ends_with_what_the_run_said(signed_in, demo_server, speed) -> None:
    async with Client(demo_server.url, demo_server.key) as client:
        run_id = await started(client, {"input": "long 40"})
        said = (await ended(client, run_id))["output"]
    async with signed_in(demo_server, f"#/runs/{run_id}?tab=replay") as page:
        await page.get_by_label("Speed").select_option(speed)
        await page.get_by_role("button", name="Play").click()
        text = page.locator("[data-block=text]")
        await expect(text).to_have_text(said)
        await expect(page.get_by_role("button", name="Play")).to_be_visible()


async def test_a_replay_is_stepped_back_and_forth_by_keys(signed_in, demo_server) -> None:
    async with Client(demo_server.url, demo_server.key) as client:
        run_id = await started(client, {"input": "Run `echo x`"})
        last = (await ended(client, run_id))["last_seq"]
    async with signed_in(demo_server, f"#/runs/{run_id}?tab=replay") as page:
        now = page.locator(".replay-now")
        await page.get_by_role("button", name="Next tool").click()
        await expect(now).to_contain_text("tool.started")
        await expect(page.get_by_label("Tool terminal")).to_contain_text("running")
        await page.keyboard.press("End")
        await expect(now).to_contain_text(f"{last} of {last} events")
        await page.keyboard.press("ArrowLeft")
        await expect(now).to_contain_text(f"{last - 1} of {last} events")
        await page.keyboard.press("ArrowRight")
        await page.keyboard.press("Home")
        await expect(page.get_by_text("Nothing was said yet.")).to_be_visible()


# ── clients ─────────────────────────────────────────────────────────────────────────────────


async def test_frames_are_those_that_each_client_gets(signed_in, server) -> None:
    async with Client(server.url, server.key) as client:
        run_id = await started(client, {"input": "Run `echo x`"})
        last = (await ended(client, run_id))["last_seq"]
        path = f"/v1/runs/{run_id}/events"
        got = {name: (await client.get(f"{path}?as={name}")).body for name in ("chat", "responses")}
    async with signed_in(server, f"#/runs/{run_id}?tab=clients") as page:
        await expect(page.locator('.entry[data-seq="1"]')).to_be_visible()
        # All rows are to be in the page at once.
        await page.set_viewport_size({"width": 1280, "height": 20_000})
        await expect(page.locator(f'.entry[data-seq="{last}"]')).to_be_visible()
        for name, body in got.items():
            frames = page.locator(f'.frame-text[data-client="{name}"] pre')
            wanted = body if isinstance(body, str) else body.decode()
            # Rows come into the page after it has grown.
            for _ in range(200):
                if (shown := "".join(await frames.evaluate_all(FRAMES))) == wanted:
                    break
                await page.wait_for_timeout(50)
            assert shown == wanted


# ── changes ─────────────────────────────────────────────────────────────────────────────────


async def test_changes_are_undone_after_a_look_and_a_question(signed_in, server) -> None:
    async with Client(server.url, server.key) as client:
        run_id = await started(client, {"input": "write plan.txt: first"})
        await ended(client, run_id)
    file = server.home / "workspace" / "plan.txt"
    async with signed_in(server, f"#/runs/{run_id}?tab=changes") as page:
        await expect(page.get_by_label("plan.txt")).to_contain_text("+first")
        await page.get_by_role("button", name="Undo …").click()
        question = page.get_by_role("dialog", name="Undo these changes?")
        await expect(question).to_contain_text("plan.txt is removed")
        assert file.exists()
        await question.get_by_role("button", name="Undo").click()
        await expect(page.get_by_label("plan.txt")).to_contain_text("undone")
        assert not file.exists()
        await page.get_by_role("button", name="Redo …").click()
        again = page.get_by_role("dialog", name="Redo these changes?")
        await again.get_by_role("button", name="Redo").click()
        await expect(page.get_by_label("plan.txt")).to_contain_text("as the run left it")
        assert file.read_text() == "first"


# ── everything ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("viewport", "scheme"), [(WIDE, "light"), (PHONE, "dark")])
async def test_every_tab_is_for_everybody_and_shows_markup_as_text(
    signed_in, server, viewport, scheme
) -> None:
    command = json.dumps({"command": f"echo '{HOSTILE}'"})
    asked = f"call terminal {command} and write x: {HOSTILE}"
    async with Client(server.url, server.key) as client:
        run_id = await started(client, {"input": asked})
        await ended(client, run_id)
    async with signed_in(server, f"#/runs/{run_id}", viewport=viewport, scheme=scheme) as page:
        await expect(span(page, "tool")).to_have_count(2)
        await span(page, "tool").first.click()
        await axe.check(page)
        await page.get_by_role("button", name="Close the details").click()
        await page.get_by_role("tab", name="Waterfall").focus()
        for name in ("Events", "Replay", "Clients", "Changes"):
            await page.keyboard.press("ArrowRight")
            await expect(page.get_by_role("tab", name=name)).to_be_focused()
            if name == "Replay":
                await page.get_by_label("Position").press("End")
                await page.get_by_role("tab", name=name).focus()
            await axe.check(page)
            main = page.locator("#main")
            assert await main.evaluate("main => main.scrollWidth <= main.clientWidth"), name
        assert (await page.title()).endswith(" · Angelia")
        assert await page.locator("img[src=x]").count() == 0


async def test_on_a_phone_every_tab_and_every_name_of_a_span_can_be_read(signed_in, server) -> None:
    async with Client(server.url, server.key) as client:
        run_id = await started(client, {"input": delegating("Run `echo one`")})
        await ended(client, run_id)
    async with signed_in(server, f"#/runs/{run_id}", viewport=PHONE) as page:
        tabs = page.get_by_role("tablist")
        assert await tabs.evaluate("tabs => tabs.scrollWidth - tabs.clientWidth") == 0
        await expect(span(page, "subagent")).to_have_count(1)
        cut = await page.locator(".span-name b").evaluate_all(
            """nodes => nodes.filter((node) => {
              const words = document.createRange();
              words.selectNodeContents(node);
              const end = node.closest(".span-name").getBoundingClientRect().right;
              const { right } = node.getBoundingClientRect();
              return right > end || words.getBoundingClientRect().right > right + 0.01;
            }).map((node) => node.textContent)"""
        )
        assert cut == []
        touching = await page.locator(".axis-scale span").evaluate_all(
            """nodes => {
              const boxes = nodes.map((node) => node.getBoundingClientRect());
              const end = nodes[0].parentElement.getBoundingClientRect().right;
              return boxes.filter((box, at) => box.right > end || box.right > boxes[at + 1]?.left);
            }"""
        )
        assert touching == []
