"""The newest run whose changes to files can still be taken back."""

from angelia.errors import RequestError
from angelia.surfaces.cli.server import Server
from angelia.wire.runs.shapes import UndoIn

# What lies further back is for who knows its id.
LOOKED_AT = 50


async def newest_change(server: Server, session_id: str | None = None) -> str | None:
    page = await server.runs(LOOKED_AT, session_id=session_id)
    for run in page.data:
        if await _changed(server, run.run_id):
            return run.run_id
    return None


async def _changed(server: Server, run_id: str) -> bool:
    try:
        would = await server.undo(run_id, UndoIn(dry_run=True))
    except RequestError:  # it is under way
        return False
    return bool(would.restored or would.removed or would.conflicts)
