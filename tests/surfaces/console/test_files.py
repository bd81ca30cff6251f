"""The files of the console: what is said with each, and that nothing else can be read."""

import gzip
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.responses import JSONResponse
from starlette.types import Message, Receive, Scope, Send

from angelia.surfaces.console import files
from angelia.surfaces.console.files import FOREVER, STATIC, Console
from tests.support.http import Client

SCRIPT = b"console.log('hello');\n" * 20
PAGE = b"<!doctype html><title>Angelia</title>"
SECRET = b"not for anybody"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A console as a build leaves it, with something beside it that is nobody's business."""
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    for name, content in (("index.html", PAGE), ("assets/app-1.js", SCRIPT), ("icon.svg", b"<x/>")):
        (static / name).write_bytes(content)
        (static / f"{name}.gz").write_bytes(gzip.compress(content, mtime=0))
        (static / f"{name}.br").write_bytes(b"brotli of " + content)
    (static / "assets" / "plain-2.css").write_bytes(b"a{}")
    (static / "notes.txt").write_bytes(SECRET)
    (tmp_path / "secret.html").write_bytes(SECRET)
    (tmp_path / "x").write_bytes(SECRET)
    return static


async def behind(scope: Scope, receive: Receive, send: Send) -> None:
    """Stands for the API, which knows nothing."""
    await JSONResponse({"error": "not found"}, 404)(scope, receive, send)


@pytest.fixture
async def browser(folder: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with asking(Console(behind, folder)) as client:
        yield client


def asking(app: Console) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://here", headers={"Accept-Encoding": ""}
    )


async def raw(app: Console, path: str, method: str = "GET") -> tuple[int, bytes]:
    """What is answered to a path that no client would send as it is."""
    messages: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    async def send(message: Message) -> None:
        messages.append(message)

    scope = {"type": "http", "method": method, "path": path, "headers": [], "query_string": b""}
    await app(scope, receive, send)
    start, *rest = messages
    return start["status"], b"".join(message["body"] for message in rest)


@pytest.mark.parametrize("path", ["/", "/assets/app-1.js", "/assets/plain-2.css", "/icon.svg"])
async def test_every_file_says_what_a_browser_may_do_with_it(browser, path) -> None:
    answer = await browser.get(path)
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["vary"] == "Accept-Encoding"


async def test_what_has_a_digest_in_its_name_is_kept_for_ever_and_the_page_is_asked_for(
    browser,
) -> None:
    assert (await browser.get("/assets/app-1.js")).headers["cache-control"] == FOREVER
    assert (await browser.get("/")).headers["cache-control"] == "no-cache"
    assert (await browser.get("/icon.svg")).headers["cache-control"] == "no-cache"


async def test_files_come_as_what_they_are(browser) -> None:
    assert (await browser.get("/")).headers["content-type"] == "text/html; charset=utf-8"
    script = await browser.get("/assets/app-1.js")
    assert script.headers["content-type"] == "text/javascript; charset=utf-8"
    assert script.content == SCRIPT


@pytest.mark.parametrize(
    "known", ["{}", "W/{}", '"other", {}', 'W/"other" , W/{}', "*", '"other",{},"third"']
)
@pytest.mark.parametrize("path", ["/", "/assets/app-1.js"])
async def test_what_a_browser_has_is_not_sent_again(browser, path, known) -> None:
    mark = (await browser.get(path)).headers["etag"]
    answer = await browser.get(path, headers={"If-None-Match": known.format(mark)})
    assert answer.status_code == 304
    assert answer.content == b""
    assert answer.headers["etag"] == mark
    assert "content-security-policy" in answer.headers
    assert "content-length" not in answer.headers


@pytest.mark.parametrize("known", ['"other"', "", ",", '"', "W/", "{}x", "x{}", '"*"'])
async def test_what_a_browser_has_not_is_sent(browser, known) -> None:
    mark = (await browser.get("/")).headers["etag"]
    answer = await browser.get("/", headers={"If-None-Match": known.format(mark)})
    assert (answer.status_code, answer.content) == (200, PAGE)


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("br", "br"),
        ("BR", "br"),
        ("gzip", "gzip"),
        ("gzip;q=1.0, *;q=0", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("br; q=0.000 , gzip ;q=0.5", "gzip"),
        ("*", "br"),
        ("*, br;q=0", "gzip"),
        ("gzip;q=0", ""),
        ("gzip;q=0, br;q=0.0", ""),
        ("*;q=0", ""),
        ("identity", ""),
        ("brotli, x-gzip-not", ""),
        ("", ""),
        (";;=,,", ""),
    ],
)
async def test_a_twin_is_sent_to_who_takes_it(browser, accepted, encoding) -> None:
    asked = browser.build_request("GET", "/assets/app-1.js", headers={"Accept-Encoding": accepted})
    answer = await browser.send(asked, stream=True)
    assert answer.headers.get("content-encoding", "") == encoding
    sent = b"".join([piece async for piece in answer.aiter_raw()])
    twins = {"": SCRIPT, "br": b"brotli of " + SCRIPT, "gzip": gzip.compress(SCRIPT, mtime=0)}
    assert sent == twins[encoding]
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"


