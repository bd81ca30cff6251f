"""A browser that signed in is its key, and no more than its key, for as long as the key holds."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import aiohttp
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.support.http import Client
from tests.support.server import AngeliaServer

CONSOLE = {"X-Angelia-Console": "1"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AngeliaServer]:
    server = AngeliaServer(tmp_path_factory.mktemp("signin"))
    server.start()
    yield server
    server.kill()


@pytest.fixture
async def admin(house: AngeliaServer) -> AsyncIterator[Client]:
    async with Client(house.url, house.key) as client:
        yield client


@pytest.fixture
async def browser(house: AngeliaServer) -> AsyncIterator[aiohttp.ClientSession]:
    """Keeps cookies as a browser does, and has no key."""
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(house.url, cookie_jar=jar) as session:
        yield session


async def sign_in(browser: aiohttp.ClientSession, key: str, **headers: str) -> str:
    """The line that sets the cookie."""
    asked = browser.post("/api/signin", json={"key": key}, headers=headers)
    async with asked as answer:
        assert answer.status == 200, await answer.text()
        assert key not in await answer.text()
        return answer.headers["Set-Cookie"]


async def asked(browser: aiohttp.ClientSession, method: str, path: str, **given: Any) -> int:
    async with browser.request(method, path, **given) as answer:
        await answer.read()
        return answer.status


async def new_key(admin: Client, *scopes: str) -> tuple[str, str]:
    answer = await admin.post("/api/keys", {"name": "laptop", "scopes": list(scopes)})
    assert answer.status == 201, answer.body
    return answer.json["id"], answer.json["secret"]


async def test_no_script_reads_the_cookie_and_no_other_site_sends_it(house, browser) -> None:
    cookie = await sign_in(browser, house.key)
    assert "; HttpOnly" in cookie
    assert "; SameSite=strict" in cookie
    assert "; Path=/" in cookie
    assert "Domain" not in cookie
    assert "Secure" not in cookie
    assert house.key not in cookie


async def test_behind_tls_the_cookie_is_for_tls_alone(house, browser) -> None:
    assert "; Secure" in await sign_in(browser, house.key, Origin="https://angelia.example")
    assert "Secure" not in await sign_in(browser, house.key, Origin="http://127.0.0.1")


async def test_signing_out_ends_it_in_this_browser(house, browser) -> None:
    await sign_in(browser, house.key)
    assert await asked(browser, "GET", "/v1/models") == 200
    async with browser.delete("/api/signin", headers=CONSOLE) as answer:
        assert (await answer.json())["signed_in"] is False
        assert "Max-Age=0" in answer.headers["Set-Cookie"]
    assert await asked(browser, "GET", "/v1/models") == 401


async def test_who_is_signed_in_is_told_to_anybody_who_asks(house, browser) -> None:
    async with browser.get("/api/signin") as answer:
        told = await answer.json()
        assert (told["signed_in"], told["key"]) == (False, None)
    await sign_in(browser, house.key)
    async with browser.get("/api/signin") as answer:
        told = await answer.json()
        assert told["signed_in"] is True
        assert "admin" in told["key"]["scopes"]


@pytest.mark.parametrize("key", ["ang-nobody", " ", "é", "🦉"])
async def test_what_is_no_key_opens_nothing(browser, key) -> None:
    async with browser.post("/api/signin", json={"key": key}) as answer:
        assert answer.status == 401
        assert (await answer.json())["error"]["param"] == "key"
        assert "Set-Cookie" not in answer.headers
    assert await asked(browser, "GET", "/v1/models") == 401


async def test_the_cookie_of_a_revoked_key_is_over_at_once(admin, browser) -> None:
    key_id, secret = await new_key(admin, "read")
    await sign_in(browser, secret)
    assert await asked(browser, "GET", "/v1/runs") == 200
    assert (await admin.send("DELETE", f"/api/keys/{key_id}")).status == 200
    assert await asked(browser, "GET", "/v1/runs") == 401
    async with browser.get("/api/signin") as answer:
        assert (await answer.json())["signed_in"] is False


async def test_what_a_key_may_do_holds_for_its_cookie_at_once(admin, browser) -> None:
    key_id, secret = await new_key(admin, "read")
    await sign_in(browser, secret)
    assert await asked(browser, "GET", "/api/keys", headers=CONSOLE) == 403
    run = {"json": {"input": "hello"}, "headers": CONSOLE}
    assert await asked(browser, "POST", "/v1/runs", **run) == 403
    changed = await admin.send("PATCH", f"/api/keys/{key_id}", {"scopes": ["runs"]})
    assert changed.status == 200
    assert await asked(browser, "POST", "/v1/runs", **run) == 202
    await admin.send("PATCH", f"/api/keys/{key_id}", {"scopes": ["read"]})
    assert await asked(browser, "POST", "/v1/runs", **run) == 403


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/v1/runs", {"input": "hello"}),
        ("POST", "/v1/chat/completions", {"messages": [{"role": "user", "content": "hello"}]}),
        ("POST", "/api/keys", {"name": "thief"}),
        ("PATCH", "/api/keys/{key}", {"name": "thief"}),
        ("DELETE", "/api/keys/{key}", None),
    ],
)
async def test_a_cookie_without_the_header_of_the_console_changes_nothing(
    house, admin, browser, method, path, body
) -> None:
    """A form of another page on this host sends the cookie, but no header of its choosing."""
    await sign_in(browser, house.key)
    key_id, _ = await new_key(admin, "read")
    target = path.format(key=key_id)
    assert await asked(browser, method, target, json=body) == 401
    key = (await admin.get(f"/api/keys/{key_id}")).json
    assert (key["name"], key["revoked_at"]) == ("laptop", None)
    assert await asked(browser, method, target, json=body, headers=CONSOLE) < 300


async def test_a_key_in_the_request_goes_before_the_cookie(house, admin, browser) -> None:
    _, secret = await new_key(admin, "read")
    await sign_in(browser, house.key)
    named = {"Authorization": f"Bearer {secret}", **CONSOLE}
    assert await asked(browser, "GET", "/api/keys", headers=named) == 403
    assert await asked(browser, "GET", "/v1/models", headers={"Authorization": "Bearer no"}) == 401


async def test_a_socket_does_not_take_the_cookie(house, browser) -> None:
    """Browsers let any page open one, and send the cookie with it."""
    cookie = (await sign_in(browser, house.key)).partition(";")[0]
    address = house.url.replace("http", "ws", 1) + "/v1/responses"
    with pytest.raises(InvalidStatus) as refused:
        async with connect(address, additional_headers={"Cookie": cookie, **CONSOLE}):
            pass
    assert refused.value.response.status_code == 401


async def test_the_cookie_of_another_server_opens_nothing(house, browser, start_server) -> None:
    theirs = start_server()
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(theirs.url, cookie_jar=jar) as elsewhere:
        cookie = (await sign_in(elsewhere, theirs.key)).partition(";")[0]
    name, _, token = cookie.partition("=")
    ours = (await sign_in(browser, house.key)).partition("=")[0]
    assert name != ours
    async with aiohttp.ClientSession(house.url, headers={"Cookie": f"{ours}={token}"}) as session:
        assert await asked(session, "GET", "/v1/models") == 401


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "key_first.99999999999.00", "é", "\xff", '"'])
async def test_a_cookie_that_was_made_up_opens_nothing(house, browser, token) -> None:
    name = (await sign_in(browser, house.key)).partition("=")[0]
    async with aiohttp.ClientSession(house.url, headers={"Cookie": f"{name}={token}"}) as session:
        assert await asked(session, "GET", "/v1/models") == 401
