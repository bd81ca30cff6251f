"""Options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

Home = Annotated[Path | None, typer.Option(help="Home folder, instead of ANGELIA_HOME.")]
