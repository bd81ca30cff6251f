"""Searches without a key, with and without the package that does them."""

import sys
from pathlib import Path

import pytest

from angelia.adapters.ddgs_searcher import DdgsSearcher
from angelia.core.found import Found
from angelia.errors import ToolError

PACKAGE = """
from ddgs.exceptions import DDGSException, RatelimitException

class DDGS:
    def __init__(self, timeout=None):
        assert timeout

    def text(self, query, max_results):
        if query == "nothing":
            raise DDGSException("No results found.")
        if query == "often":
            raise RatelimitException("https://duckduckgo.com 202")
        found = [{"title": query, "href": f"https://x.example/{n}", "body": "b"} for n in range(9)]
        return [{"title": "bad", "href": "javascript:x"}, *found][:max_results]
"""
EXCEPTIONS = "class DDGSException(Exception): ...\nclass RatelimitException(DDGSException): ...\n"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A package that looks like the real one, which needs the open internet."""
    (tmp_path / "ddgs").mkdir()
    (tmp_path / "ddgs" / "__init__.py").write_text(PACKAGE)
    (tmp_path / "ddgs" / "exceptions.py").write_text(EXCEPTIONS)
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("ddgs", "ddgs.exceptions"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield
    for name in ("ddgs", "ddgs.exceptions"):
        sys.modules.pop(name, None)


async def ask(query: str) -> tuple[Found, ...]:
    searcher = DdgsSearcher()
    try:
        return await searcher.search(query, 3)
    finally:
        await searcher.close()


@pytest.mark.usefixtures("package")
async def test_what_is_found_takes_the_common_form() -> None:
    assert await ask("cats") == (
        Found("cats", "https://x.example/0", "b"),
        Found("cats", "https://x.example/1", "b"),
    )


@pytest.mark.usefixtures("package")
async def test_nothing_found_is_no_fault_and_a_refusal_is_one() -> None:
    assert await ask("nothing") == ()
    with pytest.raises(ToolError, match="failed: RatelimitException"):
        await ask("often")


async def test_without_the_package_the_way_out_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ddgs", None)
    with pytest.raises(ToolError, match=r"pip install 'angelia\[web\]'"):
        await ask("cats")
