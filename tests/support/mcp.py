"""MCP servers for tests: those from npm, and one that misbehaves."""

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.node import command

FOLDER = Path(__file__).parent.parent / "mcp"
PACKAGES = FOLDER / "node_modules" / "@modelcontextprotocol"
ODD = Path(__file__).parent / "odd_mcp.py"


def everything(*arguments: str) -> dict[str, Any]:
    return _of_npm("server-everything", *arguments)


def filesystem(*folders: Path) -> dict[str, Any]:
    return _of_npm("server-filesystem", *map(str, folders))


def odd(folder: Path, manner: str = "", **more: Any) -> dict[str, Any]:
    """A server of `odd_mcp.py`; `more` are further settings of it."""
    folder.mkdir(parents=True, exist_ok=True)
    return {"command": sys.executable, "args": ["-IS", str(ODD), str(folder), manner], **more}


def pids(folder: Path) -> list[int]:
    """The processes that have been started so far, oldest first."""
    file = folder / "pids"
    return [int(line) for line in file.read_text().split()] if file.exists() else []


def _of_npm(package: str, *arguments: str) -> dict[str, Any]:
    node, missing = command(FOLDER)
    if missing:
        pytest.skip(missing)
    return {"command": node, "args": [str(PACKAGES / package / "dist" / "index.js"), *arguments]}
