"""Checkpoints of a folder on disk, kept in a folder beside it."""

from pathlib import Path

from angelia.adapters.checkpoint_keeper import CheckpointKeeper
from angelia.adapters.checkpoint_tree import FolderTree
from angelia.adapters.checkpoint_vault import CheckpointVault

FILE = "checkpoints.db"


class FileCheckpoints(CheckpointKeeper):
    def __init__(self, folder: Path, workspace: Path) -> None:
        super().__init__(FolderTree(workspace), CheckpointVault(folder / FILE))
