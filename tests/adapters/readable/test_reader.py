"""Whatever comes from the web, as text."""

import asyncio
import contextlib
import os
from pathlib import Path

import pytest

from angelia.adapters.readable.reader import Body, Reader
from angelia.errors import ToolError
from angelia.ports.web import Form
from tests.support.pdf import pdf

URL = "https://example.com/x"
# The parser would need hours for so many levels.
BOMB = b"<div>" * 900_000


async def read(kind: str, data: bytes, form: Form = "markdown", *, is_whole: bool = True) -> str:
    body = Body(kind, None, data, is_whole)
    return (await Reader().read(body, URL, form)).text


@pytest.mark.parametrize(
    ("kind", "data", "text"),
    [
        ("text/html", b"<p>a <b>b</b></p>", "a **b**"),
        ("application/xhtml+xml", b"<p>a</p>", "a"),
        ("", b" <!DOCTYPE html><p>a</p>", "a"),
        ("application/octet-stream", b"<html><p>a", "a"),
        ("application/json", b'{"a":[1,2]}', '{\n  "a": [\n    1,\n    2\n  ]\n}'),
        ("application/ld+json", b"[]", "[]"),
        ("application/json", b"{broken", "{broken"),
        ("text/plain", b"<b>as it is</b>", "<b>as it is</b>"),
        ("text/css", b"a{}", "a{}"),
        ("application/xml", b"<a/>", "<a/>"),
        ("image/svg+xml", b"<svg/>", "<svg/>"),
        ("application/yaml", b"a: 1", "a: 1"),
        ("application/octet-stream", "grün".encode(), "grün"),
        ("", b"", ""),
    ],
)
async def test_each_kind_is_read_in_its_way(kind: str, data: bytes, text: str) -> None:
    assert await read(kind, data) == text


async def test_other_forms() -> None:
    assert await read("text/html", b"<p>a <b>b</b></p>", "text") == "a b"
    assert await read("text/html", b"<p>a <b>b</b></p>", "raw") == "<p>a <b>b</b></p>"
    assert await read("application/json", b'{"a":1}', "raw") == '{"a":1}'


async def test_json_that_nests_without_end_is_shown_as_it_is() -> None:
    deep = b"[" * 100_000 + b"]" * 100_000
    assert await read("application/json", deep) == deep.decode()


@pytest.mark.parametrize("kind", ["application/pdf", "application/octet-stream", ""])
async def test_a_pdf_is_known_by_its_kind_or_its_beginning(kind: str) -> None:
    assert "Hello" in await read(kind, pdf("Hello"))


@pytest.mark.parametrize(
    ("kind", "data", "words"),
    [
        ("image/png", b"\x89PNG\0", "no text: image/png, 5 bytes"),
        ("application/octet-stream", b"\0\1\2", "no text: application/octet-stream, 3 bytes"),
        ("", b"\xff\xfe\xfd", "no text: of an unknown kind, 3 bytes"),
        ("video/mp4", b"x", "video/mp4"),
        ("application/pdf", b"%PDF-1.4 broken", "The PDF is broken"),
        ("application/pdf", pdf(""), "no text"),
    ],
    ids=range(6),
)
async def test_what_is_no_text_says_what_it_is(kind: str, data: bytes, words: str) -> None:
    with pytest.raises(ToolError) as caught:
        await read(kind, data)
    assert words in str(caught.value)


async def test_the_beginning_of_something_longer_is_read_and_told() -> None:
    body = Body("text/plain", None, b"abc", is_whole=False)
    reading = await Reader().read(body, URL, "markdown")
    assert (reading.text, reading.note) == ("abc", "only the first 3 bytes of it")
    with pytest.raises(ToolError, match="larger than"):
        await read("application/pdf", pdf("x"), is_whole=False)


async def test_a_page_that_is_too_much_ends_its_child_and_nothing_else() -> None:
    with pytest.raises(ToolError, match="too much to be read"):
        await Reader(seconds=1).read(Body("text/html", None, BOMB), URL, "markdown")
    assert await read("text/html", b"<p>fine") == "fine"


def children() -> set[str]:
    """Processes that this one has started to read for it."""
    found = set[str]()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == os.getpid() and b"readable" in (folder / "cmdline").read_bytes():
                found.add(folder.name)
    return found


async def test_a_child_dies_with_the_wish_for_its_answer() -> None:
    work = asyncio.create_task(read("text/html", BOMB))
    while not children():
        await asyncio.sleep(0)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert children() == set()
