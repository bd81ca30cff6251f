"""The child that reads, in this process."""

import sys
from pathlib import Path

import pytest

from angelia.adapters.readable.shapes import Task
from angelia.adapters.readable.worker import read
from tests.support.pdf import pdf

URL = "https://example.com/"
EXTRACTOR = """
def extract(html, url, output_format, include_links, include_tables, include_formatting):
    assert url and include_tables
    return f"{output_format} {include_links}" if "content" in html else None
"""


@pytest.fixture
def trafilatura(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A package that takes what the real one takes."""
    (tmp_path / "trafilatura.py").write_text(EXTRACTOR)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "trafilatura", raising=False)
    yield
    sys.modules.pop("trafilatura", None)


def test_each_kind_is_read_in_its_way() -> None:
    assert read(Task("html", "markdown", URL), b"<b>x</b>").text == "**x**"
    assert read(Task("html", "text", URL), b"<b>x</b>").text == "x"
    assert read(Task("html", "text", URL, "koi8-r"), "привет".encode("koi8-r")).text == "привет"
    assert "Hello" in read(Task("pdf", "markdown", URL, seconds=10_000), pdf("Hello")).text


@pytest.mark.usefixtures("trafilatura")
def test_another_extractor_is_used_where_it_finds_something() -> None:
    task = Task("html", "markdown", URL, extractor="trafilatura")
    assert read(task, b"<p>content</p>").text == "markdown True"
    assert read(task, b"<p>nothing</p>").text == "nothing"
    plain = Task("html", "text", URL, extractor="trafilatura")
    assert read(plain, b"<p>content</p>").text == "txt False"
