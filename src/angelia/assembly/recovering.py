"""A damaged home folder, brought back as far as it can be read."""

import time

from angelia.adapters.sqlite.salvage import recovery
from angelia.assembly.ground import CHECKPOINTS, DATABASE
from angelia.config import Settings
from angelia.ports import Salvage


def recover(settings: Settings, *, dry_run: bool) -> Salvage:
    """Raises HomeInUse while a server works there."""
    home = settings.home
    return recovery.recover(home / DATABASE, home / CHECKPOINTS, time.time(), dry_run=dry_run)
