"""An MCP server as a process of ours: what it is started with, and what it says of itself."""

import asyncio
import logging
import os
import shutil
import sys
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TextIO

from angelia.adapters.mcp import keeper
from angelia.config import McpSettings
from angelia.errors import AngeliaError

PASSED_ON = frozenset(
    {
        *("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "TZ", "TMPDIR", "LANG", "LANGUAGE"),
        *("LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_MONETARY", "LC_NUMERIC"),
        *("LC_TIME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"),
    }
)
_LINE = 2_000
_REMEMBERED = 5
_LAST_WORDS = 1.0

_log = logging.getLogger(__name__)


class NoSuchCommand(AngeliaError):
    """A server whose command is not on this machine."""


def environment(server: McpSettings, environ: Mapping[str, str]) -> dict[str, str]:
    """What a server may know: nothing of ours that could be a secret, and what it was given."""
    passed_on = {name: value for name, value in environ.items() if name in PASSED_ON}
    given = {name: text.reveal() for name, text in server.env.items()}
    return {"PATH": os.defpath, "LANG": "C.UTF-8", **passed_on, **given}


def command_line(server: McpSettings, env: Mapping[str, str]) -> list[str]:
    """With the keeper before it. Raises NoSuchCommand."""
    given = Path(server.command).expanduser()
    wanted = str(server.folder / given) if os.sep in server.command else server.command
    found = shutil.which(wanted, path=env["PATH"])
    if found is None:
        raise NoSuchCommand(f"the command {server.command!r} is not found")
    own = (sys.executable, "-I", "-S", str(Path(keeper.__file__)), str(os.getpid()))
    return [*own, found, *(each.reveal() for each in server.args)]


class Complaints:
    """What a server prints where nobody reads: to our log, and the end of it in mind."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._last: deque[str] = deque(maxlen=_REMEMBERED)

    def note(self, line: bytes) -> None:
        text = line[:_LINE].decode(errors="replace").rstrip()
        if text:
            _log.debug("MCP server %s: %s", self._name, text)
            self._last.append(text)

    @property
    def last(self) -> str:
        return "\n".join(self._last)


@asynccontextmanager
async def listened(complaints: Complaints) -> AsyncGenerator[TextIO]:
    """A file for a process to complain to, read for as long as this is open."""
    reading, writing = os.pipe()
    reader = asyncio.StreamReader(limit=4 * _LINE)
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(reading, "rb", 0)
    )
    task = asyncio.create_task(_read(reader, complaints))
    try:
        with os.fdopen(writing, "w") as file:
            yield file
    finally:
        # What it said last is the most interesting, and it is in the pipe already.
        await asyncio.wait((task,), timeout=_LAST_WORDS)
        transport.close()
        task.cancel()


async def _read(reader: asyncio.StreamReader, complaints: Complaints) -> None:
    while True:
        try:
            line = await reader.readuntil()
        except asyncio.LimitOverrunError as error:
            line = await reader.read(error.consumed or _LINE)
        except asyncio.IncompleteReadError as error:
            complaints.note(error.partial)
            return
        complaints.note(line)
