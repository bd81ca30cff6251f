"""The page of the keys: made, changed and revoked, and what those see whose key may less."""

import re
from typing import Any

from playwright.async_api import Locator, expect

from tests.console import fits
from tests.console.conftest import PHONE
from tests.console.test_jobs import EVIL
from tests.support.http import Client
from tests.support.server import AngeliaServer


async def another(server: AngeliaServer, name: str, *scopes: str) -> dict[str, Any]:
    async with Client(server.url, server.key) as client:
        answer = await client.post("/api/keys", {"name": name, "scopes": scopes})
        assert answer.status == 201, answer.body
        return answer.json


async def works(server: AngeliaServer, secret: str) -> int:
    async with Client(server.url, secret) as client:
        return (await client.get("/v1/models")).status


async def test_a_key_is_made_shown_once_changed_and_revoked(
    signed_in, server: AngeliaServer
) -> None:
    async with signed_in(server, "#/keys") as page:
        await page.get_by_role("button", name="New key").click()
        form = page.get_by_role("dialog", name="New key")
        await form.get_by_label("Name").fill("laptop")
        await form.get_by_role("button", name="Make key").click()
        shown = page.get_by_role("dialog", name="The key “laptop” is made")
        secret = await shown.get_by_text(re.compile("^ang-")).inner_text()
        assert await works(server, secret) == 200
        await shown.get_by_role("button", name="I have it").click()
        key = (
            page.get_by_role("list", name="Keys").get_by_role("listitem").filter(has_text="laptop")
        )
        await expect(key.get_by_text("active", exact=True)).to_be_visible()
        await page.reload()
        await expect(key).to_be_visible()
        assert secret not in await page.content()
        await key.get_by_role("button", name="Edit").click()
        form = page.get_by_role("dialog", name="Edit key")
        await form.get_by_label("Name").fill("old laptop")
        await form.get_by_label("runs", exact=True).uncheck()
        await form.get_by_label("Requests a minute").fill("7")
        await form.get_by_label("Only these tools or toolsets").fill("files, web")
        await form.get_by_role("button", name="Save").click()
        await expect(key.get_by_role("heading", name="old laptop")).to_be_visible()
        await expect(key.get_by_text("files, web")).to_be_visible()
        await expect(key.get_by_text("runs", exact=True)).to_have_count(0)
        await key.get_by_role("button", name="Revoke").click()
        await page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
        await expect(key.get_by_text("revoked", exact=True)).to_be_visible()
        assert await works(server, secret) == 401


async def test_what_the_server_refuses_is_said_beside_its_field(
    signed_in, server: AngeliaServer
) -> None:
    async with signed_in(server, "#/keys") as page:
        await page.get_by_role("button", name="New key").click()
        form = page.get_by_role("dialog", name="New key")
        await form.get_by_label("Name").fill("odd")
        await form.get_by_text("Rules", exact=True).click()
        await form.get_by_label("Requests a minute").fill("-3")
        await form.get_by_text("Rules", exact=True).click()
        await form.get_by_role("button", name="Make key").click()
        wrong = form.get_by_label("Requests a minute")
        await expect(wrong).to_be_focused()
        await expect(wrong).to_have_accessible_description(re.compile("requests_per_minute"))


async def test_nobody_revokes_the_key_that_they_use(signed_in, server: AngeliaServer) -> None:
    async with signed_in(server, "#/keys") as page:
        own = page.get_by_role("list", name="Keys").get_by_role("listitem").filter(has_text="yours")
        await expect(own.get_by_role("button", name="Revoke")).to_be_disabled()
        await expect(own.get_by_text("a key cannot revoke itself")).to_be_visible()


async def test_whose_key_is_revoked_is_told_and_asked_for_another(
    signed_in, server: AngeliaServer
) -> None:
    key = await another(server, "guest", "chat", "runs", "read")
    async with signed_in(server, "#/jobs", key=key["secret"]) as page:
        # The page has its answer: the click is what hears of it, unless the page asks again before.
        await expect(page.get_by_text("There is no job yet.")).to_be_visible()
        async with Client(server.url, server.key) as client:
            assert (await client.delete(f"/api/keys/{key['id']}")).status == 200
        await page.get_by_role("link", name="Memory").click()
        await expect(page.get_by_role("alert")).to_contain_text("Your key does not hold any more.")
        await page.get_by_label("Key of this server").fill(server.key)
        await page.get_by_role("button", name="Sign in").click()
        await expect(page.get_by_role("heading", name="Memory")).to_be_visible()
        await expect(page.get_by_role("link", name="Keys")).to_be_visible()


