"""What the settings of the web become."""

import sys
from pathlib import Path

import pytest

from angelia.adapters.address_guard import AddressGuard, NotAdmitted
from angelia.assembly.web import WebTools, egress_of, guard_of, search_of, web_secrets
from angelia.config import ConfigError, Settings, settle


def settled(text: str = "", home: Path = Path("/home")) -> Settings:
    return settle(text, {}, home)


def names(settings: Settings) -> list[str]:
    return [tool.spec.name for tool in WebTools(settings).tools]


def test_searching_is_offered_only_where_an_engine_is_configured() -> None:
    assert names(settled()) == ["web_fetch"]
    searxng = '[web]\nsearch = "searxng"\nsearch_url = "http://127.0.0.1:8888"\n'
    assert names(settled(searxng)) == ["web_fetch", "web_search"]


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ('search = "searxng"\nsearch_url = "http://box:8888"', "box"),
        ('search = "brave"\nsearch_key = "secret"', "api.search.brave.com"),
        ('search = "tavily"\nsearch_key = "secret"', "api.tavily.com"),
        ('search = "tavily"\nsearch_key = "secret"\nsearch_url = "http://my.box/x"', "my.box"),
    ],
)
def test_an_engine_is_asked_where_it_is(text: str, host: str) -> None:
    settings = settled(f"[web]\n{text}\n")
    search = search_of(settings)
    assert search
    assert search.host == host
    assert web_secrets(settings) == (("secret",) if "secret" in text else ())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('search = "searxng"\nsearch_url = "box:8888"', "web.search_url: "),
        ('search = "duckduckgo"', "web.search needs the package 'ddgs': pip install"),
        ('extractor = "trafilatura"', "web.extractor needs the package 'trafilatura'"),
    ],
)
def test_what_cannot_be_used_stops_the_start(
    text: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Neither is installed on every machine; here nobody has them.
    for package in ("ddgs", "trafilatura"):
        monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ConfigError) as caught:
        WebTools(settled(f"[web]\n{text}\n"))
    assert words in str(caught.value)


async def admits(guard: AddressGuard, host: str, port: int) -> bool:
    try:
        return bool(await guard.admit(host, port))
    except NotAdmitted:
        return False


async def test_the_guard_is_as_open_as_the_settings_say() -> None:
    assert not await admits(guard_of(settled()), "127.0.0.1", 80)
    assert await admits(guard_of(settled("[web]\nallow_private = true\n")), "127.0.0.1", 80)
    one = guard_of(settled('[web]\nallow_private = ["127.0.0.1:81"]\n'))
    assert await admits(one, "127.0.0.1", 81)
    assert not await admits(one, "127.0.0.1", 80)


async def test_a_way_out_of_the_sandbox_exists_only_where_places_are_named(tmp_path: Path) -> None:
    assert egress_of(settled()) is None
    proxy = egress_of(settled('[tools]\nnetwork = ["wheels.example"]\n', tmp_path))
    assert proxy
    assert proxy.path == tmp_path / "egress.sock"
    await proxy.start()
    assert proxy.path.is_socket()
    await proxy.close()
