"""The commands for what waits for a person. What they need is imported when they are called."""

import os
import sys
from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from angelia.surfaces.cli.completing import offer_runs

if TYPE_CHECKING:
    from angelia.config import Settings
    from angelia.surfaces.cli.remote import Remote

Home = Annotated[Path | None, typer.Option(help="Home folder, instead of ANGELIA_HOME.")]


class Answers:
    """One method for each command; its docstring is the command's help.

    `reported` shows what goes wrong on purpose as one line.
    """

    def __init__(
        self,
        settings: "Callable[[Path | None], Settings]",
        reported: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._settings = settings
        self._reported = reported

    def approve(
        self,
        run: Annotated[
            str | None,
            typer.Argument(help="The run; without one: a list.", autocompletion=offer_runs),
        ] = None,
        deny: Annotated[bool, typer.Option("--deny", help="Say no.")] = False,
        reason: Annotated[str | None, typer.Option(help="What the model is told with it.")] = None,
        session: Annotated[
            bool, typer.Option("--session", help="Do not ask again in this session.")
        ] = False,
        always: Annotated[bool, typer.Option("--always", help="Do not ask again.")] = False,
        code: Annotated[str | None, typer.Option(help="Which one, if several wait.")] = None,
        home: Home = None,
    ) -> None:
        """Answer a call that waits for a person, or list all that wait.

        0 answered or listed, 1 no server runs here, 2 nothing like it is pending.
        """
        from angelia.surfaces.cli import approving

        if deny + session + always > 1:
            raise typer.BadParameter("--deny, --session and --always exclude each other")
        if run is None and code is None and (deny or session or always or reason):
            raise typer.BadParameter("name the run, or the code of what waits")
        choice = "deny" if deny else "session" if session else "always" if always else "once"
        wanted = approving.Answer(choice, code=code, reason=reason)

        async def work(remote: "Remote") -> str:
            if run is None and code is None:
                return approving.listed(await approving.pending(remote))
            return await approving.answer(remote, run, wanted)

        self._go(home, work)

    def grants(
        self,
        revoke: Annotated[str | None, typer.Option(help="The id of one to revoke.")] = None,
        home: Home = None,
    ) -> None:
        """List what nobody is asked about again, or revoke it.

        0 done, 1 no server runs here, 2 there is no such grant.
        """
        from angelia.surfaces.cli import approving

        self._go(home, lambda remote: approving.grants(remote, revoke))

    def _go(self, home: Path | None, work: "Callable[[Remote], Coroutine[Any, Any, str]]") -> None:
        import asyncio

        from angelia.config.running import running_at
        from angelia.surfaces.cli.paper import Paper
        from angelia.surfaces.cli.remote import Remote

        async def answered() -> str:
            async with Remote(*running_at(self._settings(home))) as remote:
                return await work(remote)

        with self._reported():
            Paper(sys.stdout, os.environ).say(asyncio.run(answered()))
