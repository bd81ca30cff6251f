"""Pages over real sockets: what is read, and above all what is not."""

import gzip
import zlib
from collections.abc import AsyncIterator, Callable

import pytest
from aiohttp import web

from angelia.adapters.address_guard import AddressGuard
from angelia.adapters.memory.names import ScriptedNames
from angelia.adapters.web_fetcher import WebFetcher
from angelia.core.places import places
from angelia.errors import ToolError
from tests.support.pdf import pdf
from tests.support.process import free_port
from tests.support.site import Site, moved, raw_server, site

Make = Callable[..., WebFetcher]


@pytest.fixture
async def make() -> AsyncIterator[Make]:
    """Fetchers that may ask the given places and no other on this machine."""
    made: list[WebFetcher] = []

    def build(*allowed: str, names: ScriptedNames | None = None, **more: object) -> WebFetcher:
        guard = AddressGuard(names or ScriptedNames({}), places(allowed))
        made.append(WebFetcher(guard, **more))  # pyright: ignore[reportArgumentType]
        return made[-1]

    yield build
    for fetcher in made:
        await fetcher.close()


def at(place: Site) -> str:
    return f"127.0.0.1:{place.port}"


async def refusal(fetcher: WebFetcher, url: str) -> str:
    with pytest.raises(ToolError) as caught:
        await fetcher.fetch(url, "markdown")
    return str(caught.value)


# ── what is read ────────────────────────────────────────────────────────────────────────────


async def test_a_page_is_read_as_markdown(make: Make) -> None:
    async with site({"/a": b"<h1>Hi</h1><p>there <a href=/b>b</a>"}) as place:
        document = await make(at(place)).fetch(f"{place.url}/a?q=1", "markdown")
    assert document.text == f"# Hi\n\nthere [b]({place.url}/b)"
    assert (document.url, document.status) == (f"{place.url}/a?q=1", 200)
    assert document.kind == "text/html"
    assert place.asked == ["/a?q=1"]
    assert place.headers[0]["user-agent"].startswith("Angelia/")
    assert place.headers[0]["accept-encoding"] == "gzip, deflate"
    assert "cookie" not in place.headers[0]


async def test_a_pdf_is_read(make: Make) -> None:
    answer = web.Response(body=pdf("Hello"), content_type="application/pdf")
    async with site({"/a": answer}) as place:
        document = await make(at(place)).fetch(f"{place.url}/a", "markdown")
    assert document.text == "--- page 1 of 1 ---\nHello"


@pytest.mark.parametrize(
    ("encoding", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress)]
)
async def test_a_packed_page_is_unpacked_and_a_bomb_is_cut(
    make: Make, encoding: str, pack: Callable[[bytes], bytes]
) -> None:
    headers = {"Content-Encoding": encoding, "Content-Type": "text/plain"}
    answers = {
        "/a": web.Response(body=pack(b"hello"), headers=headers),
        "/bomb": web.Response(body=pack(bytes(50_000_000)), headers=headers),
    }
    async with site(answers) as place:
        fetcher = make(at(place), body_limit=1000)
        assert (await fetcher.fetch(f"{place.url}/a", "raw")).text == "hello"
        cut = await fetcher.fetch(f"{place.url}/bomb", "raw")
    assert len(cut.text) == 1000
    assert cut.note == "only the first 1,000 bytes of it"


async def test_a_packing_that_nobody_asked_for_is_told(make: Make) -> None:
    headers = {"Content-Encoding": "br", "Content-Type": "text/plain"}
    broken = {"Content-Encoding": "gzip", "Content-Type": "text/plain"}
    answers = {
        "/a": web.Response(body=b"xxxx", headers=headers),
        "/b": web.Response(body=b"not packed", headers=broken),
    }
    async with site(answers) as place:
        fetcher = make(at(place))
        assert "packed the page as 'br'" in await refusal(fetcher, f"{place.url}/a")
        assert "cannot be unpacked" in await refusal(fetcher, f"{place.url}/b")


async def test_an_error_comes_with_its_status_and_what_the_server_said(make: Make) -> None:
    answers = {
        "/gone": web.Response(status=410, body=b"<p>Long <b>gone</b>", content_type="text/html"),
        "/odd": web.Response(status=599, body=b"\0\1", content_type="image/png"),
    }
    async with site(answers) as place:
        fetcher = make(at(place))
        gone = await fetcher.fetch(f"{place.url}/gone", "markdown")
        odd = await fetcher.fetch(f"{place.url}/odd", "markdown")
    assert (gone.status, gone.text) == (410, "Long **gone**")
    assert (odd.status, odd.text) == (599, "")


async def test_what_is_no_text_says_so(make: Make) -> None:
    picture = web.Response(body=b"\x89PNG\0", content_type="image/png")
    async with site({"/a": picture}) as place:
        said = await refusal(make(at(place)), f"{place.url}/a")
    assert said == f"What is at {place.url}/a is no text: image/png, 5 bytes."


async def test_nobody_there_is_told_in_words(make: Make) -> None:
    port = free_port()
    said = await refusal(make(f"127.0.0.1:{port}"), f"http://127.0.0.1:{port}/")
    assert said == "'127.0.0.1' cannot be reached: the connection was refused or nobody is there."


async def test_what_is_not_http_is_told_in_words(make: Make) -> None:
    async with raw_server(b"SSH-2.0-OpenSSH\r\n") as port:
        said = await refusal(make(f"127.0.0.1:{port}"), f"http://127.0.0.1:{port}/")
    assert "'127.0.0.1' cannot be reached" in said


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"])
async def test_a_server_that_does_not_come_to_an_end_is_given_up(make: Make, said: bytes) -> None:
    async with raw_server(said, hang=True) as port:
        fetcher = make(f"127.0.0.1:{port}", seconds=0.2)
        words = await refusal(fetcher, f"http://127.0.0.1:{port}/")
        await fetcher.close()
    assert "too long" in words or "longer than 0.2 s" in words


