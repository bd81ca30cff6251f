"""Checkpoints of a workspace that is a dictionary."""

from angelia.adapters.checkpoint_keeper import CheckpointKeeper
from angelia.adapters.checkpoint_states import ABSENT, Found, Scan, State, digest
from angelia.adapters.checkpoint_vault import CheckpointVault
from angelia.adapters.memory.workspace import MemoryWorkspace, place_of


class MemoryTree:
    def __init__(self, workspace: MemoryWorkspace) -> None:
        self._files = workspace.files

    def place(self, path: str) -> str:
        return place_of(path)

    def look(self, place: str) -> Found:
        """A folder is there as long as a file is in it."""
        if place in self._files:
            data = self._files[place]
            return Found(State("file", digest(data)), data)
        inside = any(name.startswith(f"{place}/") for name in self._files)
        return Found(State("folder") if inside else ABSENT)

    def put(self, place: str, wanted: Found) -> None:
        if wanted.state.kind == "file":
            self._files[place] = wanted.data
        elif wanted.state.kind == "absent":
            self._files.pop(place, None)

    def scan(self, vault: CheckpointVault) -> Scan:
        return Scan({place: State("file", vault.keep(d)) for place, d in self._files.items()})


class MemoryCheckpoints(CheckpointKeeper):
    def __init__(self, workspace: MemoryWorkspace) -> None:
        super().__init__(MemoryTree(workspace), CheckpointVault(None))
