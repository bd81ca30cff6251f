"""What a run has changed in the workspace, shown and taken back."""

from msgspec.structs import replace

from angelia.core.redact import SHAPES_ONLY, Redactor
from angelia.errors import Conflict
from angelia.ports import Changes, Checkpoints, RunRecord, Undone
from angelia.runtime.library import ENDED


class Undoing:
    def __init__(self, checkpoints: Checkpoints, redact: Redactor = SHAPES_ONLY) -> None:
        self._checkpoints = checkpoints
        self._redact = redact

    async def changes(self, run: RunRecord) -> Changes:
        """Files may hold secrets; what is shown of them does not."""
        found = await self._checkpoints.changes(run.id)
        files = tuple(replace(file, diff=self._redact(file.diff)) for file in found.files)
        return replace(found, files=files)

    async def undo(self, run: RunRecord, *, force: bool, redo: bool, dry_run: bool) -> Undone:
        """Raises Conflict while the run is under way."""
        if run.status not in ENDED:
            raise Conflict(
                f"Run {run.id!r} is {run.status}; stop it before undoing what it did.",
                code="run_not_finished",
            )
        return await self._checkpoints.undo(run.id, force=force, redo=redo, dry_run=dry_run)
