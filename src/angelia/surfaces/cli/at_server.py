"""Where commands do their work: at the server of the home folder, else at one in this process.

Nothing heavy may be imported here: `angelia --help` has to answer at once.
"""

import os
import sys
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import typer

from angelia.errors import HomeInUse

if TYPE_CHECKING:
    from angelia.config import Settings
    from angelia.surfaces.cli.server import Server

T = TypeVar("T")
SettingsOf = Callable[[Path | None], "Settings"]
Reported = Callable[[], AbstractContextManager[None]]
# What shells say of a program whose reader has left.
PIPE_BROKEN = 141


class Embedding(Protocol):
    def embedded_server(
        self, settings: "Settings"
    ) -> AbstractAsyncContextManager[tuple[str, str]]: ...


class AtServer:
    """`settings` are those of a home folder; `reported` makes one line of what goes wrong."""

    def __init__(self, parts: Embedding, settings: SettingsOf, reported: Reported) -> None:
        self._parts = parts
        self._settings = settings
        self._reported = reported

    def do(self, home: Path | None, work: "Callable[[Server], Coroutine[Any, Any, T]]") -> T:
        """What comes of the work. Whoever reads its output may leave before the end."""
        import asyncio

        with self._reported():
            try:
                return asyncio.run(self._done(self._settings(home), work))
            except BrokenPipeError:
                # The interpreter flushes stdout at its end; there must be something to take it.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                raise typer.Exit(PIPE_BROKEN) from None

    async def _done(
        self, settings: "Settings", work: "Callable[[Server], Coroutine[Any, Any, T]]"
    ) -> T:
        from angelia.config.running import running_at
        from angelia.surfaces.cli.remote import Remote
        from angelia.surfaces.cli.server import Server

        try:
            async with self._parts.embedded_server(settings) as at, Remote(*at) as remote:
                return await work(Server(remote))
        except HomeInUse:
            async with Remote(*running_at(settings)) as remote:
                return await work(Server(remote))
