"""Options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

Home = Annotated[Path | None, typer.Option(help="Home folder, instead of ANGELIA_HOME.")]
AsJson = Annotated[bool, typer.Option("--json", help="The same as JSON.")]
OutFile = Annotated[
    Path | None,
    typer.Option("--output", "-o", dir_okay=False, help="The file to write; stdout if left out."),
]
Yes = Annotated[bool, typer.Option("--yes", help="Ask nothing.")]
