"""Whether anything can be written down at the moment, and what a salvage has brought back."""

from typing import Protocol

from msgspec import Struct

from angelia.errors import LogUnavailable


class Storage(Protocol):
    @property
    def trouble(self) -> LogUnavailable | None:
        """Why nothing can be written at the moment; None if all is well."""
        ...


class CutRun(Struct, frozen=True):
    """A run whose log was kept up to its entry `seq`; what followed is lost, and it has ended."""

    run_id: str
    seq: int


class Salvage(Struct, frozen=True):
    """What was found in a database, and what was brought back; `damage` is None for a sound one.

    `kept_as` is where the damaged file is now, None as long as nothing was changed. `lost` are runs
    that are known to have been there; `rows` are those that could be read, by table.
    `checkpoints` is where a damaged store of checkpoints was moved to; undo knows nothing of it.
    """

    database: str
    damage: str | None = None
    kept_as: str | None = None
    whole: int = 0
    cut: tuple[CutRun, ...] = ()
    lost: tuple[str, ...] = ()
    rows: dict[str, int] = {}
    checkpoints: str | None = None
