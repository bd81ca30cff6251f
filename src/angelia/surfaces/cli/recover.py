"""`angelia recover`: a damaged database, brought back as far as it can be read.

Nothing heavy may be imported here: `angelia --help` has to answer at once.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from angelia.surfaces.cli.exits import Exit
from angelia.surfaces.cli.options import AsJson, Home

if TYPE_CHECKING:
    from pathlib import Path

    from angelia.config import Settings
    from angelia.ports import Salvage

SHOWN = 20


class Recovering(Protocol):
    def recover(self, settings: "Settings", *, dry_run: bool) -> "Salvage": ...


def add_recover(
    app: typer.Typer,
    parts: Recovering,
    settings_of: "Callable[[Path | None], Settings]",
    reported: Callable[[], AbstractContextManager[None]],
) -> None:
    @app.command()
    def recover(  # pyright: ignore[reportUnusedFunction]
        check: Annotated[
            bool, typer.Option("--check", "--dry-run", help="Only look, change nothing.")
        ] = False,
        json: AsJson = False,
        home: Home = None,
    ) -> None:
        """Bring back what can be read of a damaged database.

        The damaged file is kept. Stop the server first.

        0 in order or brought back, 1 damaged and left as it is, 2 wrong usage.
        """
        with reported():
            found = parts.recover(settings_of(home), dry_run=check)
        if json:
            from msgspec.json import encode

            print(encode(found).decode())
        else:
            for line in lines(found, check=check):
                print(line)
        left = check and (found.damage is not None or found.checkpoints is not None)
        raise typer.Exit(Exit.FAILED if left else Exit.COMPLETED)


def lines(found: "Salvage", *, check: bool = False) -> Iterator[str]:
    if found.damage is None:
        yield f"{found.database} is in order: {found.whole} runs, nothing to do."
    else:
        yield from _salvaged(found)
    if found.checkpoints is not None and check:
        yield "The checkpoints are damaged. Run it without --check to begin them anew."
    elif found.checkpoints is not None:
        yield f"The checkpoints were damaged; undo begins anew. The old ones: {found.checkpoints}"


def _salvaged(found: "Salvage") -> Iterator[str]:
    yield f"{found.database} is damaged: {found.damage}"
    yield f"  runs kept whole  {found.whole}"
    yield f"  runs cut short   {len(found.cut)}"
    yield from _listed(f"{run.run_id}, ended behind entry {run.seq}" for run in found.cut)
    yield f"  runs lost        {len(found.lost)}"
    yield from _listed(found.lost)
    rows = ", ".join(f"{name} {count}" for name, count in found.rows.items())
    yield f"  rows             {rows or 'none'}"
    if found.kept_as is None:
        yield "Nothing was changed. Run it without --check to bring this back."
    else:
        yield f"The damaged file is kept as {found.kept_as}"
        yield "Start the server again: angelia serve"


def _listed(items: "Iterator[str] | tuple[str, ...]") -> Iterator[str]:
    """As many as anybody reads; all of them are in the JSON."""
    whole = tuple(items)
    yield from (f"    {item}" for item in whole[:SHOWN])
    if len(whole) > SHOWN:
        yield f"    and {len(whole) - SHOWN} more"
