"""`angelia undo`: what a run has done to the workspace, taken back.

Nothing heavy may be imported here: `angelia --help` has to answer at once.
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from angelia.errors import HomeInUse, RequestError
from angelia.surfaces.cli.completing import offer_runs
from angelia.surfaces.cli.exits import Exit
from angelia.surfaces.cli.options import Home

if TYPE_CHECKING:
    from pathlib import Path

    from angelia.config import Settings
    from angelia.surfaces.cli.remote import Remote
    from angelia.wire.runs.shapes import UndoIn, UndoneOut


class Opening(Protocol):
    def embedded_server(
        self, settings: "Settings"
    ) -> "AbstractAsyncContextManager[tuple[str, str]]": ...


def add_undo(
    app: typer.Typer,
    parts: Opening,
    settings_of: "Callable[[Path | None], Settings]",
    reported: Callable[[], AbstractContextManager[None]],
) -> None:
    @app.command()
    def undo(  # pyright: ignore[reportUnusedFunction]
        run: Annotated[
            str | None,
            typer.Argument(
                help="Id of the run; without one: the latest change.", autocompletion=offer_runs
            ),
        ] = None,
        force: Annotated[
            bool, typer.Option("--force", help="Also what somebody has changed since.")
        ] = False,
        redo: Annotated[
            bool, typer.Option("--redo", help="Bring back what an undo took away.")
        ] = False,
        dry_run: Annotated[
            bool, typer.Option("--dry-run", help="Only say what would be done.")
        ] = False,
        yes: Annotated[
            bool, typer.Option("--yes", help="Undo the latest change without naming its run.")
        ] = False,
        home: Home = None,
    ) -> None:
        """Bring back what was in the workspace before a run.

        Without a run it says what the latest one that changed something has done; --yes undoes it.

        0 done, 1 something was left alone, 2 wrong usage.
        """
        import asyncio

        from angelia.wire.runs.shapes import UndoIn

        with reported():
            # Who names no run is shown what it would be before anything is done.
            wanted = UndoIn(force, redo, dry_run or (run is None and not yes))
            undone = asyncio.run(_undone(parts, settings_of(home), run, wanted))
        for line in lines(undone):
            print(line)
        if run is None and wanted.dry_run:
            typer.echo(f"This was {undone.run_id}; undo it: angelia undo {undone.run_id}", err=True)
        if undone.conflicts and not force:
            typer.echo("--force overrides what somebody else has changed.", err=True)
        raise typer.Exit(Exit.FAILED if undone.conflicts else Exit.COMPLETED)


async def _undone(
    parts: Opening, settings: "Settings", run_id: str | None, wanted: "UndoIn"
) -> "UndoneOut":
    """At the server that works in the home folder, else at one in this process."""
    from angelia.config.running import running_at
    from angelia.surfaces.cli.remote import Remote

    try:
        async with parts.embedded_server(settings) as place, Remote(*place) as remote:
            return await _undone_at(remote, run_id, wanted)
    except HomeInUse:
        async with Remote(*running_at(settings)) as remote:
            return await _undone_at(remote, run_id, wanted)


async def _undone_at(remote: "Remote", run_id: str | None, wanted: "UndoIn") -> "UndoneOut":
    from angelia.surfaces.cli.changed import newest_change
    from angelia.surfaces.cli.server import Server

    found = run_id or await newest_change(Server(remote))
    if found is None:
        raise RequestError("None of the latest runs has changed anything that can be undone.")
    return await remote.undo(found, wanted)


def lines(undone: "UndoneOut") -> list[str]:
    """One for each file, and what is to be known beside."""
    would = "would be " if undone.dry_run else ""
    told = [f"{would}restored  {path}" for path in undone.restored]
    told += [f"{would}removed   {path}" for path in undone.removed]
    told += [f"left alone  {one.path}: {one.reason}" for one in undone.conflicts]
    told += [f"note: {note}" for note in undone.notes]
    return told or ["Nothing to undo."]
