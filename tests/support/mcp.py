"""MCP servers for tests: those from npm, and one that misbehaves."""

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Any, Self

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


class HttpServer:
    """server-everything behind HTTP (`streamableHttp` or `sse`), while inside `with`."""

    def __init__(self, transport: str, port: int) -> None:
        given = everything(transport)
        self._port = port
        self._process = subprocess.Popen(
            [given["command"], *given["args"]],
            env={**os.environ, "PORT": str(port)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=0,
        )

    def __enter__(self) -> Self:
        deadline = time.monotonic() + 30
        while not _listens(self._port):
            assert self._process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end()

    def end(self) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, 9)
            self._process.wait()


def _listens(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/nowhere", timeout=5):
            return True
    except urllib.error.HTTPError as error:
        error.close()
        return True
    except OSError:
        return False
