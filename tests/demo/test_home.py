"""The demo home has something for every page of the console, and every page shows it."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from demo.home import make
from demo.pictures import SHOTS, latest_runs
from demo.stage import Client, Server, serving
from tests.console.conftest import chromium, signed_in  # noqa: F401 -- fixtures

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("demo")
    asyncio.run(make(folder / "home"))
    with serving(folder / "home", folder / "server") as server:
        yield server


async def ask(home: Server, path: str) -> Any:
    async with Client(home) as client:
        return await client.ask("GET", path)


async def test_runs_have_ended_in_every_way_and_one_waits_for_a_person(home: Server) -> None:
    runs = (await ask(home, "/v1/runs?limit=100"))["data"]
    found = {run["status"] for run in runs}
    assert found == {"completed", "failed", "cancelled", "waiting_for_approval"}
    assert {run["surface"] for run in runs} == {"runs", "chat", "responses", "delegate", "job"}


async def test_one_run_has_two_subagents_and_one_of_them_has_its_own(home: Server) -> None:
    runs = (await ask(home, "/v1/runs?limit=100"))["data"]
    parents = [run["delegated_by"]["run_id"] for run in runs if run["delegated_by"]]
    assert sorted(map(parents.count, set(parents))) == [1, 2]


async def test_a_question_was_edited_so_there_are_branches(home: Server) -> None:
    turns = (await ask(home, "/api/sessions/notes/turns"))["data"]
    assert [turn["run"]["parent_run_id"] for turn in turns] == [None, None]


async def test_every_one_of_thirty_days_has_usage_that_costs_something(home: Server) -> None:
    usage = await ask(home, "/api/usage?group=day")
    assert len(usage["data"]) == 30
    assert all(line["cost"] > 0 for line in usage["data"])


async def test_there_are_jobs_notes_keys_and_an_mcp_server(home: Server) -> None:
    jobs = (await ask(home, "/api/jobs"))["data"]
    assert {job["status"] for job in jobs} == {"active", "paused"}
    assert len((await ask(home, "/api/memory"))["data"]) == 5
    keys = (await ask(home, "/api/keys"))["data"]
    assert {key["status"] for key in keys} == {"active", "revoked"}
    (almanac,) = (await ask(home, "/v1/mcp"))["data"]
    assert almanac["tools"]


async def test_every_page_shows_it_without_a_complaint(home: Server, signed_in) -> None:  # noqa: F811
    runs = await latest_runs(home)
    async with signed_in(home, "#/chat") as page:
        for shot in SHOTS:
            await page.goto(f"{home.url}/{shot.address.format(**runs)}")
            await expect(page.get_by_role("main")).not_to_contain_text("Loading …")
            await expect(page.get_by_role("main")).not_to_contain_text("There is no page")


def test_the_pictures_of_the_documentation_are_there_and_small() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    named = [
        page.parent / image
        for page in pages
        for image in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.read_text())
    ]
    assert named
    assert [image.name for image in named if not image.is_file()] == []
    assert [image.name for image in named if image.stat().st_size > 300_000] == []