# ── redirects ───────────────────────────────────────────────────────────────────────────────


async def test_redirects_on_the_same_host_are_followed(make: Make) -> None:
    answers = {"/a": moved("/b", 301), "/b": moved("c?x=ä"), "/c": b"<p>here"}
    async with site(answers) as place:
        document = await make(at(place)).fetch(f"{place.url}/a", "markdown")
    assert (document.text, document.url) == ("here", f"{place.url}/c?x=%C3%A4")
    assert place.headers[0].get("referer") is None


async def test_a_redirect_without_end_is_given_up(make: Make) -> None:
    async with site({"/a": moved("/a")}) as place:
        said = await refusal(make(at(place)), f"{place.url}/a")
    assert said == f"{place.url}/a was redirected more than 8 times."
    assert len(place.asked) == 8


async def test_a_redirect_to_another_host_is_told_and_not_followed(make: Make) -> None:
    async with site({"/b": b"there"}) as other:
        away = f"http://other.example:{other.port}/b"
        names = ScriptedNames({"other.example": [["127.0.0.1"]]})
        async with site({"/a": moved(away)}) as place:
            fetcher = make(at(place), "other.example", names=names)
            document = await fetcher.fetch(f"{place.url}/a", "markdown")
        assert (document.moved_to, document.text) == (away, "")
        assert other.connections == 0


LOOPBACK = [
    "http://127.0.0.2:{port}/", "http://localhost:{port}/", "http://[::1]:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/", "http://2130706434:{port}/", "http://0177.0.0.2:{port}/",
    "http://0x7f.2:{port}/", "http://127.2:{port}/", "//127.0.0.2:{port}/x",
    "http://127.0.0.1:{port}/", "http://１２７.0.0.2:{port}/", "http://rebound.example:{port}/",
    "http://user@127.0.0.2:{port}/", "http://169.254.169.254/latest/meta-data/",
    "file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1:{port}/_x", "data:text/html,x",
    "http://127.0.0.2:{port}\\@example.com/", "http://[::1", "http://exa mple/",
]  # fmt: skip


@pytest.mark.parametrize("location", LOOPBACK)
async def test_a_redirect_to_a_place_that_is_not_open_reaches_nobody(
    make: Make, location: str
) -> None:
    names = ScriptedNames({"rebound.example": [["127.0.0.1"]]})
    async with site(host="0.0.0.0") as inner:
        away = moved(location.format(port=inner.port))
        async with site({"/a": away}) as place:
            said = await refusal(make(at(place), names=names), f"{place.url}/a")
        assert inner.connections == 0
    assert f"{place.url}/a redirects" in said


# ── places that are not open ────────────────────────────────────────────────────────────────

CLOSED = [
    "http://127.0.0.1:{port}/", "http://localhost:{port}/", "http://localhost.:{port}/",
    "http://LOCALHOST:{port}/", "http://2130706433:{port}/", "http://0177.0.0.1:{port}/",
    "http://0x7f000001:{port}/", "http://0x7f.0.0.1:{port}/", "http://127.1:{port}/",
    "http://0:{port}/", "http://0.0.0.0:{port}/", "http://[::]:{port}/", "http://[::1]:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/", "http://[::ffff:7f00:1]:{port}/",
    "http://[64:ff9b::127.0.0.1]:{port}/", "http://[2002:7f00:1::]:{port}/",
    "http://１２７.０.０.１:{port}/", "http://127。0。0。1:{port}/", "http://private.example:{port}/",
    "http://mapped.example:{port}/", "http://127.0.0.1.:{port}/",
]  # fmt: skip


@pytest.mark.parametrize("url", CLOSED)
async def test_a_place_that_is_not_open_is_never_connected_to(make: Make, url: str) -> None:
    names = ScriptedNames(
        {"private.example": [["127.0.0.1"]], "mapped.example": [["::ffff:127.0.0.1"]]}
    )
    async with site(host="0.0.0.0") as inner:
        said = await refusal(make(names=names), url.format(port=inner.port))
        assert inner.connections == 0
    assert "private address" in said


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://x.example/", "gopher://x.example/1"])
async def test_other_schemes_are_not_spoken(make: Make, url: str) -> None:
    assert "only http and https are spoken here" in await refusal(make(), url)


async def test_a_connection_goes_to_the_address_that_was_admitted(make: Make) -> None:
    """The name means this server when it is looked at, and another one ever after."""
    async with site({"/": b"<p>first"}) as place, site({"/": b"<p>second"}, "127.0.0.2") as other:
        names = ScriptedNames({"rebind.example": [["127.0.0.1"], ["127.0.0.2"]]})
        fetcher = make("rebind.example", names=names)
        document = await fetcher.fetch(f"http://rebind.example:{place.port}/", "markdown")
        assert document.text == "first"
        assert names.asked == ["rebind.example"]
        assert other.connections == 0


async def test_every_hop_is_looked_at_anew(make: Make) -> None:
    """A name that was fine for the first page and means something else for the next one."""
    gone = web.Response(status=302, headers={"Location": "/b", "Connection": "close"})
    async with site({"/a": gone, "/b": b"<p>inner"}) as place:
        names = ScriptedNames({"rebind.example": [["127.0.0.1"], ["127.0.0.2"]]})
        fetcher = make(at(place), names=names)
        said = await refusal(fetcher, f"http://rebind.example:{place.port}/a")
    assert "private address" in said
    assert place.asked == ["/a"]
