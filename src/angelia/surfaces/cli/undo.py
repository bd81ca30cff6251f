"""`angelia undo`: what a run has done to the workspace, taken back.

Nothing heavy may be imported here: `angelia --help` has to answer at once.
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from angelia.errors import HomeInUse
from angelia.surfaces.cli.exits import Exit
from angelia.surfaces.cli.options import Home

if TYPE_CHECKING:
    from pathlib import Path

    from angelia.config import Settings
    from angelia.runtime.services import Services
    from angelia.wire.runs.shapes import UndoIn, UndoneOut


class Opening(Protocol):
    def open_services(self, settings: "Settings") -> "AbstractAsyncContextManager[Services]": ...


def add_undo(
    app: typer.Typer,
    parts: Opening,
    settings_of: "Callable[[Path | None], Settings]",
    reported: Callable[[], AbstractContextManager[None]],
) -> None:
    @app.command()
    def undo(  # pyright: ignore[reportUnusedFunction]
        run: Annotated[str, typer.Argument(help="Id of the run.")],
        force: Annotated[
            bool, typer.Option("--force", help="Also what somebody has changed since.")
        ] = False,
        redo: Annotated[
            bool, typer.Option("--redo", help="Bring back what an undo took away.")
        ] = False,
        dry_run: Annotated[
            bool, typer.Option("--dry-run", help="Only say what would be done.")
        ] = False,
        home: Home = None,
    ) -> None:
        """Bring back what was in the workspace before a run.

        0 done, 1 something was left alone, 2 wrong usage.
        """
        import asyncio

        from angelia.wire.runs.shapes import UndoIn

        with reported():
            wanted = UndoIn(force, redo, dry_run)
            undone = asyncio.run(_undone(parts, settings_of(home), run, wanted))
        for line in lines(undone):
            print(line)
        if undone.conflicts and not force:
            typer.echo("--force overrides what somebody else has changed.", err=True)
        raise typer.Exit(Exit.FAILED if undone.conflicts else Exit.COMPLETED)


async def _undone(
    parts: Opening, settings: "Settings", run_id: str, wanted: "UndoIn"
) -> "UndoneOut":
    """In this process, or at the server that works in the home folder already."""
    from angelia.config.running import running_at
    from angelia.surfaces.cli.embedded import Embedded
    from angelia.surfaces.cli.remote import Remote

    try:
        async with parts.open_services(settings) as services:
            return await Embedded(services).undo(run_id, wanted)
    except HomeInUse:
        async with Remote(*running_at(settings)) as remote:
            return await remote.undo(run_id, wanted)


def lines(undone: "UndoneOut") -> list[str]:
    """One for each file, and what is to be known beside."""
    would = "would be " if undone.dry_run else ""
    told = [f"{would}restored  {path}" for path in undone.restored]
    told += [f"{would}removed   {path}" for path in undone.removed]
    told += [f"left alone  {one.path}: {one.reason}" for one in undone.conflicts]
    told += [f"note: {note}" for note in undone.notes]
    return told or ["Nothing to undo."]