async def test_a_key_that_is_no_admin_is_told_so_and_has_no_way_to_the_keys(
    signed_in, server: AngeliaServer
) -> None:
    key = await another(server, "guest", "chat", "runs", "read")
    async with signed_in(server, "#/keys", key=key["secret"]) as page:
        told = page.get_by_role("alert")
        await expect(told).to_contain_text("Your key may not see the keys.")
        await expect(told).to_contain_text("admin")
        await expect(page.get_by_role("link", name="Runs")).to_be_visible()
        await expect(page.get_by_role("link", name="Keys")).to_have_count(0)
        await expect(page.get_by_role("button", name="New key")).to_have_count(0)
        await page.get_by_role("link", name="Tools").click()
        await expect(page.get_by_role("heading", name="read_file")).to_be_visible()
        await expect(page.get_by_role("switch")).to_have_count(0)
        await page.get_by_role("link", name="Usage").click()
        await expect(page.get_by_text("Of your key.")).to_be_visible()


async def test_a_key_that_may_not_read_is_told_so(signed_in, server: AngeliaServer) -> None:
    key = await another(server, "mouth", "chat")
    async with signed_in(server, "#/jobs", key=key["secret"]) as page:
        await expect(page.get_by_role("alert")).to_contain_text("Your key may not see the jobs.")


async def test_nothing_in_a_name_is_run_as_a_script(signed_in, server: AngeliaServer) -> None:
    await another(server, EVIL, "read")
    async with signed_in(server, "#/keys") as page:
        await expect(page.get_by_role("heading", name=EVIL[:30])).to_be_visible()
        await page.get_by_role("button", name="Revoke").last.click()
        await expect(page.get_by_role("dialog").get_by_text(EVIL)).to_be_visible()
        assert await page.evaluate("window.__xss") is None


@fits.LOOKS
async def test_it_fits_and_is_accessible(
    signed_in, server: AngeliaServer, viewport: dict[str, int], scheme: str
) -> None:
    await another(server, "x" * 128, "chat", "runs", "read", "admin")
    async with signed_in(server, "#/keys", viewport=viewport, scheme=scheme) as page:
        await expect(page.get_by_role("heading", name="x" * 128)).to_be_visible()
        await fits.check(page)
        await page.get_by_role("button", name="Edit").last.click()
        await fits.check(page)


async def top_of(locator: Locator) -> float:
    box = await locator.bounding_box()
    assert box is not None
    return box["y"]


async def test_the_fields_of_a_rule_stand_in_line(signed_in, demo_server: AngeliaServer) -> None:
    async with signed_in(demo_server, "#/keys") as page:
        await page.get_by_role("button", name="New key").click()
        form = page.get_by_role("dialog", name="New key")
        await form.get_by_text("Rules", exact=True).click()
        models = await top_of(form.get_by_label("Only these models"))
        assert await top_of(form.get_by_label("Only these tools or toolsets")) == models
        asked = await top_of(form.get_by_label("Ask before these tools or effects"))
        assert await top_of(form.get_by_label("Refuse these tools or effects")) == asked


async def test_a_long_name_leaves_the_way_out_of_a_question_as_it_is(
    signed_in, server: AngeliaServer
) -> None:
    async with signed_in(server, "#/keys", viewport=PHONE) as page:
        await page.get_by_role("button", name="New key").click()
        form = page.get_by_role("dialog", name="New key")
        close = form.get_by_role("button", name="Close")
        usual = await close.bounding_box()
        await form.get_by_label("Name").fill("x" * 60)
        await form.get_by_role("button", name="Make key").click()
        await expect(page.get_by_role("button", name="I have it")).to_be_visible()
        box = await page.get_by_role("button", name="Close").bounding_box()
        assert usual is not None
        assert box is not None
        assert (box["width"], box["height"]) == (usual["width"], usual["height"])