async def test_each_encoding_has_a_mark_of_its_own(browser) -> None:
    marks = {
        (await browser.get("/", headers={"Accept-Encoding": encoding})).headers["etag"]
        for encoding in ("gzip", "identity")
    }
    assert len(marks) == 2


async def test_a_file_without_a_twin_comes_as_it_is(browser) -> None:
    answer = await browser.get("/assets/plain-2.css", headers={"Accept-Encoding": "br, gzip"})
    assert answer.content == b"a{}"
    assert "content-encoding" not in answer.headers


async def test_head_says_the_same_without_the_content(client: Client) -> None:
    whole, head = await client.send("GET", "/"), await client.send("HEAD", "/")
    assert (head.status, head.body) == (200, b"")
    same = ("Content-Type", "Content-Length", "ETag", "Cache-Control", "Content-Security-Policy")
    assert [head.headers.get(name) for name in same] == [whole.headers.get(name) for name in same]


async def test_without_a_build_the_page_says_how_to_make_one(tmp_path) -> None:
    console = Console(behind, tmp_path / "nothing")
    assert not console.is_built
    async with asking(console) as browser:
        answer = await browser.get("/")
        assert answer.status_code == 200
        assert "make console" in answer.text
        assert answer.headers["content-type"].startswith("text/html")
        assert answer.headers["cache-control"] == "no-store"
        assert "content-security-policy" in answer.headers
        assert (await browser.get("/assets/app-1.js")).status_code == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
async def test_files_are_for_reading(folder, method) -> None:
    assert (await raw(Console(behind, folder), "/", method))[0] == 404


TRICKS = [
    "/../secret.html",
    "/../x",
    "/assets/../../x",
    "/assets/../../secret.html",
    "/assets/../index.html",
    "//index.html",
    "/./index.html",
    "/index.html/",
    "/index.html",
    "/notes.txt",
    "/index.html.gz",
    "/assets/app-1.js.br",
    "/assets",
    "/assets/",
    "/assets/app-1.js/../../../x",
    "/assets\\..\\..\\x",
    "/assets/app-1.js\x00.html",
    "/%2e%2e/x",
    "/..%2fx",
    "/assets/%2e%2e/%2e%2e/secret.html",
    "secret.html",
    "",
    "/" + "a" * 10_000,
    "/\udcff",
]


@pytest.mark.parametrize("path", TRICKS)
async def test_what_is_no_file_of_the_console_is_not_read(folder, path) -> None:
    status, body = await raw(Console(behind, folder), path)
    assert (status, body) == (404, b'{"error":"not found"}')


@pytest.mark.parametrize("path", [path for path in TRICKS if "\udcff" not in path and path])
async def test_no_encoding_of_a_path_leads_out_of_the_folder(folder, path) -> None:
    async with asking(Console(behind, folder)) as browser:
        for spelled in (quote(path, safe="/"), quote(path, safe=""), quote(quote(path))):
            answer = await browser.get(f"/{spelled.lstrip('/')}")
            assert SECRET not in answer.content
            assert answer.status_code == 404 or answer.content in (PAGE, SCRIPT)


@given(path=st.text(st.sampled_from("/.%2ef\\ixndehtmlascr\x00é"), max_size=40))
def test_whatever_the_path_only_known_names_are_files(path: str) -> None:
    known = dict(files._files(STATIC))
    assert all(".." not in name and "%" not in name for name in known)
    assert path not in known or known[path].place.resolve().is_relative_to(STATIC.resolve())


@pytest.mark.parametrize("path", ["/nothing", "/assets/none.js", "/index.html", "/%2e%2e/x"])
async def test_the_server_says_in_json_what_it_does_not_know(client: Client, path) -> None:
    answer = await client.send("GET", path)
    assert answer.status == 404
    assert answer.json["error"]["message"]
