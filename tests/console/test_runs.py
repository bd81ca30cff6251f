"""The list of runs: live, filtered, and a way to stop what is under way."""

import json
import re

import pytest
from playwright.async_api import expect

from tests.console import axe
from tests.console.conftest import PHONE, WIDE
from tests.support.following import ended, reached, started
from tests.support.http import Client

HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>'


def row(page, words: str):
    return page.get_by_role("row").filter(has=page.get_by_role("link", name=words))


async def test_new_runs_appear_and_rows_change_in_place(signed_in, server) -> None:
    async with Client(server.url, server.key) as client, signed_in(server, "#/runs") as page:
        await expect(page.get_by_text("No run yet.")).to_be_visible()
        run_id = await started(client, {"input": "sleep 60"})
        await expect(row(page, "sleep 60")).to_contain_text("running")
        await row(page, "sleep 60").get_by_role("button", name="Stop sleep 60").click()
        await expect(row(page, "sleep 60")).to_contain_text("stopped")
        assert (await ended(client, run_id))["status"] == "cancelled"


async def test_filters_are_kept_in_the_address(signed_in, server) -> None:
    async with Client(server.url, server.key) as client:
        await ended(client, await started(client, {"input": "say one"}))
        failing = {"input": "`echo two`", "limits": {"max_steps": 1}}
        await ended(client, await started(client, failing))
        async with signed_in(server, "#/runs") as page:
            await expect(row(page, "say one")).to_be_visible()
            await page.get_by_label("Status").select_option("failed")
            await expect(row(page, "say one")).to_have_count(0)
            await expect(row(page, "echo two")).to_contain_text("failed")
            await expect(page).to_have_url(re.compile("status=failed"))
            await page.reload()
            await expect(row(page, "echo two")).to_be_visible()
            await expect(row(page, "say one")).to_have_count(0)
            await page.get_by_role("button", name="Clear").click()
            await expect(row(page, "say one")).to_be_visible()


async def test_what_comes_while_one_reads_waits_above_the_list(signed_in, server) -> None:
    async with Client(server.url, server.key) as client:
        for number in range(45):
            await started(client, {"input": f"say {number}"})
        async with signed_in(server, "#/runs", viewport={"width": 1280, "height": 500}) as page:
            await expect(row(page, "say 44")).to_be_visible()
            await page.get_by_role("button", name="Older runs").click()
            await expect(row(page, "say 0")).to_have_count(1)
            await page.locator("#main").evaluate("main => main.scrollTo(0, 600)")
            await started(client, {"input": "the newest"})
            await page.get_by_role("button", name="1 new run").click()
            await expect(row(page, "the newest")).to_be_in_viewport()


@pytest.mark.parametrize(("viewport", "scheme"), [(WIDE, "light"), (PHONE, "dark")])
async def test_the_list_is_for_everybody_and_shows_markup_as_text(
    signed_in, server, viewport, scheme
) -> None:
    async with Client(server.url, server.key) as client:
        await ended(client, await started(client, {"input": HOSTILE}))
        async with signed_in(server, "#/runs", viewport=viewport, scheme=scheme) as page:
            await expect(page.get_by_role("link", name="<img src=x")).to_be_visible()
            assert (await page.title()).endswith(" · Angelia")
            main = page.locator("#main")
            assert await main.evaluate("main => main.scrollWidth <= main.clientWidth")
            await axe.check(page)


async def test_a_run_is_deleted_after_a_question(signed_in, server) -> None:
    async with Client(server.url, server.key) as client:
        run_id = await started(client, {"input": "say bye"})
        await ended(client, run_id)
        async with signed_in(server, f"#/runs/{run_id}") as page:
            await page.get_by_role("button", name="Delete").click()
            await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
            await expect(page.get_by_role("heading", name="Runs")).to_be_visible()
        assert (await client.get(f"/v1/runs/{run_id}")).status == 404


async def test_events_are_saved_as_lines_of_json(signed_in, server, tmp_path) -> None:
    async with Client(server.url, server.key) as client:
        run_id = await started(client, {"input": "say hello"})
        run = await ended(client, run_id)
        async with signed_in(server, f"#/runs/{run_id}?tab=events") as page:
            last = run["last_seq"]
            await expect(page.get_by_text(f"{last} of {last} events")).to_be_visible()
            async with page.expect_download() as download:
                await page.get_by_role("button", name="Events (JSONL)").click()
            await (await download.value).save_as(tmp_path / "events")
    lines = (tmp_path / "events").read_text().splitlines()
    assert [json.loads(line)["seq"] for line in lines] == list(range(1, last + 1))


async def test_a_run_that_is_not_there_is_said_to_be_missing(signed_in, server) -> None:
    async with signed_in(server, "#/runs/run_nobody") as page:
        await expect(page.get_by_role("alert")).to_contain_text("run_nobody")


async def test_a_run_is_followed_over_a_restart(signed_in, server) -> None:
    async with Client(server.url, server.key) as client:
        run_id = await started(client, {"input": "think and long 400"})
        await reached(client, run_id, "message.delta")
    async with signed_in(server, f"#/runs/{run_id}?tab=events") as page:
        await expect(page.locator('[data-seq="1"]')).to_be_visible()
        server.restart()
        async with Client(server.url, server.key) as client:
            last = (await ended(client, run_id))["last_seq"]
        await expect(page.get_by_text(f"{last} of {last} events")).to_be_visible()
