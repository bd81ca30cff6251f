"""Checkpoints of a folder on disk, kept in a folder beside it."""

from pathlib import Path

from angelia.adapters.checkpoint_keeper import CheckpointKeeper
from angelia.adapters.checkpoint_tree import FolderTree
from angelia.adapters.checkpoint_vault import CheckpointVault
from angelia.adapters.sqlite.faults import explained

FILE = "checkpoints.db"


class FileCheckpoints(CheckpointKeeper):
    def __init__(self, folder: Path, workspace: Path) -> None:
        """Raises LogUnavailable, which names the file and the way out."""
        path = folder / FILE
        with explained(path, "open the checkpoints"):
            super().__init__(FolderTree(workspace), CheckpointVault(path))
