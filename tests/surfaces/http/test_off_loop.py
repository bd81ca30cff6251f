"""Which reading happens beside the loop, and that every route reads what may be large there."""

import ast
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from angelia.errors import BadRequest
from angelia.surfaces import http
from angelia.surfaces.http.off_loop import LARGE, off_loop

FOLDER = Path(http.__file__).parent
READERS = ("chat.py", "responses.py", "runs.py", "socket.py")


def where(content: bytes) -> tuple[int, bool]:
    return len(content), threading.current_thread() is threading.main_thread()


@pytest.mark.parametrize(("size", "on_loop"), [(0, True), (LARGE - 1, True), (LARGE, False)])
async def test_only_what_is_large_is_read_beside_the_loop(size: int, on_loop: bool) -> None:
    assert await off_loop(where, b"x" * size) == (size, on_loop)


def refuse(content: bytes) -> None:
    raise BadRequest(f"{len(content)} bytes", param="messages")


async def test_what_is_wrong_is_told_wherever_it_was_read() -> None:
    with pytest.raises(BadRequest, match=f"{LARGE} bytes"):
        await off_loop(refuse, b"x" * LARGE)


def direct_calls(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            if name.startswith("parse"):
                yield name


@pytest.mark.parametrize("file", READERS)
def test_no_body_is_parsed_on_the_loop_whatever_its_size(file: str) -> None:
    text = (FOLDER / file).read_text()
    assert "off_loop(" in text
    assert not list(direct_calls(ast.parse(text)))
