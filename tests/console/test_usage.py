"""The page of the usage: figures of runs that took place, as charts, a table and a file."""

import csv
from pathlib import Path

from playwright.async_api import expect

from tests.console import fits
from tests.support.following import ended, started
from tests.support.http import Client
from tests.support.server import AngeliaServer

RUNS = 3


async def used(server: AngeliaServer) -> dict[str, int]:
    """What the server counts for runs that have just taken place."""
    async with Client(server.url, server.key) as client:
        for _ in range(RUNS):
            await ended(client, await started(client, {"input": "long 3"}))
        return (await client.get("/api/usage")).json["total"]


async def test_charts_and_table_show_the_runs_that_took_place(
    signed_in, server: AngeliaServer
) -> None:
    total = await used(server)
    assert total["runs"] == RUNS
    async with signed_in(server, "#/usage") as page:
        tiles = page.get_by_label("Totals")
        await expect(tiles.locator("div").filter(has_text="model calls")).to_contain_text(
            f"Runs{RUNS}"
        )
        tokens = page.get_by_role("figure", name="Tokens by kind")
        await expect(tokens).to_contain_text(f"{total['output_tokens']:,}")
        runs = page.get_by_role("figure", name="Runs")
        await expect(runs.get_by_role("listitem")).to_have_text([f"Runs {RUNS}"])
        await expect(runs.locator("svg rect")).to_have_count(1)
        scrubber = runs.get_by_role("slider")
        await scrubber.focus()
        await expect(scrubber).to_have_attribute(
            "aria-valuetext", f"{await today(page)}: Runs {RUNS}"
        )
        await scrubber.press("ArrowLeft")
        await expect(runs.get_by_role("listitem").last).to_have_text("Runs –")
        table = page.get_by_role("table", name="All figures")
        row = table.get_by_role("row").last
        await expect(row.get_by_role("cell").nth(1)).to_have_text(str(RUNS))
        for group, name in (("Model", "angelia"), ("Day and key", "first")):
            await page.get_by_text(group, exact=True).click()
            await expect(table.get_by_role("row").last).to_contain_text(name)


async def today(page) -> str:
    return await page.evaluate(
        "new Intl.DateTimeFormat('en', {day: 'numeric', month: 'short', timeZone: 'UTC'}).format()"
    )


async def test_the_same_figures_come_as_a_file(
    signed_in, server: AngeliaServer, tmp_path: Path
) -> None:
    total = await used(server)
    async with signed_in(server, "#/usage") as page:
        async with page.expect_download() as coming:
            await page.get_by_role("button", name="Download CSV").click()
        await (await coming.value).save_as(tmp_path / "usage.csv")
    with (tmp_path / "usage.csv").open() as file:
        (row,) = csv.DictReader(file)
    assert int(row["runs"]) == RUNS
    assert int(row["total_tokens"]) == total["total_tokens"]


async def test_days_without_use_say_so(signed_in, server: AngeliaServer) -> None:
    await used(server)
    async with signed_in(server, "#/usage") as page:
        await page.get_by_text("From – to").click()
        await page.get_by_label("From", exact=True).fill("2020-01-01")
        await page.get_by_label("To", exact=True).fill("2020-01-31")
        await expect(
            page.get_by_text("Nothing was used from 2020-01-01 to 2020-01-31.")
        ).to_be_visible()


@fits.LOOKS
async def test_it_fits_and_is_accessible(
    signed_in, server: AngeliaServer, viewport: dict[str, int], scheme: str
) -> None:
    await used(server)
    async with signed_in(server, "#/usage", viewport=viewport, scheme=scheme) as page:
        await expect(page.get_by_role("table")).to_be_visible()
        await fits.check(page)
