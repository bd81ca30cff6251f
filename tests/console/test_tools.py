"""The page of the tools: switched off and on, MCP servers, skills and grants."""

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.console import fits
from tests.console.test_jobs import EVIL
from tests.support.following import ended, reached, started
from tests.support.http import Client
from tests.support.mcp import odd, pids
from tests.support.server import AngeliaServer


async def enabled(server: AngeliaServer, name: str) -> bool:
    async with Client(server.url, server.key) as client:
        lines = (await client.get("/v1/tools")).json["data"]
        return {line["name"]: line["enabled"] for line in lines}[name]


async def add(page: Page, folder: Path, name: str) -> None:
    given = odd(folder)
    await page.get_by_role("button", name="Add server").click()
    form = page.get_by_role("dialog", name="Add an MCP server")
    await form.get_by_text("A process").click()
    await form.get_by_label("Name").fill(name)
    await form.get_by_label("Command").fill(given["command"])
    await form.get_by_label("Arguments").fill("\n".join(given["args"]))
    await form.get_by_role("button", name="Add", exact=True).click()


async def test_a_tool_is_switched_off_and_on(signed_in, server: AngeliaServer) -> None:
    async with signed_in(server, "#/tools") as page:
        switch = page.get_by_role("switch", name="Tool list_files")
        await expect(switch).to_be_checked()
        await switch.click()
        await expect(page.get_by_text("list_files is off for new runs.")).to_be_visible()
        await expect(switch).not_to_be_checked()
        assert not await enabled(server, "list_files")
        await page.reload()
        await expect(switch).not_to_be_checked()
        await switch.press("Space")
        await expect(switch).to_be_checked()
        assert await enabled(server, "list_files")


async def test_a_server_is_added_switched_connected_anew_and_removed(
    signed_in, server: AngeliaServer, tmp_path: Path
) -> None:
    folder = tmp_path / "odd"
    async with signed_in(server, "#/tools/mcp") as page:
        await expect(page.get_by_text("There is no MCP server.")).to_be_visible()
        await add(page, folder, "two words")
        form = page.get_by_role("dialog", name="Add an MCP server")
        await expect(form.get_by_label("Name")).to_be_focused()
        await form.get_by_label("Name").fill("odd")
        await form.get_by_role("button", name="Add", exact=True).click()
        line = page.get_by_role("list", name="MCP servers").get_by_role("listitem")
        await expect(line.get_by_text("connected", exact=True)).to_be_visible()
        await line.get_by_text("Tools", exact=True).click()
        await expect(line.get_by_text("echo")).to_be_visible()
        await line.get_by_role("button", name="Reconnect").click()
        await expect(page.get_by_text("It is connected anew.")).to_be_visible()
        assert len(set(pids(folder))) == 2
        switch = line.get_by_role("switch", name="Server odd")
        await switch.click()
        await expect(switch).not_to_be_checked()
        await expect(line.get_by_text("off", exact=True)).to_be_visible()
        await expect(line.get_by_role("button", name="Reconnect")).to_be_disabled()
        await switch.click()
        await expect(switch).to_be_checked()
        await page.get_by_role("link", name="Tools", exact=True).last.click()
        await expect(page.get_by_role("heading", name="mcp__odd__echo")).to_be_visible()
        await page.get_by_role("link", name="MCP servers").click()
        await line.get_by_role("button", name="Remove").click()
        await page.get_by_role("dialog").get_by_role("button", name="Remove").click()
        await expect(page.get_by_text("There is no MCP server.")).to_be_visible()


async def test_a_server_that_does_not_start_says_why(signed_in, server: AngeliaServer) -> None:
    async with Client(server.url, server.key) as client:
        await client.post("/api/mcp", {"name": "gone", "command": "/nowhere/at-all"})
    async with signed_in(server, "#/tools/mcp") as page:
        line = page.get_by_role("listitem").filter(has_text="gone")
        await expect(line.get_by_text("failing", exact=True)).to_be_visible()
        await expect(line.get_by_text("/nowhere/at-all")).to_be_visible()


async def test_skills_are_listed_and_nothing_in_them_is_run(
    signed_in, server: AngeliaServer
) -> None:
    skill = server.home / "skills" / "tides"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text(f'---\nname: tides\ndescription: "{EVIL}"\n---\nLook.\n')
    broken = server.home / "skills" / "broken"
    broken.mkdir()
    (broken / "SKILL.md").write_text("nothing\n")
    async with signed_in(server, "#/tools/skills") as page:
        await expect(page.get_by_role("heading", name="tides")).to_be_visible()
        await expect(page.get_by_text(EVIL)).to_be_visible()
        await expect(page.get_by_text("cannot be used")).to_be_visible()
        assert await page.evaluate("window.__xss") is None


async def test_a_grant_is_seen_and_taken_back(signed_in, start_server) -> None:
    server = start_server(ANGELIA_APPROVALS="ask")
    async with Client(server.url, server.key) as client:
        run_id = await started(client, {"input": "Run `touch a`."})
        await reached(client, run_id, "approval.requested")
        answer = await client.post(f"/v1/runs/{run_id}/approval", {"choice": "always"})
        assert answer.status == 200, answer.body
        await ended(client, run_id)
    async with signed_in(server, "#/tools/grants") as page:
        row = page.get_by_role("row").filter(has_text="touch")
        await expect(row.get_by_text("always")).to_be_visible()
        await row.get_by_role("button", name="Revoke").click()
        await page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
        await expect(page.get_by_text("Nothing was agreed to")).to_be_visible()


@fits.LOOKS
@pytest.mark.parametrize("part", ["", "/mcp", "/skills", "/grants"])
async def test_it_fits_and_is_accessible(
    signed_in, demo_server: AngeliaServer, part: str, viewport: dict[str, int], scheme: str
) -> None:
    async with signed_in(demo_server, f"#/tools{part}", viewport=viewport, scheme=scheme) as page:
        await expect(page.get_by_text("Loading …")).to_have_count(0)
        if part == "":
            await page.get_by_text("Schema").first.click()
        if part == "/mcp":
            await page.get_by_role("button", name="Add server").click()
        await fits.check(page)
