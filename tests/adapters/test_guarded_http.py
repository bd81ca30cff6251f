"""Requests that reach only what the guard admits."""

import pytest

from angelia.adapters.address_guard import AddressGuard, NotAdmitted
from angelia.adapters.guarded_http import GuardedHttp, GuardedNames
from angelia.adapters.memory.names import ScriptedNames
from angelia.core.places import places
from tests.support.site import moved, site


async def status(http: GuardedHttp, url: str) -> int:
    async with http.ask("GET", url, {}) as answer:
        return answer.status


async def test_the_library_is_given_only_what_the_guard_admits() -> None:
    names = ScriptedNames({"x.example": [["10.0.0.1", "8.8.8.8", "127.0.0.1", "2606:4700::1"]]})
    found = await GuardedNames(AddressGuard(names)).resolve("x.example", 443)
    assert [address["host"] for address in found] == ["8.8.8.8", "2606:4700::1"]
    assert {address["port"] for address in found} == {443}


async def test_names_and_addresses_pass_the_same_guard() -> None:
    names = ScriptedNames({"open.example": [["127.0.0.1"]], "closed.example": [["127.0.0.1"]]})
    async with site({"/": b"ok"}) as place:
        http = GuardedHttp(AddressGuard(names, places(["open.example"])), 5)
        assert await status(http, f"http://open.example:{place.port}/") == 200
        for host in ("closed.example", "127.0.0.1", "[::ffff:127.0.0.1]", "2130706433"):
            with pytest.raises(NotAdmitted):
                await status(http, f"http://{host}:{place.port}/")
        await http.close()
        assert len(place.asked) == 1


async def test_an_open_connection_opens_no_other_name() -> None:
    """A connection is kept for the next request, but only for one to the same host."""
    names = ScriptedNames({"open.example": [["127.0.0.1"]], "closed.example": [["127.0.0.1"]]})
    async with site({"/": b"ok"}) as place:
        http = GuardedHttp(AddressGuard(names, places(["open.example"])), 5)
        for _ in range(2):
            assert await status(http, f"http://open.example:{place.port}/") == 200
        with pytest.raises(NotAdmitted):
            await status(http, f"http://closed.example:{place.port}/")
        await http.close()


async def test_no_redirect_is_followed() -> None:
    async with site({"/": moved("/b"), "/b": b"ok"}) as place:
        http = GuardedHttp(AddressGuard(ScriptedNames({}), True), 5)
        assert await status(http, place.url) == 302
        await http.close()


async def test_a_proxy_that_the_environment_names_is_not_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with site() as proxy, site({"/": b"ok"}) as place:
        monkeypatch.setenv("http_proxy", proxy.url)
        http = GuardedHttp(AddressGuard(ScriptedNames({}), True), 5)
        assert await status(http, place.url) == 200
        await http.close()
        assert proxy.connections == 0


async def test_a_place_can_be_looked_at_without_asking_anybody() -> None:
    async with site() as place:
        http = GuardedHttp(AddressGuard(ScriptedNames({})), 5)
        with pytest.raises(NotAdmitted):
            await http.admit(place.url)
        await http.admit("http://8.8.8.8/")
        await http.close()
        assert place.connections == 0
