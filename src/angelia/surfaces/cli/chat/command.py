"""`angelia chat` and `angelia replay`, from the command line.

Nothing heavy may be imported here: `angelia --help` has to answer at once.
"""

import os
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from angelia.errors import HomeInUse
from angelia.surfaces.cli.completing import offer_runs, offer_sessions
from angelia.surfaces.cli.options import Home

if TYPE_CHECKING:
    from angelia.config import Settings
    from angelia.surfaces.cli.remote import Remote

SettingsOf = Callable[..., "Settings"]
Reported = Callable[[], AbstractContextManager[None]]


class Embedding(Protocol):
    def embedded_server(
        self, settings: "Settings", *, as_configured: bool = False
    ) -> AbstractAsyncContextManager[tuple[str, str]]: ...


def register(app: typer.Typer, parts: Embedding, settings: SettingsOf, reported: Reported) -> None:
    commands = ChatCommands(parts, settings, reported)
    app.command()(commands.chat)
    app.command()(commands.replay)


class ChatCommands:
    """One method for each command; its docstring is the command's help."""

    def __init__(self, parts: Embedding, settings: SettingsOf, reported: Reported) -> None:
        self._parts = parts
        self._settings = settings
        self._reported = reported

    def chat(
        self,
        prompt: Annotated[str | None, typer.Argument(help="The first question.")] = None,
        session: Annotated[
            str | None,
            typer.Option(help="Go on in this session.", autocompletion=offer_sessions),
        ] = None,
        go_on: Annotated[
            bool, typer.Option("--continue", help="Go on in the latest session.")
        ] = False,
        model: Annotated[str | None, typer.Option(help="Name of the agent.")] = None,
        home: Home = None,
    ) -> None:
        """Talk with an agent in the terminal.

        Without a terminal every line of stdin is a question; the exit code is that of
        `angelia run`.
        """
        import asyncio

        from angelia.surfaces.cli.chat.opening import Wishes, open_chat

        if session is not None and go_on:
            raise typer.BadParameter("--session and --continue exclude each other")
        wishes = Wishes(prompt, session, go_on, model)

        async def work() -> int:
            settings = self._quiet(home)
            async with self._at_server(settings, as_configured=True) as (remote, address):
                return await open_chat(remote, wishes, settings.home, address)

        with self._reported():
            code = asyncio.run(work())
        raise typer.Exit(code)

    def replay(
        self,
        run: Annotated[str, typer.Argument(help="Id of the run.", autocompletion=offer_runs)],
        speed: Annotated[
            float, typer.Option(min=0.0, help="How many times as fast; 0 is at once.")
        ] = 1.0,
        begin: Annotated[int, typer.Option("--from", min=0, help="Begin behind this event.")] = 0,
        exact: Annotated[bool, typer.Option("--exact", help="Do not shorten long pauses.")] = False,
        home: Home = None,
    ) -> None:
        """Show a run again as it was, with its real timing.

        The exit code is that of the run, as with `angelia run`.
        """
        import asyncio

        from angelia.surfaces.cli.chat.watching import Pace, watch

        pace = Pace(speed, exact=exact) if speed else None

        async def work() -> int:
            async with self._at_server(self._quiet(home)) as (remote, _):
                return await watch(remote, run, after=begin, paced=pace)

        with self._reported():
            code = asyncio.run(work())
        raise typer.Exit(code)

    def _quiet(self, home: Path | None) -> "Settings":
        """Lines of a log would be written into the middle of the screen."""
        return self._settings(home, log=os.environ.get("ANGELIA_LOG") or "error")

    @asynccontextmanager
    async def _at_server(
        self, settings: "Settings", *, as_configured: bool = False
    ) -> "AsyncGenerator[tuple[Remote, str | None]]":
        """At the server of the home folder, or one in this process; then with its address."""
        from angelia.config.running import running_at
        from angelia.surfaces.cli.remote import Remote

        try:
            embedded = self._parts.embedded_server(settings, as_configured=as_configured)
            async with embedded as (url, key), Remote(url, key) as remote:
                yield remote, url
                return
        except HomeInUse:
            pass
        async with Remote(*running_at(settings)) as remote:
            yield remote, None


def at_terminal() -> bool:
    """Whether there is a terminal at both ends that can do more than lines."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    return (
        sys.stdin.isatty()
        and sys.stdout.isatty()
        and os.environ.get("TERM", "dumb") not in ("", "dumb", "unknown")
        and encoding == "utf8"
    )
