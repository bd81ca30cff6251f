"""Signing in with a key, once, and what happens when the key is over."""

import re

import aiohttp
from playwright.async_api import expect

from tests.clients import browser
from tests.console.conftest import SECONDS


async def test_the_key_is_asked_for_once_and_no_script_can_read_what_is_kept(
    chromium, server
) -> None:
    async with browser.launched(chromium) as launched:
        context = await launched.new_context()
        context.set_default_timeout(SECONDS * 1000)
        page = await context.new_page()
        await page.goto(server.url)
        await page.get_by_label("Key of this server").fill(server.key)
        await page.get_by_role("button", name="Sign in").click()
        await expect(page.get_by_role("navigation", name="Pages")).to_be_visible()
        await page.reload()
        await expect(page.get_by_role("navigation", name="Pages")).to_be_visible()
        assert await page.evaluate("document.cookie") == ""
        kept = await page.evaluate("JSON.stringify({...localStorage})")
        assert server.key not in kept


async def test_a_wrong_key_is_refused_in_words(chromium, server) -> None:
    async with browser.launched(chromium) as launched:
        page = await launched.new_page()
        await page.goto(server.url)
        await page.get_by_label("Key of this server").fill("ang-nobody")
        await page.get_by_role("button", name="Sign in").click()
        await expect(page.get_by_role("alert")).to_contain_text("no key of this server")


async def test_signing_out_takes_the_cookie_away(signed_in, server) -> None:
    async with signed_in(server) as page:
        await page.get_by_role("button", name=re.compile("Sign out")).click()
        await expect(page.get_by_label("Key of this server")).to_be_visible()
        await page.reload()
        await expect(page.get_by_label("Key of this server")).to_be_visible()


async def test_a_cookie_alone_changes_nothing(signed_in, server) -> None:
    """A form on another port of the same host sends the cookie, but no header of its own."""
    async with signed_in(server) as page:
        cookies = {each["name"]: each["value"] for each in await page.context.cookies()}
    async with aiohttp.ClientSession(server.url, cookies=cookies) as session:
        async with session.get("/v1/models") as answer:
            assert answer.status == 200
        body = b'{"input": "hello"}'
        async with session.post("/v1/runs", data=body) as answer:
            assert answer.status == 401
        async with session.post(
            "/v1/runs", data=body, headers={"X-Angelia-Console": "1"}
        ) as answer:
            assert answer.status == 202
